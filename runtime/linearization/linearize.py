"""Linearization about any state: `linearize`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.reacting import without_multipliers
from eomc.runtime.derivatives.constraint_derivatives import (
    constraint_derivatives,
    require_redundant,
)
from eomc.runtime.derivatives.differencing import Steps
from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings, operating_point
from eomc.runtime.derivatives.tree import (
    Method,
    TreeDerivatives,
    is_differenced,
    steps_of,
    tree_derivatives,
)
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.impacts.contacts import refuse_rigid_contacts
from eomc.runtime.linearization.constrained import reduction
from eomc.runtime.linearization.element_states import with_element_states
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.outputs import Outputs
from eomc.runtime.linearization.reduction import Reduction, carried, reduce, unconstrained
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError, numerical_errors
from eomc.runtime.model.small_matrices import identity, lapack
from eomc.runtime.model.state import Values
from eomc.runtime.names.renamed import current_arguments

_METHODS = ("exact", "one-sided", "central")
# Smallest eigenvalue of the mass matrix scaled to a unit diagonal, below which it counts as
# singular.
_SINGULAR = 1e-13


@numerical_errors(LinearizationError)
@current_arguments
def linearize(
    model: CompiledModel,
    state: Any = None,
    *,
    q: Values = None,
    u: Values = None,
    a: Values = None,
    z: Values = None,
    t: float | None = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
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
        As `eomc.linearize` also a Model or the path of a model file.
    state : q, (q, u), (q, u, a), State or Equilibrium, optional
    q, u, a : array or mapping, by coordinate or speed
        The state in parts; what is not given of q and u is neutral and at rest. Without `a`, the
        accelerations are those of forward dynamics under `tau`; with it, the forces that the
        motion takes are held constant.
    z : array or mapping, by state of elements
        Those that are not given have their declared initial value. They are states of the linear
        model too, which has no second-order form then.
    t : float [s], optional
        By default the time of the equilibrium, or 0.
    tau, inputs, prescribed, parameters : as of `simulate`
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
        The latter two difference inverse dynamics and constraints instead, as a check.
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
    model = taken(model)
    refuse_rigid_contacts(model, "linearize")
    if method not in _METHODS:
        raise ValueError(f"method: {method!r}; give one of {', '.join(map(repr, _METHODS))}")
    exact = ("linearization",) if method == "exact" and not is_differenced(model) else ()
    model.prepare_available("inverse_dynamics", *exact)  # compiled in one go
    around, _ = surrounded(
        model,
        state,
        {"inputs": inputs, "prescribed": prescribed, "parameters": parameters, "forces": forces},
    )
    point = operating_point(around, state, q=q, u=u, a=a, z=z, t=t, tau=tau)
    tree, used = tree_derivatives(around, point, method, steps)
    differences = None if method == "exact" else steps_of(method, steps)
    free = freedoms(around, point, independent, differences)
    return assemble(around, point, tree, free, outputs, used)


def surrounded(
    model: CompiledModel, state: Any, options: Mapping[str, Any]
) -> tuple[Surroundings, dict[str, Any]]:
    """Surroundings of the model, and the remaining options; an equilibrium brings its own along."""
    rest = dict(options)
    given: dict[str, Any] = {}
    for name in ("inputs", "prescribed", "parameters"):
        value = rest.pop(name, None)
        given[name] = (getattr(state, name, None) or None) if value is None else value
    given["forces"] = rest.pop("forces", ()) or getattr(state, "forces", ())
    return Surroundings.of(model, **given), rest


def freedoms(
    around: Surroundings,
    point: OperatingPoint,
    independent: Sequence[str] | str | None,
    steps: Steps | None = None,
) -> Reduction:
    """Displacements and speeds that constraints leave, derivatives differenced with `steps` if
    these are given."""
    model = around.model
    if not model.is_constrained:
        if independent is not None:
            raise LinearizationError(
                f"model {model.name!r} has no constraints: all its coordinates are independent"
            )
        return unconstrained(model.displacements, model.speeds)
    at = point.held or around.constraints_at(point.values)
    require_redundant(at)
    derivatives = constraint_derivatives(around, point.values, steps)
    found = reduction(at, derivatives, point.multipliers, independent)
    if not model.has_reaction_friction:
        return found
    by_multipliers = around.by_multipliers(point.values)
    basis = without_multipliers(found.speed_basis, at.G, by_multipliers)
    return replace(found, force_basis=basis)


def assemble(
    around: Surroundings,
    point: OperatingPoint,
    tree: TreeDerivatives,
    free: Reduction,
    outputs: Sequence[str] | None,
    steps: dict[str, Array],
) -> LinearModel:
    """The linear model of what is free."""
    model = around.model
    inertia = carried(tree.mass, free)
    check_mass(model.name, inertia, free)
    reduced = reduce(tree, free, inertia)
    if model.element_states:
        reduced = with_element_states(around, point, tree, free, reduced)
    own = tuple(model.element_states)
    states = (*free.coordinates, *(f"speed({name})" for name in free.speeds), *own)
    inputs = (*(f"tau({name})" for name in model.speeds), *model.inputs)
    c, d = identity(len(states)).copy(), np.zeros((len(states), len(inputs)))
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
        displacements=model.displacements,
        transport=reduced.transport,
        second_order=reduced.second_order,
        inertia=reduced.inertia,
        steps=steps,
        multipliers=free.multipliers,
        redundant=free.redundant,
        element_states=own,
    )


def _output_matrices(
    rows: Outputs, names: tuple[str, ...], free: Reduction, a: Array, b: Array
) -> tuple[Array, Array]:
    nz, nw = free.basis.shape[1], free.speed_basis.shape[1]
    own = tuple(rows.around.model.element_states)
    c, d = np.zeros((len(names), len(a))), np.zeros((len(names), b.shape[1]))
    for k, name in enumerate(names):
        if name in own:
            c[k, nz + nw + own.index(name)] = 1.0
            continue
        by_xi, by_u, by_a = rows.row(name)
        c[k, :nz] = by_xi @ free.basis + by_u @ free.speed_by_z + by_a @ free.acceleration_by_z
        c[k, nz : nz + nw] = by_u @ free.speed_basis + by_a @ free.acceleration_by_w
        accelerated = by_a @ free.speed_basis
        c[k] += accelerated @ a[nz : nz + nw]
        d[k] = accelerated @ b[nz : nz + nw]
    return c, d


def check_mass(name: str, inertia: Array, free: Reduction) -> None:
    """Raise LinearizationError if what is free carries no `inertia`."""
    lowered = inertia.copy()
    lowered.flat[:: len(inertia) + 1] *= 1.0 - 2 * _SINGULAR
    # A factor of what is left below twice the bound: no eigenvalue is needed, which take longer.
    if not inertia.size or not lapack("dpotrf")(lowered)[1]:
        return
    diagonal = inertia.diagonal()
    scale = np.where(diagonal > 0, diagonal, 1.0) ** -0.5
    scaled = scale[:, None] * inertia * scale
    values = np.linalg.eigvalsh(scaled)
    if values.size and values[0] < _SINGULAR:
        vectors = np.linalg.eigh(scaled)[1]
        worst = free.speeds[int(np.argmax(np.abs(vectors[:, 0])))]
        rank = int((values >= _SINGULAR).sum())
        alone = diagonal <= _SINGULAR * diagonal.max(initial=0.0)
        why = (
            f"nothing resists an acceleration of {worst!r}"
            if alone[int(np.argmax(np.abs(vectors[:, 0])))]
            else f"{worst!r} moves as others do together, to {max(values[0], 0.0):.0e} of its "
            "inertia: a body without mass between joints, or an ill-conditioned choice of shapes; "
            "fewer or orthogonal shapes help, such as 'clamped-free polynomials'"
        )
        raise LinearizationError(
            f"model {name!r}: the mass matrix has rank {rank} of {len(values)} in this state: {why}"
        )
