"""The recursions over a tree of rigid bodies as loops over tables of its links.

The world takes part as slot 0 of what links pass on to one another: it accelerates by minus
gravity, and what reaches it from the tips is left there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from eomc.derive.forces.loads import AllLoads, all_loads
from eomc.derive.graph import Array, Call, Expression, Loop, Piece
from eomc.derive.loops import links, speed_forces, steps
from eomc.derive.loops.sketch import Numbers
from eomc.derive.system import System

Nodes = dict[int, int]


class Constants:
    """Numbers of all rows that vary within their kind, one row after the other."""

    def __init__(self, name: str, rows: Sequence[Sequence[int]]) -> None:
        entries = [node for row in rows for node in row]
        self.array = Array(name, len(entries), dict(enumerate(entries)))
        offsets, total = [], 0
        for row in rows:
            offsets.append(total if row else 0)
            total += len(row)
        self.piece = Piece(name, tuple(offsets))

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The array, if there is anything in it."""
        return (self.array,) if self.array.size else ()


class Recursions:
    """Loops of the functions of one system; they share steps and constants."""

    def __init__(self, system: System) -> None:
        self.system, self.tree = system, system.tree
        self.count = len(self.tree.links)
        self.kinds = links.motion_kinds(system)
        self.kind_of = {k: number for number, kind in enumerate(self.kinds) for k in kind.links}
        self.parents = tuple(link.parent + 1 for link in self.tree.links)
        self.shares_speeds = not links.owns_its_speeds(system)

    # -- tables over links -----------------------------------------------------------------------

    def own(self, array: str, size: int) -> Piece:
        """The part of each link, where the world has the first one."""
        return Piece(array, tuple(size * (k + 1) for k in range(self.count)))

    def parent(self, array: str, size: int) -> Piece:
        """The part of each link's parent."""
        return Piece(array, tuple(size * k for k in self.parents))

    @property
    def pose(self) -> Piece:
        """The world has none."""
        return Piece("pose", tuple(steps.POSE * k for k in range(self.count)))

    def _by_link(
        self, name: str, rows: Sequence[Sequence[Expression]]
    ) -> tuple[list[Numbers], Constants]:
        """Numbers of each kind of motion, and those of each link that vary within its kind."""
        numbers = [Numbers([rows[k] for k in kind.links]) for kind in self.kinds]
        varying = [numbers[self.kind_of[k]].of(row) for k, row in enumerate(rows)]
        return numbers, Constants(name, varying)

    @cached_property
    def placement(self) -> tuple[list[Numbers], Constants]:
        """Where links sit on their parents."""
        rows = [links.link_placement(self.system, k) for k in range(self.count)]
        return self._by_link("placement", rows)

    @cached_property
    def inertia(self) -> tuple[list[Numbers], Constants]:
        """Ten numbers of each body."""
        rows = [links.link_inertia(self.system, k) for k in range(self.count)]
        return self._by_link("inertia", rows)

    @cached_property
    def subspace(self) -> tuple[list[Numbers], Constants]:
        """Columns of each link, and factors of its speeds."""
        rows = [
            links.link_columns(self.system, k) + links.factors(self.system, link.speeds)
            for k, link in enumerate(self.tree.links)
        ]
        return self._by_link("subspace", rows)

    @cached_property
    def kind_row(self) -> tuple[int, ...]:
        """The kind of each link."""
        return tuple(self.kind_of[k] for k in range(self.count))

    @cached_property
    def speed_places(self) -> tuple[int, ...]:
        """Index of the first speed of each link."""
        return tuple(link.speeds[0].index for link in self.tree.links)

    # -- forces ----------------------------------------------------------------------------------

    @cached_property
    def rolled_forces(self) -> dict[str, list[speed_forces.SpeedForces]]:
        """Losses and springs of joints, as far as they are constants of single speeds."""
        found = {
            "joint losses": speed_forces.losses(self.system),
            "joint springs": speed_forces.springs(self.system),
        }
        return {name: rows for name, rows in found.items() if rows is not None}

    @cached_property
    def loads(self) -> AllLoads:
        """All other forces, as straight-line code."""
        return all_loads(self.system.scene, without=self.rolled_forces)

    @cached_property
    def wrenches(self) -> Nodes:
        """Minus the forces and moments on links, by their place in the array."""
        total: dict[int, Expression] = {}
        for share in (self.loads.conservative, self.loads.other):
            for link, (force, moment) in share.wrenches.items():
                for k, entry in enumerate((*force, *moment)):
                    place = steps.WRENCH * (link + 1) + k
                    total[place] = total.get(place, self.tree.zero) - entry
        return {place: entry.node for place, entry in total.items()}

    @cached_property
    def generalized(self) -> dict[int, Expression]:
        """Generalized forces by speed."""
        total: dict[int, Expression] = {}
        for share in (self.loads.conservative, self.loads.other):
            for speed, force in share.generalized.items():
                total[speed] = total.get(speed, self.tree.zero) + force
        return total

    @cached_property
    def taken(self) -> ForceRows:
        """What a motion takes on each speed of its own."""
        return ForceRows(self, driven=False)

    @cached_property
    def left(self) -> ForceRows:
        """What is left of the forces on the speeds."""
        return ForceRows(self, driven=True)


