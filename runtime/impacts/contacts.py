"""Rigid contacts of a compiled model: gaps, rows of their rates and slips, laws.

Contact k has the rows J_k (4, nu): the first of its gap, the others of the velocity of one material
point against the other along x, y, z. What loops and other constraints G u + b = 0 hold stays held:
with M = L L^T and an orthonormal basis Q of the columns of L^-1 G^T, forces F change accelerations
by L^-T (1 - Q Q^T) L^-1 F.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.clearance import touching_gap
from eomc.runtime.constraints.constraints import ConstraintValues, IndependentConstraints
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State

FUNCTION = "rigid_contacts"

HOLDS = 1e-12
"""Share of the largest row, in units of kinetic energy, below which a row is rounding and holds
nothing."""


def has_rigid_contacts(model: CompiledModel) -> bool:
    """True if a model has rigid contacts, compiled or not."""
    return model.has_function(FUNCTION)


def velocity_level(model: CompiledModel) -> tuple[str, ...]:
    """Elements that only steps with contacts know: dry friction, contacts that give way."""
    return tuple(model.manifest.get("metadata", {}).get("velocity_level", ()))


def refuse_velocity_level(model: CompiledModel, purpose: str) -> None:
    """Raise ValueError for a model with such elements, which `purpose` would pass over."""
    if names := ", ".join(map(repr, velocity_level(model))):
        raise ValueError(
            f"model {model.name!r}: {purpose} knows no dry friction of joints and no compliant "
            f"contacts, of which there are {names}; simulate with 'stewart_trinkle'"
        )


def refuse_rigid_contacts(model: CompiledModel, purpose: str) -> None:
    """Raise ValueError for a model that has any, which `purpose` would pass over in silence."""
    refuse_velocity_level(model, purpose)
    if has_rigid_contacts(model):
        names = ", ".join(model.output_names(FUNCTION))
        raise ValueError(
            f"model {model.name!r}: {purpose} knows no rigid contacts, of which there are {names}; "
            "give them a force by depth, or keep them closed by constraints: Model.closed"
        )


class RigidContacts:
    """All rigid contacts of a model under an excitation."""

    def __init__(self, model: CompiledModel, excitation: Excitation) -> None:
        self.model, self.excitation = model, excitation
        self.names = model.output_names(FUNCTION)
        self.constraints = (
            IndependentConstraints(model, excitation) if model.is_constrained else None
        )

    def at(self, t: float, state: State) -> Closings:
        """Gaps, rows and laws of the contacts, with the constraints, at a time and state."""
        others = self.excitation.others(t, state)
        call, values = self.excitation.call, {"q": state.q, "u": state.u, **others}
        gap, rows, rate, bias, normal, laws, traction = map(np.asarray, call(FUNCTION, values))
        n, nu = len(self.names), self.model.nu
        return Closings(
            self.model,
            t,
            state,
            self.names,
            np.asarray(call("mass_matrix", values)),
            gap,
            rows.reshape(n, 4, nu),
            rate.reshape(n, 4),
            bias.reshape(n, 4),
            normal.reshape(n, 3),
            laws.reshape(n, 4),
            traction.reshape(n, 3),
            None if self.constraints is None else self.constraints.at(t, state),
        )

    def free_acceleration(self, t: float, state: State) -> Array:
        """u' without any of them, constraints held."""
        values = {"q": state.q, "u": state.u, **self.excitation.others(t, state)}
        values["tau"] = self.excitation.torque(t, state)
        return np.asarray(self.excitation.call("forward_dynamics", values))

    def moved(self, q: Array, du: Array) -> Array:
        """q displaced along du."""
        return np.asarray(self.excitation.call("integrate", {"q": q, "du": du}))


