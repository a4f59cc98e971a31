"""At which link the recursion of articulated bodies eliminates each unknown, and in which order.

Unknowns are numbered: the speeds from 0, the multipliers of the rows G a + g = 0 from nu, then the
springs of the rows that act a second time (see `articulated`). An unknown is eliminated at its
*root*, the deepest link that all links it acts on hang on (or are).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkTree, common_ancestor

Row = Mapping[int, Expression]


class EliminationOrder:
    """Roots of all unknowns for a tree whose accelerations are held by `rows`.

    Attributes
    ----------
    roots : list of int
        The root of each unknown.
    massless : set of int
        Speeds without inertia of their own that rows determine; their elimination waits for the
        springs of these rows.
    doubled : list of int
        Rows that act a second time, by springs.
    springs : range
        The unknowns of these springs.
    early : set of int
        Multipliers eliminated before the link's own joint is met, which they do not act on.
    """

    def __init__(self, tree: LinkTree, rows: Sequence[Row]) -> None:
        self.tree, self.rows, self.nu = tree, rows, tree.nu
        self.massless = tree.massless & {speed for row in rows for speed in row}
        self.doubled = [j for j, row in enumerate(rows) if not self.massless.isdisjoint(row)]
        first = self.nu + len(rows)
        self.springs = range(first, first + len(self.doubled))
        self.early: set[int] = set()
        self.roots = speed_roots(tree)
        self._add_multipliers()

    def _add_multipliers(self) -> None:
        rows, roots = self.rows, self.roots
        ends = [self._common([roots[speed] for speed in row]) for row in rows]
        of_springs = [ends[j] for j in self.doubled]
        for speed in self.massless:  # each waits for all of its rows
            of_rows = [end for row, end in zip(rows, ends, strict=True) if speed in row]
            roots[speed] = self._common(of_rows)
        for row in rows:
            of_speeds = [roots[speed] for speed in row]
            root = self._common(of_speeds)
            if root not in of_speeds:
                self.early.add(len(roots))
            roots.append(root)
        roots += of_springs

    def _common(self, links: Sequence[int]) -> int:
        """The deepest link that all hang on (or are)."""
        root = links[0] if links else WORLD
        for link in links[1:]:
            root = common_ancestor(self.tree, root, link)
        return root

    def is_speed(self, unknown: int) -> bool:
        """True for a speed."""
        return unknown < self.nu

    def name(self, unknown: int) -> str:
        """Name of an unknown in messages and comments."""
        if unknown < self.nu:
            return self.tree.speed_names[unknown]
        return f"multiplier {unknown - self.nu}"

    def equations(self) -> list[tuple[int, Row]]:
        """Each multiplier and spring with its row."""
        return list(enumerate([*self.rows, *(self.rows[j] for j in self.doubled)], self.nu))

    def is_eliminated_when_met(self, link: int, speed: int) -> bool:
        """True for a speed that moves nothing outside the subtree of the link."""
        return self.roots[speed] == link and speed not in self.massless

    def opened_at(self, link: int) -> list[int]:
        """Multipliers and springs whose root is the link, but for early ones."""
        if not self.rows:
            return []
        unknowns = range(self.nu, len(self.roots))
        return [k for k in unknowns if self.roots[k] == link and k not in self.early]

    def at(self, link: int, among: Collection[int]) -> list[int]:
        """Those of the unknowns that are eliminated at the link, in order: springs, speeds, then
        multipliers, the last one first."""
        here = [k for k in among if self.roots[k] == link]
        if len(here) < 2:
            return here
        multipliers = set(here).intersection(range(self.nu, self.springs.start))
        return [*sorted(set(here) - multipliers, reverse=True), *sorted(multipliers, reverse=True)]


def speed_roots(tree: LinkTree) -> list[int]:
    """For each speed the deepest link that all links it moves hang on (or are); `WORLD` if none."""
    result: list[int | None] = [None] * tree.nu
    for index, link in enumerate(tree.links):
        for speed in link.speeds:
            if not speed.prescribed:
                known = result[speed.index]
                root = index if known is None else common_ancestor(tree, known, index)
                result[speed.index] = root
    return [WORLD if root is None else root for root in result]
