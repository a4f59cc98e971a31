"""Frames of emitted files, and the reading of them."""
