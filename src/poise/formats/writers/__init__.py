"""One file for each ending of a take: `save(recording, path)`, and `check()` where a package is needed."""
