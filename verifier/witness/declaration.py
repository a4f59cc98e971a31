"""A declared model as plain numbers for the witnesses.

Only the declared data are read: expressions become numbers and functions by SymPy itself, rotations
are computed here from the angles or quaternions as declared. No code of the derivation is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model
from eomc.verifier.witness.cable_stations import not_judged
from eomc.verifier.witness.composites import Composing
from eomc.verifier.witness.deformation import Energies, chain_of, gradient, numeric
from eomc.verifier.witness.forces import (
    forces,
    internal,
    potential_has_time,
    quantities,
    ropes,
    state_rates,
    unknown,
    unknowns,
)
from eomc.verifier.witness.holds import constraint_hold
from eomc.verifier.witness.joint_motion import homogeneous, quaternion_rotation, rotation_about
from eomc.verifier.witness.mechanism import (
    WORLD,
    WitnessBody,
    WitnessDeformation,
    WitnessFrame,
    WitnessJoint,
    WitnessMechanism,
    WitnessPoint,
    WitnessStation,
    WitnessVariable,
)
from eomc.verifier.witness.numbers import Numbers
from eomc.verifier.witness.own_joint import has_own_pose, neutral, speed_rates, station_pose
from eomc.verifier.witness.own_kinds import Apart
from eomc.verifier.witness.rows import residuals
from eomc.verifier.witness.welded_frames import with_welded_frames

_X, _Y, _Z = np.eye(3)


def mechanism(model: Model, frames: Sequence[str] = ()) -> WitnessMechanism:
    """`model` in numbers; `frames` are names of frames and bodies whose motion is compared."""
    model = with_welded_frames(model)
    numbers = Numbers(model)
    bodies = [_body(body, numbers) for body in model.bodies.values()]
    places = {name: k for k, name in enumerate(model.bodies)} | {"world": WORLD}
    reader = _DeclarationReader(model, numbers, places)
    order = model.tree()
    losing = [joint for joint in model.cuts() if _has_losses(joint)]
    lost = [joint for joint in losing if not has_own_pose(joint)]
    made = WitnessMechanism(
        gravity=numbers.vector(model.gravity),
        bodies=tuple(bodies),
        joints=tuple(reader.joint(joint) for joint in order),
        nu=len(model.speeds),
        ns=len(reader.prescribed),
        inputs=tuple(model.inputs),
        states=tuple(model.element_states()),
        state_rates=tuple(state_rates(model, reader)),
        unknowns=tuple(unknowns(model, reader)),
        frames=tuple(reader.frame(name) for name in frames),
        deformables=tuple(reader.deformable(name) for name in model.deformables),
        closing=tuple(reader.closing(joint) for joint in lost),
        holds=(
            *map(reader.closing, model.cuts()),
            *(
                hold
                for element in model.constraints.values()
                if (hold := constraint_hold(element, reader)) is not None
            ),
        ),
        ropes=ropes(model, reader),
        residuals=dict(
            known
            for element in model.constraints.values()
            if (known := residuals(reader, element)) is not None
        ),
        quantities=quantities(model, reader),
        constants=reader.constants,
        not_judged=not_judged(model),
        velocities={name: reader.velocity(motion) for name, motion in model.motions().items()},
        **forces(model, reader),
    )
    own = Apart(model, made, unknown(model), [joint for joint in losing if joint not in lost])
    static = not own.depends_on_time and not potential_has_time(model)
    inner = internal(model)
    between = Apart(model, made, inner, ()) if any(inner.values()) else None
    return replace(made, own=own, between=between, potential_is_static=static)


def composing(model: Model, made: WitnessMechanism) -> Composing:
    """Reader of the arguments of words that declare several elements of `model`."""
    model = with_welded_frames(model)
    places = {name: k for k, name in enumerate(model.bodies)} | {"world": WORLD}
    return Composing(model, made, _DeclarationReader(model, Numbers(model), places))


def _has_losses(joint: Any) -> bool:
    return any(value != 0 for value in (*joint.damping, *joint.friction))


def _body(body: Any, numbers: Numbers) -> WitnessBody:
    mass, com = numbers(body.mass), numbers.vector(body.com)
    xx, yy, zz, xy, xz, yz = numbers.vector(body.inertia)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "origin":
        inertia = inertia - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return WitnessBody(body.name, mass, com, inertia)


class _DeclarationReader:
    """Elements of the model in numbers, their coordinates and bodies by place."""

    def __init__(self, model: Model, numbers: Numbers, places: Mapping[str, int]) -> None:
        self.model, self.numbers, self.places = model, numbers, places
        self.coordinates: dict[str, WitnessVariable] = {}
        self.speeds: dict[str, WitnessVariable] = {}
        self.constants: dict[str, float] = {}
        given = model.prescribed_coordinates()
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
                self.coordinates[name] = WitnessVariable(name, array, index)
                array, index = self._place(name, "u", "s_rate", model.speeds)
                self.speeds[name] = WitnessVariable(name, array, index)

    # -- coordinates -----------------------------------------------------------------------------

    def _variables(self, joint: Any) -> None:
        """Places of a joint's coordinates and speeds in the arrays q, u or s."""
        if joint.locked is not None:
            for name, value in zip(joint.coordinates, joint.locked, strict=True):
                self.coordinates[name] = WitnessVariable(name, offset=self.numbers(value))
            for name in joint.speeds:
                self.speeds[name] = WitnessVariable(name)
            return
        factor, offset, leader = 1.0, 0.0, joint
        while leader.mimic is not None and leader.locked is None:
            offset += factor * self.numbers(leader.mimic.offset)
            factor *= self.numbers(leader.mimic.multiplier)
            leader = self.model.joints[leader.mimic.joint]
        if leader.locked is not None:
            value = factor * self.numbers(leader.locked[0]) + offset
            self.coordinates[joint.coordinates[0]] = WitnessVariable(
                joint.coordinates[0], offset=value
            )
            self.speeds[joint.speeds[0]] = WitnessVariable(joint.speeds[0])
            return
        pairs = zip(joint.coordinates, leader.coordinates, strict=True)
        for name, source in pairs:
            array, index = self._place(source, "q", "s", self.model.coordinates)
            self.coordinates[name] = WitnessVariable(name, array, index, factor, offset)
        for name, source in zip(joint.speeds, leader.speeds, strict=True):
            array, index = self._place(source, "u", "s_rate", self.model.speeds)
            self.speeds[name] = WitnessVariable(name, array, index, factor)

    def _place(self, name: str, free: str, given: str, names: Sequence[str]) -> tuple[str, int]:
        if name in self.prescribed:
            return given, self.prescribed.index(name)
        return free, list(names).index(name)

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

    def closing(self, joint: Any) -> WitnessJoint:
        """A joint that closes a loop: it has no coordinates."""
        return self.joint(joint, closes=True)

    def joint(self, joint: Any, *, closes: bool = False) -> WitnessJoint:
        """A joint between bodies by place."""
        inner = self.placement(joint.child_placement)
        before, station = self.placement(joint.placement), None
        if joint.declaration.rides:
            # The translation is in the axes of the body, the rotation in those of the station.
            turned = homogeneous(before[:3, :3], np.zeros(3))
            before = homogeneous(np.eye(3), before[:3, 3])
            inner, station = inner @ turned.T, self._station(joint)
        elif has_own_pose(joint):
            station = self._station(joint, closes=closes)
        back = homogeneous(inner[:3, :3].T, -inner[:3, :3].T @ inner[:3, 3])
        axis = None if joint.axis is None else self.unit(joint.axis)
        axis_2 = None if joint.axis_2 is None else self.unit(joint.axis_2)
        moves = joint.locked is None
        kind = joint.declaration
        rotor = self.numbers(joint.rotor_inertia) * self.numbers(joint.gear_ratio) ** 2
        return WitnessJoint(
            joint.name,
            joint.kind,
            self.places[joint.parent],
            self.places[joint.child],
            before,
            back,
            tuple(self.coordinates[name] for name in joint.coordinates if not closes),
            tuple(self.speeds[name] for name in joint.speeds if not closes),
            neutral=self.numbers.vector(neutral(joint)),
            unit_speeds=joint.speeds,
            quaternion=tuple(kind.quaternion(range(len(joint.coordinates)))),
            rates=kind.rates,
            axis=axis,
            axis_2=axis_2,
            pitch=0.0 if joint.pitch is None else self.numbers(joint.pitch),
            sequence=joint.sequence or "",
            damping=tuple(self.numbers(d) for d in joint.damping) if moves else (),
            friction=tuple(self.numbers(f) for f in joint.friction) if moves else (),
            friction_speed=self.numbers(joint.friction_speed),
            armature=rotor if moves else 0.0,
            station=station,
        )

    # -- deformable bodies -----------------------------------------------------------------------

    def deformable(self, name: str) -> WitnessDeformation:
        """A deformable body by its energies."""
        body = self.model.deformables[name]
        energies = Energies(self.model, name, self.numbers.parameters)
        xi, rates, k = energies.xi, energies.y[6:], len(energies.xi)
        strain = numeric(xi, [energies.strain], ())
        return WitnessDeformation(
            self.places[name],
            tuple(self.coordinates[c] for c in body.coordinates),
            tuple(self.speeds[c] for c in body.coordinates),
            *energies.mass(),
            lambda values: float(strain(values)),
            numeric(xi, gradient(energies.strain, xi), (k,)),
            numeric([*xi, *rates], gradient(energies.losses, rates), (k,)),
        )

    def _station(self, joint: Any, *, closes: bool = False) -> WitnessStation:
        if joint.declaration.rides and (
            chain := chain_of(self.model, joint.parent, self.numbers.parameters)
        ):
            body = self.model.deformables[joint.parent]
            return WitnessStation(
                tuple(self.coordinates[name] for name in body.coordinates),
                tuple(self.speeds[name] for name in body.coordinates),
                *chain.station(joint.at),
            )
        names, symbols, pose = station_pose(self.model, joint, self.numbers.parameters)
        entries, count = pose.tolist(), len(symbols)
        slopes = gradient(entries, symbols)
        curvatures = [gradient(slope, symbols) for slope in slopes]
        rates, own = speed_rates(joint, symbols, self.numbers.parameters), None
        # A joint that closes a loop has no coordinates of its own.
        places = () if closes else tuple(self.coordinates[name] for name in names)
        moving = () if closes else names if rates is None else joint.speeds
        speeds = tuple(self.speeds[name] for name in moving)
        if rates is not None:
            shape = count, len(joint.speeds)
            by_q = numeric(symbols, gradient(rates, symbols), (count, *shape))
            own = numeric(symbols, rates, shape), by_q
        return WitnessStation(
            places,
            speeds,
            numeric(symbols, entries, (4, 4)),
            numeric(symbols, slopes, (count, 4, 4)),
            numeric(symbols, curvatures, (count, count, 4, 4)),
            own,
        )

    def unit(self, axis: Sequence[Any]) -> Array:
        """A direction, of length 1."""
        vector = self.numbers.vector(axis)
        return vector / float(np.linalg.norm(vector))

    def point(self, point: Any) -> WitnessPoint:
        """A point of a body by place."""
        return WitnessPoint(self.places[point.body], self.numbers.vector(point.xyz))

    def velocity(self, motion: Any) -> tuple[WitnessFrame, int, bool, WitnessFrame | None]:
        """Of a name in an expression."""
        seen_in = self.frame(motion.seen_in) if motion.seen_in else None
        return self.frame(motion.frame), motion.axis, motion.turns, seen_in

    def frame(self, name: str) -> WitnessFrame:
        """A declared frame, or the frame of a body."""
        if name in self.model.frames:
            declared = self.model.frames[name]
            return WitnessFrame(
                name, self.places[declared.body], self.placement(declared.placement)
            )
        return WitnessFrame(name, self.places[name], np.eye(4))
