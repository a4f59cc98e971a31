"""Constraints: loops, points, directions, coordinates, speeds; one file an idea."""
