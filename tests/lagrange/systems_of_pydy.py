"""Mechanisms that the examples of PyDy derive, formed anew by SymPy's methods.

Sources of the mechanics: Kane and Levinson, *Dynamics: Theory and Applications*; Kane and Levinson,
Realistic mathematical modeling of the rattleback, Int. J. Non-Linear Mechanics 17 (1982).
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

t = dynamicsymbols._t
g = sp.Symbol("g")


def _rates(q: Any, u: Any) -> list[Any]:
    return [x.diff(t) - v for x, v in zip(q, u, strict=True)]


def _origin(frame: ReferenceFrame) -> Point:
    point = Point("O")
    point.set_vel(frame, 0)
    return point


def _body(name: str, center: Point, frame: ReferenceFrame, moments: str) -> RigidBody:
    central = inertia(frame, *sp.symbols(moments))
    return RigidBody(name, center, frame, sp.Symbol(f"m_{name}"), (central, center))


def _kane(
    frame: ReferenceFrame, q: Any, u: Any, bodies: Any, loads: Any, **more: Any
) -> KanesMethod:
    method = KanesMethod(frame, q, u, kd_eqs=more.pop("kd_eqs", None) or _rates(q, u), **more)
    method.kanes_equations(bodies, loads)
    return method


def mass_spring_damper() -> KanesMethod:
    """A mass that hangs on a spring and a damper, under a force from outside."""
    x, v, force = dynamicsymbols("x v F")
    m, c, k = sp.symbols("m c k")
    frame = ReferenceFrame("N")
    origin = _origin(frame)
    point = origin.locatenew("P", x * frame.x)
    point.set_vel(frame, v * frame.x)
    load = (point, (m * g - c * v - k * x + force) * frame.x)
    return _kane(frame, [x], [v], [Particle("block", point, m)], [load])


def double_pendulum() -> KanesMethod:
    """Two particles; both angles from the vertical."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    frame = ReferenceFrame("N")
    end, bodies, loads = _origin(frame), [], []
    for i in range(2):
        rod = frame.orientnew(f"R{i}", "Axis", [q[i], frame.z])
        rod.set_ang_vel(frame, u[i] * frame.z)
        point = end.locatenew(f"P{i}", sp.Symbol("l") * rod.x)
        point.v2pt_theory(end, frame, rod)
        m = sp.Symbol(f"m{i}")
        bodies.append(Particle(f"bob{i}", point, m))
        loads.append((point, m * g * frame.x))
        end = point
    return _kane(frame, q, u, bodies, loads)


def chaos_pendulum() -> KanesMethod:
    """A rod swings about the horizontal, a plate turns about the rod."""
    q, u = dynamicsymbols("theta phi"), dynamicsymbols("omega alpha")
    frame = ReferenceFrame("N")
    origin = _origin(frame)
    rod = frame.orientnew("A", "Axis", [q[0], frame.y])
    plate = rod.orientnew("B", "Axis", [q[1], rod.z])
    rod.set_ang_vel(frame, u[0] * frame.y)
    plate.set_ang_vel(rod, u[1] * rod.z)
    l_a, l_b = sp.symbols("l_A l_B")
    centers = [origin.locatenew(n, x * rod.z) for n, x in (("Ao", l_a), ("Bo", l_b))]
    for center in centers:
        center.v2pt_theory(origin, frame, rod)
    bodies = [
        _body("rod", centers[0], rod, "I_Ax I_Ay I_Az"),
        _body("plate", centers[1], plate, "I_Bx I_By I_Bz"),
    ]
    return _kane(frame, q, u, bodies, [(b.masscenter, b.mass * g * frame.z) for b in bodies])


def n_pendulum() -> KanesMethod:
    """Five links on a cart that is pushed, all of them under torques."""
    return n_link_pendulum_on_cart(5, joint_torques=True)


def three_link_conical_pendulum() -> KanesMethod:
    """Three rods, each turning by two angles in the one before."""
    q, u = dynamicsymbols("q1:7"), dynamicsymbols("u1:7")
    frame = ReferenceFrame("N")
    end, before, bodies, loads = _origin(frame), frame, [], []
    for i in range(3):
        rod = ReferenceFrame(f"R{i}")
        rod.orient(before, "Body", [*q[2 * i : 2 * i + 2], 0], "XYZ")
        w = rod.ang_vel_in(before).subs({x.diff(t): v for x, v in zip(q, u, strict=True)})
        rod.set_ang_vel(before, w)
        length = sp.Symbol(f"l{i}")
        center, tip = (
            end.locatenew(f"{n}{i}", -s * length * rod.z)
            for n, s in (("C", sp.Rational(1, 2)), ("E", 1))
        )
        center.v2pt_theory(end, frame, rod)
        tip.v2pt_theory(end, frame, rod)
        bodies.append(_body(f"rod{i}", center, rod, f"I{i} I{i} J{i}"))
        loads.append((center, -bodies[i].mass * g * frame.z))
        end, before = tip, rod
    return _kane(frame, q, u, bodies, loads)


