"""Tables over the links and speeds of a tree of rigid bodies, for the for-loops of its recursions.

The world takes part as slot 0 of what links pass on to one another: it accelerates by minus
gravity, and what reaches it from the tips is left there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from eomc.derive.graph import Expression, RolledArgument, RolledArray
from eomc.derive.rolled import link_constants, speed_forces
from eomc.derive.rolled.layouts import WRENCH
from eomc.derive.rolled.step_builder import RowConstants
from eomc.derive.scene.loads import AllLoads, all_loads
from eomc.derive.system import System

Nodes = dict[int, int]


class ConstantTable:
    """Numbers of all rows that vary within their kind, one row after the other."""

    def __init__(self, name: str, rows: Sequence[Sequence[int]]) -> None:
        entries = [node for row in rows for node in row]
        self.array = RolledArray(name, len(entries), dict(enumerate(entries)))
        offsets, total = [], 0
        for row in rows:
            offsets.append(total if row else 0)
            total += len(row)
        self.piece = RolledArgument(name, tuple(offsets))

    @property
    def arrays(self) -> tuple[RolledArray, ...]:
        """The array, if there is anything in it."""
        return (self.array,) if self.array.size else ()


class LinkTables:
    """Constants, places and forces by link; all functions of one system share them."""

    def __init__(self, system: System) -> None:
        self.system, self.tree = system, system.tree
        self.count = len(self.tree.links)
        self.kinds = link_constants.motion_kinds(system)
        self.kind_of = {k: number for number, kind in enumerate(self.kinds) for k in kind.links}
        self.parents = tuple(link.parent + 1 for link in self.tree.links)
        self.shares_speeds = not link_constants.owns_its_speeds(system)

    # -- tables over links -----------------------------------------------------------------------

    def _by_link(
        self, name: str, rows: Sequence[Sequence[Expression]]
    ) -> tuple[list[RowConstants], ConstantTable]:
        """Numbers of each kind of motion, and those of each link that vary within its kind."""
        numbers = [RowConstants([rows[k] for k in kind.links]) for kind in self.kinds]
        varying = [numbers[self.kind_of[k]].of(row) for k, row in enumerate(rows)]
        return numbers, ConstantTable(name, varying)

    @cached_property
    def placement(self) -> tuple[list[RowConstants], ConstantTable]:
        """Placements of the links on their parents."""
        rows = [link_constants.link_placement(self.system, k) for k in range(self.count)]
        return self._by_link("placement", rows)

    @cached_property
    def inertia(self) -> tuple[list[RowConstants], ConstantTable]:
        """Ten numbers of each body."""
        rows = [link_constants.link_inertia(self.system, k) for k in range(self.count)]
        return self._by_link("inertia", rows)

    @cached_property
    def subspace(self) -> tuple[list[RowConstants], ConstantTable]:
        """Columns of each link, and factors of its speeds."""
        rows = [
            link_constants.link_columns(self.system, k)
            + link_constants.factors(self.system, link.speeds)
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
            for link, wrench in share.wrenches.items():
                for k, entry in enumerate(wrench.entries):
                    place = WRENCH.size * (link + 1) + k
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
