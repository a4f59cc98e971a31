"""Units as FMI writes them: exponents of SI base units, and a factor.

A unit is a text such as ``"kg m^2/s"``; all that follows a slash, up to the next, divides.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

BASE = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
"""FMI's base units in the order of its schema; the radian is one of them."""

_DERIVED: dict[str, tuple[str, float]] = {
    "N": ("kg m/s^2", 1.0),
    "J": ("kg m^2/s^2", 1.0),
    "W": ("kg m^2/s^3", 1.0),
    "Pa": ("kg/m/s^2", 1.0),
    "Hz": ("1/s", 1.0),
    "C": ("A s", 1.0),
    "V": ("kg m^2/s^3/A", 1.0),
    "ohm": ("kg m^2/s^3/A^2", 1.0),
    "H": ("kg m^2/s^2/A^2", 1.0),
    "Wb": ("kg m^2/s^2/A", 1.0),
    "T": ("kg/s^2/A", 1.0),
    "g": ("kg", 1e-3),
    "mm": ("m", 1e-3),
    "cm": ("m", 1e-2),
    "km": ("m", 1e3),
    "ms": ("s", 1e-3),
    "min": ("s", 60.0),
    "h": ("s", 3600.0),
    "deg": ("rad", math.pi / 180),
    "kN": ("kg m/s^2", 1e3),
    "MPa": ("kg/m/s^2", 1e6),
    "GPa": ("kg/m/s^2", 1e9),
}
_POWER = re.compile(r"([A-Za-z]+)(?:\^(-?\d+))?")


@dataclass(frozen=True)
class FmiUnit:
    """`exponents` of `BASE`, and how many of these the unit is."""

    exponents: tuple[int, ...]
    factor: float = 1.0


def unit(text: str) -> FmiUnit | None:
    """The unit that `text` names; None if it names none.

    >>> unit("N m")
    FmiUnit(exponents=(1, 2, -2, 0, 0, 0, 0, 0), factor=1.0)
    >>> unit("rad or m")
    """
    exponents, factor = [0] * len(BASE), 1.0
    if not text.strip():
        return None
    for place, part in enumerate(text.split("/")):
        sign = -1 if place else 1
        for word in part.replace("*", " ").split():
            if word == "1":
                continue
            match = _POWER.fullmatch(word)
            if match is None:
                return None
            power = sign * int(match[2] or 1)
            if match[1] in BASE:
                exponents[BASE.index(match[1])] += power
                continue
            base, size = _DERIVED.get(match[1], ("", 1.0))
            found = unit(base)
            if found is None:
                return None
            factor *= size**power
            exponents = [e + power * own for e, own in zip(exponents, found.exponents, strict=True)]
    return FmiUnit(tuple(exponents), factor)


_DUAL = {"rad/s": "N m", "m/s": "N"}
_RATES = {"1": "1/s", "m": "m/s", "rad": "rad/s", "m/s": "m/s^2", "rad/s": "rad/s^2"}


def rate_of(text: str) -> str:
    """The unit of the time derivative.

    >>> rate_of("m"), rate_of("kg")
    ('m/s', 'kg/s')
    """
    if text in _RATES or unit(text) is None:
        return _RATES.get(text, "")
    return f"{text}/s"


def force_of(speed: str) -> str:
    """The unit of the force that does work on a speed: watts over the unit of the speed."""
    return _DUAL.get(speed, "")