def rolling_disc() -> KanesMethod:
    """Yaw, lean and spin; the velocity of the center follows from rolling."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    m, r = sp.symbols("m r")
    frame = ReferenceFrame("N")
    yawed = frame.orientnew("Y", "Axis", [q[0], frame.z])
    leaned = yawed.orientnew("L", "Axis", [q[1], yawed.x])
    disc = leaned.orientnew("R", "Axis", [q[2], leaned.y])
    w = disc.ang_vel_in(frame)
    kinematics = [w.dot(a) - v for a, v in zip((leaned.x, leaned.y, leaned.z), u, strict=True)]
    disc.set_ang_vel(frame, u[0] * leaned.x + u[1] * leaned.y + u[2] * leaned.z)
    contact = Point("C")
    contact.set_vel(frame, 0)
    center = contact.locatenew("D", r * leaned.z)
    center.v2pt_theory(contact, frame, disc)
    central = inertia(leaned, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = RigidBody("disc", center, disc, m, (central, center))
    return _kane(frame, q, u, [body], [(center, -m * g * frame.z)], kd_eqs=kinematics)


def astrobee() -> KanesMethod:
    """A free flyer: three positions, three angles, forces and torques in its own axes."""
    x, q = dynamicsymbols("x y z"), dynamicsymbols("phi theta psi")
    v, w = dynamicsymbols("v_x v_y v_z"), dynamicsymbols("w_x w_y w_z")
    pushes, turns = dynamicsymbols("F_x F_y F_z"), dynamicsymbols("T_x T_y T_z")
    frame, body = ReferenceFrame("N"), ReferenceFrame("B")
    body.orient(frame, "Body", q, "XYZ")
    axes, own = (frame.x, frame.y, frame.z), (body.x, body.y, body.z)

    def along(parts: Any, basis: Any) -> Any:
        return sum((p * e for p, e in zip(parts, basis, strict=True)), 0 * basis[0])

    turning = [body.ang_vel_in(frame).dot(e) - s for e, s in zip(own, w, strict=True)]
    body.set_ang_vel(frame, along(w, own))
    center = _origin(frame).locatenew("C", along(x, axes))
    center.set_vel(frame, along(v, axes))
    flyer = _body("flyer", center, body, "I_x I_y I_z")
    loads = [(center, along(pushes, own)), (body, along(turns, own))]
    kinematics = _rates(x, v) + turning
    return _kane(frame, [*x, *q], [*v, *w], [flyer], loads, kd_eqs=kinematics)


def differential_drive() -> KanesMethod:
    """A platform on two driven wheels that roll without slipping."""
    x, y, yaw, right, left = q = dynamicsymbols("x y theta phi_R phi_L")
    v_x, v_y, turn, *spins = u = dynamicsymbols("v_x v_y w w_R w_L")
    torques = dynamicsymbols("T_R T_L")
    d, r, b = sp.symbols("d r b")
    frame = ReferenceFrame("N")
    platform = frame.orientnew("A", "Axis", [yaw, frame.z])
    platform.set_ang_vel(frame, turn * frame.z)
    axle = _origin(frame).locatenew("M", x * frame.x + y * frame.y)
    axle.set_vel(frame, v_x * frame.x + v_y * frame.y)
    center = axle.locatenew("C", d * platform.x)
    center.v2pt_theory(axle, frame, platform)
    bodies: list[Any] = [_body("platform", center, platform, "I_1 I_2 I_3")]
    loads: list[Any] = []
    slip = [axle.vel(frame).dot(platform.y)]
    sides = zip("RL", (right, left), spins, torques, (-1, 1), strict=True)
    for side, angle, spin, torque, sign in sides:
        wheel = platform.orientnew(f"W{side}", "Axis", [angle, platform.y])
        wheel.set_ang_vel(platform, spin * platform.y)
        hub = axle.locatenew(f"H{side}", sign * b * platform.y)
        hub.v2pt_theory(axle, frame, platform)
        bodies.append(_body(f"wheel{side}", hub, wheel, "J K J"))
        slip.append(hub.vel(frame).dot(platform.x) - r * spin)
        loads += [(wheel, torque * platform.y), (platform, -torque * platform.y)]
    return _kane(
        frame,
        q,
        spins,
        bodies,
        loads,
        kd_eqs=_rates(q, u),
        u_dependent=[v_x, v_y, turn],
        velocity_constraints=slip,
    )


def human_balancer() -> KanesMethod:
    """Lower leg, upper leg and torso under torques at ankle, knee and hip."""
    q, u = dynamicsymbols("ankle knee hip"), dynamicsymbols("w_a w_k w_h")
    torques = dynamicsymbols("T_a T_k T_h")
    frame = ReferenceFrame("N")
    before, joint, bodies, loads = frame, _origin(frame), [], []
    for i, name in enumerate(("lower", "upper", "torso")):
        part = before.orientnew(name, "Axis", [q[i], before.z])
        part.set_ang_vel(before, u[i] * before.z)
        center = joint.locatenew(f"C{i}", sp.Symbol(f"d{i}") * part.y)
        end = joint.locatenew(f"E{i}", sp.Symbol(f"l{i}") * part.y)
        for point in (center, end):
            point.v2pt_theory(joint, frame, part)
        bodies.append(_body(name, center, part, f"A{i} B{i} I{i}"))
        above = torques[i + 1] if i < 2 else 0
        loads += [(center, -bodies[i].mass * g * frame.y), (part, (torques[i] - above) * frame.z)]
        before, joint = part, end
    return _kane(frame, q, u, bodies, loads)


def sliding_ladder() -> LagrangesMethod:
    """Wall and floor are frictionless; a person stands on it."""
    theta = dynamicsymbols("theta")
    m, person, length, d, moment = sp.symbols("m m_P l d I")
    frame = ReferenceFrame("N")
    place = sp.Matrix([length / 2 * sp.cos(theta), length / 2 * sp.sin(theta)])
    stands = sp.Matrix([(length - d) * sp.cos(theta), d * sp.sin(theta)])
    v, w = place.diff(t), stands.diff(t)
    kinetic = m * v.dot(v) / 2 + moment * theta.diff(t) ** 2 / 2 + person * w.dot(w) / 2
    potential = g * (m * place[1] + person * stands[1])
    method = LagrangesMethod(kinetic - potential, [theta], frame=frame)
    method.form_lagranges_equations()
    return method


def rattleback() -> KanesMethod:
    """An ellipsoid with inertia askew, rolling on a plane."""
    q, u = dynamicsymbols("alpha beta gamma"), dynamicsymbols("u1:4")
    m, h, resistance, *half = sp.symbols("m h sigma a b c")
    frame, body = ReferenceFrame("N"), ReferenceFrame("R")
    body.orient(frame, "Body", q, "XYZ")
    axes = (body.x, body.y, body.z)
    kinematics = [body.ang_vel_in(frame).dot(e) - s for e, s in zip(axes, u, strict=True)]
    body.set_ang_vel(frame, sum((s * e for s, e in zip(u, axes, strict=True)), 0 * body.x))
    down = [frame.z.dot(e) for e in axes]
    depth = sp.sqrt(sum((s * n) ** 2 for s, n in zip(half, down, strict=True)))
    reach = [s**2 * n / depth for s, n in zip(half, down, strict=True)]
    contact, center = Point("P"), Point("G")
    from_contact = h * body.z - sum((s * e for s, e in zip(reach, axes, strict=True)), 0 * body.x)
    center.set_pos(contact, from_contact)
    w = body.ang_vel_in(frame)
    center.set_vel(frame, w.cross(from_contact))
    center.set_acc(frame, center.vel(frame).dt(body) + w.cross(center.vel(frame)))
    central = inertia(body, *sp.symbols("I_A I_B I_C I_D"))
    stone = RigidBody("stone", center, body, m, (central, center))
    loads = [(center, m * g * frame.z), (body, -resistance * w)]
    return _kane(frame, q, u, [stone], loads, kd_eqs=kinematics)


SYSTEMS = (
    mass_spring_damper,
    double_pendulum,
    chaos_pendulum,
    n_pendulum,
    three_link_conical_pendulum,
    rolling_disc,
    astrobee,
    differential_drive,
    human_balancer,
    sliding_ladder,
    rattleback,
)
