"""Errors of what constraints do not allow, and of an assembly without a state near the guess."""

from __future__ import annotations


class ConstraintError(ArithmeticError):
    """Something that the constraints of a model do not allow; the message names what hinders."""


class AssemblyError(ConstraintError):
    """There is no state near the guess that satisfies the constraints."""
