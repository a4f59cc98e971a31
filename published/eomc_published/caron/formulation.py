"""Velocity transformations, mass matrix, nonlinear terms, gravity (4 to 7), by themselves.

Derivatives are had by complex steps: exact to rounding, and independent of those written down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.systems.flexible_manipulator.data import MU
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc_published.caron.scenarios import ONE, PAYLOAD
from eomc_published.caron.velocity_transformations import TransformedEquations
from eomc_published.caron.velocity_transformations.both import both
from eomc_published.caron.velocity_transformations.layout import turn
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_SIZES = tuple(product((2, 3, 4, 5, 6), (1, 2, 3)))
"""N and number of modes of each body."""

_BUILT = tuple(FlexibleManipulator(n - 1, PAYLOAD, modes=s) for n, s in ((2, 3), (3, 2), (4, 1)))
"""Those whose compiled models are compared."""

_STEP = 1e-30


def _drawn() -> Iterator[tuple[TransformedEquations, Array, Array]]:
    for seed, (bodies, modes) in enumerate(_SIZES):
        equations = TransformedEquations(FlexibleManipulator(bodies - 1, PAYLOAD, modes=modes))
        yield equations, *equations.layout.random_state(np.random.default_rng(seed))


def _by_complex_steps(f: Callable[[NDArray[Any]], Any], q: Array, directions: Array) -> Array:
    """Derivatives of f along the rows of `directions`, on the last axis."""
    columns = [np.imag(f(q + 1j * _STEP * direction)) / _STEP for direction in directions]
    return np.stack(columns, axis=-1)


def _deviation(got: Array, expected: Array) -> float:
    return float(np.abs(got - expected).max() / np.abs(expected).max())


def _scaled(equations: TransformedEquations, q: Array) -> Array:
    """Units that make the diagonal of M one: it mixes metres of an orbit and modal amplitudes."""
    return np.asarray(np.diagonal(equations.mass_matrix(q)) ** -0.5)


def _transformations() -> Iterator[CaseCheck]:
    worst = dict.fromkeys(("first", "second", "differences"), 0.0)
    for equations, q, _ in _drawn():
        exact = _by_complex_steps(equations.decoupled, q, np.eye(len(q)))
        # Rows of lengths along the orbit, of the order of r_0, apart from all others.
        first, second = equations.first_transformation(q), equations.second_transformation(q)
        scale = np.abs(exact).max(axis=1, keepdims=True)
        for name, matrix in (("first", first), ("second", second)):
            worst[name] = max(worst[name], float((np.abs(matrix - exact) / scale).max()))
        steps = np.where(np.arange(len(q)) == 0, 10.0, 1e-4)
        shifts = np.diag(steps)
        pairs = [equations.decoupled(q + h) - equations.decoupled(q - h) for h in shifts]
        differences = np.stack(pairs, axis=1) / (2 * steps)
        near = float((np.abs(second - differences) / scale).max())
        worst["differences"] = max(worst["differences"], near)
    yield at_most("[I - R^C]^-1 R from dqbar/dq", worst["first"], 1e-12)
    yield at_most("R^v from dqbar/dq", worst["second"], 1e-12)
    yield at_most("R^v from central differences", worst["differences"], 1e-6)
    yield at_most("compiled Jacobians of the bodies' frames", max(map(_frames, _BUILT)), 1e-12)


def _frames(manipulator: FlexibleManipulator) -> float:
    """Rates of joints, rotors and bodies by the model's frames against rows of R^v."""
    pair = both(manipulator)
    layout, q = pair.equations.layout, pair.state(pair.u, 0 * pair.u)[0]
    rows = pair.equations.second_transformation(q) @ pair.jacobian
    worst = 0.0
    for i in range(1, layout.bodies + 1):
        body = pair.model.function(f"frame_{'platform' if i == 1 else f'unit{i}'}_jacobian")(pair.q)
        pairs = [(rows[layout.psi(i)], body[5])]
        if i > 1:
            rotor = pair.model.function(f"frame_alpha{i}_rotor_jacobian")(pair.q)
            at = rows[layout.offset(i)]
            pairs += [(at[0], body[0]), (at[1], body[1]), (rows[layout.rotor(i)], rotor[5])]
        worst = max(worst, *(_deviation(got, expected) for expected, got in pairs))
    return worst


