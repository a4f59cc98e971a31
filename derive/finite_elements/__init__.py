"""Finite elements, assembly and reduction to modes."""
