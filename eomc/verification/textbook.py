"""Lagrange's equations of a small model as a textbook writes them, in SymPy.

Positions are products of homogeneous matrices; velocities are their time derivatives; T and V are
sums over the bodies; d/dt dL/du - dL/dq = Q with the virtual work of every force. Nothing is
recursive and nothing is shared with the derivation. Plain symbols stand for q, u = q' and a = q'',
and df/dt = sum_k df/dq_k u_k + df/du_k a_k + df/dt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from eomc.derive.model import Model
from eomc.runtime.verify.attraction import elements
from eomc.runtime.verify.mechanism import (
    WORLD,
    Array,
    Attraction,
    Body,
    Joint,
    Mechanism,
    Variable,
)
from eomc.verification.declaration import Numbers

TIME = sp.Symbol("t", real=True)
RATES = frozenset(
    (
        *("fixed", "revolute", "prismatic", "screw", "cylindrical", "planar", "universal"),
        *("spherical_euler", "floating_euler", "orbit_polar", "orbit_planar", "orbit_spherical"),
    )
)
"""Kinds of joints whose speeds are the rates of their coordinates."""


class TooLong(Exception):
    """The expressions grow beyond what is reasonable."""


def exact(value: float) -> sp.Expr:
    """A double as the exact number that it is, whole numbers as integers."""
    number = float(value)
    return sp.Integer(int(number)) if number == int(number) else sp.Float(number, 30)


def matrix(array: Array) -> sp.Matrix:
    """A matrix of exact doubles."""
    return sp.Matrix([[exact(entry) for entry in row] for row in array])


class Textbook:
    """tau - (d/dt dL/du - dL/dq - Q) of a model; symbols `q`, `u`, `a`, `s`, ... by array."""

    def __init__(self, model: Model, mechanism: Mechanism, *, longest: int = 60_000) -> None:
        self.model, self.mechanism, self.longest = model, mechanism, longest
        sizes = {"q": mechanism.nu, "u": mechanism.nu, "a": mechanism.nu}
        sizes |= dict.fromkeys(("s", "s_rate", "s_acceleration"), mechanism.ns)
        self.arrays = {
            name: [sp.Symbol(f"{name}_{k}", real=True) for k in range(size)]
            for name, size in sizes.items()
        }
        self.inputs = [sp.Symbol(f"r_{k}", real=True) for k in range(len(model.inputs))]
        self.numbers = Numbers(model)
        self.poses = self._poses()

    # -- calculus --------------------------------------------------------------------------------

    def rate(self, expression: Any) -> Any:
        """Its time derivative."""
        total = sp.diff(expression, TIME)
        pairs = (("q", "u"), ("u", "a"), ("s", "s_rate"), ("s_rate", "s_acceleration"))
        for of, by in pairs:
            for symbol, speed in zip(self.arrays[of], self.arrays[by], strict=True):
                total += sp.diff(expression, symbol) * speed
        return total

    # -- kinematics ------------------------------------------------------------------------------

    def _value(self, variable: Variable) -> sp.Expr:
        if not variable.array:
            return exact(variable.offset)
        symbol = self.arrays[variable.array][variable.index]
        return exact(variable.factor) * symbol + exact(variable.offset)

    def _poses(self) -> dict[int, sp.Matrix]:
        poses = {WORLD: sp.eye(4)}
        for joint in self.mechanism.joints:
            q = [self._value(coordinate) for coordinate in joint.coordinates]
            moved = poses[joint.parent] * matrix(joint.before) * joint_matrix(joint, q)
            poses[joint.child] = moved * matrix(joint.after)
        return poses

    def position(self, body: int, xyz: Sequence[Any]) -> sp.Matrix:
        """Of a point of a body in the world."""
        return (self.poses[body] * sp.Matrix([*xyz, 1]))[:3, :]

    def angular_velocity(self, body: int) -> sp.Matrix:
        """In body axes: [w]x = R^T R'."""
        rotation = self.poses[body][:3, :3]
        spin = rotation.T * self.rate(rotation)
        return sp.Matrix([spin[2, 1], spin[0, 2], spin[1, 0]])

    # -- energies --------------------------------------------------------------------------------

    def lagrangian(self) -> sp.Expr:
        """T - V."""
        total = sp.Integer(0)
        gravity = sp.Matrix([exact(entry) for entry in self.mechanism.gravity])
        for index, body in enumerate(self.mechanism.bodies):
            place = self.position(index, [exact(entry) for entry in body.com])
            v = self.rate(place)
            w = self.angular_velocity(index)
            total += exact(body.mass) * (v.dot(v) / 2 + gravity.dot(place))
            total += (w.T * matrix(body.inertia) * w)[0] / 2
        for joint in self.mechanism.joints:
            for speed in joint.speeds:
                if speed.array == "u":
                    total += exact(joint.armature) * self._value(speed) ** 2 / 2
        return total - self._stored()

    def _stored(self) -> sp.Expr:
        """Energy of linear springs and declared potentials."""
        total = sp.Integer(0)
        for spring in self.model.springs.values():
            if spring.law is None:
                x, _ = self._stretch(spring)
                total += self.expression(spring.stiffness) * x**2 / 2
        for joint_spring in self.model.joint_springs.values():
            if joint_spring.law is None:
                x, _ = self._across(joint_spring)
                total += self.expression(joint_spring.stiffness) * x**2 / 2
        for potential in self.model.potentials.values():
            total += self.expression(potential.expression)
        for attraction in self.mechanism.attractions:
            for index, body in enumerate(self.mechanism.bodies):
                total += self._attracted(attraction, index, body)
        return total

    def _attracted(self, attraction: Attraction, index: int, body: Body) -> sp.Expr:
        """-mu m/|R|, summed over the mass elements of a body or expanded; a rod in closed form."""
        center = sp.Matrix([exact(entry) for entry in attraction.center])
        mu, total = exact(attraction.mu), sp.Integer(0)
        origin = [exact(0)] * 3
        about = self.position(index if attraction.about is None else attraction.about, origin)
        d = about - center
        distance = sp.sqrt(d.dot(d))
        half = attraction.rods.get(body.name)
        if half is not None:
            ends = (body.com - half, body.com + half)
            apart = [self.position(index, [exact(x) for x in end]) - center for end in ends]
            length = sp.sqrt(sum(exact(x) ** 2 for x in half))
            near = sum(sp.sqrt(place.dot(place)) for place in apart)
            return -mu * exact(body.mass) / length * sp.atanh(2 * length / near)
        for mass, place in elements(body):
            position = self.position(index, [exact(entry) for entry in place])
            if not attraction.is_expanded:
                apart = position - center
                total -= mu * exact(mass) / sp.sqrt(apart.dot(apart))
                continue
            rho = position - about
            along = d.dot(rho)
            shape = 1 / distance - (along + rho.dot(rho) / 2) / distance**3
            total -= mu * exact(mass) * (shape + 3 * along**2 / (2 * distance**5))
        return total

    # -- forces ----------------------------------------------------------------------------------

    def expression(self, value: Any, extra: Mapping[str, Any] | None = None) -> sp.Expr:
        """A scalar of the model in the symbols of this derivation."""
        expression = sp.sympify(value).xreplace(self.numbers.parameters)
        named: dict[str, Any] = {
            "t": TIME,
            **dict(zip(self.model.inputs, self.inputs, strict=True)),
        }
        for joint in self.mechanism.joints:
            named.update((c.name, self._value(c)) for c in joint.coordinates)
            named.update((f"speed({s.name})", self._value(s)) for s in joint.speeds)
        named.update(extra or {})
        return expression.xreplace({sp.Symbol(name): v for name, v in named.items()})

    def _place(self, point: Any) -> sp.Matrix:
        body = list(self.model.bodies).index(point.body) if point.body != "world" else WORLD
        return self.position(body, [self.expression(entry) for entry in point.xyz])

    def _stretch(self, spring: Any) -> tuple[sp.Expr, sp.Expr]:
        apart = self._place(spring.b) - self._place(spring.a)
        length = sp.sqrt(apart.dot(apart))
        return length - self.expression(spring.free_length), self.rate(length)

    def _across(self, spring: Any) -> tuple[sp.Expr, sp.Expr]:
        for joint in self.mechanism.joints:
            for coordinate, speed in zip(joint.coordinates, joint.speeds, strict=True):
                if coordinate.name == spring.joint:
                    x = self._value(coordinate) - self.expression(spring.free_angle)
                    return x, self._value(speed)
        raise KeyError(spring.joint)

    def virtual_powers(self) -> list[tuple[Any, Any]]:
        """(force, velocity) pairs of everything without a potential: Q_k = sum f dv/du_k."""
        pairs: list[tuple[Any, Any]] = []
        for spring in self.model.springs.values():
            x, v = self._stretch(spring)
            law = self.expression(spring.damping) * v
            if spring.law is not None:
                law = self.expression(spring.law, {"x": x, "v": v})
            pairs.append((-law, v))
        for joint_spring in self.model.joint_springs.values():
            x, v = self._across(joint_spring)
            law = self.expression(joint_spring.damping) * v
            if joint_spring.law is not None:
                law = self.expression(joint_spring.law, {"x": x, "v": v})
            pairs.append((-law, v))
        pairs += self._applied() + self._generalized()
        return pairs

    def _applied(self) -> list[tuple[Any, Any]]:
        pairs: list[tuple[Any, Any]] = []
        names = list(self.model.bodies)
        acting: list[Any] = [*self.model.forces.values(), *self.model.torques.values()]
        for force in acting:
            torque = not hasattr(force, "at")
            name = force.body if torque else force.at.body
            if name == "world":
                continue
            body = names.index(name)
            rotation = self.poses[body][:3, :3]
            vector = sp.Matrix([self.expression(entry) for entry in force.direction])
            vector = vector * self.expression(force.magnitude)
            if force.frame == "body":
                vector = rotation * vector
            if torque:
                velocity = rotation * self.angular_velocity(body)
            else:
                velocity = self.rate(self._place(force.at))
            pairs += list(zip(vector, velocity, strict=True))
        return pairs

    def _generalized(self) -> list[tuple[Any, Any]]:
        speeds = {s.name: s for joint in self.mechanism.joints for s in joint.speeds}
        pairs = [
            (self.expression(force.expression), self._value(speeds[force.speed]))
            for force in self.model.generalized_forces.values()
        ]
        for joint in self.mechanism.joints:
            for k, speed in enumerate(joint.speeds):
                u = self._value(speed)
                if speed.array != "u":
                    continue
                if joint.damping:
                    pairs.append((-exact(joint.damping[k]) * u, u))
                if joint.friction and joint.friction[k]:
                    slip = u / exact(joint.friction_speed)
                    pairs.append((-exact(joint.friction[k]) * sp.tanh(slip), u))
        return pairs

    # -- equations -------------------------------------------------------------------------------

    def forces(self) -> list[sp.Expr]:
        """Generalized forces that the motion takes, tau_k. Raises `TooLong`."""
        lagrangian = self.lagrangian()
        if lagrangian.count_ops() > self.longest:
            raise TooLong(f"the Lagrangian has {lagrangian.count_ops()} operations")
        pairs = [(force, velocity) for force, velocity in self.virtual_powers() if force != 0]
        equations = []
        for q, u in zip(self.arrays["q"], self.arrays["u"], strict=True):
            equation = self.rate(sp.diff(lagrangian, u)) - sp.diff(lagrangian, q)
            for force, velocity in pairs:
                equation -= force * sp.diff(velocity, u)
            equations.append(equation)
        return equations

    @property
    def symbols(self) -> list[Any]:
        """All symbols: q, u, a, s, s_rate, s_acceleration, r, t."""
        return [*(s for array in self.arrays.values() for s in array), *self.inputs, TIME]


