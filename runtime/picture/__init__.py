"""What pictures show of a compiled model: shapes, meshes, and where they are along a run."""
