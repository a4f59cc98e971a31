"""Checks that look into the derivation or start again from the declaration."""
