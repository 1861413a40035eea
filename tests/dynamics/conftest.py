"""Bodies in random motion, with no ground and no contact."""

from moving import moving, name  # noqa: F401
