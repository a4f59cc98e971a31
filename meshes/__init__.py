"""Files of meshes: where they are, what they hold, their convex hulls."""
