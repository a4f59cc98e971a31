"""A tendon that runs through the sections of a rod: its length, and the law that it pulls by.

A point at the offset r of the section moves from one section to the next by t dX, t = gamma + kappa
x r + r', so that l = integral of |t| dX and the force on each strain is -T dl/dq, by imaginary
steps. Reference: Rucker and Webster, IEEE Transactions on Robotics 27 (2011).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.verifier.witness.cable import Around
from eomc.verifier.witness.mechanism import Law
from eomc.verifier.witness.strain_functions import declared_functions, kinks, mass_points, piecewise

__all__ = ["PullingTendon", "WitnessTendon", "way"]

_TINY = 1e-30


@dataclass(frozen=True)
class WitnessTendon:
    """Its length by the coordinates of the rod, and its law; `free` is None for its length at
    rest. What it stores has a potential, if it `stores`."""

    name: str
    coordinates: tuple[str, ...]
    length: Callable[[Any], Any]
    stiffness: float
    damping: float
    width: float
    free: Law | None
    law: Law | None
    stores: bool

    def in_state(self, around: Around) -> PullingTendon:
        """In one state."""
        return PullingTendon(self, around)


def way(reader: Any, tendon: Any) -> Callable[[Any], Any]:
    """The length by the free coordinates of its rod."""
    body = reader.model.deformables[tendon.body]
    rod, held, number = body.given, dict(body.held), reader.numbers
    length, functions, x = number(rod.length), declared_functions(rod), sympy.Symbol("x")

    def station(at: Any) -> float:
        words = {"root": 0.0, "tip": 1.0}
        return words[at] if at in words else number(at) / length

    first, last = station(tendon.start), station(tendon.end)
    count = max(2, -(-len(mass_points(rod)) // (len(kinks(rod)) + 1)))
    points = piecewise([first, *(k for k in kinks(rod) if first < k < last), last], count)

    def at(value: Any, s: float) -> float:
        return float(number(sympy.sympify(value).xreplace({x: length * sympy.Float(s, 17)})))

    rows = []
    for s, weight in points:
        r = np.array([0.0, *(at(entry, s) for entry in tendon.offset)])
        slope = np.array([0.0, *(at(sympy.sympify(e).diff(x), s) for e in tendon.offset)])
        rest = np.array([*(at(entry, s) for entry in rod.curvature), 1.0, 0.0, 0.0])
        strains = np.zeros((6, len(rod.coordinates)))
        place = 0
        for component, values in functions:
            row = values(s)
            unit = 1 / length if component < 3 else 1.0
            strains[component, place : place + len(row)] = unit * np.array(row)
            place += len(row)
        rows.append((length * weight, r, slope, rest, strains))
    names = rod.coordinates
    constants = {k: number(held[name]) for k, name in enumerate(names) if name in held}

    def of(q: Sequence[Any]) -> Any:
        free = iter(q)
        whole = np.array(
            [constants[k] if k in constants else next(free) for k in range(len(names))]
        )
        total: Any = 0.0
        for share, r, slope, rest, strains in rows:
            strain = rest + strains @ whole
            t = strain[3:] + np.cross(strain[:3], r) + slope
            total = total + share * np.sqrt((t * t).sum())
        return total

    return of


class PullingTendon:
    """A tendon in one state."""

    def __init__(self, tendon: WitnessTendon, around: Around) -> None:
        self.cable, self.around = tendon, around
        q = np.array([around.named[name] for name in tendon.coordinates], dtype=complex)
        u = np.array([around.named[f"speed({name})"] for name in tendon.coordinates])
        steps = [tendon.length(q + 1j * _TINY * unit).imag / _TINY for unit in np.eye(len(q))]
        self.slopes, self.length = np.array(steps), float(tendon.length(q).real)
        free = tendon.free(around.named) if tendon.free else float(tendon.length(0 * q).real)
        self.stretch, self.rate = self.length - free, float(self.slopes @ u)

    def _pulls(self) -> tuple[float, float, float]:
        """(tension of the strain, of the rest, energy)."""
        tendon, x, width = self.cable, self.stretch, self.cable.width
        if tendon.law is not None:
            named = {**self.around.named, "x": x, "v": self.rate}
            return 0.0, tendon.law(named), 0.0
        root = float(np.hypot(x, width))
        taut = (x + root) / 2 if width else max(x, 0.0)
        rising = (1 + x / root) / 2 if width else float(x > 0)
        elastic = tendon.stiffness * taut * rising
        damper = max(tendon.damping * rising * self.rate, -elastic)
        return elastic, damper, tendon.stiffness * taut * taut / 2

    def forces(self) -> tuple[Array, Array, float]:
        """(Q with a potential, Q without, energy)."""
        units = np.array([self.around.coordinate_rates(n) for n in self.cable.coordinates])
        along = -self.slopes @ units
        elastic, other, energy = self._pulls()
        if self.cable.stores:
            return elastic * along, other * along, energy
        return 0 * along, (elastic + other) * along, 0.0

    def size(self) -> Array:
        """It pulls on no two bodies."""
        return np.zeros(len(self.around.speeds))

    def planes(self) -> dict[str, float]:
        """It has no circles."""
        return {}

    def told(self) -> dict[str, float]:
        """Tension and length, by the names of its outputs."""
        elastic, other, _ = self._pulls()
        name = self.cable.name
        return {f"{name}.tension": elastic + other, f"{name}.length": self.length}
