"""Calls for the derivatives of inverse dynamics (see `sweeps`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.graph import Array, Call, Climb, Expression, ForLoop, Piece
from eomc.derive.rolled import derivative_steps as pairs
from eomc.derive.rolled.energy_sweeps import EnergySweeps
from eomc.derive.rolled.layouts import ASCENT


class DerivativeSweeps(EnergySweeps):
    """The calls of all others, and those of derivatives by q and u."""

    # -- links -----------------------------------------------------------------------------------

    @cached_property
    def pair_arrays(self) -> tuple[Array, ...]:
        """Spatial motions, flows, and what pairs of speeds take."""
        return (
            self._link_array("velocity"),
            Array("seen", pairs.SEEN.size * self.count),
            self._link_array("flow"),
            Array("partials", pairs.PARTIALS.size * self.speed_count),
            Array("pair", ASCENT.size),
            *self._derivatives,
        )

    @cached_property
    def _derivatives(self) -> tuple[Array, Array]:
        """Minus the derivatives of all loads, as straight-line code; zeros elsewhere."""
        system = self.tables.system
        one = (self.tree.zero + 1).node
        loads = system.acting_loads
        by_q = swept_columns(system, loads, system.directions())
        by_u = swept_columns(system, loads, [{u.node: one} for u in system.u])
        return self._less("dtau_dq", by_q), self._less("dtau_du", by_u)

    def _less(self, name: str, columns: Sequence[Sequence[Expression]]) -> Array:
        nu = self.tree.nu
        start = dict.fromkeys(range(nu * nu), self.tree.zero.node)
        for k, column in enumerate(columns):
            start |= {nu * i + k: (-entry).node for i, entry in enumerate(column)}
        return Array(name, nu * nu, start)

    @cached_property
    def seen(self) -> Call:
        """Spatial motion of each link and of its parent, flow of its body."""
        above = {"parent_velocity": "velocity", "parent": "motion"}
        pieces = {name: self._parent(array) for name, array in above.items()}
        return self._each_link(self._of_kinds(pairs.seen_step), **pieces)

    @cached_property
    def carry_flow(self) -> Call:
        """The flow of each subtree, to its parent."""
        return self._all_links(pairs.carry_flow_step(), parent=self._parent("flow"))

    # -- pairs of speeds -------------------------------------------------------------------------

    @cached_property
    def _start_pair(self) -> Call:
        return self._each_speed(pairs.column_step)

    @cached_property
    def _leave(self) -> Call:
        return self._each_speed(pairs.leave_step)

    def _pieces(self) -> dict[str, Piece]:
        """The pair, the column of speed j, and the derivatives of speed i by j, and of j by i."""
        rows = tuple(self.tree.nu * speed for speed in self.speeds)
        found = {name: self._inner(name) for name in ("column", "partials", "pose")}
        for name in ("q", "u"):
            found[f"row_{name}"] = Piece(f"dtau_d{name}", self.speeds, rows)
            found[f"column_{name}"] = Piece(f"dtau_d{name}", rows, self.speeds)
        return found

    def _inner(self, name: str) -> Piece:
        """An argument by the row of the climb."""
        piece = self._by_speed[name]
        return Piece(piece.array, (0,) * self.speed_count, piece.offsets)

    @cached_property
    def _own_rows(self) -> Climb:
        meet = self._each_speed(pairs.own_pair_step, **self._pieces())
        links = self.speed_links
        following = tuple(
            k + 1 if links[k + 1 : k + 2] == (link,) else -1 for k, link in enumerate(links)
        )
        first = tuple(k - place for k, place in enumerate(self.place_in_link))
        return Climb(first, following, (meet,))

    @cached_property
    def _ancestors(self) -> Climb:
        meet = self._each_speed(pairs.pair_step, **self._pieces())
        up = Call((pairs.climb_step(),), self._first_of_link, {**self._by_speed, **self._pieces()})
        last = {link: k for k, link in enumerate(self.speed_links)}
        above = tuple(last.get(self.tables.parents[link] - 1, -1) for link in self.speed_links)
        following = tuple(
            k - 1 if place else above[k] for k, place in enumerate(self.place_in_link)
        )
        return Climb(above, following, (meet, up))

    @property
    def pairs_met(self) -> tuple[ForLoop, ForLoop]:
        """Pairs of each speed with those of its link, then with those of its ancestors."""
        count = self.speed_count
        return (
            ForLoop(count, (self._start_pair,), self._own_rows),
            ForLoop(count, (self._start_pair, self._leave), self._ancestors),
        )
