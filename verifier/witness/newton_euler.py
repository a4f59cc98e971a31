"""Newton's and Euler's equations of every body, in numbers, from the definitions.

Maximal form: each body is a free body with six equations about its centre of mass, in world axes,

    F = m (c'' - g),      N = I w' + w x I w,

and the joints enter only through the directions in which they let the bodies move: with the
velocities J_k = (dc'/du_k, dw/du_k) of unit speeds, reactions drop out of (d'Alembert)

    tau_k = sum over the bodies of J_k^T (F, N) - Q_k.

Positions are products of homogeneous 4x4 matrices; velocities and accelerations follow by the
product rule, X' and X'' beside X, without any recursion in body axes, composite inertia,
regrouping or symbol; deformable bodies are in `deformed_body`. It shares no code and no formulation
with the derivation, and is slow. Reference: Kane and Levinson, *Dynamics: Theory and Applications*,
ch. 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness import closing_joint, involute, springs, stops
from eomc.verifier.witness.attraction import pulls
from eomc.verifier.witness.bearing import LoopClosure, friction, loosening
from eomc.verifier.witness.body_motion import BodyMotion, constant
from eomc.verifier.witness.cable import Around, CableInState
from eomc.verifier.witness.contact import ContactInState
from eomc.verifier.witness.deformed_body import DeformedBody
from eomc.verifier.witness.joint_motion import coordinate_rates, own_motion
from eomc.verifier.witness.mechanism import (
    WORLD,
    Force,
    OwnLoads,
    WitnessBody,
    WitnessDeformation,
    WitnessJoint,
    WitnessMechanism,
    WitnessPoint,
    WitnessVariable,
)
from eomc.verifier.witness.unknowns import find_unknowns

Values = Mapping[str, Array]


class NewtonEuler:
    """The mechanism in one state; `values` holds q, u, a, s, s_rate, s_acceleration, r, t.

    `held` among them are the forces of what closes loops on the speeds, where something depends on
    them. The joint in the place `loose` lets its child side move along six more directions, the
    last.
    """

    def __init__(
        self, mechanism: WitnessMechanism, values: Values, loose: int | None = None
    ) -> None:
        self.mechanism, self.loose = mechanism, loose
        self.values = values
        self.directions = mechanism.nu + mechanism.ns + (0 if loose is None else 6)
        self.motions = self._motions()
        welded = self._welded()
        self.deformed = [
            self._deformed(body) for body in mechanism.deformables if body.body not in welded
        ]
        self.named = self._named()

    # -- kinematics ------------------------------------------------------------------------------

    def _motions(self) -> dict[int, BodyMotion]:
        motions = {WORLD: constant(np.eye(4), self.directions)}
        for k, joint in enumerate(self.mechanism.joints):
            motion = motions[joint.parent].then(constant(joint.before, self.directions))
            own = motion.then(self._own_motion(joint))
            if k == self.loose:
                own = own.then(loosening(self.directions))
            motions[joint.child] = own.then(constant(joint.after, self.directions))
        return motions

    def _own_motion(self, joint: WitnessJoint) -> BodyMotion:
        """The joint's part of the motion, along all directions."""
        variables = joint.coordinates if joint.station is None else joint.station.coordinates
        speeds = joint.speeds if joint.station is None else joint.station.speeds
        q, u, a, along = self._along(variables, speeds)
        own = own_motion(joint, q, u)
        units = np.tensordot(along, own.units, 1)
        return BodyMotion(own.x, units, own.rate, own.second + np.tensordot(a, own.units, 1))

    def _deformed(self, body: WitnessDeformation) -> DeformedBody:
        return DeformedBody(
            body, self.motions[body.body], *self._along(body.coordinates, body.speeds)
        )

    def _along(
        self, coordinates: Sequence[WitnessVariable], speeds: Sequence[WitnessVariable]
    ) -> tuple[Array, Array, Array, Array]:
        """(q, q', q'', q' at unit speeds) of coordinates whose rates are speeds."""
        units = np.zeros((self.directions, len(speeds)))
        accelerations = np.zeros(len(speeds))
        for k, speed in enumerate(speeds):
            if speed.array:
                units[self.direction(speed), k] = speed.factor
                accelerations[k] = self._acceleration(speed)
        q = np.array([coordinate.value(self.values) for coordinate in coordinates])
        rates = np.array([speed.value(self.values) for speed in speeds])
        return q, rates, accelerations, units

    def direction(self, speed: WitnessVariable) -> int:
        """Place of a speed among the free ones, then the prescribed ones."""
        return speed.index + (self.mechanism.nu if speed.array == "s_rate" else 0)

    def _acceleration(self, speed: WitnessVariable) -> float:
        array = {"u": "a", "s_rate": "s_acceleration"}[speed.array]
        return speed.factor * float(self.values[array][speed.index])

    def _named(self) -> dict[str, float]:
        """Values of the names that may stand in laws."""
        named = {**self.mechanism.constants, "t": float(self.values["t"])}
        for coordinates, speeds, _ in self.mechanism.variables:
            named.update((c.name, c.value(self.values)) for c in coordinates)
            named.update((f"speed({s.name})", s.value(self.values)) for s in speeds)
        named.update(zip(self.mechanism.inputs, map(float, self.values["r"]), strict=True))
        if self.mechanism.states:
            named.update(zip(self.mechanism.states, map(float, self.values["z"]), strict=True))
        for name, (frame, axis, turns, seen_in) in self.mechanism.velocities.items():
            motion = self.frame(frame.body, frame.placement)
            found = motion.angular_velocity if turns else motion.velocity(np.zeros(3))
            if seen_in is not None:
                found = self.frame(seen_in.body, seen_in.placement).rotation.T @ found
            named[name] = float(found[axis])
        if self.mechanism.unknowns:
            find_unknowns(self.mechanism, self.motions, named)
        return named

    @property
    def moving(self) -> list[tuple[WitnessBody, BodyMotion]]:
        """Bodies that some joint or deformation can move."""
        welded = self._welded()
        bodies = enumerate(self.mechanism.bodies)
        return [(body, self.motions[k]) for k, body in bodies if k not in welded]

    def _welded(self) -> set[int]:
        """Places of the bodies fixed to the base."""
        deforms = {body.body for body in self.mechanism.deformables if body.coordinates}
        welded = {WORLD}
        for joint in self.mechanism.joints:
            is_rigid = not any(speed.array for speed in joint.speeds)
            if joint.parent in welded and is_rigid and joint.child not in deforms:
                welded.add(joint.child)
        return welded

    # -- forces ----------------------------------------------------------------------------------

    def inertial(self, *, gravity: bool = True) -> tuple[Array, Array]:
        """(J^T (F, N), the same with all terms positive) over all directions."""
        total, size = np.zeros(self.directions), np.zeros(self.directions)
        g = self.mechanism.gravity if gravity else np.zeros(3)
        for body, motion in self.moving:
            inertia = motion.rotation @ body.inertia @ motion.rotation.T
            w = motion.angular_velocity
            force = body.mass * (motion.acceleration(body.com) - g)
            moment = inertia @ motion.angular_acceleration + np.cross(w, inertia @ w)
            linear, angular = motion.partial_velocities(body.com), motion.partial_angular_velocities
            total += linear @ force + angular @ moment
            # What cancels within a product still rounds.
            lever = float(np.linalg.norm(body.com))
            wide = body.mass * (
                np.abs(motion.second[:3, 3]).max()
                + lever * np.abs(motion.second[:3, :3]).max()
                + np.abs(g).max()
            )
            size += np.abs(linear).sum(axis=1) * wide
            size += (
                np.abs(angular).sum(axis=1)
                * np.abs(inertia).max()
                * (np.abs(motion.angular_acceleration).max() + w @ w)
            )
        for deformed in self.deformed:
            share, terms = deformed.inertial(g)
            total, size = total + share, size + terms
        armature = self._armature()
        accelerations = np.zeros(self.directions)
        given = np.concatenate([self.values["a"], self.values["s_acceleration"]])
        accelerations[: len(given)] = given
        return total + armature * accelerations, size + armature * np.abs(accelerations)

    def _armature(self) -> Array:
        """Rotor inertia seen through the gear, on each direction."""
        total = np.zeros(self.directions)
        for joint in self.mechanism.joints:
            for speed in joint.speeds:
                if speed.array:
                    total[self.direction(speed)] += joint.armature * speed.factor**2
        return total

    def loads(self) -> tuple[Array, Array, float]:
        """(Q with a potential, Q without, potential energy): springs, losses, laws."""
        kept, other = np.zeros(self.directions), np.zeros(self.directions)
        energy = springs.between_points(self, kept, other)
        energy += springs.at_joints(self, kept, other)
        energy += stops.at_ends(self, kept, other)
        for contact in self.contacts:
            energy += contact.add_loads(kept, other, np.zeros(self.directions))
        energy += self._potentials(kept)
        for cable in self.cables:
            elastic, lossy, stored = cable.forces()
            kept, other, energy = kept + elastic, other + lossy, energy + stored
        energy += involute.at_joints(self, kept, other)
        attracted, _, pulled = self.attraction()
        kept, energy = kept + attracted, energy + pulled
        for deformed in self.deformed:
            strain, losses, stored = deformed.loads()
            kept, other, energy = kept + strain, other + losses, energy + stored
        self._applied(other)
        for force in self.mechanism.generalized_forces:
            if force.speed.array:
                other[self.direction(force.speed)] += force.speed.factor * force.value(self.named)
        for joint in self.mechanism.joints:
            self._losses(joint, other)
        self._bearings(other)
        for joint in self.mechanism.closing:
            parent, child = self.motions[joint.parent], self.motions[joint.child]
            other += closing_joint.losses(joint, parent, child)
        return kept, other, energy + self._own(kept, other)

    def _own(self, kept: Array, other: Array) -> float:
        """Elements of kinds unknown here."""
        if self._own_loads is None:
            return 0.0
        self._add(self._own_loads, kept, other)
        return self._own_loads.energy

    def between_bodies(self) -> Array:
        """Forces on all directions by those of them that act between bodies."""
        kept, other = np.zeros(self.directions), np.zeros(self.directions)
        if self.mechanism.between is not None:
            self._add(self.mechanism.between.loads(self.motions, self.named), kept, other)
        return kept + other

    def _add(self, found: OwnLoads, kept: Array, other: Array) -> None:
        """Q of wrenches on the bodies and of forces on the speeds."""
        bodies = len(self.mechanism.bodies)
        speeds = [speed for _, speeds, _ in self.mechanism.variables for speed in speeds]
        for total, share in ((kept, found.kept), (other, found.other)):
            for k, (force, moment) in enumerate(share[: 6 * bodies].reshape(-1, 2, 3)):
                motion = self.motions[k]
                total += motion.units[:, :3, 3] @ motion.rotation @ force
                total += motion.partial_angular_velocities @ motion.rotation @ moment
            for speed, value in zip(speeds, share[6 * bodies :], strict=True):
                if speed.array:
                    total[self.direction(speed)] += speed.factor * value

    @cached_property
    def _own_loads(self) -> OwnLoads | None:
        own = self.mechanism.own
        return own.loads(self.motions, self.named) if own is not None and own.acts else None

    def _cancelling(self) -> Array:
        """(directions,) forces between bodies that cancel, and still round."""
        total = sum((cable.size() for cable in self.cables), np.zeros(self.directions))
        for contact in self.contacts:
            none = np.zeros(self.directions)
            contact.add_loads(none, none.copy(), total)
        if self._own_loads is not None:
            for share in (self._own_loads.kept, self._own_loads.other):
                for k in range(len(self.mechanism.bodies)):
                    units, w = self.motions[k].units, self.motions[k].partial_angular_velocities
                    force, moment = np.abs(share[6 * k : 6 * k + 6]).reshape(2, 3).sum(axis=1)
                    total += np.abs(units[:, :3, 3]).sum(axis=1) * force
                    total += np.abs(w).sum(axis=1) * moment
        return total

    def state_rates(self) -> Array:
        """z' of the states of elements."""
        laws = self.mechanism.state_rates
        own: Iterator[float] = iter(())
        if None in laws and self.mechanism.own is not None:
            own = iter(self.mechanism.own.rates(self.motions, self.named))
        touching = {k: v for at in self.contacts for k, v in at.state_rates().items()}
        named = zip(self.mechanism.states, laws, strict=True)
        return np.array(
            [
                touching[name]
                if name in touching
                else next(own)
                if law is None
                else law(self.named)
                for name, law in named
            ]
        )

    def _losses(self, joint: WitnessJoint, other: Array) -> None:
        for k, speed in enumerate(joint.speeds):
            if not speed.array:
                continue
            u, force = speed.value(self.values), 0.0
            if joint.damping:
                force -= joint.damping[k] * u
            if joint.friction and joint.friction[k]:
                force -= joint.friction[k] * np.tanh(u / joint.friction_speed)
            other[self.direction(speed)] += speed.factor * force

    def _bearings(self, other: Array) -> None:
        bearings = self.mechanism.bearings
        for bearing in bearings:
            if bearing.joint is None:
                other += self.closing.friction(bearing)
        for bearing in bearings if self.loose is None else ():
            if bearing.joint is None or bearing.speed is None:
                continue
            loosened = NewtonEuler(self.mechanism, self.values, bearing.joint)
            inertial, _ = loosened.inertial()
            kept, lost, _ = loosened.loads()
            closing = loosened.closing.forces(loosened.directions)
            reaction = (inertial - kept - lost - closing)[-6:]
            force = friction(bearing, reaction, bearing.speed.value(self.values))
            other[self.direction(bearing.speed)] += bearing.speed.factor * force

    @cached_property
    def closing(self) -> LoopClosure:
        """Joints and constraints that close loops, with the forces that they carry."""
        return LoopClosure(self.mechanism, self.motions, self.values.get("held"))

    def _potentials(self, kept: Array) -> float:
        energy = 0.0
        for potential in self.mechanism.potentials:
            energy += potential.energy(self.named)
            for name, slope in potential.slopes.items():
                kept -= slope(self.named) * self._coordinate_rates(name)
        return energy

    def attraction(self) -> tuple[Array, Array, float]:
        """(Q, the same with all terms positive, potential energy) of attracting point masses."""
        total, size, energy = np.zeros(self.directions), np.zeros(self.directions), 0.0
        for attraction in self.mechanism.attractions:
            for attracted, motion in self._attracted():
                at = motion if attraction.about is None else self.motions[attraction.about]
                about = at.x[:3, 3] if attraction.is_expanded else None
                origin = motion.x[:3, 3]
                if isinstance(attracted, WitnessBody):
                    shares = pulls(attraction, attracted, motion.rotation, origin, about)
                else:
                    shares = attracted.pulls(attraction, at.x[:3, 3])
                    reshaped = attracted.reshaped(attraction, at.x[:3, 3])
                    total, size = total + reshaped, size + np.abs(reshaped)
                for place, force, left, share in shares:
                    lever, base = motion.partial_velocities(place), at.units[:, :3, 3]
                    total += lever @ force + base @ left
                    size += np.abs(lever) @ np.abs(force) + np.abs(base) @ np.abs(left)
                    energy += share
        return total, size, energy

    def _attracted(self) -> list[tuple[WitnessBody | DeformedBody, BodyMotion]]:
        return [*self.moving, *((body, body.motion) for body in self.deformed)]

    @cached_property
    def cables(self) -> list[Any]:
        """Cables, and what else pulls along a line, in this state."""
        found = [CableInState(cable, self._around) for cable in self.mechanism.cables]
        return [*found, *(line.in_state(self._around) for line in self.mechanism.lines)]

    @cached_property
    def contacts(self) -> list[ContactInState]:
        """Contacts in this state."""
        found = self.mechanism.contacts
        return [ContactInState(contact, self.motions, self.named) for contact in found]

    @cached_property
    def ropes(self) -> list[CableInState]:
        """Ropes that do not stretch in this state."""
        return [CableInState(rope, self._around) for rope in self.mechanism.ropes]

    @cached_property
    def tethers(self) -> list[CableInState]:
        """Tethers in this state."""
        return [CableInState(tether, self._around) for tether in self.mechanism.tethers]

    def rope_gaps(self) -> dict[str, float]:
        """L - L0 of the ropes by the names of their rows."""
        return {f"{rope.cable.name}.length": rope.length - rope.rest for rope in self.ropes}

    @property
    def _around(self) -> Around:
        speeds = np.zeros(self.directions)
        given = np.concatenate([self.values["u"], self.values["s_rate"]])
        speeds[: len(given)] = given
        return Around(self.motions, self.named, self._coordinate_rates, speeds)

    def _coordinate_rates(self, name: str) -> Array:
        """Rates of the coordinate `name` at unit speeds."""
        rates = np.zeros(self.directions)
        for coordinates, speeds, joint in self.mechanism.variables:
            names = [coordinate.name for coordinate in coordinates]
            if name not in names:
                continue
            place = names.index(name)
            rate = np.eye(len(speeds))
            if joint is not None:
                q = np.array([c.value(self.values) for c in coordinates])
                rate = coordinate_rates(joint, q)
            for k, speed in enumerate(speeds):
                if speed.array:
                    rates[self.direction(speed)] += speed.factor * rate[place, k]
        return rates

    def _applied(self, other: Array) -> None:
        for force in self.mechanism.forces:
            motion, vector = self.motions[force.at.body], self.applied(force)
            if force.is_torque:
                other += motion.partial_angular_velocities @ vector
            else:
                other += motion.partial_velocities(force.at.xyz) @ vector

    def applied(self, force: Force) -> Array:
        """A force or a torque, in world axes."""
        vector = np.array([entry(self.named) for entry in force.direction])
        vector = vector * force.magnitude(self.named)
        turned: Array = self.motions[force.at.body].rotation @ vector
        return turned if force.in_body_axes else vector

    # -- what is compared ------------------------------------------------------------------------

    def inverse_dynamics(self) -> tuple[Array, Array]:
        """(tau over all directions, size of the terms it is made of)."""
        inertial, size = self.inertial()
        kept, other, _ = self.loads()
        size = size + self.attraction()[1] + self._cancelling()
        return inertial - kept - other, size + np.abs(kept) + np.abs(other)

    def mass_matrix(self) -> Array:
        """sum J^T diag(m, I) J over the free speeds, and the rotors."""
        total: Array = np.diag(self._armature())
        for body, motion in self.moving:
            linear, angular = motion.partial_velocities(body.com), motion.partial_angular_velocities
            inertia = motion.rotation @ body.inertia @ motion.rotation.T
            total += body.mass * linear @ linear.T + angular @ inertia @ angular.T
        for deformed in self.deformed:
            total += deformed.mass_matrix()
        nu = self.mechanism.nu
        return total[:nu, :nu]

    def kinetic_energy(self) -> float:
        """sum (m v.v + w.I w)/2, and the rotors."""
        speeds = np.concatenate([self.values["u"], self.values["s_rate"]])
        total = float(self._armature() @ speeds**2) / 2
        for body, motion in self.moving:
            v, w = motion.velocity(body.com), motion.rotation.T @ motion.angular_velocity
            total += (body.mass * float(v @ v) + float(w @ body.inertia @ w)) / 2
        return total + sum(deformed.kinetic_energy() for deformed in self.deformed)

    def potential_energy(self) -> tuple[float, float]:
        """(V, size of its terms): weight and everything with a potential."""
        weight, size = 0.0, 0.0
        for body, motion in self.moving:
            share = -body.mass * float(self.mechanism.gravity @ motion.position(body.com))
            weight, size = weight + share, size + abs(share)
        for deformed in self.deformed:
            share = -float(self.mechanism.gravity @ deformed.first_moment())
            weight, size = weight + share, size + abs(share)
        energy = self.loads()[2]
        return weight + energy, size + abs(energy)

    def momentum(self) -> Array:
        """(linear, angular about the world origin), world axes."""
        p, angular = np.zeros(3), np.zeros(3)
        for body, motion in self.moving:
            share = body.mass * motion.velocity(body.com)
            spin = motion.rotation @ body.inertia @ motion.rotation.T @ motion.angular_velocity
            p, angular = p + share, angular + spin + np.cross(motion.position(body.com), share)
        total = np.concatenate([p, angular])
        return total + sum((deformed.momentum() for deformed in self.deformed), np.zeros(6))

    def center_of_mass(self) -> tuple[Array, Array]:
        """(position (3,), Jacobian (3, nu)) of the moving bodies' centre of mass."""
        mass = sum(body.mass for body, _ in self.moving)
        mass += sum(deformed.mass for deformed in self.deformed)
        place, jacobian = np.zeros(3), np.zeros((3, self.directions))
        for body, motion in self.moving:
            place += body.mass * motion.position(body.com)
            jacobian += body.mass * motion.partial_velocities(body.com).T
        for deformed in self.deformed:
            place += deformed.first_moment()
            jacobian += deformed.unit_momenta().T
        with np.errstate(invalid="ignore", divide="ignore"):
            return place / mass, jacobian[:, : self.mechanism.nu] / mass

    def frame(self, body: int, placement: Array) -> BodyMotion:
        """Motion of a frame of a body."""
        return self.motions[body].then(constant(placement, self.directions))

    def point(self, point: WitnessPoint) -> Array:
        """Position of a point of a body in the world."""
        return self.motions[point.body].position(point.xyz)
