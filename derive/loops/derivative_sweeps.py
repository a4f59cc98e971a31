"""Calls for the derivatives of inverse dynamics (see `sweeps`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.graph import Array, Call, Climb, Expression, Loop, Piece, Step
from eomc.derive.loops import derivative_steps as pairs
from eomc.derive.loops import steps
from eomc.derive.loops.energy_sweeps import EnergySweeps
from eomc.derive.loops.sketch import Numbers


class DerivativeSweeps(EnergySweeps):
    """The calls of all others, and those of derivatives by q and u."""

    # -- links -----------------------------------------------------------------------------------

    @cached_property
    def pair_arrays(self) -> tuple[Array, ...]:
        """Spatial motions, flows, and what pairs of speeds take."""
        return (
            self._zeros("velocity", 6 * (self.count + 1), 6),
            Array("seen", pairs.SEEN * self.count),
            self._zeros("flow", pairs.FLOW * (self.count + 1), pairs.FLOW),
            Array("partials", pairs.PARTIALS * self.speed_count),
            Array("pair", pairs.PAIR),
            *self._derivatives,
        )

    @cached_property
    def _derivatives(self) -> tuple[Array, Array]:
        """Minus the derivatives of all loads, as straight-line code; zeros elsewhere."""
        system = self.rows.system
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
        pieces = {
            "pose": self.rows.pose,
            "parent_velocity": self.rows.parent("velocity", 6),
            "parent": self.rows.parent("motion", steps.MOTION),
            "u": Piece("u", self.rows.speed_places),
            "subspace": self.rows.subspace[1].piece,
            "inertia": self.rows.inertia[1].piece,
            "velocity": self.rows.own("velocity", 6),
            "seen": Piece("seen", tuple(pairs.SEEN * k for k in range(self.count))),
            "flow": self.rows.own("flow", pairs.FLOW),
        }
        return self._each_link(self._of_kinds(pairs.seen_step), pieces)

    @cached_property
    def carry_flow(self) -> Call:
        """The flow of each subtree, to its parent."""
        pieces = {
            "pose": self.rows.pose,
            "flow": self.rows.own("flow", pairs.FLOW),
            "parent": self.rows.parent("flow", pairs.FLOW),
        }
        return self._all_links(pairs.carry_flow_step(), pieces)

    # -- pairs of speeds -------------------------------------------------------------------------

    @property
    def _still(self) -> tuple[int, ...]:
        return (0,) * self.speed_count

    def _by_column(self, make: Callable[[str, Numbers], Step]) -> tuple[Step, ...]:
        kinds = zip(self._column_kinds, self._column_numbers, strict=True)
        return tuple(make(name, own) for name, own in kinds)

    @cached_property
    def _start_pair(self) -> Call:
        links = self.speed_links
        pieces = {
            "column": self.columns.piece,
            "seen": Piece("seen", tuple(pairs.SEEN * link for link in links)),
            "velocity": self._of_link("velocity", 6),
            "composite": self._of_link("composite", steps.COMPOSITE),
            "flow": self._of_link("flow", pairs.FLOW),
            "partials": self._partials,
            "pair": Piece("pair", self._still),
        }
        return Call(self._by_column(pairs.column_step), self._column_row, pieces)

    @property
    def _partials(self) -> Piece:
        return Piece("partials", tuple(pairs.PARTIALS * k for k in range(self.speed_count)))

    @cached_property
    def _leave(self) -> Call:
        pieces = {
            "column": self.columns.piece,
            "wrench": self._of_link("wrench", steps.WRENCH),
            "pose": self._link_pose,
            "pair": Piece("pair", self._still),
        }
        return Call(self._by_column(pairs.leave_step), self._column_row, pieces)

    def _pieces(self) -> dict[str, Piece]:
        """The pair, the column of speed j, and the derivatives of speed i by j, and of j by i."""
        rows = tuple(self.tree.nu * speed for speed in self.speeds)
        found = {
            "pair": Piece("pair", self._still),
            "column": Piece(self.columns.piece.array, self._still, self.columns.piece.offsets),
        }
        for name in ("q", "u"):
            found[f"row_{name}"] = Piece(f"dtau_d{name}", self.speeds, rows)
            found[f"column_{name}"] = Piece(f"dtau_d{name}", rows, self.speeds)
        return found

    @cached_property
    def _own_rows(self) -> Climb:
        meet = Call(self._by_column(pairs.own_pair_step), self._column_row, self._pieces())
        links = self.speed_links
        following = tuple(
            k + 1 if links[k + 1 : k + 2] == (link,) else -1 for k, link in enumerate(links)
        )
        first = tuple(k - place for k, place in enumerate(self.place_in_link))
        return Climb(first, following, (meet,))

    @cached_property
    def _ancestors(self) -> Climb:
        partials = Piece("partials", self._still, self._partials.offsets)
        pieces = {**self._pieces(), "partials": partials}
        meet = Call(self._by_column(pairs.pair_step), self._column_row, pieces)
        place = Piece("pose", self._still, self._link_pose.offsets)
        moved = {"pose": place, "pair": pieces["pair"]}
        up = Call((pairs.climb_step(),), self._first_of_link, moved)
        last = {link: k for k, link in enumerate(self.speed_links)}
        above = tuple(last.get(self.rows.parents[link] - 1, -1) for link in self.speed_links)
        following = tuple(
            k - 1 if place else above[k] for k, place in enumerate(self.place_in_link)
        )
        return Climb(above, following, (meet, up))

    @property
    def pairs_met(self) -> tuple[Loop, Loop]:
        """Pairs of each speed with those of its link, then with those of its ancestors."""
        count = self.speed_count
        return (
            Loop(count, (self._start_pair,), self._own_rows),
            Loop(count, (self._start_pair, self._leave), self._ancestors),
        )
