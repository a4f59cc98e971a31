"""Sine and cosine of one angle together, as data: the numbers of ``templates/sine_cosine.c``.

The angle is reduced to r = x - n pi/2, |r| <= pi/4, with pi/2 in three parts, the first two short
enough that their products with n are exact (Cody and Waite, Software Manual for the Elementary
Functions, 1980); what the last subtractions round away is kept as a second part of r. Then

    sin r = r + r z (s_0 + s_1 z + ...),   cos r = 1 - z/2 + z^2 (c_0 + c_1 z + ...),   z = r^2

with the polynomials of least largest relative error on |r| <= pi/4 (1 + 2^-10), found by Remez's
exchange; each coefficient in turn was rounded to the type and those above it fitted again.

Error: at most 0.81 ulp in float (all tried) and 0.83 ulp in double (millions tried, also next
to the zeros) in round-to-nearest, with or without fused multiply-adds. Larger arguments, infinities
and NaN go to the math library. The sine of -0 is +0.
"""

import math
from dataclasses import dataclass

from eomc.codegen.plan.real import Real


@dataclass(frozen=True)
class SineCosine:
    """Constants for one scalar type.

    limit : largest argument, about 2^bits pi/2
    rounder : 1.5 times the smallest number with units of 1; adding it rounds to an integer
    half_pi : three parts whose sum is pi/2; the first two leave room for the bits of n
    sine, cosine : coefficients of z^0, z^1, ...
    """

    limit: float
    rounder: float
    per_half_pi: float
    half_pi: tuple[float, float, float]
    sine: tuple[float, ...]
    cosine: tuple[float, ...]

    @property
    def few(self) -> int:
        """A power of 2: angles of no more quarter turns either way are not beyond the limit."""
        return 1 << math.floor(math.log2(self.limit * self.per_half_pi))


_hex = float.fromhex

DOUBLE = SineCosine(
    limit=51471.0,
    rounder=1.5 * 2.0**52,
    per_half_pi=_hex("0x1.45f306dc9c883p-1"),
    half_pi=(
        _hex("0x1.921fb54440000p+0"),
        _hex("0x1.68c234c4c0000p-39"),
        _hex("0x1.98a2e03707345p-77"),
    ),
    sine=(
        _hex("-0x1.5555555555549p-3"),
        _hex("0x1.111111110f927p-7"),
        _hex("-0x1.a01a019c336aep-13"),
        _hex("0x1.71de3599f99f3p-19"),
        _hex("-0x1.ae5e821ddfc73p-26"),
        _hex("0x1.5d9af1fccc118p-33"),
    ),
    cosine=(
        _hex("0x1.555555555554cp-5"),
        _hex("-0x1.6c16c16c1504ep-10"),
        _hex("0x1.a01a019c45e0fp-16"),
        _hex("-0x1.27e4f78359ab7p-22"),
        _hex("0x1.1ee973eaddc97p-29"),
        _hex("-0x1.8f6944622a915p-37"),
    ),
)

FLOAT = SineCosine(
    limit=402.0,
    rounder=1.5 * 2.0**23,
    per_half_pi=_hex("0x1.45f306p-1"),
    half_pi=(_hex("0x1.921e0p+0"), _hex("0x1.b544p-16"), _hex("0x1.0b4612p-34")),
    sine=(_hex("-0x1.555546p-3"), _hex("0x1.110790p-7"), _hex("-0x1.995d0cp-13")),
    cosine=(_hex("0x1.55554ap-5"), _hex("-0x1.6c0c4ep-10"), _hex("0x1.99f868p-16")),
)

_BY_TYPE = {"double": DOUBLE, "float": FLOAT}


def sine_cosine(real: Real) -> SineCosine:
    """The constants of the scalar type ``real``."""
    return _BY_TYPE[real.name]
