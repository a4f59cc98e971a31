"""Runs of a compiled model."""
