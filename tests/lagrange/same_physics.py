"""Three systems in three words each: as a tree of bodies, by a Lagrangian, by Kane's method.

`cart`: a cart on a rail with spring and damper, driven by a force, bears a pendulum.
`crane`: the same, the cart moving as prescribed.
`rod`: a point in x and z at the end of a massless rod.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from lagrange.test_mechanics_methods import rolling_disc
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import eomc

CART = {"M": 2.0, "d": 0.4, "g": 9.81, "k": 30.0, "l": 0.8, "m": 0.5}
ROD = {"g": 9.81, "l": 0.5, "m": 2.0}


def _parameters(model: eomc.Model, values: dict[str, float]) -> None:
    for name, value in values.items():
        model.parameter(name, value, tunable=True)


def cart_of_bodies() -> Any:
    """A tree of two bodies."""
    model = eomc.Model("cart", gravity=(0, 0, "-g"))
    _parameters(model, CART)
    model.body("cart", mass="M")
    model.body("bob", mass="m", com=(0, 0, "-l"))
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0), damping="d")
    model.joint("theta", "revolute", parent="cart", child="bob", axis=(0, 1, 0))
    model.joint_spring("rail", joint="x", stiffness="k")
    model.input("F")
    model.generalized_force("drive", speed="x", expression="F")
    return model


def crane_of_bodies() -> Any:
    """The slide prescribed."""
    model = cart_of_bodies()
    model.prescribed("x")
    return model


def _cart() -> tuple[Any, ...]:
    x, theta, force = dynamicsymbols("x theta F")
    m, big, length, k, d, g = sp.symbols("m M l k d g")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    place = (x - length * sp.sin(theta)) * frame.x - length * sp.cos(theta) * frame.z
    potential = k * x**2 / 2 - m * g * length * sp.cos(theta)
    return x, theta, force, m, big, d, frame, origin, place, potential


def cart_of_lagrange(led: bool = False) -> Any:
    """By kinetic and potential energy."""
    x, theta, force, m, big, d, frame, _, place, potential = _cart()
    speed = place.dt(frame)
    return eomc.LagrangianSystem(
        "cart",
        [theta] if led else [x, theta],
        big * x.diff() ** 2 / 2 + m * speed.dot(speed) / 2,
        potential,
        dissipation=d * x.diff() ** 2 / 2,
        generalized_forces={x: force},
        parameters=CART,
        tunable="all",
        inputs=[force],
        prescribed=[x] if led else [],
    )


def crane_of_lagrange() -> Any:
    """One coordinate of two prescribed."""
    return cart_of_lagrange(led=True)


def cart_of_kane(led: bool = False) -> Any:
    """By bodies, loads and the rates of the coordinates as speeds."""
    x, theta, force, m, big, d, frame, origin, place, potential = _cart()
    v, w = dynamicsymbols("v w")
    if led:
        v = x.diff()
    rates = {x.diff(): v, theta.diff(): w}
    cart, bob = origin.locatenew("C", x * frame.x), origin.locatenew("B", place)
    cart.set_vel(frame, v * frame.x)
    bob.set_vel(frame, place.dt(frame).subs(rates))
    bodies = [Particle("cart", cart, big), Particle("bob", bob, m)]
    bodies[1].potential_energy = potential
    k, g = sp.symbols("k g")
    loads = [(cart, (force - d * v - k * x) * frame.x), (bob, -m * g * frame.z)]
    free = [(theta, w)] if led else [(x, v), (theta, w)]
    q, u = [list(names) for names in zip(*free, strict=True)]
    kinematics = [speed - place.diff() for place, speed in free]
    method = KanesMethod(frame, q, u, kd_eqs=kinematics)
    method.kanes_equations(bodies, loads)
    values = {name: value for name, value in CART.items() if not (led and name == "d")}
    return eomc.from_sympy(method, values, name="cart", prescribed=[x] if led else [])


def crane_of_kane() -> Any:
    """One coordinate of two a function of time."""
    return cart_of_kane(led=True)


def rod_of_bodies() -> Any:
    """Two slides and a constraint."""
    model = eomc.Model("rod", gravity=(0, 0, "-g"))
    _parameters(model, ROD)
    model.body("slide")
    model.body("bob", mass="m")
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="slide", child="bob", axis=(0, 0, 1))
    model.constraint("circle", "expression", expression="(x**2 + z**2 - l**2)/2")
    return model


def rod_of_lagrange() -> Any:
    """With a holonomic constraint."""
    x, z = dynamicsymbols("x z")
    m, length, g = sp.symbols("m l g")
    return eomc.LagrangianSystem(
        "rod",
        [x, z],
        m * (x.diff() ** 2 + z.diff() ** 2) / 2,
        m * g * z,
        holonomic=[(x**2 + z**2 - length**2) / 2],
        parameters=ROD,
        tunable="all",
    )


def rod_of_kane() -> Any:
    """One coordinate and one speed depend on the others."""
    x, z, v, w = dynamicsymbols("x z v w")
    m, length, g = sp.symbols("m l g")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, v * frame.x + w * frame.z)
    method = KanesMethod(
        frame,
        q_ind=[x],
        u_ind=[v],
        kd_eqs=[v - x.diff(), w - z.diff()],
        q_dependent=[z],
        configuration_constraints=[(x**2 + z**2 - length**2) / 2],
        u_dependent=[w],
        velocity_constraints=[x * v + z * w],
    )
    bob = Particle("bob", point, m)
    bob.potential_energy = m * g * z
    method.kanes_equations([bob], [(point, -m * g * frame.z)])
    return eomc.from_sympy(method, ROD, name="rod")


def driven_bodies() -> Any:
    """A driven speed, and elements: with a state, that tells something, with a kink, and rigid."""
    model = rod_of_bodies()
    model.servo_constraint("z")
    model.lag("motor", speed="x", command="-x", time_constant=0.1)
    model.cable("rope", ["world", "bob"], length=0.1, modulus=1.0)
    model.stop("rail", "x", {"kind": "spring", "stiffness": 10.0}, upper=2.0)
    model.stop("wall", "x", {"kind": "rigid", "restitution": 0.5}, lower=-2.0)
    model.latch("catch", joint="spherical", parent="world", child="bob", gap=0.01)
    return model


def bending_bodies() -> Any:
    """A joint, which rubs under its load, and what bends."""
    from eomc.systems.beam_robot import beam_robot

    model = beam_robot(modes=2)
    model.bearing("pin", "joint1", 0.1, radius=0.02)
    return model


def rubbing_bodies() -> Any:
    """A loop, all joints of which rub under their load."""
    from eomc_published.reactions.loops import four_bar

    return four_bar()


def disc_of_kane() -> Any:
    """Auxiliary speeds bring its contact forces into evidence."""
    return eomc.from_sympy(rolling_disc(auxiliary=True), {"m": 2.0, "r": 0.3, "g": 9.81})


SYSTEMS: dict[str, dict[str, Callable[[], Any]]] = {
    "Model": {
        "cart": cart_of_bodies,
        "crane": crane_of_bodies,
        "rod": rod_of_bodies,
        "more": driven_bodies,
        "bent": bending_bodies,
        "rubbing": rubbing_bodies,
    },
    "Lagrangian": {"cart": cart_of_lagrange, "crane": crane_of_lagrange, "rod": rod_of_lagrange},
    "Kane": {
        "cart": cart_of_kane,
        "crane": crane_of_kane,
        "rod": rod_of_kane,
        "more": disc_of_kane,
    },
}
