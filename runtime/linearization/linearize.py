"""Linearization about any state: `linearize`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.constraints.rows import has_constraints
from eomc.runtime.errors import LinearizationError
from eomc.runtime.excitation import InputLaw, MotionLaw
from eomc.runtime.linearization.constrained import reduction, require_redundant, rows_at
from eomc.runtime.linearization.differencing import Steps, difference_columns
from eomc.runtime.linearization.displacement_names import displacement_names
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.operating_point import (
    OperatingPoint,
    Surroundings,
    operating_point,
)
from eomc.runtime.linearization.outputs import Outputs
from eomc.runtime.linearization.reduction import Reduction, Tree, reduce, unconstrained
from eomc.runtime.linearization.user_force import UserForce
from eomc.runtime.state import Values

Array = NDArray[np.float64]
Method = Literal["exact", "one-sided", "central"]

_METHODS = ("exact", "one-sided", "central")
# Smallest eigenvalue of the mass matrix scaled to a unit diagonal, below which it counts as
# singular.
_SINGULAR = 1e-13


def linearize(
    model: CompiledModel,
    state: Any = None,
    *,
    q: Values = None,
    u: Values = None,
    a: Values = None,
    t: float = 0.0,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: InputLaw = None,
    motion: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
    forces: UserForce | Sequence[UserForce] = (),
    outputs: Sequence[str] | None = None,
    independent: Sequence[str] | str | None = None,
    method: Method = "exact",
    steps: Steps | None = None,
) -> LinearModel:
    """Small motions about a state: M, C, K and A, B, C, D.

    Exact derivatives of the compiled model, in the tangent space of its configurations; about an
    equilibrium, a steady motion with speeds and accelerations, or any instant of a motion.

    Parameters
    ----------
    model : CompiledModel
    state : (q, u), (q, u, a), State or Equilibrium, optional
    q, u, a : array or mapping, by coordinate or speed
        The state in parts; what is not given of q and u is neutral and at rest. Without `a`, the
        accelerations are those of forward dynamics under `tau`; with it, the forces that the
        motion takes are held constant.
    t : float [s]
    tau, inputs, motion, parameters : as of `simulate`
    forces : UserForce or several
        Further forces that are Python functions; without derivative they are differenced.
    outputs : sequence of str, optional
        What y holds, by default all states: coordinates, ``speed(hinge)``,
        ``acceleration(hinge)``, and of frames ``tip.x``, ``tip.rx``, ``tip.vx``, ``tip.wx``, ... in
        world axes.
    independent : sequence of str, or "null space", optional
        With constraints, the coordinates that z holds; found by pivoting if not given. "null
        space" takes the orthonormal basis of the QR decomposition of the Jacobian, z1, z2, ...
    method : "exact", "one-sided" or "central"
        The latter two difference inverse dynamics instead, as a check.
    steps : Steps, optional
        Steps of differences.

    Inputs v are ``tau(hinge)`` of every speed, then the model's declared inputs.

    Raises
    ------
    LinearizationError
        Accelerations that contradict forces, a state that violates constraints, a singular
        configuration or mass matrix, coordinates that are not independent, differences that do not
        settle; coordinate and rank are named.
    ValueError
        Arguments of wrong shape, unknown names, numbers that are not finite.

    Examples
    --------
    >>> import eomc
    >>> swing = eomc.Model("swing")
    >>> swing.body("bob", mass=2, com=(0, 0, -0.5))
    >>> swing.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0), damping=0.1)
    >>> linear = linearize(eomc.build(swing))
    >>> linear.mass.item(), linear.damping.item(), round(linear.stiffness.item(), 9)
    (0.5, 0.1, 9.81)
    """
    if method not in _METHODS:
        raise ValueError(f"method: {method!r}; give one of {', '.join(map(repr, _METHODS))}")
    around, _ = surrounded(
        model,
        state,
        {"inputs": inputs, "motion": motion, "parameters": parameters, "forces": forces},
    )
    point = operating_point(around, state, q=q, u=u, a=a, t=t, tau=tau)
    tree, used = tree_derivatives(around, point, method, steps)
    free = freedoms(around, point, independent)
    return assemble(around, point, tree, free, outputs, used)


def surrounded(
    model: CompiledModel, state: Any, options: Mapping[str, Any]
) -> tuple[Surroundings, dict[str, Any]]:
    """What acts on the model, and the remaining options; an equilibrium brings its own along."""
    rest = dict(options)
    given: dict[str, Any] = {}
    for name in ("inputs", "motion", "parameters"):
        value = rest.pop(name, None)
        given[name] = (getattr(state, name, None) or None) if value is None else value
    given["forces"] = rest.pop("forces", ()) or getattr(state, "forces", ())
    return Surroundings.of(model, **given), rest


def freedoms(
    around: Surroundings, point: OperatingPoint, independent: Sequence[str] | str | None
) -> Reduction:
    """What constraints leave of the displacements and speeds."""
    model = around.model
    if not has_constraints(model):
        if independent is not None:
            raise LinearizationError(
                f"model {model.name!r} has no constraints: all its coordinates are independent"
            )
        return unconstrained(displacement_names(model.coordinates, model.speeds), model.speeds)
    rows = rows_at(around.call, model, point.values)
    require_redundant(model, rows, around.call, point.values)
    derivatives = constraint_derivatives(around, point)
    return reduction(model, rows, derivatives, point.multipliers, independent)


def constraint_derivatives(
    around: Surroundings, point: OperatingPoint
) -> tuple[Array, Array, Array, Array]:
    """d(G^T lambda)/dq, and d(G u + b)/dq, d(G a + g)/dq, d(G a + g)/du of every row."""
    parts = around.call("constraint_derivatives", point.values)
    curvature, by_q, accelerated_by_q, accelerated_by_u = (
        np.asarray(part, dtype=float).reshape(-1, around.model.nu) for part in parts
    )
    return curvature, by_q, accelerated_by_q, accelerated_by_u


def assemble(
    around: Surroundings,
    point: OperatingPoint,
    tree: Tree,
    free: Reduction,
    outputs: Sequence[str] | None,
    steps: dict[str, Array],
) -> LinearModel:
    """The linear model of what is free."""
    model = around.model
    check_mass(model.name, tree.mass, free)
    reduced = reduce(tree, free)
    states = (*free.coordinates, *(f"speed({name})" for name in free.speeds))
    inputs = (*(f"tau({name})" for name in model.speeds), *model.inputs)
    c, d = np.eye(len(states)), np.zeros((len(states), len(inputs)))
    names = states
    if outputs is not None:
        names = (outputs,) if isinstance(outputs, str) else tuple(outputs)
        c, d = _output_matrices(Outputs(around, point.values), names, free, reduced.A, reduced.B)
    return LinearModel(
        name=model.name,
        states=states,
        inputs=inputs,
        outputs=names,
        coordinates=free.coordinates,
        A=reduced.A,
        B=reduced.B,
        C=c,
        D=d,
        point=point,
        basis=free.basis,
        displacements=displacement_names(model.coordinates, model.speeds),
        transport=reduced.transport,
        second_order=reduced.second_order,
        steps=steps,
        multipliers=free.multipliers,
        redundant=free.redundant,
    )


def _output_matrices(
    rows: Outputs, names: tuple[str, ...], free: Reduction, a: Array, b: Array
) -> tuple[Array, Array]:
    nz = free.basis.shape[1]
    c, d = np.zeros((len(names), len(a))), np.zeros((len(names), b.shape[1]))
    for k, name in enumerate(names):
        by_xi, by_u, by_a = rows.row(name)
        c[k, :nz] = by_xi @ free.basis + by_u @ free.speed_by_z + by_a @ free.acceleration_by_z
        c[k, nz:] = by_u @ free.speed_basis + by_a @ free.acceleration_by_w
        accelerated = by_a @ free.speed_basis
        c[k] += accelerated @ a[nz:]
        d[k] = accelerated @ b[nz:]
    return c, d


def check_mass(name: str, mass: Array, free: Reduction) -> None:
    """Raise LinearizationError if what is free carries no inertia."""
    reduced = free.speed_basis.T @ mass @ free.speed_basis
    diagonal = np.diagonal(reduced)
    scale = np.where(diagonal > 0, diagonal, 1.0) ** -0.5
    values, vectors = np.linalg.eigh(scale[:, None] * reduced * scale)
    if values.size and values[0] < _SINGULAR:
        worst = free.speeds[int(np.argmax(np.abs(vectors[:, 0])))]
        rank = int((values >= _SINGULAR).sum())
        raise LinearizationError(
            f"model {name!r}: the mass matrix has rank {rank} of {len(values)} in this state: "
            f"nothing resists an acceleration of {worst!r}"
        )


def tree_derivatives(
    around: Surroundings, point: OperatingPoint, method: Method, steps: Steps | None
) -> tuple[Tree, dict[str, Array]]:
    """Derivatives of M a + c - user forces, and the steps of differences."""
    model, values = around.model, point.values
    mass, damping, stiffness, w, w_rate = (
        np.asarray(x, dtype=float) for x in around.call("linearization", values)
    )
    if w.any():
        by_u = damping + mass @ w
        by_q = stiffness + by_u @ w + mass @ w_rate
    else:
        by_u, by_q = damping, stiffness
    used: dict[str, Array] = {}
    if method == "exact":
        by_q, by_u, used = _less_user_forces(around, point, by_q, by_u, steps or Steps("central"))
    else:
        if steps is None:
            steps = Steps("one-sided" if method == "one-sided" else "central")
        by_q, by_u, mass, used = differenced(around, point, steps)
    forcing = np.eye(model.nu)
    if model.inputs:
        forcing = np.hstack([forcing, np.asarray(around.call("input_matrix", values))])
    tree = Tree(mass, by_u, by_q, forcing, w, w_rate)
    for what, matrix in (("mass", mass), ("damping", by_u), ("stiffness", by_q)):
        _require_finite(model, what, matrix)
    return tree, used


def _require_finite(model: CompiledModel, what: str, matrix: Array) -> None:
    if not np.isfinite(matrix).all():
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
    names = displacement_names(model.coordinates, model.speeds)
    stiffness, h_q = difference_columns(by_q, sizes, names, steps, "displacement")
    damping, h_u = difference_columns(by_u, point.u, model.speeds, steps, "speed")
    mass, h_a = difference_columns(by_a, point.a, model.speeds, steps, "acceleration")
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
    for force in around.forces:
        if force.derivative is not None:
            on_q, on_u = force.slopes(t, q, u, n)
        else:
            assert integrate is not None

            def at_q(step: Array, force: UserForce = force) -> Array:
                return force.value(t, np.asarray(integrate(q, step)), u, n)

            def at_u(step: Array, force: UserForce = force) -> Array:
                return force.value(t, q, u + step, n)

            names = displacement_names(model.coordinates, model.speeds)
            what = f"displacement (of {force.name})"
            on_q, h_q = difference_columns(at_q, coordinate_sizes(model, q), names, steps, what)
            used[f"{force.name}: q"] = h_q
            on_u = np.zeros((n, n))
            if force.of_speeds:
                what = f"speed (of {force.name})"
                on_u, h_u = difference_columns(at_u, u, model.speeds, steps, what)
                used[f"{force.name}: u"] = h_u
        by_q, by_u = by_q - on_q, by_u - on_u
    return by_q, by_u, used
