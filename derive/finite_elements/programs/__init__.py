"""Structures from finite-element programs: matrices, freedoms and places of nodes."""
