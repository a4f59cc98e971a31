"""Checks that look into the derivation: the graph and the declaration."""
