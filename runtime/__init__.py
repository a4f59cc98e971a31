"""Thin runtime of compiled models: load, simulate, look."""
