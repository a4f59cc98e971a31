"""Checks that need the compiled module alone (and, for one, the mechanism in numbers)."""
