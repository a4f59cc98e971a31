"""Derivatives of the inverse dynamics of the tree about an operating point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differencing import STEP, Steps, difference_columns
from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.model.arguments import is_finite
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.model.small_matrices import identity

Method = Literal["exact", "one-sided", "central"]


@dataclass(frozen=True)
class TreeDerivatives:
    """Derivatives of inverse dynamics of the tree: M da + by_u du + by_q xi = forcing dv.

    `transport` and `transport_rate` are W and W' of xi' = du + W xi; `is_transported` is False if
    both are zero.
    """

    mass: Array
    by_u: Array
    by_q: Array
    forcing: Array
    transport: Array
    transport_rate: Array
    is_transported: bool = False


def is_differenced(model: CompiledModel) -> bool:
    """True for models whose exact derivatives are too long to compile."""
    return bool(model.manifest.get("metadata", {}).get("finite_differences"))


def tree_derivatives(
    around: Surroundings, point: OperatingPoint, method: Method, steps: Steps | None
) -> tuple[TreeDerivatives, dict[str, Array]]:
    """Derivatives of M a + c - user forces, and the steps of differences."""
    model, values = around.model, point.values
    if is_differenced(model):
        fixed = Steps("central", fixed=STEP) if method == "exact" else steps_of(method, steps)
        return _all_differenced(around, point, steps or fixed)
    mass, damping, stiffness, w, w_rate = (
        np.asarray(x, dtype=float) for x in around.call("linearization", values)
    )
    is_transported = bool(np.vdot(w, w) or np.vdot(w_rate, w_rate))
    if is_transported:
        by_u = damping + mass @ w
        by_q = stiffness + by_u @ w + mass @ w_rate
    else:
        by_u, by_q = damping, stiffness
    used: dict[str, Array] = {}
    if method == "exact":
        by_q, by_u, used = _less_user_forces(around, point, by_q, by_u, steps or Steps("central"))
    else:
        by_q, by_u, mass, used = differenced(around, point, steps_of(method, steps))
    tree = TreeDerivatives(mass, by_u, by_q, _forcing(around, values), w, w_rate, is_transported)
    _require_finite(model, tree)
    return tree, used


def steps_of(method: Method, steps: Steps | None) -> Steps:
    """Steps of a method that differences."""
    return steps or Steps("one-sided" if method == "one-sided" else "central")


def _forcing(around: Surroundings, values: Mapping[str, Any]) -> Array:
    forcing = identity(around.model.nu).copy()
    if around.model.inputs:
        forcing = np.hstack([forcing, np.asarray(around.call("input_matrix", values))])
    return forcing


def _all_differenced(
    around: Surroundings, point: OperatingPoint, steps: Steps
) -> tuple[TreeDerivatives, dict[str, Array]]:
    """Of a model whose exact derivatives are too long to compile; its speeds are the rates of its
    coordinates."""
    by_q, by_u, mass, used = differenced(around, point, steps)
    none = np.zeros((around.model.nu,) * 2)
    forcing = _forcing(around, point.values)
    tree = TreeDerivatives(mass, by_u, by_q, forcing, none, none)
    _require_finite(around.model, tree)
    return tree, used


def _require_finite(model: CompiledModel, tree: TreeDerivatives) -> None:
    for what, matrix in (("mass", tree.mass), ("damping", tree.by_u), ("stiffness", tree.by_q)):
        if not is_finite(matrix):
            row, column = np.argwhere(~np.isfinite(matrix))[0]
            raise LinearizationError(
                f"model {model.name!r}: the {what} matrix has no derivative of the force on "
                f"{model.speeds[row]!r} by {model.speeds[column]!r} in this state"
            )


def differenced(
    around: Surroundings, point: OperatingPoint, steps: Steps
) -> tuple[Array, Array, Array, dict[str, Array]]:
    """(df/dq, df/du, df/da) of inverse dynamics by differences, with the steps used."""
    model, t = around.model, point.t
    integrate = model.function("integrate")

    def by_q(step: Array) -> Array:
        return around.residual(t, dict(point.values) | {"q": np.asarray(integrate(point.q, step))})

    def by_u(step: Array) -> Array:
        return around.residual(t, dict(point.values) | {"u": point.u + step})

    def by_a(step: Array) -> Array:
        return around.residual(t, dict(point.values) | {"a": point.a + step})

    sizes = coordinate_sizes(model, point.q)
    start = around.residual(t, point.values, point.applied or None)
    names = model.displacements
    stiffness, h_q = difference_columns(by_q, sizes, names, steps, "displacement", start)
    damping, h_u = difference_columns(by_u, point.u, model.speeds, steps, "speed", start)
    mass, h_a = difference_columns(by_a, point.a, model.speeds, steps, "acceleration", start)
    return stiffness, damping, mass, {"q": h_q, "u": h_u, "a": h_a}


def coordinate_sizes(model: CompiledModel, q: Array) -> Array:
    """|q| by tangent direction; zero for the displacements of quaternion joints."""
    place = {name: i for i, name in enumerate(model.coordinates)}
    return np.array([abs(q[place[name]]) if name in place else 0.0 for name in model.speeds])


def _less_user_forces(
    around: Surroundings, point: OperatingPoint, by_q: Array, by_u: Array, steps: Steps
) -> tuple[Array, Array, dict[str, Array]]:
    """df/dq - dQ/dq, df/du - dQ/du of the user forces Q."""
    model, used = around.model, {}
    n, t, q, u = model.nu, point.t, point.q, point.u
    integrate = model.function("integrate") if around.forces else None
    for force, applied in zip_longest(around.forces, point.applied):
        if force.derivative is not None:
            on_q, on_u = force.slopes(t, q, u, n)
        else:
            assert integrate is not None

            def at_q(step: Array, force: UserForce = force) -> Array:
                return force.value(t, np.asarray(integrate(q, step)), u, n)

            def at_u(step: Array, force: UserForce = force) -> Array:
                return force.value(t, q, u + step, n)

            names = model.displacements
            what, sizes = f"displacement (of {force.name})", coordinate_sizes(model, q)
            on_q, h_q = difference_columns(at_q, sizes, names, steps, what, applied)
            used[f"{force.name}: q"] = h_q
            on_u = np.zeros((n, n))
            if force.of_speeds:
                what = f"speed (of {force.name})"
                on_u, h_u = difference_columns(at_u, u, model.speeds, steps, what, applied)
                used[f"{force.name}: u"] = h_u
        by_q, by_u = by_q - on_q, by_u - on_u
    return by_q, by_u, used
