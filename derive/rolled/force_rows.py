"""Forces on single speeds as rows of a for-loop."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.graph import Call, Expression, ForLoop, RolledArgument, RolledArray
from eomc.derive.rolled import speed_forces
from eomc.derive.rolled.link_tables import ConstantTable, LinkTables
from eomc.derive.rolled.step_builder import RowConstants


class ForceRows:
    """Speeds on which something acts of its own; all of them, if anything, where the forces that
    are left `driven` are asked for."""

    def __init__(self, over: LinkTables, *, driven: bool) -> None:
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
        numbers = {group: RowConstants([table[k] for k in own]) for group, own in groups.items()}
        varying = [numbers[tuple(rows[k])].of(table[k]) for k in self.speeds]
        name = "left_numbers" if self.driven else "force_numbers"
        self.constants = ConstantTable(name, varying)
        self.kinds = tuple(list(groups).index(tuple(rows[k])) for k in self.speeds)
        ending = "left" if self.driven else "force"
        self.steps = tuple(
            speed_forces.force_step(
                "_".join((*group, ending)), group, numbers[group], driven=self.driven
            )
            for group in groups
        )

    @property
    def arrays(self) -> list[RolledArray]:
        """Constants, and forces found by straight-line code."""
        size = max(self.load, default=-1) + 1
        return [*self.constants.arrays, *([RolledArray("load", size, self.load)] if size else [])]

    def loops(self, force: str, *, a: str = "a") -> list[ForLoop]:
        """Over the speeds, on the array `force`; `a` may be a single zero, ``rest``."""
        if not self.speeds:
            return []
        pieces = {name: RolledArgument(name, self.speeds) for name in ("u", "load", "left")}
        pieces["force"] = RolledArgument(force, self.speeds)
        pieces["a"] = RolledArgument(a, self.speeds if a == "a" else (0,) * len(self.speeds))
        pieces["q"] = RolledArgument("q", tuple(self.coordinates[k] for k in self.speeds))
        pieces[speed_forces.NUMBERS] = self.constants.piece
        return [ForLoop(len(self.speeds), (Call(self.steps, self.kinds, pieces),))]
