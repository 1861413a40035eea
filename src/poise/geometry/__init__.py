"""Plain functions on arrays: rotations and plane polygons. Knows no body."""
