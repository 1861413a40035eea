"""Readers of motion files: BVH, ASF/AMC and C3D as they stand in the file."""
