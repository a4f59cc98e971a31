"""Calls of the steps over the links and speeds of a tree, and the arrays that they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from eomc.derive.geometry import Inertia
from eomc.derive.graph import Array, Call, Climb, Expression, Loop, Piece, Step
from eomc.derive.loops import steps
from eomc.derive.loops.recursions import Constants, Recursions
from eomc.derive.loops.sketch import Numbers

# Speeds of joints with several of them: columns of all these take the same operations.
_SEVERAL = "column"


class Sweeps:
    """Each property is one call, made once, so that all functions share the steps."""

    def __init__(self, rows: Recursions) -> None:
        self.rows, self.tree, self.count = rows, rows.tree, rows.count
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

    @staticmethod
    def distinct(arrays: Iterable[Array]) -> tuple[Array, ...]:
        """Each array once."""
        return tuple({array.name: array for array in arrays}.values())

    def _zeros(self, name: str, size: int, world: int) -> Array:
        """An array by links whose first `world` entries, those of the world, are zero."""
        return Array(name, size, dict.fromkeys(range(world), self.tree.zero.node))

    def rest(self, name: str) -> Array:
        """Speeds of any link at rest."""
        size = max(link.motion.speeds for link in self.tree.links)
        return self._zeros(name, size, size)

    def _each_link(self, steps_of: Sequence[Step], pieces: dict[str, Piece]) -> Call:
        return Call(tuple(steps_of), self.rows.kind_row, pieces)

    def _all_links(self, step: Step, pieces: dict[str, Piece]) -> Call:
        return Call((step,), (0,) * self.count, pieces)

    # -- inverse dynamics ------------------------------------------------------------------------

    @cached_property
    def pose_arrays(self) -> tuple[Array, ...]:
        """Poses, and what they are made of."""
        return (Array("pose", steps.POSE * self.count), *self.rows.placement[1].arrays)

    @cached_property
    def pose(self) -> Call:
        """Pose of each link in its parent."""
        numbers, constants = self.rows.placement
        found = [
            steps.pose_step(kind.name, self.tree.links[kind.links[0]].motion, own)
            for kind, own in zip(self.rows.kinds, numbers, strict=True)
        ]
        places = tuple(link.coordinates[0].index for link in self.tree.links)
        pieces = {"q": Piece("q", places), "pose": self.rows.pose, "placement": constants.piece}
        return self._each_link(found, pieces)

    @property
    def wrench_array(self) -> Array:
        """Wrenches of all links, before anything has come to the base."""
        return self._zeros("wrench", steps.WRENCH * (self.count + 1), steps.WRENCH)

    def outward_arrays(self, *, loaded: bool) -> tuple[Array, ...]:
        """Motions, wrenches, and what they are made of; `loaded` counts outer forces in."""
        zero, size = self.tree.zero.node, self.count + 1
        wrench = self.wrench_array
        base = (-self.tree.gravity.x, -self.tree.gravity.y, -self.tree.gravity.z)
        start = {**dict.fromkeys(range(6), zero), **{6 + k: e.node for k, e in enumerate(base)}}
        if self.rows.wrenches:
            outer = self.rows.wrenches if loaded else {}
            wrench = self._zeros("wrench", wrench.size, wrench.size)
            wrench = Array("wrench", wrench.size, {**wrench.start, **outer})
        return (
            *self.pose_arrays,
            Array("motion", steps.MOTION * size, start),
            wrench,
            *self.rows.inertia[1].arrays,
            *self.rows.subspace[1].arrays,
        )

    @cached_property
    def _outward_steps(self) -> list[Step]:
        return [
            steps.outward_step(
                kind.name,
                self.tree.links[kind.links[0]].motion.speeds,
                subspace,
                body,
                bool(self.rows.wrenches),
            )
            for kind, subspace, body in zip(
                self.rows.kinds, self.rows.subspace[0], self.rows.inertia[0], strict=True
            )
        ]

    def outward(self, u: str, a: str) -> Call:
        """Motion and wrench of each link, at speeds and accelerations of these arrays."""

        def piece(array: str) -> Piece:
            places = self.rows.speed_places
            return Piece(array, places if array in ("u", "a") else (0,) * len(places))

        pieces = {
            "pose": self.rows.pose,
            "parent": self.rows.parent("motion", steps.MOTION),
            "motion": self.rows.own("motion", steps.MOTION),
            "wrench": self.rows.own("wrench", steps.WRENCH),
            "u": piece(u),
            "a": piece(a),
            "subspace": self.rows.subspace[1].piece,
            "inertia": self.rows.inertia[1].piece,
        }
        return self._each_link(self._outward_steps, pieces)

    @property
    def projection(self) -> Constants:
        """What projections on the motion subspaces take."""
        return self.rows.subspace[1]

    @cached_property
    def _project_steps(self) -> list[Step]:
        return [
            steps.project_step(
                kind.name,
                self.tree.links[kind.links[0]].motion.speeds,
                own,
                self.rows.shares_speeds,
            )
            for kind, own in zip(self.rows.kinds, self.rows.subspace[0], strict=True)
        ]

    def project(self, force: str) -> Call:
        """Generalized forces of the wrench on each link."""
        pieces = {
            "wrench": self.rows.own("wrench", steps.WRENCH),
            "force": Piece(force, self.rows.speed_places),
            "subspace": self.projection.piece,
        }
        return self._each_link(self._project_steps, pieces)

    @cached_property
    def carry_wrench(self) -> Call:
        """The wrench on each link, on its parent."""
        pieces = {
            "pose": self.rows.pose,
            "wrench": self.rows.own("wrench", steps.WRENCH),
            "parent": self.rows.parent("wrench", steps.WRENCH),
        }
        return self._all_links(steps.carry_step(), pieces)

    # -- columns of single speeds ----------------------------------------------------------------

    @cached_property
    def _column_kinds(self) -> dict[str, list[int]]:
        """Speeds (in order of links) by what their columns are like."""
        found: dict[str, list[int]] = {}
        for k, link in enumerate(self.speed_links):
            kind = self.rows.kinds[self.rows.kind_of[link]]
            alone = self.tree.links[link].motion.speeds == 1
            found.setdefault(kind.name if alone else _SEVERAL, []).append(k)
        return found

    @cached_property
    def _column_row(self) -> tuple[int, ...]:
        names = {k: n for n, own in enumerate(self._column_kinds.values()) for k in own}
        return tuple(names[k] for k in range(self.speed_count))

    def _column(self, k: int) -> list[Expression]:
        link, place = self.speed_links[k], self.place_in_link[k]
        angular, linear = self.rows.system.pose[link].columns[place]
        return [*angular, *linear]

    @cached_property
    def _column_numbers(self) -> list[Numbers]:
        return [Numbers([self._column(k) for k in own]) for own in self._column_kinds.values()]

    @cached_property
    def columns(self) -> Constants:
        """Columns, as far as they vary."""
        kinds, numbers = self._column_row, self._column_numbers
        return Constants(
            "columns", [numbers[kinds[k]].of(self._column(k)) for k in range(self.speed_count)]
        )

    def _of_link(self, array: str, size: int) -> Piece:
        return Piece(array, tuple(size * (link + 1) for link in self.speed_links))

    def _of_parent(self, array: str, size: int) -> Piece:
        return Piece(array, tuple(size * self.rows.parents[link] for link in self.speed_links))

    @cached_property
    def _link_pose(self) -> Piece:
        return Piece("pose", tuple(steps.POSE * link for link in self.speed_links))

    # -- mass matrix -----------------------------------------------------------------------------

    def composite_arrays(self, ground: Inertia) -> tuple[Array, ...]:
        """Inertias of subtrees, before anything has come to that of the base, and of bodies."""
        entries = (ground.mass, *ground.first, *ground.second.entries)
        start = {k: entry.node for k, entry in enumerate(entries)}
        size = steps.COMPOSITE * (self.count + 1)
        return (Array("composite", size, start), *self.rows.inertia[1].arrays)

    @cached_property
    def own_composite(self) -> Call:
        """Inertias of the bodies, to become those of their subtrees."""
        numbers, constants = self.rows.inertia
        found = [
            steps.own_composite_step(kind.name, own)
            for kind, own in zip(self.rows.kinds, numbers, strict=True)
        ]
        own = self.rows.own("composite", steps.COMPOSITE)
        return self._each_link(found, {"composite": own, "inertia": constants.piece})

    @cached_property
    def carry_composite(self) -> Call:
        """The inertia of each subtree, to its parent."""
        pieces = {
            "pose": self.rows.pose,
            "composite": self.rows.own("composite", steps.COMPOSITE),
            "parent": self.rows.parent("composite", steps.COMPOSITE),
        }
        return self._all_links(steps.composite_step(), pieces)

    @cached_property
    def momentum(self) -> Call:
        """Momentum of each unit speed."""
        found = [
            steps.momentum_step(name, own)
            for name, own in zip(self._column_kinds, self._column_numbers, strict=True)
        ]
        pieces = {
            "composite": self._of_link("composite", steps.COMPOSITE),
            "column": self.columns.piece,
            "wrench": Piece("carried", (0,) * self.speed_count),
        }
        return Call(tuple(found), self._column_row, pieces)

    def meet_own(self, matrix: str) -> Call:
        """Row of M by all speeds of the same link."""
        entries = tuple(
            self.tree.nu * speed + self.rows.speed_places[link]
            for speed, link in zip(self.speeds, self.speed_links, strict=True)
        )
        subspace = tuple(self.projection.piece.offsets[link] for link in self.speed_links)
        pieces = {
            "wrench": Piece("carried", (0,) * self.speed_count),
            "force": Piece(matrix, entries),
            "subspace": Piece(self.projection.piece.array, subspace),
        }
        kinds = tuple(self.rows.kind_of[link] for link in self.speed_links)
        return Call(tuple(self._project_steps), kinds, pieces)

    @cached_property
    def transfer(self) -> Call:
        """The momentum in turn, to the parent of link j."""
        still = (0,) * self.speed_count
        pieces = {
            "pose": Piece("pose", still, self.rows.pose.offsets),
            "wrench": Piece("carried", still),
        }
        return self._all_links(steps.transfer_step(), pieces)

    def meet_parent(self, matrix: str) -> Call:
        """Row of M by the speeds of the parent of link j, which is never the base."""
        parents = [max(p - 1, 0) for p in self.rows.parents]
        still = (0,) * self.speed_count
        rows = tuple(self.tree.nu * speed for speed in self.speeds)
        subspace = tuple(self.projection.piece.offsets[p] for p in parents)
        pieces = {
            "wrench": Piece("carried", still),
            "force": Piece(matrix, rows, tuple(self.rows.speed_places[p] for p in parents)),
            "subspace": Piece(self.projection.piece.array, still, subspace),
        }
        kinds = tuple(self.rows.kind_of[p] for p in parents)
        return Call(tuple(self._project_steps), kinds, pieces)

    @cached_property
    def armature(self) -> Constants:
        """Rotors on single speeds."""
        speeds = list(self.tree.armature)
        return Constants("armature", [[self.tree.armature[speed].node] for speed in speeds])

    @cached_property
    def _add_step(self) -> Step:
        return steps.add_step()

    def add_armature(self, matrix: str) -> list[Loop]:
        """Rotors on the diagonal of M."""
        speeds = tuple(self.tree.armature)
        if not speeds:
            return []
        diagonal = Piece(matrix, tuple((self.tree.nu + 1) * speed for speed in speeds))
        pieces = {"sum": diagonal, "term": self.armature.piece}
        return [Loop(len(speeds), (Call((self._add_step,), (0,) * len(speeds), pieces),))]

    def mirror(self, matrix: str) -> Climb:
        """Row i of M by the columns below it."""
        nu = self.tree.nu
        rows, still = tuple(range(nu)), (0,) * nu
        pieces = {
            "upper": Piece(matrix, rows, tuple(nu * j for j in rows)),
            "lower": Piece(matrix, tuple(nu * i for i in rows), rows),
        }
        before = tuple(i - 1 for i in rows)
        return Climb(before, before, (Call((self._mirror_step,), still, pieces),))

    @cached_property
    def _mirror_step(self) -> Step:
        return steps.mirror_step()

    def matrix_arrays(self, matrix: str) -> tuple[Array, ...]:
        """The matrix, zero yet, and what its columns take."""
        size = self.tree.nu**2
        return (
            self._zeros(matrix, size, size),
            Array("carried", steps.WRENCH),
            *self.projection.arrays,
            *self.columns.arrays,
            *self.armature.arrays,
        )

    def columns_met(self, matrix: str) -> list[Loop]:
        """The mass matrix from composite inertias: each column on its way to the base."""
        parents = self.rows.parents
        above = tuple(-1 if p == 0 else k for k, p in enumerate(parents))
        climb = Climb(
            tuple(above[link] for link in self.speed_links),
            tuple(-1 if p == 0 else above[p - 1] for p in parents),
            (self.transfer, self.meet_parent(matrix)),
        )
        calls = (self.momentum, self.meet_own(matrix))
        loops = [Loop(self.speed_count, calls, climb)]
        loops += self.add_armature(matrix)
        return [*loops, Loop(self.tree.nu, climb=self.mirror(matrix))]

    # -- forward dynamics ------------------------------------------------------------------------

    @cached_property
    def shown_arrays(self) -> tuple[Array, ...]:
        """Articulated inertias, and what the way back needs of each speed."""
        return (
            self._zeros("shown", steps.SHOWN * (self.count + 1), steps.SHOWN),
            Array("kept", 8 * self.speed_count),
            *self.columns.arrays,
            *self._rotors[1].arrays,
        )

    @cached_property
    def show(self) -> Call:
        """Inertias of the bodies alone."""
        numbers, constants = self.rows.inertia
        found = [
            steps.show_step(kind.name, own)
            for kind, own in zip(self.rows.kinds, numbers, strict=True)
        ]
        pieces = {"shown": self.rows.own("shown", steps.SHOWN), "inertia": constants.piece}
        return self._each_link(found, pieces)

    @cached_property
    def _rotors(self) -> tuple[list[Numbers], Constants]:
        rows = [[self.tree.armature.get(speed, self.tree.zero)] for speed in self.speeds]
        numbers = [Numbers([rows[k] for k in own]) for own in self._column_kinds.values()]
        varying = [numbers[self._column_row[k]].of(row) for k, row in enumerate(rows)]
        return numbers, Constants("rotors", varying)

    @cached_property
    def _eliminate_steps(self) -> list[Step]:
        return [
            steps.eliminate_step(name, column, rotor)
            for name, column, rotor in zip(
                self._column_kinds, self._column_numbers, self._rotors[0], strict=True
            )
        ]

    @cached_property
    def _kept(self) -> Piece:
        return Piece("kept", tuple(8 * k for k in range(self.speed_count)))

    def eliminate(self, force: str) -> Call:
        """Each speed out of the inertia of its link."""
        pieces = {
            "shown": self._of_link("shown", steps.SHOWN),
            "wrench": self._of_link("wrench", steps.WRENCH),
            "force": Piece(force, self.speeds),
            "column": self.columns.piece,
            "armature": self._rotors[1].piece,
            "kept": self._kept,
        }
        return Call(tuple(self._eliminate_steps), self._column_row, pieces)

    @cached_property
    def _first_of_link(self) -> tuple[int, ...]:
        """0 at the first speed of each link, -1 at others."""
        return tuple(0 if place == 0 else -1 for place in self.place_in_link)

    @cached_property
    def carry_shown(self) -> Call:
        """After the last elimination at a link, of its first speed, what is left to the parent."""
        pieces = {
            "pose": self._link_pose,
            "shown": self._of_link("shown", steps.SHOWN),
            "wrench": self._of_link("wrench", steps.WRENCH),
            "parent_shown": self._of_parent("shown", steps.SHOWN),
            "parent_wrench": self._of_parent("wrench", steps.WRENCH),
        }
        return Call((steps.carry_shown_step(),), self._first_of_link, pieces)

    @cached_property
    def follow(self) -> Call:
        """Before the first speed of a link, the acceleration of its parent; it takes the place of
        the motions, which are no longer needed: the world's is zero there too."""
        pieces = {
            "pose": self._link_pose,
            "parent": self._of_parent("motion", steps.MOTION),
            "added": self._of_link("motion", steps.MOTION),
        }
        return Call((steps.follow_step(),), self._first_of_link, pieces)

    @cached_property
    def accelerate(self) -> Call:
        """Accelerations, base to tip."""
        found = [
            steps.accelerate_step(name, own)
            for name, own in zip(self._column_kinds, self._column_numbers, strict=True)
        ]
        pieces = {
            "kept": self._kept,
            "added": self._of_link("motion", steps.MOTION),
            "column": self.columns.piece,
            "a": Piece("a", self.speeds),
        }
        return Call(tuple(found), self._column_row, pieces)
