"""Rolling ([Rolling]): cycles of poses, springs that follow them, the program that steers, the search for cycles."""
