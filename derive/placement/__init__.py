"""Places and directions as they are declared: poses, points, rotations in numbers or symbols."""
