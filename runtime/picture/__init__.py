"""Pictures of a compiled model: shapes, meshes, and their poses along a run."""
