"""A cable that hangs at rest between two points, by the least of its complementary energy.

With H and V the pulls on the one end across and downward, U = V - w s and T = sqrt(H^2 + U^2),

    C(H, V) = integral of T + T^2 / (2 EA) ds - H a - V b

is convex, and its least value belongs to the cable that spans a across and b downward: Newton's
method with steps halved as long as C rises. References: Irvine, *Cable Structures*, ch. 1;
Washizu, *Variational Methods in Elasticity and Plasticity*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.cable import Around
from eomc.verifier.witness.mechanism import WitnessPoint

__all__ = ["HangingCable", "WitnessCatenary"]

_APART, _STEPS = 1e-9, 200
"""Of its length: how far apart ends that stand over each other count as."""


@dataclass(frozen=True)
class WitnessCatenary:
    """Between points a and b, of rest length L, weight w per rest length and stiffness EA."""

    name: str
    a: WitnessPoint
    b: WitnessPoint
    length: float
    weight: float
    stiffness: float
    gravity: Array

    def in_state(self, around: Around) -> HangingCable:
        """In one state."""
        return HangingCable(self, around)


class HangingCable:
    """A cable in one state: its pulls and its energy."""

    def __init__(self, cable: WitnessCatenary, around: Around) -> None:
        self.cable, self.around = cable, around
        self.down = cable.gravity / np.linalg.norm(cable.gravity)
        self.ends = [around.motions[p.body].position(p.xyz) for p in (cable.a, cable.b)]
        d = self.ends[1] - self.ends[0]
        across = d - self.down * (self.down @ d)
        self.apart = math.hypot(float(np.linalg.norm(across)), _APART * cable.length)
        self.across = across / self.apart
        self.drop = float(self.down @ d)
        self.pull = self._found()

    def _found(self) -> Array:
        cable = self.cable
        span = np.array([self.apart, self.drop])
        taut = cable.stiffness * max(float(np.linalg.norm(span)) / cable.length - 1, 0.0)
        carried = cable.weight * cable.length
        x = (taut + carried) * span / np.linalg.norm(span) + np.array([0.0, carried / 2])
        for _ in range(_STEPS):
            value, slope, bend = self._complementary(x)
            step = -np.linalg.solve(bend, slope)
            share = 1.0
            while share > 1e-12:
                trial = x + share * step
                if trial[0] > 0 and self._complementary(trial)[0] <= value + 1e-14 * abs(value):
                    break
                share /= 2
            x = x + share * step
            if float(np.abs(share * step).max()) <= 1e-15 * float(np.abs(x).max()):
                break
        return np.asarray(x)

    def _complementary(self, x: Array) -> tuple[float, Array, Array]:
        """C with its slopes and its second derivatives."""
        h, v = map(float, x)
        w, length, ea = self.cable.weight, self.cable.length, self.cable.stiffness
        ends = (v, v - w * length)
        t, s = [math.hypot(h, u) for u in ends], [math.asinh(u / h) for u in ends]
        # Integrals from s = 0 to L are differences of primitives in U over w.
        log = (s[0] - s[1]) / w
        length_t = (ends[0] * t[0] - ends[1] * t[1]) / (2 * w) + h * h * log / 2
        squares = h * h * length + (ends[0] ** 3 - ends[1] ** 3) / (3 * w)
        value = length_t + squares / (2 * ea) - h * self.apart - v * self.drop
        mean = (ends[0] + ends[1]) * length / 2
        slope = [h * length / ea + h * log - self.apart, mean / ea + (t[0] - t[1]) / w - self.drop]
        # h^2 / T^3 and U^2 / T^3, by U / T.
        sine = [u / r for u, r in zip(ends, t, strict=True)]
        rising = (sine[0] - sine[1]) / w
        mixed = h * (1 / t[0] - 1 / t[1]) / w
        bend = [[length / ea + log - rising, mixed], [mixed, length / ea + rising]]
        return value, np.array(slope), np.array(bend)

    @property
    def _tensions(self) -> tuple[float, float]:
        h, v = map(float, self.pull)
        return math.hypot(h, v), math.hypot(h, v - self.cable.weight * self.cable.length)

    def _along(self, power: int) -> float:
        """Integral of T^power over the rest length, power 1 or 2."""
        h, v = map(float, self.pull)
        w, length = self.cable.weight, self.cable.length
        u = v - w * length
        if power == 2:
            return h * h * length + (v**3 - u**3) / (3 * w)
        log = math.asinh(v / h) - math.asinh(u / h)
        ends = v * self._tensions[0] - u * self._tensions[1]
        return (ends + h * h * log) / (2 * w)

    def forces(self) -> tuple[Array, Array, float]:
        """(Q, 0, energy): of the strain, and of the weight at the heights that it hangs at."""
        cable, (h, v) = self.cable, map(float, self.pull)
        motions, down = self.around.motions, self.down
        carried = cable.weight * cable.length
        pulls = (h * self.across + v * down, -h * self.across - (v - carried) * down)
        total: Array = np.zeros(len(self.around.speeds))
        for point, force in zip((cable.a, cable.b), pulls, strict=True):
            total += motions[point.body].partial_velocities(point.xyz) @ force
        strain = self._along(2) / (2 * cable.stiffness)
        # C at its least is minus the energy with both ends held and weights counted from a.
        least = self._complementary(self.pull)[0]
        energy = -least - carried * float(down @ self.ends[1])
        assert math.isfinite(strain)
        return total, 0 * total, energy

    def size(self) -> Array:
        """(directions,) what cancels between the bodies, and still rounds."""
        total: Array = np.zeros(len(self.around.speeds))
        for point in (self.cable.a, self.cable.b):
            motion = self.around.motions[point.body]
            total += np.abs(motion.partial_velocities(point.xyz)).sum(axis=1)
        return total * max(self._tensions)

    def planes(self) -> dict[str, float]:
        """It has no circles."""
        return {}

    def told(self) -> dict[str, float]:
        """Tensions and length, by the names of its outputs."""
        first, second = self._tensions
        stretched = self.cable.length + self._along(1) / self.cable.stiffness
        told = {
            "tension_a": first,
            "tension_b": second,
            "horizontal": float(self.pull[0]),
            "stretched_length": stretched,
        }
        return {f"{self.cable.name}.{word}": value for word, value in told.items()}
