"""Unknown states x of a problem, and the coordinates and speeds of the model that they stand for.

In trees x = (q, u). Quaternions are replaced by Rodrigues vectors about a reference at each node,

    q = q_r o (1, z/2) / |.|,   z = 2 Im(y) / Re(y),  y = conj(q_r) o q,

three unknowns without a constraint, regular below half a turn from the reference and blind to the
sign of q. Models with loops have independent coordinates and their rates; the others follow from
the constraints by Newton's method.

References: Shuster, *A survey of attitude representations*, J. Astronaut. Sci. 41 (1993); Wehage
and Haug, *Generalized coordinate partitioning*, ASME J. Mech. Des. 104 (1982) 247.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.runtime.constraints.independent import independent_coordinates
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.ranges import quaternions
from eomc.runtime.optimal.arrays import Array

_NEWTON_STEPS = 25


class TreeCoordinates:
    """x = (q, u). The arguments `at` are the numbers of the nodes of the rows of x."""

    exact = True
    """Second derivatives of steps and outputs are compiled functions."""

    def __init__(self, model: CompiledModel) -> None:
        self.model, self.n = model, model.nu
        self.places = np.arange(self.n)
        self.names: tuple[str, ...] = (*model.coordinates, *_speed_names(model.speeds))

    def full(self, x: Array, at: Array, parameters: Any = None) -> tuple[Array, Array]:
        """(q, u)"""
        return x[:, : self.n], x[:, self.n :]

    def slopes(self, x: Array, at: Array, parameters: Any = None) -> tuple[Array, Array]:
        """Tangent displacements of q, and changes of u, by x: (K, nu, nx) each."""
        one = np.eye(2 * self.n)
        whole = (
            np.broadcast_to(half, (len(x), *half.shape)) for half in (one[: self.n], one[self.n :])
        )
        return tuple(whole)  # type: ignore[return-value]

    def reduced(self, q: Array, u: Array, at: Array) -> Array:
        """x of (q, u)."""
        return np.hstack([q, u])

    def set_guess(self, q: Array) -> None:
        """Adopt configurations at all nodes, (nodes, nq)."""


class QuaternionCoordinates(TreeCoordinates):
    """Rodrigues vectors in the places of quaternions, all other coordinates as they are."""

    exact = False

    def __init__(self, model: CompiledModel) -> None:
        super().__init__(model)
        joints = model.manifest.get("metadata", {}).get("joints", ())
        found = quaternions(joints, model.coordinates)
        taken = {k for places in found for k in places}
        self._turns: list[tuple[list[int], list[int]]] = []
        self._plain: list[tuple[int, int]] = []
        names, k = [], 0
        for i, name in enumerate(model.coordinates):
            if i not in taken:
                self._plain.append((i, k))
                names.append(name)
                k += 1
        for places in found:
            self._turns.append((places, list(range(k, k + 3))))
            names += [f"turn({model.coordinates[i]})" for i in places[1:]]
            k += 3
        self.names = (*names, *_speed_names(model.speeds))
        self.reference = np.zeros((0, model.nq))

    def set_guess(self, q: Array) -> None:
        self.reference = np.array(self.model.function("normalize")(q))

    def full(self, x: Array, at: Array, parameters: Any = None) -> tuple[Array, Array]:
        q = np.zeros((len(x), self.model.nq))
        for i, k in self._plain:
            q[:, i] = x[:, k]
        for places, own in self._turns:
            y = np.hstack([np.ones((len(x), 1)), x[:, own] / 2])
            y /= np.linalg.norm(y, axis=1, keepdims=True)
            q[:, places] = _product(self.reference[at][:, places], y)
        return q, x[:, self.n :]

    def reduced(self, q: Array, u: Array, at: Array) -> Array:
        x = np.zeros((len(q), self.n))
        for i, k in self._plain:
            x[:, k] = q[:, i]
        for places, own in self._turns:
            y = _product(_conjugate(self.reference[at][:, places]), q[:, places])
            x[:, own] = 2 * y[:, 1:] / y[:, :1]
        return np.hstack([x, u])

    def rates(self, q: Array, at: Array) -> Array:
        """dx_q by tangent displacements, (K, n, n)."""
        along = self.model.function("coordinate_rates")(q[:, None, :], np.eye(self.n))
        found = np.zeros((len(q), self.n, self.n))
        for i, k in self._plain:
            found[:, k] = along[:, :, i]
        for places, own in self._turns:
            back = _conjugate(self.reference[at][:, places])
            y = _product(back, q[:, places])[:, None]
            dy = _product(back[:, None], along[:, :, places])
            change = 2 * (dy[..., 1:] * y[..., :1] - y[..., 1:] * dy[..., :1]) / y[..., :1] ** 2
            found[:, own] = np.swapaxes(change, 1, 2)
        return found

    def slopes(self, x: Array, at: Array, parameters: Any = None) -> tuple[Array, Array]:
        q, _ = self.full(x, at)
        still = np.zeros((len(x), self.n, self.n))
        back = np.linalg.inv(self.rates(q, at))
        one = np.broadcast_to(np.eye(self.n), still.shape)
        return np.concatenate([back, still], axis=2), np.concatenate([still, one], axis=2)


class IndependentCoordinates(TreeCoordinates):
    """x = (independent coordinates, their rates) of a model with loops."""

    exact = False

    def __init__(self, model: CompiledModel, q: Array, chosen: Any, parameters: Any) -> None:
        super().__init__(model)
        found = independent_coordinates(model, q, chosen=chosen, parameters=parameters)
        self.places = np.array([model.speeds.index(name) for name in found.independent])
        self._bound = np.array([model.speeds.index(name) for name in found.dependent])
        self.n = len(self.places)
        names = [model.coordinates[k] for k in self.places]
        self.names = (*names, *_speed_names(found.independent))
        self._near = q[None]
        self._options = _options(parameters)

    def set_guess(self, q: Array) -> None:
        """Assemble the loops at one node after the other, each from that before it."""
        self._near = np.array(q)
        for k in range(len(q)):
            if k:
                self._near[k, self._bound] = self._near[k - 1, self._bound]
            x = np.concatenate([q[k, self.places], np.zeros(self.n)])[None]
            self.full(x, np.array([k]))

    def reduced(self, q: Array, u: Array, at: Array) -> Array:
        return np.hstack([q[:, self.places], u[:, self.places]])

    def _call(self, name: str, known: Mapping[str, Array], parameters: Any) -> Any:
        function = self.model.function(name)
        options = self._options if parameters is None else {"parameters": parameters}
        return function(*(known[x] for x in self.model.inputs_of(name)), **options)

    def full(self, x: Array, at: Array, parameters: Any = None) -> tuple[Array, Array]:
        q = self._near[at]
        q[:, self.places] = x[:, : self.n]
        u = np.zeros((len(x), self.model.nu))
        u[:, self.places] = x[:, self.n :]
        for _ in range(_NEWTON_STEPS):
            residual = self._call("constraint_residual", {"q": q}, parameters)
            jacobian = self._call("constraint_jacobian", {"q": q}, parameters)
            step = _solved(jacobian[..., self._bound], residual)
            q[:, self._bound] -= step
            if np.abs(step).max(initial=0.0) < 1e-13:
                break
        else:
            raise FloatingPointError("the loops do not close")
        self._near[at] = q
        drift = self._call("constraint_velocity", {"q": q, "u": u}, parameters)
        u[:, self._bound] = -_solved(jacobian[..., self._bound], drift)
        return q, u

    def slopes(self, x: Array, at: Array, parameters: Any = None) -> tuple[Array, Array]:
        q, u = self.full(x, at, parameters)
        known = {"q": q, "u": u, "a": np.zeros_like(u)}
        jacobian = self._call("constraint_jacobian", known, parameters)
        known["multipliers"] = np.zeros(jacobian.shape[:2])
        by_q = self._call("constraint_derivatives", known, parameters)[1]
        moved = np.zeros((len(x), self.model.nu, 2 * self.n))
        faster = np.zeros_like(moved)
        one = np.eye(self.n)
        moved[:, self.places, : self.n] = faster[:, self.places, self.n :] = one
        held = jacobian[..., self._bound]
        moved[:, self._bound] = -_solved(held, jacobian @ moved)
        faster[:, self._bound] = -_solved(held, jacobian @ faster + by_q @ moved)
        return moved, faster


def _speed_names(speeds: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"speed({name})" for name in speeds)


def _options(parameters: Any) -> dict[str, Any]:
    return {} if not parameters else {"parameters": parameters}


def _solved(matrix: Array, right: Array) -> Array:
    """Solutions at all nodes; FloatingPointError where a matrix is singular."""
    try:
        one = right.ndim < matrix.ndim
        found = np.linalg.solve(matrix, right[..., None] if one else right)
    except np.linalg.LinAlgError:
        raise FloatingPointError("the constraints are singular") from None
    return found[..., 0] if one else found


def _conjugate(q: Array) -> Array:
    result: Array = q * np.array([1.0, -1.0, -1.0, -1.0])
    return result


def _product(a: Array, b: Array) -> Array:
    """Hamilton products along the last axis."""
    w = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, v], axis=-1)