def _mass() -> Iterator[CaseCheck]:
    deviation = inverse = asymmetry = 0.0
    smallest = np.inf
    for equations, q, _ in _drawn():
        mass, scale = equations.mass_matrix(q), _scaled(equations, q)
        unit = np.outer(scale, scale)
        first = equations.first_transformation(q)
        other = first.T @ equations.decoupled_mass(q) @ first
        deviation = max(deviation, float(np.abs((mass - other) * unit).max()))
        asymmetry = max(asymmetry, float(np.abs((mass - mass.T) * unit).max()))
        smallest = min(smallest, float(np.linalg.eigvalsh((mass + mass.T) / 2 * unit)[0]))
        solved = np.stack([equations.solve(q, column) for column in mass.T], axis=1)
        one = solved * scale / scale[:, None]
        inverse = max(inverse, float(np.abs(one - np.eye(len(q))).max()))
    yield at_most("M by both transformations", deviation, 1e-9)
    yield at_most("M less its transpose", asymmetry, 1e-9)
    yield holds("smallest eigenvalue of the scaled M", "> 0", f"{smallest:.3g}", smallest > 0)
    yield at_most("O(N) inverse times M", inverse, 1e-9)
    compiled = [_compiled_mass(manipulator) for manipulator in _BUILT]
    for k, what in enumerate(("M from R^v", "M less its transpose", "O(N) inverse times M")):
        yield at_most(f"compiled: {what}", max(each[k] for each in compiled), 1e-9)


def _compiled_mass(manipulator: FlexibleManipulator) -> tuple[float, float, float]:
    pair = both(manipulator)
    mass, jacobian = pair.model.mass_matrix(pair.q), pair.jacobian
    own = pair.equations.mass_matrix(pair.state(pair.u, 0 * pair.u)[0])
    unit = np.outer(pair.scale, pair.scale)
    rest = pair.model.forward_dynamics(pair.q, pair.u, 0 * pair.u)
    # Columns of the scaled M are of the size of one, whatever their units.
    forces = mass * pair.scale
    moved = np.stack(
        [pair.model.forward_dynamics(pair.q, 0 * pair.u, column) for column in forces.T], axis=1
    )
    still = pair.model.forward_dynamics(pair.q, 0 * pair.u, 0 * rest)
    one = (moved - still[:, None]) / pair.scale[:, None]
    differences = (
        (mass - jacobian.T @ own @ jacobian) * unit,
        (mass - mass.T) * unit,
        one - np.eye(len(one)),
    )
    first, second, third = (float(np.abs(each).max()) for each in differences)
    return first, second, third


def _rates() -> Iterator[CaseCheck]:
    rate_error = gradient_error = 0.0
    for equations, q, rate in _drawn():
        exact = _by_complex_steps(equations.mass_matrix, q, rate[None])[..., 0]
        rate_error = max(rate_error, _deviation(equations.mass_matrix_rate(q, rate), exact))

        def energy(
            x: NDArray[Any], equations: TransformedEquations = equations, rate: Array = rate
        ) -> Any:
            return rate @ equations.mass_matrix(x) @ rate

        wanted = _by_complex_steps(energy, q, np.eye(len(q)))
        got = equations.energy_gradient(q, rate)
        gradient_error = max(gradient_error, _deviation(got[1:], wanted[1:]))
    yield at_most("M'", rate_error, 1e-9)
    yield at_most("d(q'^T M q')/dq", gradient_error, 1e-9)
    forces = max(map(_inverse_dynamics, _BUILT))
    yield at_most("M q'' + F against the compiled inverse dynamics", forces, 1e-9)


def _inverse_dynamics(manipulator: FlexibleManipulator) -> float:
    """Generalized forces in the model's units, by the largest of them."""
    pair = both(manipulator)
    a = np.random.default_rng(3).normal(size=pair.model.nu)
    q, rate, acceleration = pair.state(pair.u, a)
    mass, nonlinear = pair.equations.mass_matrix(q), pair.equations.nonlinear(q, rate)
    expected = pair.jacobian.T @ (mass @ acceleration + nonlinear)
    got = pair.model.inverse_dynamics(pair.q, pair.u, a)
    return _deviation(got * pair.scale, expected * pair.scale)