class ForceRows:
    """Speeds on which something acts of its own; all of them, if anything, where the forces that
    are left `driven` are asked for."""

    def __init__(self, over: Recursions, *, driven: bool) -> None:
        self.driven = driven
        tree = over.tree
        rows: dict[int, dict[str, list[Expression]]] = {}
        self.coordinates: dict[int, int] = {}
        for speed in range(tree.nu):
            own: dict[str, list[Expression]] = {}
            if speed in tree.armature and not driven:
                own[speed_forces.ROTOR] = [tree.armature[speed]]
            for forces in over.rolled_forces.values():
                own |= forces[speed].numbers
                self.coordinates[speed] = max(
                    forces[speed].coordinate, self.coordinates.get(speed, 0)
                )
            if speed in over.generalized:
                own[speed_forces.LOAD] = []
            if own or driven:
                rows[speed] = own
        self.speeds = tuple(rows) if any(rows.values()) else ()
        self.load = {speed: force.node for speed, force in over.generalized.items()}
        self._tabulate(rows)

    def _tabulate(self, rows: Mapping[int, Mapping[str, list[Expression]]]) -> None:
        table = {k: [e for values in rows[k].values() for e in values] for k in self.speeds}
        groups: dict[tuple[str, ...], list[int]] = {}
        for speed in self.speeds:
            groups.setdefault(tuple(rows[speed]), []).append(speed)
        numbers = {group: Numbers([table[k] for k in own]) for group, own in groups.items()}
        varying = [numbers[tuple(rows[k])].of(table[k]) for k in self.speeds]
        name = "left_numbers" if self.driven else "force_numbers"
        self.constants = Constants(name, varying)
        self.kinds = tuple(list(groups).index(tuple(rows[k])) for k in self.speeds)
        ending = "left" if self.driven else "force"
        self.steps = tuple(
            speed_forces.force_step(
                "_".join((*group, ending)), group, numbers[group], driven=self.driven
            )
            for group in groups
        )

    @property
    def arrays(self) -> list[Array]:
        """Constants, and forces found by straight-line code."""
        size = max(self.load, default=-1) + 1
        return [*self.constants.arrays, *([Array("load", size, self.load)] if size else [])]

    def loops(self, force: str, *, a: str = "a") -> list[Loop]:
        """Over the speeds, on the array `force`; `a` may be a single zero, ``rest``."""
        if not self.speeds:
            return []
        pieces = {name: Piece(name, self.speeds) for name in ("u", "load", "left")}
        pieces["force"] = Piece(force, self.speeds)
        pieces["a"] = Piece(a, self.speeds if a == "a" else (0,) * len(self.speeds))
        pieces["q"] = Piece("q", tuple(self.coordinates[k] for k in self.speeds))
        pieces[speed_forces.NUMBERS] = self.constants.piece
        return [Loop(len(self.speeds), (Call(self.steps, self.kinds, pieces),))]
