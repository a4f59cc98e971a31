"""Checks that need nothing but the compiled module, and its mechanism in numbers if known."""
