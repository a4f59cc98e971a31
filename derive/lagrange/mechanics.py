"""Method objects of `sympy.physics.mechanics` and what is read from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import (
    JointsMethod,
    KanesMethod,
    LagrangesMethod,
    ReferenceFrame,
    System,
    kinetic_energy,
    potential_energy,
)
from sympy.physics.vector import dynamicsymbols

from eomc.derive.graph.sympy_parts import carried_out, parts
from eomc.derive.lagrange.formulation import MissingRate
from eomc.derive.lagrange.kane import KaneEquations
from eomc.derive.lagrange.kane_system import KaneSystem
from eomc.derive.lagrange.system import LagrangianSystem, check_distinct
from eomc.derive.lagrange.variables import (
    TIME,
    Variables,
    check_prefix,
    declared_constants,
    declared_inputs,
    identifier,
    listed,
    split_coordinates,
    unique_identifiers,
)
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names


def from_sympy(
    method: Any,
    parameters: Mapping[Any, Any] | None = None,
    tunable: Collection[Any] | str = "all",
    inputs: Iterable[Any] | None = None,
    name: str = "model",
    prescribed: Iterable[Any] = (),
) -> LagrangianSystem | KaneSystem:
    """The system that a method of `sympy.physics.mechanics` describes.

    Parameters
    ----------
    method : LagrangesMethod, KanesMethod, JointsMethod or System of sympy.physics.mechanics
        Of a `LagrangesMethod` the Lagrangian, loads and constraints are read, and its equations
        need not have been formed. A `KanesMethod` is read after ``kanes_equations``; if that has
        not been called and the method has its bodies, it is called here. A
        `JointsMethod` and a `System` are read through the method that they form.
    parameters : dict
        {symbol or name: value} of the symbolic constants; those left out have no value, which is
        enough for reading but not for emission.
    tunable : list or "all"
        Constants that stay adjustable at run time; by default all.
    inputs : list
        Order of the specified functions of time (those that are neither coordinates nor speeds);
        sorted by name by default.
    name : str
        Prefix of the emitted functions.
    prescribed : list
        Specified functions of time that are prescribed coordinates: their motion, with rates and
        accelerations, is given as that of a model's (``motion=``), and is no input.

    Returns
    -------
    LagrangianSystem or KaneSystem
        The sign of the multipliers is that of M a + c = tau + A^T lambda, with A the Jacobian of
        the constraints as given: the multipliers of `LagrangesMethod.mass_matrix_full`, the
        opposite of ``lam_vec`` in its ``eom``.

    Raises
    ------
    ModelError
        Names what cannot be read.

    Examples
    --------
    >>> theta = dynamicsymbols("theta")
    >>> m, l, g = sp.symbols("m l g")
    >>> method = LagrangesMethod(
    ...     m * l**2 * theta.diff() ** 2 / 2 + m * g * l * sp.cos(theta), [theta]
    ... )
    >>> pendulum = from_sympy(method, {m: 1.0, l: 0.5, g: 9.81})
    >>> pendulum.potential_energy.to_sympy()
    -g*l*m*cos(theta(t))
    >>> pendulum.forward_dynamics.evaluate([0.1], [0.0], [0.0]).round(4).tolist()
    [-1.9587]
    """
    method = _method_of(method)
    if isinstance(method, LagrangesMethod):
        return _from_lagranges_method(method, parameters, tunable, inputs, name, prescribed)
    if isinstance(method, KanesMethod):
        return _from_kanes_method(method, parameters, tunable, inputs, name, prescribed)
    raise ModelError(
        f"{type(method).__name__} is no method of sympy.physics.mechanics that can be read; give a "
        "LagrangesMethod, a KanesMethod, a JointsMethod or a System"
    )


def _method_of(given: Any) -> Any:
    """The method that a `JointsMethod` or a `System` forms its equations by."""
    if isinstance(given, System):
        if given.eom_method is None:
            given.form_eoms()
        return given.eom_method
    if isinstance(given, JointsMethod):
        if getattr(given, "_method", None) is None:
            given.form_eoms()
        return given.method
    return given


# -- symbols -------------------------------------------------------------------------------------


def _specified(expressions: Sequence[Any], known: Iterable[sp.Basic]) -> list[sp.Basic]:
    """Functions of time in `expressions`, and derivatives of them, other than those `known`."""
    time = dynamicsymbols._t
    skip = set(known)
    skip |= {sp.diff(symbol, time, order) for symbol in list(skip) for order in (1, 2)}
    found: dict[sp.Basic, None] = {}
    for part in parts(expressions, _is_signal):
        if _is_signal(part) and part not in skip:
            found[part] = None
    return sorted(found, key=_signal_order)


def _is_signal(part: sp.Basic) -> bool:
    """A function of time, or a derivative of one."""
    return isinstance(part.expr if isinstance(part, sp.Derivative) else part, AppliedUndef)


def _signal_order(signal: sp.Basic) -> tuple[str, int]:
    if isinstance(signal, sp.Derivative):
        return str(signal.expr.func), sum(count for _, count in signal.variable_count)
    return str(signal.func), 0


def _inputs(found: Sequence[sp.Basic], wanted: Iterable[Any] | None) -> tuple[sp.Basic, ...]:
    if wanted is None:
        return tuple(found)
    order = declared_inputs(wanted)
    missing = [symbol for symbol in found if symbol not in order]
    if missing:
        raise ModelError(
            f"inputs leave out {', '.join(map(str, missing))}, which the equations depend on"
        )
    return order


def _constants(
    expressions: Iterable[Any], parameters: Mapping[Any, Any] | None
) -> dict[sp.Symbol, Any]:
    """{symbol: value or None} of all symbolic constants, by name."""
    free = {part for part in parts(expressions) if isinstance(part, sp.Symbol)}
    free.discard(dynamicsymbols._t)
    constants = sorted(free, key=lambda symbol: symbol.name)
    values: dict[sp.Symbol, Any] = dict.fromkeys(constants)
    names = {identifier(symbol): symbol for symbol in constants}
    names |= {symbol.name: symbol for symbol in constants}
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping):
        raise ModelError("parameters is a mapping from symbols to values")
    for key, value in given.items():
        symbol = names.get(key) if isinstance(key, str) else key
        if symbol not in values:
            raise ModelError(
                f"parameter {str(key)!r} does not occur in the equations; "
                f"{near_names(str(key), names)}"
            )
        values[symbol] = value
    return values


# -- Lagrange ------------------------------------------------------------------------------------


def _from_lagranges_method(
    method: LagrangesMethod,
    parameters: Mapping[Any, Any] | None,
    tunable: Collection[Any] | str,
    inputs: Iterable[Any] | None,
    name: str,
    prescribed: Iterable[Any],
) -> LagrangianSystem:
    q = list(method.q)
    speeds = [sp.diff(coordinate, dynamicsymbols._t) for coordinate in q]
    still, moving = _by_speeds(method._L[0], speeds)
    forces = _generalized_forces(method, speeds)
    holonomic = list(method._hol_coneqs)
    nonholonomic = list(method.coneqs)[len(holonomic) :]
    given = [still, moving, *forces, *holonomic, *nonholonomic]
    given_motion = listed(prescribed, "prescribed")
    signals = list(_inputs(_specified(given, [*q, *speeds, *given_motion]), inputs))
    constants = _constants(given, parameters)
    while True:
        system = LagrangianSystem(
            name,
            q,
            moving,
            -still,
            generalized_forces=dict(zip(q, forces, strict=True)),
            holonomic=holonomic,
            nonholonomic=nonholonomic,
            parameters=constants,
            tunable=tunable,
            inputs=signals,
            prescribed=given_motion,
        )
        try:
            d = system.general
            _ = d.bias, d.is_constrained and d.constraints
        except MissingRate as missing:
            if missing.rate is None:
                raise
            signals = [*signals, missing.rate]
            if inputs is None:
                signals.sort(key=_signal_order)
        else:
            return system


def _by_speeds(lagrangian: Any, speeds: Sequence[sp.Basic]) -> tuple[Any, Any]:
    """Terms of the Lagrangian without speeds, and with."""
    still: list[Any] = []
    moving: list[Any] = []
    for term in sp.Add.make_args(lagrangian):
        moves = any(part in speeds for part in parts([term], _is_signal))
        (moving if moves else still).append(term)
    return sp.Add(*still), sp.Add(*moving)


def _generalized_forces(method: LagrangesMethod, speeds: Sequence[sp.Basic]) -> list[Any]:
    """Q_i = sum over loads of (partial velocity) . force + (partial angular velocity) . torque"""
    frame = method.inertial
    forces: list[Any] = [sp.Integer(0)] * len(speeds)
    for place, load in method.forcelist or ():
        at_frame = isinstance(place, ReferenceFrame)
        velocity = place.ang_vel_in(frame) if at_frame else place.vel(frame)
        for i, speed in enumerate(speeds):
            partial = velocity.diff(speed, frame, var_in_dcm=False)
            forces[i] += partial.dot(load)
    return [carried_out(force) for force in forces]


# -- Kane ----------------------------------------------------------------------------------------


def _from_kanes_method(
    method: KanesMethod,
    parameters: Mapping[Any, Any] | None,
    tunable: Collection[Any] | str,
    inputs: Iterable[Any] | None,
    name: str,
    prescribed: Iterable[Any],
) -> KaneSystem:
    given = _kane_equations(method)
    q, u = tuple(method.q), tuple(method.u)
    equations = [
        *(entry for row in given.mass_matrix for entry in row),
        *given.forcing,
        *given.rates.values(),
        *given.configuration,
        *given.velocity,
    ]
    s, s_rate = split_coordinates(
        listed(prescribed, "prescribed"), dynamicsymbols._t, "prescribed coordinate"
    )
    known = [*q, *u, *given.zero, *s]
    signals = _inputs(_specified(equations, known), inputs)
    reactions = tuple(_specified(given.auxiliary, [*known, *signals]))
    if len(reactions) != len(given.auxiliary):
        reactions = ()
    every = [*equations, *given.auxiliary]
    energies = _energies(method, [*known, *signals])
    every += [energy for energy in energies if energy is not None]
    constants = declared_constants(_constants(every, parameters), tunable)
    names = unique_identifiers((*q, *s), "coordinates")
    variables = Variables(
        q,
        u,
        names[: len(q)],
        unique_identifiers(u, "speeds"),
        signals,
        unique_identifiers(signals, "inputs"),
        constants,
        dynamicsymbols._t,
        s,
        s_rate,
        names[len(q) :],
    )
    check_distinct(variables)
    assert TIME not in variables.constant_names, "refused by declared_constants"
    kinetic, potential = energies
    complete = replace(
        given, kinetic_energy=kinetic, potential_energy=potential, reactions=reactions
    )
    return KaneSystem(check_prefix(name), variables, complete)


def _kane_equations(method: KanesMethod) -> KaneEquations:
    if method._fr is None or method._frstar is None:
        if not method.bodies:
            raise ModelError("call kanes_equations(bodies, loads) on the KanesMethod first")
        method.kanes_equations()
    if not method._qdot_u_map:
        raise ModelError("the KanesMethod has no kinematic differential equations")
    dependent = len(method._udep)
    velocity = method._k_nh * method.u + method._f_nh if dependent else ()
    free = _without_constraints(method) if dependent else method
    return KaneEquations(
        mass_matrix=[[carried_out(entry) for entry in row] for row in free.mass_matrix.tolist()],
        forcing=[carried_out(entry) for entry in free.forcing],
        rates={rate: carried_out(value) for rate, value in method.kindiffdict().items()},
        dependent=dependent,
        configuration=list(method._f_h),
        velocity=list(velocity),
        auxiliary=list(getattr(method, "_aux_eq", ())) if method._uaux else (),
        zero=tuple(method._uaux),
    )


def _without_constraints(method: KanesMethod) -> KanesMethod:
    """The same bodies and loads with all speeds independent."""
    kinematics = [rate - value for rate, value in method.kindiffdict().items()]
    free = KanesMethod(
        method._inertial,
        list(method.q),
        list(method.u),
        kd_eqs=kinematics,
        u_auxiliary=list(method._uaux) or None,
    )
    free.kanes_equations(method.bodies, method._forcelist)
    return free


def _energies(method: KanesMethod, known: Sequence[sp.Basic]) -> tuple[Any, Any]:
    """(kinetic, potential) energy of the bodies.

    Kinetic energy is None if velocities are not all defined, potential energy if no body has any.
    """
    bodies = method.bodies or ()
    try:
        kinetic = kinetic_energy(method._inertial, *bodies) if bodies else None
    except (TypeError, ValueError):
        kinetic = None
    potential = potential_energy(*bodies) if bodies else 0
    found = [kinetic, None if potential == 0 else potential]
    for i, energy in enumerate(found):
        if energy is not None and _specified([energy], known):
            found[i] = None
    return found[0], found[1]