def joint_matrix(joint: Joint, q: Sequence[sp.Expr]) -> sp.Matrix:
    """Homogeneous matrix of a joint whose speeds are rates of its coordinates."""
    pose = sp.eye(4)
    for kind, axis, value in _elements(joint, list(q)):
        pose = pose * (_translation(axis * value) if kind == "slide" else _turn(axis, value))
        if kind == "turn" and joint.pitch:
            pose = pose * _translation(axis * value * exact(joint.pitch))
    return pose


def _elements(joint: Joint, q: list[sp.Expr]) -> list[tuple[str, sp.Matrix, sp.Expr]]:
    def column(axis: Array | None) -> sp.Matrix:
        assert axis is not None
        return sp.Matrix([exact(entry) for entry in axis])

    unit = {letter: sp.Matrix(sp.eye(3)[:, k]) for k, letter in enumerate("xyz")}
    if joint.kind in ("revolute", "screw"):
        return [("turn", column(joint.axis), q[0])]
    if joint.kind == "prismatic":
        return [("slide", column(joint.axis), q[0])]
    if joint.kind == "cylindrical":
        return [("turn", column(joint.axis), q[0]), ("slide", column(joint.axis), q[1])]
    if joint.kind == "universal":
        return [("turn", column(joint.axis), q[0]), ("turn", column(joint.axis2), q[1])]
    if joint.kind == "planar":
        axis = column(joint.axis)
        following = (max(range(3), key=lambda k: abs(axis[k])) + 1) % 3
        first = unit["xyz"[following]] - axis * axis[following]
        first = first / sp.sqrt(first.dot(first))
        return [("slide", first, q[0]), ("slide", axis.cross(first), q[1]), ("turn", axis, q[2])]
    if joint.kind == "fixed":
        return []
    if joint.kind == "orbit_spherical":
        turns = [("turn", unit["z"], q[0]), ("turn", -unit["y"], q[1])]
        return [*turns, ("slide", unit["x"], q[2])]
    if joint.kind in ("orbit_polar", "orbit_planar"):
        base = [("turn", unit["z"], q[0]), ("slide", unit["x"], q[1])]
        return base + [("turn", unit["z"], angle) for angle in q[2:]]
    slides = [("slide", unit[letter], value) for letter, value in zip("xyz", q, strict=False)]
    angles = q[3:] if joint.kind == "floating_euler" else q
    turns = [
        ("turn", unit[name], value) for name, value in zip(joint.sequence, angles, strict=True)
    ]
    return slides + turns if joint.kind == "floating_euler" else turns


def _translation(vector: sp.Matrix) -> sp.Matrix:
    pose = sp.eye(4)
    pose[:3, 3] = vector
    return pose


def _turn(axis: sp.Matrix, angle: sp.Expr) -> sp.Matrix:
    """R = n n^T + cos (1 - n n^T) + sin [n]x."""
    x, y, z = axis
    along = axis * axis.T
    skew = sp.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    pose = sp.eye(4)
    pose[:3, :3] = along + sp.cos(angle) * (sp.eye(3) - along) + sp.sin(angle) * skew
    return pose
