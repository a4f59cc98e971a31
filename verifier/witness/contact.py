"""Contacts in one state of a mechanism: where they touch, what presses and rubs, what they tell.

The places of contact are found by `contact_surface` for the two bodies as they are placed, the
velocities are those of the material points there, and forces do their work on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.contact_laws import (
    Normal,
    Pressing,
    SlipState,
    WitnessFriction,
    WitnessPenetration,
    depth,
)
from eomc.verifier.witness.contact_outline import Site
from eomc.verifier.witness.contact_surface import SURFACES, ContactPoint, PlacedSurface

_STEP = 1e-3
_ALONG_NORMALS = ("gap_rate", *(f"{word}_{x}" for word in ("slip", "point") for x in "xyz"))
_SIXTH = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}


@dataclass(frozen=True)
class WitnessContact:
    """A declared contact: bodies of its two sides, outlines and surface by the pose of theirs,
    directions of the surface in its body, and laws; `states` are names by sites."""

    name: str
    of_shape: int
    of_surface: int
    sites: Callable[[Array], Sequence[Site]]
    surface: Callable[[Array], PlacedSurface]
    kind: str
    tangents: tuple[Array, Array] | None
    normal: Normal
    friction: WitnessFriction | None
    width: float
    smoothing: str
    states: tuple[tuple[str, ...], ...]
    rigid: tuple[float, float] | None
    """Restitution and speed of rest of one that is rigid."""
    resisting: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Arms of the moments against rolling and spin [m], and the turn speed [rad/s]."""


@dataclass(frozen=True)
class Closed:
    """A gap that cannot become negative: laws and motion there."""

    gap: float
    normal: Array
    velocity: Array
    laws: tuple[float, float, float, float]
    traction: Array
    has_no_normal: bool = False

    @property
    def parts(self) -> tuple[Array, Array, Array, Array, Array]:
        """Gap, normal, velocity, laws and traction as arrays."""
        return np.array([self.gap]), self.normal, self.velocity, np.array(self.laws), self.traction


class ContactInState:
    """A contact with the motions of its two bodies and the values of names."""

    def __init__(
        self, contact: WitnessContact, motions: Mapping[int, BodyMotion], named: Mapping[str, float]
    ) -> None:
        self.contact, self.named = contact, named
        self.shape, self.surface = motions[contact.of_shape], motions[contact.of_surface]

    def _met(self, h: float = 0.0) -> list[ContactPoint]:
        """Of all sites, with the bodies a time h on."""
        shape, surface = (motion.x + h * motion.rate for motion in (self.shape, self.surface))
        placed = self.contact.surface(surface)
        meet = SURFACES[self.contact.kind]
        return [meet(placed, site) for site in self.contact.sites(shape)]

    @cached_property
    def places(self) -> list[ContactSite]:
        """One a site."""
        return [ContactSite(self, k, met) for k, met in enumerate(self._met())]

    def passing(self, site: int) -> Array:
        """Velocity of the point of contact, by differences of the sixth order."""
        speed = 1.0 + max(float(np.abs(motion.rate).max()) for motion in (self.shape, self.surface))
        h = _STEP / speed
        found = sum(share * self._met(k * h)[site].point for k, share in _SIXTH.items()) / h
        return np.asarray(found)

    def add_loads(self, kept: Array, other: Array, size: Array) -> float:
        """Add the forces with and without a potential on unit speeds, and the size of their terms;
        the energy of the former."""
        if self.contact.rigid is not None:
            return 0.0
        energy = 0.0
        for place in self.places:
            found = place.pressing
            elastic = found.elastic * place.met.normal
            rest = (found.force - found.elastic) * place.met.normal + place.friction
            kept += place.apart @ elastic
            other += place.apart @ rest
            turning = place.turning @ place.unit
            other += place.moment * turning + place.turning @ place.resistance
            terms = (elastic, found.force * place.met.normal, place.friction)
            size += place.levers * sum(float(np.linalg.norm(term)) for term in terms)
            size += abs(place.moment) * np.abs(turning) + np.abs(place.turning @ place.resistance)
            energy += found.energy
        return energy

    def told(self) -> dict[str, float]:
        """Outputs by name."""
        found: dict[str, float] = {}
        for k, place in enumerate(self.places, 1):
            at = "" if len(self.places) == 1 else f"_{k}"
            values: dict[str, float] = {"gap": place.met.gap, "gap_rate": place.rate}
            vectors = {"slip": place.slip, "point": place.met.point}
            if self.contact.rigid is None:
                values |= {"depth": place.depth.depth, "normal_force": place.pressing.force}
                vectors["friction"] = place.friction
            for word, vector in vectors.items():
                values |= {f"{word}_{axis}": x for axis, x in zip("xyz", vector, strict=True)}
            found |= {f"{self.contact.name}.{name}{at}": float(x) for name, x in values.items()}
        return found

    def undefined(self) -> set[str]:
        """Outputs along a normal where there is none."""
        places = [place.met for place in self.places]
        ends = ["" if len(places) == 1 else f"_{k}" for k in range(1, len(places) + 1)]
        return {
            f"{self.contact.name}.{word}{end}"
            for met, end in zip(places, ends, strict=True)
            for word in _ALONG_NORMALS
            if met.has_no_normal
        }

    def state_rates(self) -> dict[str, float]:
        """z' by name."""
        friction, found = self.contact.friction, dict[str, float]()
        for place, names in zip(self.places, self.contact.states, strict=False):
            if friction is not None and names:
                found |= dict(zip(names, friction.rates(place.rubbing()), strict=True))
        return {name: float(rate) for name, rate in found.items()}

    def closing(self) -> dict[str, Closed]:
        """Of a rigid one, by name."""
        if self.contact.rigid is None:
            return {}
        found = {}
        for k, place in enumerate(self.places, 1):
            name = f"{self.contact.name}.{k}" if len(self.places) > 1 else self.contact.name
            friction, at = self.contact.friction, place.rubbing(1.0)
            coefficients = (0.0, 0.0) if friction is None else friction.coefficients(at)
            traction = np.zeros(3) if friction is None else friction.force(at)
            laws = (*self.contact.rigid, *coefficients)
            met = place.met
            there = met.gap, met.normal, place.velocity
            found[name] = Closed(*there, laws, traction, met.has_no_normal)
        return found