@dataclass(frozen=True, eq=False)
class Closings:
    """Contacts of a model at a time and state: names, M, gaps (n,), rows J (n, 4, nu), rates
    J u + b and their bias g (n, 4), normals (n, 3), laws (n, 4), traction of smooth
    friction per newton (n, 3), and the constraints, if there are any."""

    model: CompiledModel
    t: float
    state: State
    names: Sequence[str]
    mass: Array
    gap: Array
    rows: Array
    rate: Array
    bias: Array
    normal: Array
    laws: Array
    traction: Array
    constraints: ConstraintValues | None

    @property
    def restitution(self) -> Array:
        """e (n,)"""
        return self.laws[:, 0]

    @property
    def rest_speed(self) -> Array:
        """(n,) [m/s]"""
        return self.laws[:, 1]

    @property
    def static(self) -> Array:
        """mu_s (n,), zero of contacts that never stick."""
        return self.laws[:, 2]

    @property
    def kinetic(self) -> Array:
        """mu at the slip of the state (n,)."""
        return self.laws[:, 3]

    @property
    def opening(self) -> Array:
        """Rates of the gaps (n,) [m/s]."""
        return self.rate[:, 0]

    @cached_property
    def tangents(self) -> Array:
        """(n, 2, 3): directions across the normals."""
        found = np.empty((len(self.names), 2, 3))
        for k, n in enumerate(self.normal):
            least = np.eye(3)[int(np.argmin(np.abs(n)))]
            first = np.cross(n, least)
            first /= np.linalg.norm(first)
            found[k] = first, np.cross(n, first)
        return found

    @property
    def slip(self) -> Array:
        """Velocity along the surfaces, in the world (n, 3)."""
        v = self.rate[:, 1:]
        return np.asarray(v - self.normal * np.sum(v * self.normal, axis=1)[:, None])

    def rests(self, k: int, along: Array, held: Sequence[int]) -> bool:
        """True if contact k is at rest in some of its rows, given by their shares `along` (m, 4).

        Their rate is below the speed of rest v, and to stop it, the gaps `held` staying closed,
        takes no more energy than v^2/2 times the least inertia that the point of contact has in
        any direction. At a dead centre a row nearly vanishes: the rate is small, and the energy
        that moves with it is that of the whole mechanism.
        """
        rate, limit = along @ self.rate[k], float(self.rest_speed[k])
        if np.linalg.norm(rate) > limit:
            return False
        easiest = self.easiest(k)
        _, sizes, axes = np.linalg.svd(self.freedom(k, along, held), full_matrices=False)
        real = sizes > HOLDS * easiest
        speeds = (axes @ rate)[real] / sizes[real]
        return bool(np.linalg.norm(speeds) * easiest <= limit)

    def freedom(self, k: int, along: Array, held: Sequence[int]) -> Array:
        """S (nu, m) of these rows of contact k, constraints and the gaps `held` kept: rates by
        unit impulses are S^T S."""
        rows = self.root((along @ self.rows[k]).T)
        others = self.root(self.rows[[j for j in held if j != k], 0].T)
        left, sizes, _ = np.linalg.svd(others, full_matrices=False)
        basis = left[:, sizes > 1e-9 * sizes.max(initial=0.0)]
        return np.asarray(rows - basis @ (basis.T @ rows))

    def energy_of_rest(self, k: int) -> float:
        """v^2/2 times the least inertia of the point of contact k, v its speed of rest [J]."""
        return float(self.rest_speed[k] / max(self.easiest(k), 1e-150)) ** 2 / 2

    def easiest(self, k: int) -> float:
        """Root of the rate of the point of contact k by a unit impulse, in the direction with the
        most."""
        return float(np.linalg.norm(self._inverse @ self.rows[k, 1:].T, 2))

    def surface_axes(self, k: int) -> Array:
        """Shares (2, 4) of the rows of contact k in the slips along its tangents."""
        return np.hstack([np.zeros((2, 1)), self.tangents[k]])

    def touching(self) -> list[int]:
        """Contacts whose gap is closed."""
        return np.flatnonzero(self.gap <= touching_gap(self.model)).tolist()

    def across(self, k: int, what: Array) -> Array:
        """Of the three last rows of contact k, the two along its tangents."""
        return np.asarray(self.tangents[k] @ what[k, 1:])

    def responses(self, forces: Array) -> Array:
        """Changes of accelerations by forces (nu,), or columns of them, where constraints hold."""
        return np.asarray(self._inverse.T @ self.root(forces))

    def root(self, forces: Array) -> Array:
        """S = (1 - Q Q^T) L^-1 F: responses F^T L^-T (1 - Q Q^T) L^-1 F are S^T S."""
        inside = self._inverse @ forces
        return np.asarray(inside - self._held @ (self._held.T @ inside))

    def nearest(self, rows: Array, amounts: Array) -> Array:
        """The displacement, or change of speeds, least by kinetic energy, that takes amounts off
        rows; constraints are among the rows or not held."""
        x = np.linalg.lstsq(rows @ self._inverse.T, amounts, rcond=HOLDS)[0]
        return np.asarray(-self._inverse.T @ x)

    @cached_property
    def _inverse(self) -> Array:
        """L^-1"""
        try:
            factor = np.linalg.cholesky(self.mass)
        except np.linalg.LinAlgError:
            if self.constraints is None:
                raise
            # Directions without mass are held by the constraints: rows added to the metric of them
            # change no response beside them.
            rows = self.constraints.G
            weight = np.trace(self.mass) / max(float(np.square(rows).sum()), 1e-300)
            factor = np.linalg.cholesky(self.mass + weight * rows.T @ rows)
        return np.asarray(np.linalg.solve(factor, np.eye(len(factor))), dtype=np.float64)

    @cached_property
    def _held(self) -> Array:
        """Q (nu, rows)"""
        if self.constraints is None:
            return np.zeros((len(self.mass), 0))
        return np.asarray(np.linalg.qr(self._inverse @ self.constraints.G.T)[0])
