"""Numbers of the graph as C literals that read back as exactly the intended value.

A double is written by its shortest round-trip decimal (David Gay's, Python's ``repr``), a float by
the shortest decimal that reads back as the nearest float. A fraction whose decimal expansion is not
finite is written as a quotient of two exactly represented integers: IEEE division rounds
correctly, compilers fold it, and ``1.0/3.0`` says more than ``0.3333333333333333``.
"""

import math
import struct
from fractions import Fraction

from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.real import Real

Number = int | Fraction | float


def literal(value: Number, real: Real) -> str:
    """``value`` as a C constant expression of type ``real``; negative values bear their sign.

    Raises EmissionError when the value is not finite or overflows the type.

    >>> from eomc.codegen.plan.real import DOUBLE, FLOAT
    >>> literal(2, DOUBLE), literal(Fraction(1, 3), DOUBLE), literal(0.1, FLOAT)
    ('2.0', '(1.0/3.0)', '0.1f')
    """
    if isinstance(value, Fraction):
        if value.denominator == 1:
            value = value.numerator
        elif (quotient := _quotient(value, real)) is not None:
            return quotient
    try:
        rounded = float(value)
        if real.suffix:
            rounded = _nearest_float(rounded)
    except OverflowError:
        rounded = math.inf
    if not math.isfinite(rounded):
        raise EmissionError(f"the constant {value} has no finite value as C {real.name}")
    text = _shortest_float(rounded) if real.suffix else repr(rounded)
    if "." not in text and "e" not in text:
        text += ".0"
    return text + real.suffix


def _quotient(value: Fraction, real: Real) -> str | None:
    """``(n.0/d.0)`` if both are exact and no finite decimal says the same; None otherwise."""
    if max(abs(value.numerator), value.denominator) > real.exact_integers:
        return None
    if Fraction(repr(float(value))) == value:
        return None
    return f"({value.numerator}.0{real.suffix}/{value.denominator}.0{real.suffix})"


def _nearest_float(value: float) -> float:
    """The single-precision number nearest to ``value``; OverflowError beyond its range."""
    (nearest,) = struct.unpack("f", struct.pack("f", value))
    return float(nearest)


def _shortest_float(value: float) -> str:
    """The shortest decimal that single precision reads back as ``value`` (at most nine digits)."""
    for digits in range(1, 9):
        text = f"{value:.{digits}g}"
        if _nearest_float(float(text)) == value:
            return text
    return f"{value:.9g}"
