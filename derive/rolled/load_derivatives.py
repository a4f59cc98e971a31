"""Derivatives of all loads by q and u, added to those of inverse dynamics entry by entry."""

from __future__ import annotations

from functools import cached_property

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.graph import Array, Call, ForLoop, Piece
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

    @property
    def left(self) -> dict[int, int]:
        """Nodes of tau and the loads by speed, if there are any."""
        loads = self.system.acting_loads
        if all(load.is_zero for load in loads):
            return {}
        return {
            k: (tau + load).node
            for k, (tau, load) in enumerate(zip(self.system.tau, loads, strict=True))
        }

    @property
    def places(self) -> dict[str, tuple[int, ...]]:
        """Places in the matrices by q and u, where there are any."""
        return {name: tuple(entries) for name, entries in self._entries.items() if entries}

    @staticmethod
    def array(name: str) -> str:
        """That of the entries by q or u."""
        return f"loads_{name}"

    @property
    def arrays(self) -> list[Array]:
        """The entries, apart from the matrices."""
        return [
            Array(self.array(name), len(entries), dict(enumerate(entries.values())))
            for name, entries in self._entries.items()
            if entries
        ]

    @property
    def loops(self) -> list[ForLoop]:
        """The entries, onto those of the matrices."""
        loops = []
        for name, places in self.places.items():
            pieces = {
                "sum": Piece(f"dtau_d{name}", places),
                "term": Piece(self.array(name), tuple(range(len(places)))),
            }
            call = Call((steps.add_step(),), (0,) * len(places), pieces)
            loops.append(ForLoop(len(places), (call,)))
        return loops
