"""Method objects of sympy.physics.mechanics, compiled, against their own matrices and PyDy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import fsolve
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dot,
    dynamicsymbols,
    inertia,
)
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

from eomc.derive.lagrange import KaneSystem, LagrangianSystem, from_sympy
from eomc.derive.language.errors import ModelError

t = dynamicsymbols._t


def rolling_disc(auxiliary: bool = False) -> KanesMethod:
    """A thin disc rolling on a plane: yaw q1, lean q2, spin q3 (Kane and Levinson, sec. 4.4)."""
    q1, q2, q3 = dynamicsymbols("q1 q2 q3")
    u1, u2, u3 = dynamicsymbols("u1 u2 u3")
    r, m, g = sp.symbols("r m g")
    ground = ReferenceFrame("N")
    yaw = ground.orientnew("Y", "Axis", [q1, ground.z])
    lean = yaw.orientnew("L", "Axis", [q2, yaw.x])
    wheel = lean.orientnew("R", "Axis", [q3, lean.y])
    rates = wheel.ang_vel_in(ground)
    wheel.set_ang_vel(ground, u1 * lean.x + u2 * lean.y + u3 * lean.z)
    kinematics = [dot(rates - wheel.ang_vel_in(ground), axis) for axis in lean]
    contact, center = Point("C"), None
    aux = dynamicsymbols("u4:7") if auxiliary else []
    speed = sum((u * e for u, e in zip(aux, (lean.x, yaw.y, yaw.z), strict=False)), 0 * lean.x)
    contact.set_vel(ground, speed)
    center = contact.locatenew("Dmc", r * lean.z)
    center.v2pt_theory(contact, ground, wheel)
    central = inertia(lean, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = RigidBody("disc", center, wheel, m, (central, center))
    loads: list[Any] = [(center, -m * g * yaw.z)]
    more = {}
    if auxiliary:
        forces = dynamicsymbols("f1:4")
        loads.append(
            (
                contact,
                sum(
                    (f * e for f, e in zip(forces, (lean.x, yaw.y, yaw.z), strict=True)), 0 * lean.x
                ),
            )
        )
        more["u_auxiliary"] = aux
    method = KanesMethod(ground, q_ind=[q1, q2, q3], u_ind=[u1, u2, u3], kd_eqs=kinematics, **more)
    method.kanes_equations([body], loads)
    return method


def rolling_disc_with_dependent_speeds() -> KanesMethod:
    """The same disc with the contact point's coordinates; rolling as two velocity constraints."""
    q = dynamicsymbols("q1:6")
    u = dynamicsymbols("u1:6")
    r, m, g = sp.symbols("r m g")
    ground = ReferenceFrame("N")
    yaw = ground.orientnew("Y", "Axis", [q[0], ground.z])
    lean = yaw.orientnew("L", "Axis", [q[1], yaw.x])
    wheel = lean.orientnew("R", "Axis", [q[2], lean.y])
    origin = Point("O")
    origin.set_vel(ground, 0)
    center = origin.locatenew(
        "Dmc", q[3] * ground.x + q[4] * ground.y + r * sp.cos(q[1]) * ground.z
    )
    kinematics = [speed - coordinate.diff(t) for speed, coordinate in zip(u, q, strict=True)]
    center.set_vel(
        ground,
        center.pos_from(origin)
        .dt(ground)
        .subs({coordinate.diff(t): speed for speed, coordinate in zip(u, q, strict=True)}),
    )
    wheel.set_ang_vel(
        ground,
        wheel.ang_vel_in(ground).subs(
            {coordinate.diff(t): speed for speed, coordinate in zip(u, q, strict=True)}
        ),
    )
    contact = center.locatenew("C", -r * lean.z)
    slip = center.vel(ground) + wheel.ang_vel_in(ground).cross(contact.pos_from(center))
    constraints = [dot(slip, ground.x), dot(slip, ground.y)]
    central = inertia(lean, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = RigidBody("disc", center, wheel, m, (central, center))
    method = KanesMethod(
        ground,
        q_ind=list(q),
        u_ind=list(u[:3]),
        kd_eqs=kinematics,
        u_dependent=list(u[3:]),
        velocity_constraints=constraints,
    )
    method.kanes_equations([body], [(center, -m * g * ground.z)])
    return method


def four_bar() -> KanesMethod:
    """Three links and the ground closed to a loop: one independent coordinate, two dependent."""
    q1, q2, q3 = q = dynamicsymbols("q1:4")
    u = dynamicsymbols("u1:4")
    lengths = sp.symbols("l1:5")
    m, g = sp.symbols("m g")
    torque = dynamicsymbols("T")
    ground = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(ground, 0)
    bodies, loads, tip, links = [], [], origin, []
    for i, (angle, rate, length) in enumerate(zip(q, u, lengths, strict=False)):
        link = ground.orientnew(f"A{i}", "Axis", [angle, ground.z])
        link.set_ang_vel(ground, rate * ground.z)
        middle = tip.locatenew(f"M{i}", length / 2 * link.x)
        middle.v2pt_theory(tip, ground, link)
        end = tip.locatenew(f"P{i}", length * link.x)
        end.v2pt_theory(tip, ground, link)
        central = inertia(link, 0, 0, m * length**3 / 12)
        bodies.append(RigidBody(f"link{i}", middle, link, m * length, (central, middle)))
        loads.append((middle, -m * length * g * ground.y))
        tip = end
        links.append(link)
    loads.append((links[0], torque * ground.z))
    loop = tip.pos_from(origin) - lengths[3] * ground.x
    rates = {angle.diff(t): rate for angle, rate in zip(q, u, strict=True)}
    method = KanesMethod(
        ground,
        q_ind=[q1],
        u_ind=[u[0]],
        kd_eqs=[angle.diff(t) - rate for angle, rate in zip(q, u, strict=True)],
        q_dependent=[q2, q3],
        configuration_constraints=[loop.dot(ground.x), loop.dot(ground.y)],
        u_dependent=list(u[1:]),
        velocity_constraints=[
            loop.dt(ground).dot(axis).subs(rates) for axis in (ground.x, ground.y)
        ],
    )
    method.kanes_equations(bodies, loads)
    return method


def numbers(method: Any, seed: int) -> tuple[dict[Any, float], dict[Any, float]]:
    """Random values of (symbols that vary, constants)."""
    rng = np.random.default_rng(seed)
    state = {symbol: rng.uniform(0.2, 1.0) for symbol in [*method.q, *method.u]}
    every = method.mass_matrix.row_join(method.forcing)
    signals = sorted(
        {f for f in every.atoms(sp.core.function.AppliedUndef) if f not in state}, key=str
    )
    state |= {signal: rng.uniform(-1, 1) for signal in signals}
    constants = sorted(every.free_symbols - {t}, key=str)
    return state, {symbol: rng.uniform(0.5, 2.0) for symbol in constants}


METHODS = {
    "cart": lambda: n_link_pendulum_on_cart(3),
    "disc": rolling_disc,
    "disc with reactions": lambda: rolling_disc(auxiliary=True),
    "disc with dependent speeds": rolling_disc_with_dependent_speeds,
    "four-bar linkage": four_bar,
}


@pytest.fixture(scope="module", params=METHODS, ids=lambda name: name.replace(" ", "_"))
def kane(request: pytest.FixtureRequest) -> tuple[KanesMethod, KaneSystem]:
    method = METHODS[request.param]()
    _, constants = numbers(method, 0)
    system = from_sympy(method, constants)
    assert isinstance(system, KaneSystem)
    return method, system


def arrays(method: KanesMethod, system: KaneSystem, state: dict[Any, float]) -> dict[str, Any]:
    given = {
        "q": [state[s] for s in method.q],
        "u": [state[s] for s in method.u],
        "r": [state[s] for s in system.variables.inputs],
    }
    return {name: np.array(values) for name, values in given.items()}


def pick(quantity: Any, given: dict[str, Any]) -> np.ndarray:
    return quantity.evaluate(**{a.name: given[a.name] for a in quantity.inputs})


def test_kane_matrices_and_accelerations(kane: tuple[KanesMethod, KaneSystem]) -> None:
    method, system = kane
    for seed in range(3):
        state, _ = numbers(method, seed)
        _, constants = numbers(method, 0)
        aux = dict.fromkeys(method._uaux, 0)
        values = {**state, **constants, **aux}
        mass = np.array(method.mass_matrix.subs(values), dtype=float)
        forcing = np.array(method.forcing.subs(values), dtype=float).ravel()
        given = arrays(method, system, state)
        # The rows of the independent speeds are those of all, projected on what is allowed.
        m, p = len(method._udep), len(method.u) - len(method._udep)
        allowed = np.vstack([np.eye(p), np.zeros((m, p))])
        if m:
            rows = mass[p:]
            allowed[p:] = -np.linalg.solve(rows[:, p:], rows[:, :p])
        whole, force = pick(system.mass_matrix, given), pick(system.forcing, given)
        np.testing.assert_allclose(allowed.T @ whole, mass[:p], atol=1e-13)
        np.testing.assert_allclose(allowed.T @ force, forcing[:p], atol=1e-12)
        given["tau"] = np.zeros(len(method.u))
        np.testing.assert_allclose(
            pick(system.forward_dynamics, given),
            np.linalg.solve(mass, forcing),
            rtol=1e-10,
            atol=1e-12,
        )
        kinematics = method.kindiffdict()
        rates = [float(kinematics[q.diff(t)].subs(values)) for q in method.q]
        np.testing.assert_allclose(pick(system.coordinate_rates, given), rates, rtol=1e-12)


def test_kane_derivatives_agree_with_differences(kane: tuple[KanesMethod, KaneSystem]) -> None:
    method, system = kane
    state, _ = numbers(method, 5)
    given = arrays(method, system, state)
    given["tau"] = np.linspace(-0.4, 0.7, len(method.u))
    names = ["q", "u", "tau"]
    exact = dict(zip(names, system.forward_dynamics_derivatives, strict=True))
    if system.inputs:
        exact["r"] = system.forward_dynamics_input_derivatives
    h = 1e-6
    for name, quantity in exact.items():
        got = pick(quantity, given)
        for j in range(len(given[name])):
            step = np.zeros(len(given[name]))
            step[j] = h
            ahead = pick(system.forward_dynamics, displaced(system, given, name, step))
            behind = pick(system.forward_dynamics, displaced(system, given, name, -step))
            np.testing.assert_allclose(got[:, j], (ahead - behind) / (2 * h), rtol=1e-5, atol=1e-5)


def displaced(
    system: KaneSystem, given: dict[str, Any], name: str, step: np.ndarray
) -> dict[str, Any]:
    """One array changed by a step, q along the tangent directions."""
    if name == "q":
        return {**given, "q": system.integrate.evaluate(q=given["q"], du=step)}
    return {**given, name: given[name] + step}


def on_the_manifold(system: KaneSystem, given: dict[str, Any], off: dict[str, float]) -> None:
    """Bring dependent coordinates and speeds to where the constraints hold."""
    p = len(system.speeds) - system.given.dependent
    if not system.given.velocity:
        return
    position, velocity = system.constraint_residual, system.constraint_velocity

    def at(quantity: Any, name: str, part: np.ndarray) -> np.ndarray:
        whole = {**given, name: np.concatenate([given[name][:p], part])}
        return quantity.evaluate(*[whole[a.name] for a in quantity.inputs], values=off)

    if position.shape[0]:
        given["q"][:] = [0.9, 0.2, -1.2]
        found = fsolve(lambda q: at(position, "q", q), given["q"][p:], xtol=1e-14)
        given["q"][p:] = found
        np.testing.assert_allclose(at(position, "q", found), 0, atol=1e-12)
    given["u"][p:] = fsolve(lambda u: at(velocity, "u", u), given["u"][p:], xtol=1e-14)
    np.testing.assert_allclose(at(velocity, "u", given["u"][p:]), 0, atol=1e-12)


def test_kane_energy_and_power(kane: tuple[KanesMethod, KaneSystem]) -> None:
    """Without gravity and inputs, dT/dt is the power of tau wherever the constraints hold."""
    method, system = kane
    state, _ = numbers(method, 7)
    given = arrays(method, system, state)
    off = {"g": 0.0}
    off |= (
        {f"l{i}": length for i, length in enumerate((1.0, 1.4, 1.2, 1.9), 1)}
        if (system.given.configuration)
        else {}
    )
    given["r"] = np.zeros(len(system.inputs))
    given["tau"] = np.linspace(-0.4, 0.7, len(method.u))
    on_the_manifold(system, given, off)

    def at(quantity: Any, values: dict[str, Any]) -> Any:
        names = {a.name: values[a.name] for a in quantity.inputs}
        return quantity.evaluate(**names, values=off)

    a, rates = at(system.forward_dynamics, given), at(system.coordinate_rates, given)
    h = 1e-5
    energies = [
        at(system.kinetic_energy, {"q": given["q"] + s * rates, "u": given["u"] + s * a})
        for s in (h, -h)
    ]
    power = given["tau"] @ given["u"]
    assert (energies[0] - energies[1]) / (2 * h) == pytest.approx(power, rel=1e-6, abs=1e-8)


def test_reactions_of_the_rolling_disc() -> None:
    """Newton's second law of the disc gives the same contact force."""
    method = rolling_disc(auxiliary=True)
    _, constants = numbers(method, 0)
    system = from_sympy(method, constants)
    assert system.auxiliary_forces.argument.rows == ("f1", "f2", "f3")
    q1, q2, q3 = method.q
    state = {q1: 0.3, q2: 0.4, q3: 0.2, **dict(zip(method.u, (0.5, 1.7, -0.4), strict=True))}
    given = {**arrays(method, system, state), "tau": np.zeros(3)}
    reaction = pick(system.auxiliary_forces, given)
    a = pick(system.forward_dynamics, given)
    rates = pick(system.coordinate_rates, given)
    r, m, g = (constants[sp.Symbol(name)] for name in "rmg")

    def velocity(q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """w x (r L.z) in the ground frame."""
        c1, s1, c2, s2 = np.cos(q[0]), np.sin(q[0]), np.cos(q[1]), np.sin(q[1])
        rotation = np.array([[c1, -s1, 0], [s1, c1, 0], [0, 0, 1]]) @ np.array(
            [[1, 0, 0], [0, c2, -s2], [0, s2, c2]]
        )
        return rotation @ np.cross(u, [0, 0, r])

    h = 1e-6
    ahead = velocity(given["q"] + h * rates, given["u"] + h * a)
    behind = velocity(given["q"] - h * rates, given["u"] - h * a)
    c1, s1 = np.cos(0.3), np.sin(0.3)
    axes = np.array([[c1, s1, 0], [-s1, c1, 0], [0, 0, 1]])  # L.x = Y.x, Y.y, Y.z
    force = m * (ahead - behind) / (2 * h) + np.array([0, 0, m * g])
    np.testing.assert_allclose(axes.T @ reaction, force, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("make", [lambda: n_link_pendulum_on_cart(3), rolling_disc, four_bar])
def test_agrees_with_pydy(make: Any) -> None:
    codegen = pytest.importorskip("pydy.codegen.ode_function_generators")
    method = make()
    _, constants = numbers(method, 0)
    system = from_sympy(method, constants)
    signals = list(system.variables.inputs)
    rhs = codegen.generate_ode_function(
        method.forcing,
        list(method.q),
        list(method.u),
        list(constants),
        mass_matrix=method.mass_matrix,
        coordinate_derivatives=sp.Matrix([method.kindiffdict()[q.diff(t)] for q in method.q]),
        specifieds=signals or None,
        generator="lambdify",
    )
    state, _ = numbers(method, 3)
    given = arrays(method, system, state)
    x = np.concatenate([given["q"], given["u"]])
    extra = [given["r"]] if signals else []
    expected = rhs(x, 0.0, *extra, np.array(list(constants.values())))
    given["tau"] = np.zeros(len(method.u))
    got = np.concatenate(
        [pick(system.coordinate_rates, given), pick(system.forward_dynamics, given)]
    )
    np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12)


def lagrange_method() -> LagrangesMethod:
    """Two particles on a rod that slides along a wire, driven and damped, in SymPy's own words."""
    x, theta, force = dynamicsymbols("x theta F")
    m1, m2, length, g, c = sp.symbols("m1 m2 l g c")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    rod = frame.orientnew("B", "Axis", [theta, frame.z])
    bead = origin.locatenew("P1", x * frame.x)
    bead.set_vel(frame, x.diff() * frame.x)
    bob = bead.locatenew("P2", -length * rod.y)
    bob.v2pt_theory(bead, frame, rod)
    bodies = [Particle("a", bead, m1), Particle("b", bob, m2)]
    bodies[1].potential_energy = m2 * g * bob.pos_from(origin).dot(frame.y)
    lagrangian = sum(b.kinetic_energy(frame) - b.potential_energy for b in bodies)
    loads = [(bead, (force - c * x.diff()) * frame.x), (rod, -c * theta.diff() * rod.z)]
    return LagrangesMethod(lagrangian, [x, theta], forcelist=loads, bodies=bodies, frame=frame)


def test_lagranges_method_term_by_term() -> None:
    method = lagrange_method()
    system = from_sympy(method)  # its equations have not been formed
    assert isinstance(system, LagrangianSystem)
    assert system.inputs == ("F",)
    assert list(system.parameters) == ["c", "g", "l", "m1", "m2"]
    method.form_lagranges_equations()
    assert (
        (system.mass_matrix.to_sympy() - method.mass_matrix).applyfunc(sp.simplify).is_zero_matrix
    )
    assert (system.bias.to_sympy() + method.forcing).applyfunc(sp.simplify).is_zero_matrix
    m2, length, g, theta = *sp.symbols("m2 l g"), method.q[1]
    assert sp.simplify(system.potential_energy.to_sympy() + m2 * g * length * sp.cos(theta)) == 0
    with pytest.raises(ModelError, match="no value for parameter c, g, l, m1, m2"):
        system.program()
    program = from_sympy(method, {"m1": 1, "m2": 2, "l": 0.5, "g": 9.8, "c": 0.1}).program()
    assert [p.name for p in program.parameters] == ["c", "g", "l", "m1", "m2"]


def test_lagranges_method_with_constraints() -> None:
    """A rolling ring on a slope, with a knife edge beside: both kinds of constraint."""
    x, y, psi, phi = dynamicsymbols("x y psi phi")
    m, r, i = sp.symbols("m r I")
    lagrangian = (
        m * (x.diff() ** 2 + y.diff() ** 2) / 2
        + i * (psi.diff() ** 2 + phi.diff() ** 2) / 2
        - m * x
    )
    method = LagrangesMethod(
        lagrangian,
        [x, y, psi, phi],
        hol_coneqs=[phi - 2 * psi + sp.sin(x)],
        nonhol_coneqs=[x.diff() * sp.sin(psi) - y.diff() * sp.cos(psi)],
    )
    method.form_lagranges_equations()
    constants = {m: 1.3, r: 0.4, i: 0.7}
    constants.pop(r)
    system = from_sympy(method, constants)
    rng = np.random.default_rng(3)
    q, u = rng.normal(size=4), rng.normal(size=4)
    values = {
        **dict(zip(method.q.diff(t), u, strict=True)),
        **dict(zip(method.q, q, strict=True)),
        **constants,
    }
    solved = np.array(
        method.mass_matrix_full.subs(values).LUsolve(method.forcing_full.subs(values)), dtype=float
    ).ravel()
    state = q, u, np.zeros(4)
    np.testing.assert_allclose(system.forward_dynamics.evaluate(*state), solved[4:8], rtol=1e-10)
    np.testing.assert_allclose(system.constraint_forces.evaluate(*state), solved[8:], rtol=1e-10)


def test_prescribed_functions_bring_their_rates() -> None:
    theta, s = dynamicsymbols("theta s")
    m, length = sp.symbols("m l")
    v = sp.Matrix([s + length * sp.sin(theta), -length * sp.cos(theta)]).diff(t)
    method = LagrangesMethod(sp.expand(m * v.dot(v) / 2), [theta])
    system = from_sympy(method)
    assert system.inputs == ("s_rate", "s_acceleration")
    method.form_lagranges_equations()
    assert (system.bias.to_sympy() + method.forcing).applyfunc(sp.simplify).is_zero_matrix
    ordered = from_sympy(method, inputs=[s, s.diff(t, 2), s.diff()])
    assert ordered.inputs == ("s", "s_acceleration", "s_rate")
    with pytest.raises(ModelError, match=r"leave out Derivative\(s\(t\), t\)"):
        from_sympy(method, inputs=[])


def test_functions_of_a_kane_system() -> None:
    cart = from_sympy(n_link_pendulum_on_cart(1))
    assert {"inverse_dynamics", "bias", "integrate", "normalize", "kinetic_energy"} <= set(
        cart.function_names
    )
    disc = from_sympy(rolling_disc())
    assert {"integrate", "normalize", "linearization"} <= set(disc.function_names)
    assert not disc.inputs and disc.speeds == ("u1", "u2", "u3")
    linkage = from_sympy(four_bar())
    assert linkage.constraint_residual.argument.rows == ("configuration_0", "configuration_1")
    assert linkage.constraint_velocity.shape == (2,)
    assert [a.name for a in linkage.forward_dynamics.inputs] == ["q", "u", "tau", "r"]
    program = from_sympy(
        four_bar(), {f"l{i}": 1.0 + 0.1 * i for i in range(1, 5)} | {"m": 1.0, "g": 9.8}
    ).program(tunable=[])
    assert program.metadata["dependent_speeds"] == ["u2", "u3"]
    codes = {g.code for f in program.functions for g in f.guards}
    assert codes == {"singular_mass_matrix", "singular_constraints"}


def test_kane_equations_are_formed_if_the_bodies_are_known() -> None:
    q, u = dynamicsymbols("q u")
    m, frame, point = sp.Symbol("m"), ReferenceFrame("N"), Point("P")
    point.set_vel(frame, u * frame.x)
    body = Particle("p", point, m)
    method = KanesMethod(frame, [q], [u], kd_eqs=[q.diff() - u], bodies=[body])
    assert from_sympy(method).mass_matrix.to_sympy() == sp.Matrix([[m]])
    bare = KanesMethod(frame, [q], [u], kd_eqs=[q.diff() - u])
    with pytest.raises(ModelError, match="call kanes_equations"):
        from_sympy(bare)


def test_errors() -> None:
    with pytest.raises(ModelError, match="Symbol is no method"):
        from_sympy(sp.Symbol("x"))
    with pytest.raises(ModelError, match="parameter 'mm' does not occur in the equations"):
        from_sympy(lagrange_method(), {"mm": 1.0})
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, (u1 + u2) * frame.x)
    method = KanesMethod(frame, [q1, q2], [u1, u2], kd_eqs=[q1.diff() - u1, q2.diff() - u2])
    method.kanes_equations([Particle("p", point, sp.Symbol("m"))])
    with pytest.raises(ModelError, match="some motion of 'u1', 'u2'"):
        from_sympy(method, {"m": 1.0}).program()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parameters": [1]}, "parameters is a mapping"),
        ({"parameters": {"g": "x"}}, "parameter 'g': str x is not a finite real number"),
        ({"inputs": "F"}, "inputs is a list, not str F"),
        ({"inputs": [3]}, "input int 3: give a symbol"),
        ({"tunable": 3}, 'tunable is "all" or a list'),
        ({"tunable": ["zz"]}, "no parameter 'zz' to tune"),
        ({"name": "a-b"}, "the name is str a-b, no identifier"),
    ],
)
@pytest.mark.parametrize("make", [lagrange_method, rolling_disc])
def test_malformed_arguments(make: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        from_sympy(make(), **arguments)
