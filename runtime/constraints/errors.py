"""What constraints can make impossible."""

from __future__ import annotations


class ConstraintError(ArithmeticError):
    """Something that the constraints of a model do not allow; the message names what hinders."""


class AssemblyError(ConstraintError):
    """There is no state near the guess that satisfies the constraints."""
