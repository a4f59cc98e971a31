"""Derivatives of all loads by q and u, added to those of inverse dynamics entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.graph import Call, ForLoop, RolledArgument, RolledArray
from eomc.derive.rolled import steps
from eomc.derive.system import System


class LoadDerivatives:
    """The entries that are not always zero, as straight-line code."""

    def __init__(self, system: System) -> None:
        self.system = system

    @cached_property
    def _entries(self) -> dict[str, dict[int, int]]:
        """Minus the derivatives by q and by u: nodes by their places in the matrix."""
        system = self.system
        one = (system.zero + 1).node
        directions = {"q": system.directions(), "u": [{u.node: one} for u in system.u]}
        return {
            name: {
                system.nu * i + k: (-entry).node
                for k, column in enumerate(swept_columns(system, system.acting_loads, along))
                for i, entry in enumerate(column)
                if not entry.is_zero
            }
            for name, along in directions.items()
        }

    @cached_property
    def _left(self) -> dict[int, int]:
        """Nodes of tau and the loads by speed, if there are any."""
        loads = self.system.acting_loads
        if all(load.is_zero for load in loads):
            return {}
        pairs = zip(self.system.tau, loads, strict=True)
        return {k: (tau + load).node for k, (tau, load) in enumerate(pairs)}

    @property
    def force(self) -> str:
        """The array of tau, with the loads if there are any."""
        return "left" if self._left else "tau"

    @property
    def left_arrays(self) -> list[RolledArray]:
        """That array, if it is not that of tau."""
        return [RolledArray("left", self.system.nu, self._left)] if self._left else []

    @property
    def places(self) -> dict[str, tuple[int, ...]]:
        """Places in the matrices by q and u, where there are any."""
        return {name: tuple(entries) for name, entries in self._entries.items() if entries}

    @staticmethod
    def array(name: str) -> str:
        """That of the entries by q or u."""
        return f"loads_{name}"

    @property
    def arrays(self) -> list[RolledArray]:
        """The entries, apart from the matrices."""
        return [
            RolledArray(self.array(name), len(entries), dict(enumerate(entries.values())))
            for name, entries in self._entries.items()
            if entries
        ]

    def loops(self, matrices: Mapping[str, str], pitch: int) -> list[ForLoop]:
        """The entries, onto those of the matrices by q and by u, whose rows are so long."""
        nu = self.system.nu
        loops = []
        for name, places in self.places.items():
            pieces = {
                "sum": RolledArgument(
                    matrices[name], tuple(p // nu * pitch + p % nu for p in places)
                ),
                "term": RolledArgument(self.array(name), tuple(range(len(places)))),
            }
            call = Call((steps.add_step(),), (0,) * len(places), pieces)
            loops.append(ForLoop(len(places), (call,)))
        return loops
