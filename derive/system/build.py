"""From a model's declaration to the tree that the recursions run over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import sympy

from eomc.derive.bodies.body import Body
from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.geometry import Inertia, MatrixRotation, Rotation, Vector
from eomc.derive.graph import Expression, Graph, constant, symbols
from eomc.derive.joints import Fixed
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.pose import pose
from eomc.derive.language.naming import WORLD as WORLD_NAME
from eomc.derive.model.model import Model
from eomc.derive.motions.deformation import Deformation, InternalCoordinate
from eomc.derive.motions.motion import Motion
from eomc.derive.placement.placement import Placement
from eomc.derive.tree.axes import canonical_axes, factors
from eomc.derive.tree.draft import Draft, LinkFrame, declared_inertia
from eomc.derive.tree.finite import finite
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree, TreeLink
from eomc.derive.tree.origins import canonical_origins
from eomc.derive.tree.regroup import regroup
from eomc.derive.tree.scalars import Scalars

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.bodies.shape import DeformedShape
    from eomc.derive.joints.place import DeformedPlace


def build_tree(model: Model, graph: Graph, symbolic: Collection[str] = ()) -> LinkTree:
    """Links of `model` on `graph`; parameters named in `symbolic` stay symbols."""
    return _Builder(model, graph, symbolic).tree()


def drafts_of(
    model: Model, graph: Graph, symbolic: Collection[str], inertia: Callable[[str], Inertia]
) -> list[Draft]:
    """Links of `model` before anything is regrouped; bodies have the `inertia` of their names, in
    their own frames."""
    builder = _Builder(model, graph, symbolic, inertia)
    builder.add_links()
    return builder.drafts


class _Builder:
    def __init__(
        self,
        model: Model,
        graph: Graph,
        symbolic: Collection[str],
        inertia: Callable[[str], Inertia] | None = None,
    ) -> None:
        self.model = model
        self.scalars = Scalars(graph, model.parameters, symbolic)
        self.inertia = inertia or self._declared
        self.graph = graph
        zero = constant(graph, 0)
        self.zero = zero
        self.still = Vector(zero, zero, zero)
        self.drafts: list[Draft] = []
        self.shapes: dict[str, DeformedShape] = {}
        self.frames: dict[str, LinkFrame] = {
            WORLD_NAME: LinkFrame(WORLD, self._identity(), self.still)
        }
        self.armature: dict[int, Expression] = {}
        self.prescribed_armature: dict[int, Expression] = {}
        self.prescribed = model.prescribed_coordinates()
        self.coordinate_index = {name: i for i, name in enumerate(model.coordinates)}
        self.speed_index = {name: i for i, name in enumerate(model.speeds)}
        self.prescribed_names: list[str] = []
        self.coordinate_of: dict[str, LinkCoordinate] = {}
        self.speed_of: dict[str, LinkCoordinate] = {}
        self.variables: dict[str, Expression] = {}
        self.joint_speeds: dict[str, tuple[LinkCoordinate, ...]] = {}

    def _declared(self, body: str) -> Inertia:
        return declared_inertia(self.model.bodies[body], self.scalars)

    def add_links(self) -> None:
        """Drafts of all links, and the frames of bodies in them."""
        order = self.model.tree()
        for joint in order:
            names: tuple[str, ...] = ()
            if joint.mimic is None and not joint.is_fixed:
                names = joint.coordinates
            if joint.child in self.model.deformables:
                names += self.model.deformables[joint.child].coordinates
            self.prescribed_names += [n for n in names if n in self.prescribed]
        for joint in order:
            with finite(f"joint {joint.name!r}", joint.source):
                self._add(joint)

    def tree(self) -> LinkTree:
        """The tree of links that the recursions run over."""
        self.add_links()
        # What is welded to the base from the start is the ground and no part of the mechanism.
        ground = regroup(self.drafts, Inertia.zero(self.zero))
        canonical_axes(self.drafts, self.frames)
        canonical_origins(self.drafts, self.frames)
        return LinkTree(
            graph=self.graph,
            links=tuple(self._link(draft) for draft in self.drafts),
            coordinate_names=self.model.coordinates,
            speed_names=self.model.speeds,
            prescribed_names=tuple(self.prescribed_names),
            gravity=self.scalars.vector(self.model.gravity),
            ground=ground,
            armature=self.armature,
            prescribed_armature=self.prescribed_armature,
            coordinate_of=self.coordinate_of,
            speed_of=self.speed_of,
            joint_speeds=self.joint_speeds,
            pose_of={
                name: (frame.link, Rotation([frame.rotation]), frame.origin)
                for name, frame in self.frames.items()
            },
        )

    def _identity(self) -> MatrixRotation:
        one, zero = self.zero + 1, self.zero
        return MatrixRotation(
            (Vector(one, zero, zero), Vector(zero, one, zero), Vector(zero, zero, one))
        )

    def _fixed(self, placement: Placement) -> Fixed:
        return Fixed(self.scalars.rotation(placement.matrix), self.scalars.vector(placement.xyz))

    def _add(self, joint: Joint) -> None:
        frame = self.frames[joint.parent].moved(*_parts(self._fixed(joint.placement)))
        kind = joint.declaration
        if kind.rides:
            frame = self._add_place(joint, cast("DeformedPlace", kind))
        elif joint.locked is not None:
            frame = frame.moved(*_parts(self._fixed(pose(joint, joint.locked))))
        else:
            frame = self._add_motions(joint, frame)
        frame = frame.moved(*_parts(self._fixed(joint.child_placement.inverse())))
        inertia = self.inertia(joint.child)
        body = self.model.deformables.get(joint.child)
        if body is not None and body.coordinates:
            frame = self._add_deformation(body, frame)
        elif body is not None:  # all of it is held
            inertia = self._shape(body).body(inertia, ()).inertia
        self.frames[joint.child] = frame
        if frame.link != WORLD:
            draft = self.drafts[frame.link]
            draft.inertia = draft.inertia + frame.carried(inertia)

    def _add_motions(self, joint: Joint, frame: LinkFrame) -> LinkFrame:
        coordinates, speeds = self._references(joint)
        for step in joint.declaration.steps(joint, self.scalars):
            if isinstance(step, Fixed):
                frame = frame.moved(step.rotation, step.origin)
                continue
            self.drafts.append(
                Draft(
                    joint.name,
                    frame.link,
                    frame.rotation,
                    frame.origin,
                    step,
                    tuple(coordinates[: step.coordinates]),
                    tuple(speeds[: step.speeds]),
                    Inertia.zero(self.zero),
                )
            )
            del coordinates[: step.coordinates], speeds[: step.speeds]
            frame = LinkFrame(len(self.drafts) - 1, self._identity(), self.still)
        return frame

    # -- deformable bodies -----------------------------------------------------------------------

    def _add_draft(
        self, name: str, frame: LinkFrame, motion: Motion, followed: Sequence[str] = ()
    ) -> LinkFrame:
        """A massless link: it owns the coordinate `name`, or follows those named."""
        names = followed or (name,)
        coordinates, speeds = (
            tuple(replace(table[entry], follows=bool(followed)) for entry in names)
            for table in (self.coordinate_of, self.speed_of)
        )
        rest = Inertia.zero(self.zero)
        self.drafts.append(
            Draft(name, frame.link, frame.rotation, frame.origin, motion, coordinates, speeds, rest)
        )
        return LinkFrame(len(self.drafts) - 1, self._identity(), self.still)

    def _own(self, name: str) -> str:
        """The coordinate `name`, whose rate is a speed of the same name."""
        coordinate = self._at(name, self.coordinate_index, None, None)
        self.coordinate_of[name] = coordinate
        self.speed_of[name] = self._at(name, self.speed_index, None, None)
        self.variables[name] = coordinate.value(
            symbols(self.graph, "s" if coordinate.prescribed else "q", coordinate.index + 1)
        )
        return name

    def _add_deformation(self, body: Deformable, frame: LinkFrame) -> LinkFrame:
        """Internal coordinates, then the link of the body: its frame at rest is the body frame."""
        for name, neutral in zip(body.coordinates, body.form.neutral, strict=True):
            frame = self._add_draft(self._own(name), frame, InternalCoordinate(neutral))
        lent = body.coordinates
        frame = self._add_draft(body.name, frame, Deformation(len(lent)), lent)
        self.drafts[frame.link].form = self._shape(body)
        return frame

    def _shape(self, body: Deformable) -> DeformedShape:
        """A form on the graph, once."""
        if body.name not in self.shapes:
            self.shapes[body.name] = body.on_graph(
                lambda entry: self.scalars(entry, self.variables)
            )
        return self.shapes[body.name]

    def _add_place(self, joint: Joint, kind: DeformedPlace) -> LinkFrame:
        """The station of a deformable parent at which the child sits, or along which it rides."""
        from eomc.derive.joints.place import FollowedMotion, followed

        body = self.model.deformables[joint.parent]
        known = list(body.symbols)
        frame = self.frames[joint.parent]
        station = kind.station(joint)
        for name in () if joint.is_fixed else joint.coordinates:
            self._references(joint)
            frame = self._add_draft(self._own(name), frame, InternalCoordinate())
            known.append(sympy.Symbol(name))
        frame = frame.moved(self._identity(), self.scalars.vector(joint.placement.xyz))
        if (motion := self._shape(body).place(body.form.read_station(station))) is not None:
            frame = self._add_station(joint, frame, motion, body.coordinates)
        else:
            for step in followed(body.form.attachment(station, body.symbols), known, self.scalars):
                if isinstance(step, FollowedMotion):
                    frame = self._add_draft(joint.name, frame, step.motion, step.names)
                else:
                    frame = frame.moved(step.rotation, step.origin)
        return frame.moved(self.scalars.rotation(joint.placement.matrix), self.still)

    def _add_station(
        self, joint: Joint, frame: LinkFrame, motion: Motion, names: Sequence[str]
    ) -> LinkFrame:
        """A place that moves as the coordinates of its body do; fixed if these are all held."""
        if names:
            return self._add_draft(joint.name, frame, motion, names)
        rotation, origin = motion.pose(())
        return frame.moved(rotation.matrix(self.zero), origin)

    def _references(self, joint: Joint) -> tuple[list[LinkCoordinate], list[LinkCoordinate]]:
        """Places of the joint's coordinates and speeds in the arrays q and u (or s)."""
        factor: Expression | None = None
        offset: Expression | None = None
        source = joint
        # q = multiplier * q_followed + offset, composed along a chain of followers
        while source.mimic is not None:
            multiplier = self.scalars(source.mimic.multiplier)
            shift = self.scalars(source.mimic.offset)
            shift = shift if factor is None else factor * shift
            offset = shift if offset is None else offset + shift
            factor = multiplier if factor is None else factor * multiplier
            source = self.model.joints[source.mimic.joint]
        coordinates = [
            self._at(n, self.coordinate_index, factor, offset) for n in source.coordinates
        ]
        speeds = [self._at(n, self.speed_index, factor, None) for n in source.speeds]
        self.coordinate_of.update(zip(joint.coordinates, coordinates, strict=True))
        self.speed_of.update(zip(joint.speeds, speeds, strict=True))
        self.joint_speeds[joint.name] = tuple(speeds)
        self._add_armature(joint, speeds)
        return coordinates, speeds

    def _at(
        self, name: str, index: dict[str, int], factor: Expression | None, offset: Expression | None
    ) -> LinkCoordinate:
        if name in self.prescribed:
            return LinkCoordinate(
                self.prescribed_names.index(name), factor, offset, prescribed=True
            )
        return LinkCoordinate(index[name], factor, offset)

    def _add_armature(self, joint: Joint, speeds: list[LinkCoordinate]) -> None:
        """Rotor inertia as seen through the gear: n^2 I_r on the joint's own speed."""
        armature = self.scalars(joint.rotor_inertia) * self.scalars(joint.gear_ratio) ** 2
        if armature.is_zero:
            return
        for speed in speeds:
            share = armature if speed.factor is None else armature * speed.factor**2
            table = self.prescribed_armature if speed.prescribed else self.armature
            known = table.get(speed.index)
            table[speed.index] = share if known is None else known + share

    def _link(self, draft: Draft) -> TreeLink:
        return TreeLink(
            draft.name,
            draft.parent,
            factors(draft.rotation),
            draft.offset,
            draft.motion,
            draft.coordinates,
            draft.speeds,
            self._body(draft),
        )

    def _body(self, draft: Draft) -> Body:
        if draft.form is None:
            return RigidBody(draft.inertia)
        names = [LinkCoordinate(c.index, prescribed=c.prescribed) for c in draft.coordinates]
        size = max(c.index for c in names) + 1
        q, s = symbols(self.graph, "q", size), symbols(self.graph, "s", size)
        xi = [c.value(s if c.prescribed else q) for c in names]
        return draft.form.body(draft.inertia, xi)


def _parts(fixed: Fixed) -> tuple[MatrixRotation, Vector]:
    return fixed.rotation, fixed.origin
