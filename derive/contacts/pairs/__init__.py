"""Pairs of shapes and surfaces with a form of their own: one file a pair, found by itself."""
