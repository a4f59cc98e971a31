"""The scalar type of the emitted code: double or float, and what follows from the choice."""

from dataclasses import dataclass
from typing import Literal

RealName = Literal["double", "float"]


@dataclass(frozen=True)
class Real:
    """One C floating-point type: its keyword and how literals and math functions are spelled."""

    name: RealName
    suffix: str
    """Appended to literals (``1.0f``) and to math functions (``sinf``)."""
    bytes: int
    exact_integers: int
    """Integers up to this magnitude are represented exactly (``2**digits``)."""
    typenum: str
    """NumPy's name of the array element type."""
    dtype: str
    """NumPy's short dtype string."""


DOUBLE = Real("double", "", 8, 2**53, "NPY_DOUBLE", "float64")
FLOAT = Real("float", "f", 4, 2**24, "NPY_FLOAT", "float32")

REALS: dict[str, Real] = {"double": DOUBLE, "float": FLOAT}
