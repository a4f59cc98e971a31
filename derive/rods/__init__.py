"""Rods that bend far: strains as coordinates, poses by exponentials."""
