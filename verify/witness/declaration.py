"""A declared model as plain numbers for the witnesses.

Only the declared data are read: expressions become numbers and functions by SymPy itself, rotations
are computed here from the angles or quaternions as declared. No code of the derivation is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from eomc.derive.model import Model
from eomc.verify.witness import closing_joint
from eomc.verify.witness.deformation import Energies, gradient, numeric
from eomc.verify.witness.element_states import STATED, stated
from eomc.verify.witness.holds import constraint_hold, joint_hold
from eomc.verify.witness.joint_motion import homogeneous, quaternion_rotation, rotation_about
from eomc.verify.witness.mechanism import (
    WORLD,
    Array,
    Attraction,
    Body,
    Deformable,
    Force,
    Frame,
    GeneralizedForce,
    Hold,
    Joint,
    JointSpring,
    Law,
    Mechanism,
    Point,
    Potential,
    Spring,
    Station,
    Variable,
)
from eomc.verify.witness.own_joint import has_own_pose, speed_rates, station_pose
from eomc.verify.witness.own_kinds import Apart

_X, _Y, _Z = np.eye(3)


class Numbers:
    """Scalars of a model as numbers, and expressions as functions of named values."""

    def __init__(self, model: Model) -> None:
        self.parameters: dict[sympy.Symbol, sympy.Expr] = {}
        for name, parameter in model.parameters.items():
            value = sympy.sympify(parameter.value)
            self.parameters[sympy.Symbol(name)] = value

    def __call__(self, value: Any) -> float:
        """A constant scalar."""
        if isinstance(value, int | float):
            return float(value)
        return float(sympy.N(sympy.sympify(value).xreplace(self.parameters), 30))

    def vector(self, values: Sequence[Any]) -> Array:
        """Constant scalars."""
        return np.array([self(value) for value in values])

    def law(self, value: Any) -> Law:
        """An expression in coordinates, speeds, inputs and time."""
        return compiled(sympy.sympify(value).xreplace(self.parameters))


def compiled(expression: Any) -> Law:
    """A SymPy expression as a function of the values of its symbols by name."""
    symbols = sorted(expression.free_symbols, key=lambda symbol: str(symbol.name))
    if not symbols:
        number = float(sympy.N(expression, 30))
        return lambda values: number
    plain = [sympy.Dummy(f"x{k}", real=True) for k in range(len(symbols))]
    body = expression.xreplace(dict(zip(symbols, plain, strict=True)))
    function: Callable[..., Any] = sympy.lambdify(plain, body, modules=["scipy", "numpy"])
    names = [symbol.name for symbol in symbols]

    def law(values: Mapping[str, float]) -> float:
        with np.errstate(all="ignore"):
            return float(function(*(np.float64(values[name]) for name in names)))

    return law


def mechanism(model: Model, frames: Sequence[str] = ()) -> Mechanism:
    """`model` in numbers; `frames` are names of frames and bodies whose motion is compared."""
    numbers = Numbers(model)
    bodies = [_body(body, numbers) for body in model.bodies.values()]
    places = {name: k for k, name in enumerate(model.bodies)} | {"world": WORLD}
    reader = _Reader(model, numbers, places)
    order = model.tree()
    parts: dict[str, Any] = {field: () for field, _ in _READERS.values()}
    for word, (field, read) in _READERS.items():
        parts[field] += tuple(read(reader, element) for element in model.acting()[word].values())
    forces, rates = stated(model)
    parts["generalized_forces"] += tuple(
        GeneralizedForce(reader.speeds[speed], numbers.law(force)) for speed, force in forces
    )
    losing = [joint for joint in model.cuts() if _has_losses(joint)]
    known = [joint for joint in losing if closing_joint.knows(joint.kind)]
    made = Mechanism(
        gravity=numbers.vector(model.gravity),
        bodies=tuple(bodies),
        joints=tuple(reader.joint(joint) for joint in order),
        nu=len(model.speeds),
        ns=len(reader.prescribed),
        inputs=tuple(model.inputs),
        states=tuple(model.element_states()),
        state_rates=tuple(numbers.law(rate) for rate in rates),
        frames=tuple(reader.frame(name) for name in frames),
        deformables=tuple(reader.deformable(name) for name in model.deformables),
        closing=tuple(reader.closing(joint) for joint in known),
        holds=tuple(_holds(model, reader)),
        constants=reader.constants,
        **parts,
    )
    own = Apart(
        model, made, {*_READERS, *STATED}, [joint for joint in losing if joint not in known]
    )
    static = not own.depends_on_time and not any(
        sympy.Symbol("t") in sympy.sympify(value).free_symbols
        for value in _potential_scalars(model)
    )
    return replace(made, own=own, potential_is_static=static)


def _holds(model: Model, reader: _Reader) -> Iterator[Hold]:
    for joint in model.cuts():
        hold = joint_hold(joint, reader)
        if hold is not None:
            yield hold
    for element in model.constraints.values():
        hold = constraint_hold(element, reader)
        if hold is not None:
            yield hold


def _has_losses(joint: Any) -> bool:
    return any(value != 0 for value in (*joint.damping, *joint.friction))


def _potential_scalars(model: Model) -> list[Any]:
    """Everything that a potential energy is made of."""
    scalars: list[Any] = [potential.expression for potential in model.potentials.values()]
    for spring in model.springs.values():
        scalars += [spring.stiffness, spring.free_length]
    for joint_spring in model.joint_springs.values():
        scalars += [joint_spring.stiffness, joint_spring.free_angle]
    return scalars


def _body(body: Any, numbers: Numbers) -> Body:
    mass, com = numbers(body.mass), numbers.vector(body.com)
    xx, yy, zz, xy, xz, yz = numbers.vector(body.inertia)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "origin":
        inertia = inertia - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return Body(body.name, mass, com, inertia)


class _Reader:
    """Elements of the model in numbers, their coordinates and bodies by place."""

    def __init__(self, model: Model, numbers: Numbers, places: Mapping[str, int]) -> None:
        self.model, self.numbers, self.places = model, numbers, places
        self.coordinates: dict[str, Variable] = {}
        self.speeds: dict[str, Variable] = {}
        self.constants: dict[str, float] = {}
        given = model.prescribed()
        self.prescribed: list[str] = []
        for joint in model.tree():
            own = joint.coordinates if joint.mimic is None and not joint.is_fixed else ()
            body = model.deformables.get(joint.child)
            internal = () if body is None else body.coordinates
            self.prescribed += [name for name in (*own, *internal) if name in given]
        for joint in model.tree():
            self._variables(joint)
        for body in model.deformables.values():
            for name in body.coordinates:
                array, index = self._place(name, "q", "s", model.coordinates)
                self.coordinates[name] = Variable(name, array, index)
                array, index = self._place(name, "u", "s_rate", model.speeds)
                self.speeds[name] = Variable(name, array, index)

    # -- coordinates -----------------------------------------------------------------------------

    def _variables(self, joint: Any) -> None:
        """Places of a joint's coordinates and speeds in the arrays q, u or s."""
        if joint.locked is not None:
            for name, value in zip(joint.coordinates, joint.locked, strict=True):
                self.coordinates[name] = Variable(name, offset=self.numbers(value))
            for name in joint.speeds:
                self.speeds[name] = Variable(name)
            return
        factor, offset, leader = 1.0, 0.0, joint
        while leader.mimic is not None and leader.locked is None:
            offset += factor * self.numbers(leader.mimic.offset)
            factor *= self.numbers(leader.mimic.multiplier)
            leader = self.model.joints[leader.mimic.joint]
        if leader.locked is not None:
            value = factor * self.numbers(leader.locked[0]) + offset
            self.coordinates[joint.coordinates[0]] = Variable(joint.coordinates[0], offset=value)
            self.speeds[joint.speeds[0]] = Variable(joint.speeds[0])
            return
        pairs = zip(joint.coordinates, leader.coordinates, strict=True)
        for name, source in pairs:
            array, index = self._place(source, "q", "s", self.model.coordinates)
            self.coordinates[name] = Variable(name, array, index, factor, offset)
        for name, source in zip(joint.speeds, leader.speeds, strict=True):
            array, index = self._place(source, "u", "s_rate", self.model.speeds)
            self.speeds[name] = Variable(name, array, index, factor)

    def _place(self, name: str, free: str, given: str, names: Sequence[str]) -> tuple[str, int]:
        if name in self.prescribed:
            return given, self.prescribed.index(name)
        return free, list(names).index(name)

    def attraction(self, element: Any) -> Attraction:
        """A declared point mass."""
        return Attraction(
            self.numbers(element.mu),
            self.numbers.vector(element.center),
            element.expansion == "second_order",
            None if element.about == "body" else self.places[element.about],
            {name: self.numbers.vector(half) for name, half in element.rods},
        )

    # -- placements ------------------------------------------------------------------------------

    def placement(self, placement: Any) -> Array:
        """(4, 4) of a declared placement."""
        return homogeneous(self._rotation(placement), self.numbers.vector(placement.xyz))

    def _rotation(self, placement: Any) -> Array:
        if placement.rpy is not None:
            roll, pitch, yaw = self.numbers.vector(placement.rpy)
            about_z, about_y = rotation_about(_Z, yaw), rotation_about(_Y, pitch)
            return about_z @ about_y @ rotation_about(_X, roll)
        if placement.quaternion is not None:
            quaternion = self.numbers.vector(placement.quaternion)
            return quaternion_rotation(quaternion / np.linalg.norm(quaternion))
        if placement.rotation is not None:
            return np.array([self.numbers.vector(row) for row in placement.rotation])
        return np.eye(3)

    def closing(self, joint: Any) -> Joint:
        """A joint that closes a loop: it has no coordinates."""
        return self.joint(joint, closes=True)

    def joint(self, joint: Any, *, closes: bool = False) -> Joint:
        """A joint between bodies by place."""
        inner = self.placement(joint.child_placement)
        before, station = self.placement(joint.placement), None
        if joint.declaration.rides:
            # The translation is in the axes of the body, the rotation in those of the station.
            turned = homogeneous(before[:3, :3], np.zeros(3))
            before = homogeneous(np.eye(3), before[:3, 3])
            inner, station = inner @ turned.T, self._station(joint)
        elif has_own_pose(joint) and not closes:
            station = self._station(joint)
        back = homogeneous(inner[:3, :3].T, -inner[:3, :3].T @ inner[:3, 3])
        axis = None if joint.axis is None else self._unit(joint.axis)
        axis2 = None if joint.axis2 is None else self._unit(joint.axis2)
        if joint.kind == "universal":
            axis2 = _Y if axis2 is None else axis2
        moves = joint.locked is None and joint.kind != "fixed"
        rotor = self.numbers(joint.rotor_inertia) * self.numbers(joint.gear_ratio) ** 2
        return Joint(
            joint.name,
            joint.kind,
            self.places[joint.parent],
            self.places[joint.child],
            before,
            back,
            tuple(self.coordinates[name] for name in joint.coordinates if not closes),
            tuple(self.speeds[name] for name in joint.speeds if not closes),
            axis=axis,
            axis2=axis2,
            pitch=0.0 if joint.pitch is None else self.numbers(joint.pitch),
            sequence=joint.sequence or ("zyx" if joint.kind.endswith("euler") else ""),
            damping=tuple(self.numbers(d) for d in joint.damping) if moves else (),
            friction=tuple(self.numbers(f) for f in joint.friction) if moves else (),
            friction_speed=self.numbers(joint.friction_speed),
            armature=rotor if moves else 0.0,
            station=station,
        )

    # -- deformable bodies -----------------------------------------------------------------------

    def deformable(self, name: str) -> Deformable:
        """A deformable body by its energies."""
        body = self.model.deformables[name]
        energies = Energies(self.model, name, self.numbers.parameters)
        xi, rates, k = energies.xi, energies.y[6:], len(energies.xi)
        strain = numeric(xi, [energies.strain], ())
        return Deformable(
            self.places[name],
            tuple(self.coordinates[c] for c in body.coordinates),
            tuple(self.speeds[c] for c in body.coordinates),
            *energies.mass(),
            lambda values: float(strain(values)),
            numeric(xi, gradient(energies.strain, xi), (k,)),
            numeric([*xi, *rates], gradient(energies.losses, rates), (k,)),
        )

    def _station(self, joint: Any) -> Station:
        names, symbols, pose = station_pose(self.model, joint, self.numbers.parameters)
        entries, count = pose.tolist(), len(symbols)
        slopes = gradient(entries, symbols)
        curvatures = [gradient(slope, symbols) for slope in slopes]
        rates, own = speed_rates(joint, symbols, self.numbers.parameters), None
        speeds = [self.speeds[name] for name in (names if rates is None else joint.speeds)]
        if rates is not None:
            shape = count, len(speeds)
            by_q = numeric(symbols, gradient(rates, symbols), (count, *shape))
            own = numeric(symbols, rates, shape), by_q
        return Station(
            tuple(self.coordinates[name] for name in names),
            tuple(speeds),
            numeric(symbols, entries, (4, 4)),
            numeric(symbols, slopes, (count, 4, 4)),
            numeric(symbols, curvatures, (count, count, 4, 4)),
            own,
        )

    def _unit(self, axis: Sequence[Any]) -> Array:
        vector = self.numbers.vector(axis)
        return vector / float(np.linalg.norm(vector))

    def point(self, point: Any) -> Point:
        """A point of a body by place."""
        return Point(self.places[point.body], self.numbers.vector(point.xyz))

    def frame(self, name: str) -> Frame:
        """A declared frame, or the frame of a body; called as in names of functions."""
        word = re.sub(r"\W", "_", name, flags=re.ASCII)
        if name in self.model.frames:
            declared = self.model.frames[name]
            return Frame(word, self.places[declared.body], self.placement(declared.placement))
        return Frame(word, self.places[name], np.eye(4))

    # -- forces ----------------------------------------------------------------------------------

    def spring(self, spring: Any) -> Spring:
        """A spring between points."""
        law = self.numbers.law
        return Spring(
            self.point(spring.a),
            self.point(spring.b),
            law(spring.stiffness),
            law(spring.damping),
            law(spring.free_length),
            None if spring.law is None else law(spring.law),
        )

    def joint_spring(self, spring: Any) -> JointSpring:
        """A spring across a coordinate."""
        law = self.numbers.law
        return JointSpring(
            self.coordinates[spring.joint],
            self.speeds[spring.joint],
            law(spring.stiffness),
            law(spring.damping),
            law(spring.free_angle),
            None if spring.law is None else law(spring.law),
        )

    def force(self, force: Any) -> Force:
        """A force at a point."""
        x, y, z = (self.numbers.law(entry) for entry in force.direction)
        magnitude = self.numbers.law(force.magnitude)
        return Force(self.point(force.at), (x, y, z), magnitude, force.frame == "body", False)

    def torque(self, torque: Any) -> Force:
        """A torque on a body."""
        x, y, z = (self.numbers.law(entry) for entry in torque.direction)
        at = Point(self.places[torque.body], np.zeros(3))
        magnitude = self.numbers.law(torque.magnitude)
        return Force(at, (x, y, z), magnitude, torque.frame == "body", True)

    def generalized_force(self, force: Any) -> GeneralizedForce:
        """A force on one speed."""
        return GeneralizedForce(self.speeds[force.speed], self.numbers.law(force.expression))

    def potential(self, potential: Any) -> Potential:
        """A potential with its slopes, by SymPy's own differentiation."""
        energy = sympy.sympify(potential.expression).xreplace(self.numbers.parameters)
        real = {s: sympy.Dummy(s.name, real=True) for s in energy.free_symbols}
        back = {dummy: symbol for symbol, dummy in real.items()}
        slopes = {
            symbol.name: compiled(energy.xreplace(real).diff(dummy).xreplace(back))
            for symbol, dummy in sorted(real.items(), key=lambda pair: str(pair[0].name))
            if symbol.name in self.coordinates
        }
        return Potential(compiled(energy), slopes)


_READERS: dict[str, tuple[str, Callable[[_Reader, Any], Any]]] = {
    "spring": ("springs", _Reader.spring),
    "joint_spring": ("joint_springs", _Reader.joint_spring),
    "force": ("forces", _Reader.force),
    "torque": ("forces", _Reader.torque),
    "potential": ("potentials", _Reader.potential),
    "generalized_force": ("generalized_forces", _Reader.generalized_force),
    "central_gravity": ("attractions", _Reader.attraction),
}
"""Kinds of forces with formulas here: which part of the mechanism they are, and their reader."""