def _gravity() -> Iterator[CaseCheck]:
    equations = TransformedEquations(replace(ONE, about="platform"))
    layout = equations.layout
    q = np.zeros(layout.total, dtype=np.longdouble)
    pitch, slew = np.longdouble(0.5), np.deg2rad(np.longdouble(50))
    q[0] = 6.778e6
    q[layout.psi(1)], q[layout.psi(2)] = pitch, pitch + slew
    q[layout.offset(2)], q[layout.rotor(2)], q[layout.length(2)] = (30, 1.5), slew, 10

    def torque(field: str) -> Any:
        gradient = equations.gravity(q, field)
        return -(gradient[layout.psi(1)] + gradient[layout.psi(2)])

    # The torque of a field that is the same everywhere: weight times the offset of the mass centre.
    moment = (MU / q[0] ** 2) * _first_moment(equations, q)[1]
    second, exact = torque("platform"), torque("exact")
    part = float(second - moment)
    difference = float(exact - second)
    yield agrees("gravity-gradient part [N m]", 230.0, abs(part), 5.0)
    yield at_most("exact less second order, by that part", abs(difference) / abs(part), 1e-6)
    yield agrees("exact less second order [1e-5 N m]", 1.3, difference * 1e5, 0.05)
    own = float(second) - _compiled_torque(float(pitch), float(slew))
    yield at_most("compiled less second order, by that part", abs(own) / abs(part), 1e-6)


def _compiled_torque(pitch: float, slew: float) -> float:
    """Torque on the pitch of the compiled model at rest, undeformed."""
    model = both(ONE).model
    q = np.zeros(model.nq)
    places = {"orbit_r": 6.778e6, "orbit_psi": pitch, "d2": 30.0, "alpha2": slew}
    for name, value in {**places, "unit2_length": 10.0}.items():
        q[model.coordinates.index(name)] = value
    tau = model.inverse_dynamics(q, np.zeros(model.nu), np.zeros(model.nu))
    return -float(tau[model.speeds.index("orbit_psi")])


def _first_moment(equations: TransformedEquations, q: NDArray[Any]) -> NDArray[Any]:
    """sum dm a of the manipulator about the platform's centre, whose radius is along x."""
    layout, qbar = equations.layout, equations.decoupled(q)
    total = np.zeros(2, dtype=q.dtype)
    for i, body in equations.bodies.items():
        length = equations.manipulator.platform.length if i == 1 else q[layout.length(i)]
        at = body.elements(length)
        arm = qbar[layout.offset(i)] - np.array([q[0], 0]) if i > 1 else 0 * total
        reach = at.r + np.stack([0 * at.dm, at.phi @ q[layout.delta(i)]], axis=1)
        total = total + at.dm @ (arm + (turn(q[layout.psi(i)]) @ reach.T).T)
        total = total + (equations.manipulator.unit.joint_mass * arm if i > 1 else 0)
    return total


CASES = (
    Case(
        4,
        "Velocity transformations",
        "eq. (2.57), (2.62), app. III",
        "both against the derivative of the decoupled coordinates by complex steps, N = 2 to 6, "
        "1 to 3 modes",
        _transformations,
        slow=True,
    ),
    Case(
        5,
        "Mass matrix and its O(N) inverse",
        "eq. (2.63) to (2.65)",
        "by both transformations, symmetric, positive, inverse times matrix",
        _mass,
        slow=True,
    ),
    Case(
        6,
        "Derivatives of the mass matrix",
        "app. IV",
        "the written derivatives against complex steps of M",
        _rates,
        note="The derivative by r_0, smaller than the others by the radius of the orbit, is left "
        "out of the comparison relative to the largest.",
        slow=True,
    ),
    Case(
        7,
        "Gravity to second order",
        "sec. 2.7",
        "torque on the pitched manipulator of fig. 4-2 against the exact field, in extended "
        "precision",
        _gravity,
        "reconstructed",
    ),
)
