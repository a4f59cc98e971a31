"""Linear quadratic regulation of a mechanism about a place to rest in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import Actuators, actuators_of
from eomc.runtime.control.actuated import Actuated
from eomc.runtime.control.regulator import Regulator, regulator
from eomc.runtime.control.state_feedback import StateFeedback, chosen
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.linearization import LinearModel, linearize
from eomc.runtime.model.arguments import speed_sizes
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, Values, initial_state

# Forces this large, relative to the others, that nothing exerts are no equilibrium.
_BALANCE = 1e-6
# Steps to where states of elements rest, and what is left of their rates there.
_STEPS, _STILL = 50, 1e-9


class LQR(StateFeedback):
    """f = f_0 - K x with the gain that makes 1/2 int (x^T Q x + v^T R v) dt smallest.

    The model is linearized about a state of rest, exactly:

        M xi'' + C xi' + K xi = B v,   A = [0, 1; -M^-1 K, -M^-1 C]

    Only the named speeds take part; the others are taken as held where they are, which drops their
    rows and columns. States of elements take part behind the rates, x' = A x + B v with x =
    (xi, xi', z), and rest where z' = 0. f_0 are the forces that hold the state of rest. Of a model
    with constraints independent coordinates take part: those of `speeds`, if they are as many as
    the freedoms that constraints leave; the state of rest must obey them.

    Reference: Anderson and Moore, *Optimal Control: Linear Quadratic Methods* (1990), ch. 2 and 3;
    Caron, *Planar Dynamics and Control of Space-Based Flexible Manipulators* (1996), sec. 5.3.

    Parameters
    ----------
    model : CompiledModel
        The controller's model; it may know less than the plant, see `plant`.
    target : (nq,) array or mapping of names to values
        Where to rest.
    q, r : number, row or matrix
        Weights of x = (displacements, rates) of `speeds`, states of elements, and of the forces on
        `actuators`.
    speeds, actuators, plant, inputs, prescribed, parameters : as of `StateFeedback`
    about : (nq,) array or mapping of names to values, optional
        Where to linearize, the target by default.

    Attributes
    ----------
    design : Regulator
        Gain, poles, controllability.
    linear : LinearModel
        All of the linearized model.
    A, B : (2 n + nz, 2 n + nz), (2 n + nz, m)
        The part that takes part.

    Raises ControllabilityError, with the rank and the modes, if the actuators do not reach all;
    ValueError for a place that takes forces where there are no actuators, and as `StateFeedback`.
    """

    def __init__(
        self,
        model: CompiledModel,
        target: Values,
        q: ArrayLike,
        r: ArrayLike,
        *,
        speeds: Sequence[str] | None = None,
        actuators: Actuators = None,
        about: Values = None,
        plant: StateMap | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        around = Surroundings.of(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        at = target if about is None else about
        resting = _resting(around, initial_state(model, at, None).q)
        place = partial(
            linearize,
            model,
            q=at,
            a=np.zeros(model.nu),
            z=resting,
            inputs=inputs,
            prescribed=prescribed,
            parameters=parameters,
        )
        self.linear: LinearModel = _in_terms_of(place, model, speeds)
        names, rows = _taking_part(model, self.linear, speeds)
        driven = actuators_of(model, actuators, type(self).__name__, model.inputs)
        columns = [
            self.linear.inputs.index(name if name in model.inputs else f"tau({name})")
            for name in driven
        ]
        if self.linear.second_order is None and not self.linear.element_states:
            _ = self.linear.forcing  # says why there is none
        mechanism = Actuated(around.excitation, driven)
        point = self.linear.point
        acting = mechanism.forces(mechanism.arguments(0.0, State(point.q, point.u, resting)))
        for name, column in zip(driven, acting.T, strict=True):
            if not column.any():
                raise ValueError(f"actuators: {name!r} exerts no force there, so that none follows")
        forcing = (self.linear.basis.T @ acting)[rows]
        needed = (self.linear.basis.T @ self.linear.point.tau)[rows]
        forces = np.linalg.lstsq(forcing, needed, rcond=None)[0]
        _require_equilibrium(names, needed, forcing @ forces, _reach(model, self.linear, rows))
        self.A, self.B = _state_space(self.linear, rows, columns)
        states = (*names, *(f"speed({name})" for name in names), *self.linear.element_states)
        self.design: Regulator = regulator(self.A, self.B, q, r, states=states)
        super().__init__(
            model,
            self.design.gain,
            target,
            speeds=names,
            actuators=driven,
            forces=forces,
            states=resting,
            plant=plant,
            inputs=inputs,
            prescribed=prescribed,
            parameters=parameters,
        )


def _in_terms_of(
    place: Callable[..., LinearModel], model: CompiledModel, speeds: Sequence[str] | None
) -> LinearModel:
    """The linearized model; if constraints leave as many freedoms as named speeds, in these."""
    linear = place()
    if speeds is None:
        return linear
    names, places = chosen(model, "speeds", speeds)
    wanted = [linear.displacements[k] for k in places]
    if len(names) != len(linear.coordinates) or set(wanted) == set(linear.coordinates):
        return linear
    return place(independent=wanted)


def _taking_part(
    model: CompiledModel, linear: LinearModel, speeds: Sequence[str] | None
) -> tuple[tuple[str, ...], list[int]]:
    """Names of the speeds that take part, and their places in the linear model."""
    place = {name: k for k, name in enumerate(linear.coordinates)}
    found = {
        speed: place[displacement]
        for speed, displacement in zip(model.speeds, linear.displacements, strict=True)
        if displacement in place
    }
    names, _ = chosen(model, "speeds", tuple(found) if speeds is None else speeds)
    for name in names:
        if name not in found:
            raise ValueError(
                f"speeds: {name!r} follows the others by constraints; independent here are "
                f"{', '.join(found)}"
            )
    return names, [found[name] for name in names]


def _resting(around: Surroundings, q: Array) -> Array | None:
    """States of elements where their rates vanish, by Newton's steps from the initial ones; one
    that rests anywhere stays."""
    model, still = around.model, np.zeros(around.model.nu)
    if not model.element_states:
        return None
    z = np.array(list(model.element_states.values()))
    for _ in range(_STEPS):
        values = around.values(0.0, q, still, still, z)
        rates = np.asarray(around.call("element_state_rates", values))
        if np.abs(rates).max() <= _STILL * (1 + np.abs(z).max()):
            return z
        slopes = np.asarray(around.call("element_state_derivatives", values)[2])
        z = z - np.linalg.lstsq(slopes, rates, rcond=None)[0]
    name = tuple(model.element_states)[int(np.argmax(np.abs(rates)))]
    raise ValueError(f"the place to rest in is no equilibrium: state {name!r} does not rest there")


def _state_space(linear: LinearModel, rows: list[int], actuators: list[int]) -> tuple[Array, Array]:
    """A and B of the displacements `rows`, the others held, and of the states of elements."""
    n, basis = len(linear.coordinates), linear.basis
    a, b = linear.A.copy(), linear.B[:, actuators]
    part, places = slice(n, 2 * n), [n + k for k in rows]
    if len(rows) < n:
        # What holds the others acts on them alone: their rows of M w' = ... drop out.
        mass = basis.T @ basis @ np.linalg.inv(linear.B[part, : len(basis)] @ basis)
        own = mass[np.ix_(rows, rows)]
        a[places] = np.linalg.solve(own, (mass @ linear.A[part])[rows])
        b[places] = np.linalg.solve(own, (mass @ b[part])[rows])
    kept = [*rows, *places, *range(2 * n, len(a))]
    return a[np.ix_(kept, kept)], b[kept]


def _reach(model: CompiledModel, linear: LinearModel, rows: list[int]) -> Array:
    """Forces that displacements of the coordinates' sizes make, each on its own row."""
    inertia, n = linear.inertia, len(linear.coordinates)
    assert inertia is not None
    by_q = inertia @ linear.A[n : n + len(inertia), :n]
    sizes = np.abs(linear.basis).T @ speed_sizes(model)
    found: Array = (np.abs(by_q) @ sizes)[rows]
    return found


def _require_equilibrium(names: tuple[str, ...], needed: Array, given: Array, reach: Array) -> None:
    """`reach` are the forces that displacements of the coordinates' sizes make."""
    scale = float(np.abs(needed).max(initial=0.0))
    for name, force, exerted, own in zip(names, needed, given, reach, strict=True):
        if abs(force - exerted) > _BALANCE * (scale + own):
            raise ValueError(
                f"the place to rest in is no equilibrium: it takes {force:.6g} on {name!r}, where "
                f"the actuators exert {exerted:.6g} at best"
            )