class ContactSite:
    """One site of a contact."""

    def __init__(self, contact: ContactInState, site: int, met: ContactPoint) -> None:
        self.contact, self.site, self.met = contact, site, met
        shape, surface = contact.shape, contact.surface
        ends = [motion.rotation.T @ (met.point - motion.x[:3, 3]) for motion in (shape, surface)]
        self.velocity = shape.velocity(ends[0]) - surface.velocity(ends[1])
        partial = [m.partial_velocities(r) for m, r in zip((shape, surface), ends, strict=True)]
        self.apart = partial[0] - partial[1]
        self.levers = sum(np.linalg.norm(each, axis=1) for each in partial)
        self.turning = shape.partial_angular_velocities - surface.partial_angular_velocities
        self.under = surface.velocity(ends[1])

    @property
    def unit(self) -> Array:
        """The unit normal to the shape."""
        return self.met.normal / np.float64(np.linalg.norm(self.met.normal))

    @property
    def rate(self) -> float:
        """Of the gap."""
        return float(self.met.normal @ self.velocity)

    @property
    def slip(self) -> Array:
        """Along the surface."""
        return self.velocity - self.unit * (self.unit @ self.velocity)

    @cached_property
    def depth(self) -> WitnessPenetration:
        """Of the bodies in each other."""
        declared = self.contact.contact
        return depth(self.met.gap, self.rate, declared.width, declared.smoothing)

    @cached_property
    def pressing(self) -> Pressing:
        """By the normal law."""
        return self.contact.contact.normal(self.depth, self.contact.named)

    def rubbing(self, pressing: float | None = None) -> SlipState:
        """Quantities for friction under the normal force, or another one."""
        declared, surface = self.contact.contact, self.contact.surface
        tangents = declared.tangents
        if tangents is not None:
            tangents = surface.rotation @ tangents[0], surface.rotation @ tangents[1]
        names = declared.states[self.site] if declared.states else ()
        turning = self.contact.shape.angular_velocity - surface.angular_velocity
        return SlipState(
            self.pressing.force if pressing is None else pressing,
            self.slip,
            self.unit,
            tangents,
            self._rolling,
            float(self.unit @ turning),
            np.array([self.contact.named[name] for name in names]),
        )

    def _rolling(self) -> Array:
        """Of the point of contact over both bodies in the mean, along the surface."""
        over = self.contact.passing(self.site) - self.under - self.slip / 2
        return over - self.unit * (self.unit @ over)

    @cached_property
    def friction(self) -> Array:
        """On the shape."""
        law = self.contact.contact.friction
        return np.zeros(3) if law is None else law.force(self.rubbing())

    @cached_property
    def resistance(self) -> Array:
        """Moment on the shape: -N times the arms, along the turning of each kind."""
        rolling, spinning, eps = self.contact.contact.resisting
        turning = self.contact.shape.angular_velocity - self.contact.surface.angular_velocity
        spin = self.unit * (self.unit @ turning)
        over = turning - spin
        sizes = (np.hypot(np.linalg.norm(part), eps) for part in (over, spin))
        first, second = (a / size for a, size in zip((rolling, spinning), sizes, strict=True))
        found: Array = -self.pressing.force * (first * over + second * spin)
        return found

    @cached_property
    def moment(self) -> float:
        """On the shape, about the unit normal."""
        law = self.contact.contact.friction
        return 0.0 if law is None else law.moment(self.rubbing())
