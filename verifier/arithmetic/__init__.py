"""The graph in other arithmetic: doubles with bounds of their rounding, complex steps."""
