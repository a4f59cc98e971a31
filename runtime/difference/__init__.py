"""Difference equations of a processor, written once: for NumPy, and for the expressions of C.

A difference equation is a state and a step. The step is a formula in operations that an
`Operations` supplies: on arrays of numbers it runs, on arrays of expressions it is emitted.
"""

from eomc.runtime.difference.equation import (
    DifferenceEquation,
    NotEmittableError,
    in_series,
    linear_equation,
)
from eomc.runtime.difference.operations import Numeric, Operations

__all__ = [
    "DifferenceEquation",
    "NotEmittableError",
    "Numeric",
    "Operations",
    "in_series",
    "linear_equation",
]
