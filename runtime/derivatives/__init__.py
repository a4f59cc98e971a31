"""Derivatives of the equations of motion about a state, user forces included."""
