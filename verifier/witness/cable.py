"""Forces of a cable, from its lengths alone: differences of them, and the declared law.

With the parts S_j of its length between the stations, the rest length

    L0 = length + sum of s r (gamma - theta)

over the drums, and the strain eps = L/L0 - 1, the virtual work of the tensions is

    -F dL + F' dL0 - sum over the parts (F_j - F) (dS_j - what a drum at its end pays out),

all slopes by a complex step. F and F' are the slopes of the energy A E eps_+^2 L0/2 by L and -L0,
by a complex step again, or one tension F for both of a massless cable; the damping does the work of
the strain, L0 deps, or of the elongation, d(L - L0).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import brentq

from eomc.binding.arrays import Array
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.cable_route import CableRoute
from eomc.verifier.witness.mechanism import Moved, WitnessCable, WitnessCableStation

_STEP = 1e-40
IN_PLANE = 1e-8
"""Sine of the angle between planes that count as one."""


@dataclass(frozen=True)
class Around:
    """Surroundings of a cable in a state of the mechanism: motions of bodies, values of names, and
    the rates of a coordinate at unit speeds with all speeds."""

    motions: Mapping[int, BodyMotion]
    named: Mapping[str, float]
    coordinate_rates: Callable[[str], Array]
    speeds: Array

    def slopes(self, moved: Moved) -> tuple[Array, float]:
        """Of a number: (directions,) at unit speeds, and its rate."""
        units = np.zeros(len(self.speeds))
        for name, slope in moved.slopes.items():
            if name != "t":
                units += slope(self.named) * self.coordinate_rates(name)
        clock = moved.slopes.get("t")
        return units, float(units @ self.speeds) + (0.0 if clock is None else clock(self.named))


@dataclass
class CableDerivatives:
    """Of the parts (n,), the length, the rest length, what each drum has paid out, along one
    direction."""

    parts: Array
    length: float
    rest: float
    paid: Mapping[int, float] = field(default_factory=dict)


class CableInState:
    """A cable in one state: lengths, tension, and the generalized forces of it."""

    def __init__(self, cable: WitnessCable, around: Around) -> None:
        self.cable, self.around = cable, around
        self.bodies = {station.at.body for station in cable.stations}
        motions = around.motions
        poses = {body: motions[body].x for body in self.bodies}
        near = {k: s.near(around.named) for k, s in enumerate(cable.stations) if s.near}
        self.way = CableRoute(cable.stations, poses, turned=near)
        self.length = float(np.real(self.way.length))
        rest = cable.length.value(around.named)
        for k, lever, gamma in self.way.windings:
            rest += lever * (float(np.real(gamma)) - self._turn(k).value(around.named))
        self.rest = rest
        self.strain = self.length / rest - 1
        if not math.isfinite(self.strain):
            return
        passing = {body: motions[body].rate for body in self.bodies}
        self.moving = self._slopes(passing, lambda moved: around.slopes(moved)[1])
        self.strain_rate = (self.moving.length - self.length / rest * self.moving.rest) / rest

    def _turn(self, station: int) -> Moved:
        turn = self.cable.stations[station].turn
        assert turn is not None
        return turn

    def _slopes(self, along: Mapping[int, Array], of: Callable[[Moved], float]) -> CableDerivatives:
        """Along rates of the poses, and `of` the declared numbers that move."""
        poses = {b: self.around.motions[b].x + 1j * _STEP * along[b] for b in self.bodies}
        way = CableRoute(self.cable.stations, poses, self.way)
        parts = np.array([np.imag(part) / _STEP for part in way.parts])
        paid, rest = {}, of(self.cable.length)
        for k, lever, gamma in way.windings:
            paid[k] = lever * (float(np.imag(gamma)) / _STEP - of(self._turn(k)))
            rest += paid[k]
        return CableDerivatives(parts, float(np.imag(way.length)) / _STEP, rest, paid)

    # -- the law ---------------------------------------------------------------------------------

    def spring(self) -> tuple[float, float, float]:
        """(F, F', energy) of the strain."""
        cable = self.cable
        if cable.law is not None:
            given = {**self.around.named, "x": self.strain, "v": self.strain_rate}
            return cable.law(given), cable.law(given), 0.0
        if cable.elasticity == "work":
            force = cable.stiffness * float(np.real(self._taut(self.strain)))
            return force, force, 0.0
        by_length = self._energy(self.length + 1j * _STEP, self.rest)
        by_rest = self._energy(self.length, self.rest + 1j * _STEP)
        energy = float(np.real(self._energy(self.length, self.rest)))
        return float(np.imag(by_length)) / _STEP, -float(np.imag(by_rest)) / _STEP, energy

    def _energy(self, length: Any, rest: Any) -> Any:
        return self.cable.stiffness * self._taut(length / rest - 1) ** 2 * rest / 2

    def _taut(self, strain: Any) -> Any:
        """eps_+"""
        width = self.cable.width
        if width:
            return (strain + np.sqrt(strain**2 + width**2)) / 2
        return strain if np.real(strain) > 0 else 0.0

    def damper(self) -> tuple[float, float]:
        """(F, F') of the strain rate."""
        cable = self.cable
        if cable.law is not None:
            return 0.0, 0.0
        rising = float(np.imag(self._taut(self.strain + 1j * _STEP))) / _STEP
        force = cable.viscosity * rising * self.strain_rate
        if cable.damping == "pulls":
            force = max(force, -self.spring()[0])
        return force, force if cable.dissipation == "elongation" else force * (1 + self.strain)

    # -- forces ----------------------------------------------------------------------------------

    def _shares(self) -> Array:
        """Tension of each span over their mean."""
        found, lengths = [1.0], np.real(self.way.lengths)
        # Of the cable that goes into each span, what its stretch takes is not drawn over bends.
        taken = _drawn(self.moving)
        drawn = np.cumsum(taken - lengths / lengths.sum() * taken.sum())
        sign = -1 if self.spring()[0] + self.damper()[0] < 0 else 1
        stations = self.cable.stations[1:-1]
        for v, station, bend in zip(drawn[:-1], stations, self.way.bends, strict=True):
            slip = sign * v / self.cable.slip_speed
            found.append(found[-1] / _ratio(station, bend, slip / math.sqrt(1 + slip * slip)))
        shares: Array = np.array(found)
        shares *= lengths.sum() / (lengths @ shares)
        return shares

    def forces(self) -> tuple[Array, Array, float]:
        """(Q with a potential, Q without, energy)."""
        (f, f_rest, energy), (d, d_rest) = self.spring(), self.damper()
        shares, count = self._shares(), len(self.around.speeds)
        length, rest, rubbed = (np.zeros(count) for _ in range(3))
        for k in range(count):
            along = {body: self.around.motions[body].units[k] for body in self.bodies}
            at = self._slopes(along, lambda moved: float(self.around.slopes(moved)[0][k]))  # noqa: B023
            length[k], rest[k] = at.length, at.rest
            rubbed[k] = (shares - 1) @ _drawn(at)
        elastic, lossy = f_rest * rest - f * length, d_rest * rest - d * length
        lossy = lossy - (f + d) * rubbed
        if self.cable.stores:
            return elastic, lossy, energy
        return np.zeros(count), elastic + lossy, 0.0

    def size(self) -> Array:
        """(directions,) what of its forces cancels between the bodies, and still rounds."""
        (f, f_rest, _), (d, d_rest) = self.spring(), self.damper()
        moved: Array = np.zeros(len(self.around.speeds))
        for station in self.cable.stations:
            motion = self.around.motions[station.at.body]
            moved += np.abs(motion.partial_velocities(station.at.xyz)).sum(axis=1)
            moved += station.radius * np.abs(motion.partial_angular_velocities).sum(axis=1)
        moved *= abs(f) + abs(f_rest) + abs(d) + abs(d_rest)
        return moved

    def planes(self) -> dict[str, float]:
        """Sines by which circles on the two ends of a span are out of one plane, by name."""
        name = self.cable.name
        return {f"{name}: plane of stations {k}, {k + 1}": x for k, x in self.way.apart.items()}

    def told(self) -> dict[str, float]:
        """Tension, strain, lengths and wraps, by the names of its outputs."""
        told = {
            "tension": self.spring()[0] + self.damper()[0],
            "strain": self.strain,
            "length": self.length,
            "rest_length": self.rest,
        }
        wraps = {f"wrap_{k}": float(np.real(w)) for k, w in enumerate(self.way.wraps, 1)}
        return {f"{self.cable.name}.{word}": value for word, value in (told | wraps).items()}


def _drawn(along: CableDerivatives) -> Array:
    """Rates of the parts, less what drums pay out at their ends."""
    rates = np.array(along.parts)
    for station, paid in along.paid.items():
        rates[0 if station == 0 else -1] -= paid
    return rates


def _ratio(station: WitnessCableStation, bend: float, sliding: float) -> float:
    """Tension before a bend over that behind it; 1 where the cable has lifted off.

    Of a pulley in a bearing it is the x at which the moments balance: |x - 1| is |kappa| times the
    force |x - exp(i bend)| on the bearing.
    """
    bend = max(bend, 0.0)
    kappa = abs(station.bearing * sliding)
    if not kappa:
        return math.exp(station.friction * bend * sliding)
    way = complex(math.cos(bend), math.sin(bend))
    most = math.log((1 + kappa) / (1 - kappa)) + 1e-9
    s = brentq(lambda s: math.expm1(s) - kappa * abs(math.exp(s) - way), 0, most, xtol=1e-16)
    return math.exp(math.copysign(s, sliding))
