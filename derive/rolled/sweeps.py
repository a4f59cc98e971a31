"""Calls of the steps over the links and speeds of a tree, and the arrays that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from eomc.derive.geometry import Inertia
from eomc.derive.graph import Call, Expression, ForLoop, RolledArgument, RolledArray, RolledStep
from eomc.derive.rolled import steps
from eomc.derive.rolled.force_rows import ForceRows
from eomc.derive.rolled.layouts import (
    ARTICULATED,
    INERTIA,
    MOTION,
    POSE,
    ROTATION,
    SPATIAL_MOTION,
    WRENCH,
)
from eomc.derive.rolled.link_tables import ConstantTable, LinkTables
from eomc.derive.rolled.speed_pairs import SpeedPairs
from eomc.derive.rolled.step_builder import RowConstants

# Speeds of joints with several of them: columns of all these take the same operations.
_SEVERAL = "column"

# Numbers of each link in the arrays in which the world has the first part.
_SIZES = {
    "motion": MOTION.size,
    "wrench": WRENCH.size,
    "twist": SPATIAL_MOTION.size,
    "composite": INERTIA.size,
    "shown": ARTICULATED.size,
    "turn": ROTATION.size,
}


class SharedSweeps:
    """Each property is one call, made once, so that all functions share the steps."""

    def __init__(self, tables: LinkTables) -> None:
        self.tables, self.tree, self.count = tables, tables.tree, tables.count
        self.speed_links = tuple(
            k for k, link in enumerate(self.tree.links) for _ in range(link.motion.speeds)
        )
        self.speed_count = len(self.speed_links)
        first = {link: self.speed_links.index(link) for link in self.speed_links}
        self.place_in_link = tuple(k - first[link] for k, link in enumerate(self.speed_links))
        self.speeds = tuple(
            self.tree.links[link].speeds[place].index
            for link, place in zip(self.speed_links, self.place_in_link, strict=True)
        )

    @cached_property
    def above(self) -> tuple[int, ...]:
        """The next speed on the way to the base: of the same link or of its parent; -1 none."""
        last = {link: k for k, link in enumerate(self.speed_links)}
        parents = self.tables.parents
        return tuple(
            k - 1 if place else last.get(parents[link] - 1, -1)
            for k, (link, place) in enumerate(
                zip(self.speed_links, self.place_in_link, strict=True)
            )
        )

    @cached_property
    def pairs(self) -> SpeedPairs:
        """Of speeds on the way of each other."""
        return SpeedPairs(self.above)

    def matrix(self, name: str, pitch: int, apart: int = 1) -> RolledArray:
        """One over the speeds, in rows of so many numbers, zero where no two of them meet."""
        zeros = dict.fromkeys(self.pairs.unmet(self.speeds, pitch), self.tree.zero.node)
        return RolledArray(name, self.tree.nu * pitch, zeros, apart=apart)

    @staticmethod
    def distinct(arrays: Iterable[RolledArray]) -> tuple[RolledArray, ...]:
        """Each array once."""
        return tuple({array.name: array for array in arrays}.values())

    def _zeros(self, name: str, size: int, world: int) -> RolledArray:
        """An array by links whose first `world` entries, those of the world, are zero."""
        return RolledArray(name, size, dict.fromkeys(range(world), self.tree.zero.node))

    def rest(self, name: str) -> RolledArray:
        """Speeds of any link at rest."""
        size = max(link.motion.speeds for link in self.tree.links)
        return self._zeros(name, size, size)

    # -- where arguments stand -------------------------------------------------------------------

    @cached_property
    def _by_link(self) -> Mapping[str, RolledArgument]:
        """Arguments of steps over links by name, but for those of the parent."""
        tables = self.tables
        return {
            **{name: self._own(name) for name in _SIZES},
            "pose": RolledArgument("pose", tuple(POSE.size * k for k in range(self.count))),
            "q": RolledArgument("q", tuple(link.coordinates[0].index for link in self.tree.links)),
            "u": RolledArgument("u", tables.speed_places),
            "energy": RolledArgument("T", (0,) * self.count),
            "placement": tables.placement[1].piece,
            "inertia": tables.inertia[1].piece,
            "subspace": tables.subspace[1].piece,
        }

    def _own(self, array: str) -> RolledArgument:
        return RolledArgument(array, tuple(_SIZES[array] * (k + 1) for k in range(self.count)))

    def _parent(self, array: str) -> RolledArgument:
        return RolledArgument(array, tuple(_SIZES[array] * k for k in self.tables.parents))

    @cached_property
    def _by_speed(self) -> Mapping[str, RolledArgument]:
        """Arguments of steps over speeds by name, but for those of the parent."""
        of_link, kept = (*_SIZES, "pose"), steps.ELIMINATED.size
        return {
            **{name: self._at_links(self._by_link[name]) for name in of_link},
            "column": self.columns.piece,
            "armature": self.rotors[1].piece,
            "kept": RolledArgument("kept", tuple(kept * k for k in range(self.speed_count))),
        }

    def _at_links(self, piece: RolledArgument) -> RolledArgument:
        """The part of the link of each speed."""
        return RolledArgument(piece.array, tuple(piece.offsets[link] for link in self.speed_links))

    def _single(self, array: str) -> RolledArgument:
        """The same numbers for every speed."""
        return RolledArgument(array, (0,) * self.speed_count)

    def _each_link(self, found: Sequence[RolledStep], **more: RolledArgument) -> Call:
        """A step by kind of link."""
        return Call(tuple(found), self.tables.kind_row, {**self._by_link, **more})

    def _all_links(self, step: RolledStep, **more: RolledArgument) -> Call:
        """One step for all links."""
        return Call((step,), (0,) * self.count, {**self._by_link, **more})

    def of_kinds(
        self, make: Callable[[str, int, RowConstants, RowConstants], RolledStep]
    ) -> list[RolledStep]:
        """A step of name, number of speeds, subspace and inertia for each kind of link."""
        tables = self.tables
        kinds = zip(tables.kinds, tables.subspace[0], tables.inertia[0], strict=True)
        return [
            make(kind.name, self.tree.links[kind.links[0]].motion.speeds, own, body)
            for kind, own, body in kinds
        ]

    def _each_speed(
        self, make: Callable[[str, RowConstants], RolledStep], **more: RolledArgument
    ) -> Call:
        """A step by kind of column."""
        kinds = zip(self.column_kinds, self.column_numbers, strict=True)
        found = tuple(make(name, own) for name, own in kinds)
        return Call(found, self.column_row, {**self._by_speed, **more})

    # -- forces ----------------------------------------------------------------------------------

    @cached_property
    def taken(self) -> ForceRows:
        """Forces that a motion takes on each speed of its own."""
        return ForceRows(self.tables, driven=False)

    @cached_property
    def left(self) -> ForceRows:
        """Forces that are left on the speeds."""
        return ForceRows(self.tables, driven=True)

    # -- inverse dynamics ------------------------------------------------------------------------

    @cached_property
    def pose_arrays(self) -> tuple[RolledArray, ...]:
        """Poses, and what they are made of."""
        return (RolledArray("pose", POSE.size * self.count), *self.tables.placement[1].arrays)

    @cached_property
    def pose(self) -> Call:
        """Pose of each link in its parent."""
        return self._each_link(
            [
                steps.pose_step(kind.name, self.tree.links[kind.links[0]].motion, own)
                for kind, own in zip(self.tables.kinds, self.tables.placement[0], strict=True)
            ]
        )

    @property
    def body_arrays(self) -> tuple[RolledArray, ...]:
        """Constants of bodies and motion subspaces."""
        return (*self.tables.inertia[1].arrays, *self.tables.subspace[1].arrays)

    @property
    def wrench_array(self) -> RolledArray:
        """Wrenches of all links, before anything has come to the base."""
        return self._link_array("wrench")

    def _link_array(self, name: str) -> RolledArray:
        """An array by links that is zero at the world."""
        return self._zeros(name, _SIZES[name] * (self.count + 1), _SIZES[name])

    def outward_arrays(self, *, loaded: bool) -> tuple[RolledArray, ...]:
        """Motions, wrenches, and what they are made of; `loaded` counts outer forces in."""
        motion, wrench = self._link_array("motion"), self.wrench_array
        base = {6 + k: entry.node for k, entry in enumerate(-self.tree.gravity)}
        if self.tables.wrenches:
            wrench = self._zeros("wrench", wrench.size, wrench.size)
            outer = self.tables.wrenches if loaded else {}
            wrench = RolledArray("wrench", wrench.size, {**wrench.start, **outer})
        motion = RolledArray("motion", motion.size, {**motion.start, **base})
        return (*self.pose_arrays, motion, wrench, *self.body_arrays)

    @cached_property
    def _outward_steps(self) -> list[RolledStep]:
        loaded = bool(self.tables.wrenches)
        return self.of_kinds(
            lambda name, speeds, own, body: steps.outward_step(
                name, speeds, own, body, loaded=loaded
            )
        )

    def outward(self, u: str, a: str) -> Call:
        """Motion and wrench of each link, at speeds and accelerations of these arrays."""
        places = self.tables.speed_places
        rates = {
            name: RolledArgument(array, places if array == name else (0,) * len(places))
            for name, array in (("u", u), ("a", a))
        }
        return self._each_link(self._outward_steps, parent=self._parent("motion"), **rates)

    @cached_property
    def _project_steps(self) -> list[RolledStep]:
        shared = self.tables.shares_speeds
        return self.of_kinds(
            lambda name, speeds, own, _: steps.project_step(name, speeds, own, shared=shared)
        )

    def project(self, force: str) -> Call:
        """Generalized forces of the wrench on each link."""
        return self._each_link(
            self._project_steps, force=RolledArgument(force, self.tables.speed_places)
        )

    @cached_property
    def carry_wrench(self) -> Call:
        """The wrench on each link, on its parent."""
        return self._all_links(steps.carry_wrench_step(), parent=self._parent("wrench"))

    # -- columns of single speeds ----------------------------------------------------------------

    @cached_property
    def column_kinds(self) -> dict[str, list[int]]:
        """Speeds (in order of links) by what their columns are like."""
        found: dict[str, list[int]] = {}
        for k, link in enumerate(self.speed_links):
            kind = self.tables.kinds[self.tables.kind_of[link]]
            alone = self.tree.links[link].motion.speeds == 1
            found.setdefault(kind.name if alone else _SEVERAL, []).append(k)
        return found

    @cached_property
    def column_row(self) -> tuple[int, ...]:
        names = {k: n for n, own in enumerate(self.column_kinds.values()) for k in own}
        return tuple(names[k] for k in range(self.speed_count))

    def _by_column(
        self, name: str, rows: Sequence[Sequence[Expression]]
    ) -> tuple[list[RowConstants], ConstantTable]:
        """Constants of each kind of column, and those of each speed that vary within its kind."""
        constants = [RowConstants([rows[k] for k in own]) for own in self.column_kinds.values()]
        varying = [constants[self.column_row[k]].of(row) for k, row in enumerate(rows)]
        return constants, ConstantTable(name, varying)

    @cached_property
    def _columns(self) -> tuple[list[RowConstants], ConstantTable]:
        places = zip(self.speed_links, self.place_in_link, strict=True)
        columns = [self.tables.system.pose[link].columns[place] for link, place in places]
        return self._by_column("columns", [[*s.angular, *s.linear] for s in columns])

    @property
    def column_numbers(self) -> list[RowConstants]:
        return self._columns[0]

    @property
    def columns(self) -> ConstantTable:
        """Columns, as far as they vary."""
        return self._columns[1]

    # -- mass matrix -----------------------------------------------------------------------------

    def composite_arrays(self, ground: Inertia) -> tuple[RolledArray, ...]:
        """Inertias of subtrees, before anything has come to that of the base, and of bodies."""
        start = {k: entry.node for k, entry in enumerate(INERTIA.write(ground))}
        size = INERTIA.size * (self.count + 1)
        return (RolledArray("composite", size, start), *self.tables.inertia[1].arrays)

    @cached_property
    def own_composite(self) -> Call:
        """Inertias of the bodies, to become those of their subtrees."""
        return self._each_link(
            self.of_kinds(lambda name, _, __, body: steps.own_composite_step(name, body))
        )

    @cached_property
    def carry_composite(self) -> Call:
        """The inertia of each subtree, to its parent."""
        return self._all_links(steps.carry_composite_step(), parent=self._parent("composite"))

    @cached_property
    def momentum(self) -> Call:
        """Momentum of each unit speed."""
        return self._each_speed(steps.momentum_step, wrench=self._single("carried"))

    @cached_property
    def armature(self) -> ConstantTable:
        """Rotors on single speeds."""
        rotors = self.tree.armature.values()
        return ConstantTable("armature", [[rotor.node] for rotor in rotors])

    def add_armature(self, matrix: str, pitch: int) -> list[ForLoop]:
        """Rotors on the diagonal of M, whose rows are so long."""
        speeds = tuple(self.tree.armature)
        if not speeds:
            return []
        diagonal = RolledArgument(matrix, tuple((pitch + 1) * speed for speed in speeds))
        pieces = {"sum": diagonal, "term": self.armature.piece}
        return [ForLoop(len(speeds), (Call((steps.add_step(),), (0,) * len(speeds), pieces),))]

    # -- forward dynamics ------------------------------------------------------------------------

    @cached_property
    def articulated_arrays(self) -> tuple[RolledArray, ...]:
        """Articulated inertias, and what the way back needs of each speed."""
        return (
            self._link_array("shown"),
            RolledArray("kept", steps.ELIMINATED.size * self.speed_count),
            *self.columns.arrays,
            *self.rotors[1].arrays,
        )

    @cached_property
    def own_articulated(self) -> Call:
        """Inertias of the bodies alone."""
        return self._each_link(
            self.of_kinds(lambda name, _, __, body: steps.articulated_step(name, body))
        )

    @cached_property
    def rotors(self) -> tuple[list[RowConstants], ConstantTable]:
        """Inertias of rotors, by kinds of columns."""
        armature, zero = self.tree.armature, self.tree.zero
        return self._by_column("rotors", [[armature.get(speed, zero)] for speed in self.speeds])

    @cached_property
    def _eliminate_steps(self) -> tuple[RolledStep, ...]:
        kinds = zip(self.column_kinds, self.column_numbers, self.rotors[0], strict=True)
        return tuple(steps.eliminate_step(*kind) for kind in kinds)

    def eliminate(self, force: str) -> Call:
        """Each speed out of the inertia of its link."""
        pieces = {**self._by_speed, "force": RolledArgument(force, self.speeds)}
        return Call(self._eliminate_steps, self.column_row, pieces)

    @cached_property
    def first_of_link(self) -> tuple[int, ...]:
        """0 at the first speed of each link, -1 at others."""
        return tuple(0 if place == 0 else -1 for place in self.place_in_link)

    def _each_first(self, step: RolledStep, **arrays: str) -> Call:
        """One step at the first speed of each link; `arrays` names those of the parent."""
        pieces = {name: self._at_links(self._parent(array)) for name, array in arrays.items()}
        # Accelerations take the place of the motions, which are no longer needed: the world's is
        # zero there too.
        added = {"added": self._by_speed["motion"]}
        return Call((step,), self.first_of_link, {**self._by_speed, **added, **pieces})

    @cached_property
    def carry_articulated(self) -> Call:
        """After the last elimination at a link, of its first speed, what is left to the parent."""
        arrays = {"parent_shown": "shown", "parent_wrench": "wrench"}
        return self._each_first(steps.carry_articulated_step(), **arrays)

    @cached_property
    def follow(self) -> Call:
        """Before the first speed of a link, the acceleration of its parent."""
        return self._each_first(steps.follow_step(), parent="motion")

    @cached_property
    def accelerate(self) -> Call:
        """Accelerations, base to tip."""
        added, a = self._by_speed["motion"], RolledArgument("a", self.speeds)
        return self._each_speed(steps.accelerate_step, added=added, a=a)
