"""A deformable body in one state: Lagrange's equations of its own energy, in numbers.

With y = (v, w, xi') in body axes and T = y^T H(xi) y / 2, the momenta (p, h, pi) = H y change by

    f = p' + w x p,      n = h' + w x h + v x p,      s = pi' - dT/dxi,

and act along the velocities J_k = dy/du_k of unit speeds. Uniform gravity g is an acceleration -g
of the frame. Nothing is expanded into moments of mass. Reference: Meirovitch, *Methods of
Analytical Dynamics*, sec. 4.14.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.attraction import Element, expanded
from eomc.verifier.witness.mechanism import Attraction, WitnessDeformation

if TYPE_CHECKING:
    from eomc.verifier.witness.body_motion import BodyMotion


class DeformedBody:
    """`body` with the motion of its frame, and (xi, xi', xi'') with their unit rates.

    `unit_rates` (directions, k): xi' at unit speeds.
    """

    def __init__(
        self,
        body: WitnessDeformation,
        motion: BodyMotion,
        xi: Array,
        rates: Array,
        accelerations: Array,
        unit_rates: Array,
    ) -> None:
        self.body, self.motion, self.xi, self.rates = body, motion, xi, rates
        self.rotation, origin = motion.rotation, np.zeros(3)
        self.w = self.rotation.T @ motion.angular_velocity
        self.v = self.rotation.T @ motion.velocity(origin)
        self.y = np.concatenate([self.v, self.w, rates])
        linear = self.rotation.T @ motion.acceleration(origin) - np.cross(self.w, self.v)
        turning = self.rotation.T @ motion.angular_acceleration
        self.y_rate = np.concatenate([linear, turning, accelerations])
        self.units = np.hstack(
            [
                motion.partial_velocities(origin) @ self.rotation,
                motion.partial_angular_velocities @ self.rotation,
                unit_rates,
            ]
        )
        self.h = body.mass(xi)
        self.slopes = body.mass_slopes(xi)

    def inertial(self, gravity: Array) -> tuple[Array, Array]:
        """(J^T (f, n, s) less weight, the same with all terms positive)."""
        h_rate = np.tensordot(self.rates, self.slopes, 1)
        field = np.zeros(len(self.y))
        field[:3] = self.rotation.T @ gravity
        momentum = self.h @ self.y
        force = self.h @ (self.y_rate - field) + h_rate @ self.y
        p, h = momentum[:3], momentum[3:6]
        force[:3] += np.cross(self.w, p)
        force[3:6] += np.cross(self.w, h) + np.cross(self.v, p)
        force[6:] -= np.einsum("i,kij,j->k", self.y, self.slopes, self.y) / 2
        size = np.abs(self.h) @ (np.abs(self.y_rate) + np.abs(gravity).max())
        size += np.abs(h_rate) @ np.abs(self.y)
        terms = np.abs(self.h) @ np.abs(self.y)
        w, v = np.abs(self.w).max(), np.abs(self.v).max()
        size[:3] += w * terms[:3].sum()
        size[3:6] += w * terms[3:6].sum() + v * terms[:3].sum()
        size[6:] += np.einsum("i,kij,j->k", np.abs(self.y), np.abs(self.slopes), np.abs(self.y))
        return self.units @ force, self._wide(size)

    def _wide(self, size: Array) -> Array:
        """J^T size, vector by vector: entries that cancel within a product still round."""
        units = np.abs(self.units)
        linear, angular = units[:, :3].sum(axis=1), units[:, 3:6].sum(axis=1)
        wide = linear * size[:3].max() + angular * size[3:6].max()
        return np.asarray(wide + units[:, 6:] @ size[6:])

    def loads(self) -> tuple[Array, Array, float]:
        """(Q of the strain, Q of the losses, strain energy)."""
        along = self.units[:, 6:]
        kept = -along @ self.body.strain_slopes(self.xi)
        return kept, -along @ self.body.losses(self.xi, self.rates), self.body.strain(self.xi)

    def pulls(
        self, attraction: Attraction, about: Array
    ) -> Iterator[tuple[Array, Array, Array, float]]:
        """(place in the body, force there, force at C, V) of masses with the body's moments.

        C is at `about`; the attraction expanded to second order asks for no more than moments.
        """
        masses = of_moments(self.mass, first_of(self.h), second_of(self.h))
        yield from self._pulls(attraction, about, masses)

    def reshaped(self, attraction: Attraction, about: Array) -> Array:
        """-dV/dxi over all directions: V is linear in the moments, so it is V of their slopes."""
        slopes = []
        for slope in self.slopes:
            masses = of_moments(0.0, first_of(slope), second_of(slope))
            slopes.append(sum(share for *_, share in self._pulls(attraction, about, masses)))
        return np.asarray(-self.units[:, 6:] @ np.array(slopes, dtype=float))

    def _pulls(
        self, attraction: Attraction, about: Array, masses: list[Element]
    ) -> Iterator[tuple[Array, Array, Array, float]]:
        d = about - attraction.center
        for mass, place in masses:
            rho = self.motion.position(place) - about
            force, left, energy = expanded(attraction.mu, mass, d, rho)
            yield place, force, left, energy

    def mass_matrix(self) -> Array:
        """J^T H J over all directions."""
        return np.asarray(self.units @ self.h @ self.units.T)

    def kinetic_energy(self) -> float:
        """y^T H y / 2"""
        return float(self.y @ self.h @ self.y) / 2

    def momentum(self) -> Array:
        """(linear, angular about the world origin), world axes."""
        own = self.h @ self.y
        p, about = self.rotation @ own[:3], self.rotation @ own[3:6]
        return np.concatenate([p, about + np.cross(self.motion.x[:3, 3], p)])

    @property
    def mass(self) -> float:
        """m, the inertia against v."""
        return float(self.h[0, 0])

    def first_moment(self) -> Array:
        """m times the position of the centre of mass in the world."""
        return self.mass * self.motion.x[:3, 3] + self.rotation @ first_of(self.h)

    def unit_momenta(self) -> Array:
        """(directions, 3): linear momenta at unit speeds, world axes."""
        return np.asarray((self.units @ self.h)[:, :3] @ self.rotation.T)


def first_of(h: Array) -> Array:
    """First moment h of mass: v.(w x h) stands in T."""
    return np.array([h[1, 5], h[2, 3], h[0, 4]])


def second_of(h: Array) -> Array:
    """Second moment of mass (3, 3): tr(J)/2 1 - J."""
    inertia = h[3:6, 3:6]
    return np.asarray(np.trace(inertia) / 2 * np.eye(3) - inertia)


def of_moments(mass: float, first: Array, second: Array) -> list[Element]:
    """Point masses, of any sign, with these moments about the origin.

    >>> found = of_moments(2.0, np.array([3.0, 0, 0]), np.diag([1.0, -4.0, 0.0]))
    >>> [round(float(sum(m * r[0] for m, r in found)), 9), sum(m for m, _ in found)]
    [3.0, 2.0]
    """
    moments, axes = np.linalg.eigh(second)
    weight = max(abs(mass), float(np.abs(first).max()), float(np.abs(moments).max()))
    if weight == 0:
        return []
    arm, left = first / (2 * weight), mass
    found: list[Element] = [(weight, arm), (-weight, -arm)]
    for moment, axis in zip(moments, axes.T, strict=True):
        share = float(np.copysign(weight, moment))
        reach = np.sqrt(abs(moment) / (2 * weight)) * axis
        found += [(share, reach), (share, -reach)]
        left -= 2 * share
    return [(left, np.zeros(3)), *found]
