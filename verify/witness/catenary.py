"""A cable that hangs under its own weight, in numbers: Irvine's equations by nested roots.

With the pulls H across and V down on the upper end, W = V - w L, T(s)^2 = H^2 + (V - w s)^2,

    a = H L/EA + H/w (asinh(V/H) - asinh(W/H)),    b = L (V + W)/(2 EA) + (T(0) - T(L))/w.

b rises with V at any H, a rises with H at the V of b. The energies are integrals over the rest
length, by Gauss's quadrature on both sides of the lowest point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from eomc.verify.witness.body_motion import Motion
from eomc.verify.witness.mechanism import Array, Catenary

_APART = 1e-9
"""Of the length: what keeps ends apart that stand over each other."""
_POINTS = 40


@dataclass(frozen=True)
class CatenaryInState:
    """Between two bodies as they are placed; `down` is the direction of gravity."""

    cable: Catenary
    first: Motion
    second: Motion
    down: Array

    @cached_property
    def _ends(self) -> tuple[Array, Array]:
        a, b = self.cable.a, self.cable.b
        return self.first.position(a.xyz), self.second.position(b.xyz)

    @cached_property
    def _span(self) -> tuple[Array, float, float]:
        """The vector across from a to b, its length as it counts, and by how much b is lower."""
        away = self._ends[1] - self._ends[0]
        drop = float(self.down @ away)
        across = away - self.down * drop
        return across, float(np.hypot(np.linalg.norm(across), _APART * self.cable.length)), drop

    @cached_property
    def pulls(self) -> tuple[float, float]:
        """(H, V) on the end a."""
        _, a, b = self._span
        length, stiffness, w = self.cable.length, self.cable.stiffness, self.cable.weight

        def lower(h: float, v: float) -> float:
            last = v - w * length
            mean = (v + last) * length
            return float(mean / (2 * stiffness) + mean / (np.hypot(h, v) + np.hypot(h, last)) - b)

        def beside(h: float) -> float:
            v = vertical(h)
            turned = np.arcsinh(v / h) - np.arcsinh((v - w * length) / h)
            return float(h * length / stiffness + h / w * turned) - a

        def vertical(h: float) -> float:
            size = w * length + stiffness * (1 + abs(b) / length) + h
            return float(brentq(lambda v: lower(h, v), -size, size, xtol=1e-300, rtol=9e-16))

        most = stiffness * (1 + a / length)
        h = float(brentq(beside, most * 1e-14, most, xtol=1e-300, rtol=9e-16))
        return h, vertical(h)

    def _along(self) -> tuple[Array, Array, Array, Array]:
        """Places s, weights of Gauss, T and how much lower than a."""
        (h, v), cable = self.pulls, self.cable
        nodes, shares = np.polynomial.legendre.leggauss(_POINTS)
        # Finer near the lowest point, where the tension is H and may turn sharply.
        lowest = min(max(v / cable.weight, 0.0), cable.length)
        graded = np.array([0, *(0.25 ** np.arange(8, 0, -1.0)), 1])
        ends = [lowest * (1 - graded[::-1]), lowest + (cable.length - lowest) * graded]
        cuts = np.concatenate(ends)
        halves = np.diff(cuts) / 2
        s = np.concatenate([c + x * (1 + nodes) for c, x in zip(cuts, halves, strict=False)])
        tension = np.hypot(h, v - cable.weight * s)
        z = (v * s - cable.weight * s**2 / 2) / cable.stiffness
        z = z + (np.hypot(h, v) - tension) / cable.weight
        return s, np.concatenate([x * shares for x in halves]), tension, z

    def add_loads(self, kept: Array, size: Array) -> float:
        """Add its forces on unit speeds, and their size; the energy."""
        (h, v), (across, apart, _) = self.pulls, self._span
        along, w = across * (h / apart), v - self.cable.weight * self.cable.length
        partial = self.first.partial_velocities(self.cable.a.xyz)
        other = self.second.partial_velocities(self.cable.b.xyz)
        kept += partial @ (along + self.down * v) - other @ (along + self.down * w)
        for each, vertical in ((partial, v), (other, w)):
            size += np.linalg.norm(each, axis=1) * np.hypot(h, vertical)
        _, shares, tension, z = self._along()
        strain = float(shares @ tension**2) / (2 * self.cable.stiffness)
        below = float(shares @ z) + self.cable.length * float(self.down @ self._ends[0])
        return strain - self.cable.weight * below

    def told(self) -> dict[str, float]:
        """Tensions at both ends, their part across, the stretched length."""
        h, v = self.pulls
        _, shares, tension, _ = self._along()
        stretched = self.cable.length + float(shares @ tension) / self.cable.stiffness
        values = {
            "tension_a": np.hypot(h, v),
            "tension_b": np.hypot(h, v - self.cable.weight * self.cable.length),
            "horizontal": h,
            "stretched_length": stretched,
        }
        return {f"{self.cable.name}.{word}": float(value) for word, value in values.items()}
