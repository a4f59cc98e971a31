"""A structure of tables, assembled anew: six freedoms at every node, and what holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.member import WitnessMember

__all__ = ["Assembly", "AssemblyPiece"]

_WORDS = ("ux", "uy", "uz", "rx", "ry", "rz")
_NODE = ("name", "x", "y", "z")
_MEMBER = ("start", "end", "section", "kind", "elements", "y_axis")


class AssemblyPiece(NamedTuple):
    """Mass, or what turns: place, inertia (3, 3), rows (3, freedoms), and second derivatives
    (3, k, k) by motions that stay at the nodes."""

    place: Array
    inertia: Array
    rows: Array
    second: Array
    turns: bool


class Assembly:
    """Of the arguments of `form`."""

    def __init__(self, form: Any) -> None:
        self.form = form
        self.nodes = {str(row["name"]): _place(row) for row in _nodes(form.nodes)}
        self.members: list[tuple[str, str, WitnessMember]] = []
        sections = {str(name): dict(words) for name, words in form.sections}
        for row in _table(form.members, _MEMBER):
            self._add(row, sections[str(row["section"])])
        self.blocks: list[tuple[str, str, Array, float]] = []
        for row in _table(form.springs, ("start", "end", "stiffness", "retardation")):
            self._spring(row)
        self.links = [
            (str(r["master"]), str(r["slave"])) for r in _table(form.links, ("master", "slave"))
        ]
        self.place = {name: 6 * k for k, name in enumerate(self.nodes)}

    def _add(self, row: dict[str, Any], section: dict[str, Any]) -> None:
        start, end = str(row["start"]), str(row["end"])
        bends = row.get("kind", "bar") == "beam"
        count = row.get("elements", 1) if bends else 1
        a, b = self.nodes[start], self.nodes[end]
        names = [start, *(f"{start}-{end}-{k}" for k in range(1, count)), end]
        for k, name in enumerate(names[1:-1], start=1):
            self.nodes[name] = a + (b - a) * (k / count)
        for first, second in pairwise(names):
            member = WitnessMember(
                self.nodes[first], self.nodes[second], section, bends, row.get("y_axis")
            )
            self.members.append((first, second, member))

    def _spring(self, row: dict[str, Any]) -> None:
        start, end = str(row["start"]), str(row["end"])
        given, late = np.asarray(row["stiffness"], dtype=float), float(row.get("retardation", 0))
        if given.ndim:
            self.blocks.append((start, end, given, late))
            return
        apart = float(np.linalg.norm(self.nodes[end] - self.nodes[start]))
        section = {"area": 1.0, "E": float(given) * apart, "retardation": late}
        self.members.append(
            (start, end, WitnessMember(self.nodes[start], self.nodes[end], section, False))
        )

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Nodes with a member, a spring or a link between them."""
        members = [(start, end) for start, end, _ in self.members]
        return [*members, *((start, end) for start, end, *_ in self.blocks), *self.links]

    # -- freedoms ----------------------------------------------------------------------------------

    @cached_property
    def active(self) -> list[int]:
        """Freedoms that something holds, of six a node."""
        counts = dict.fromkeys(self.nodes, 0)
        for start, end, member in self.members:
            for name in (start, end):
                counts[name] = max(counts[name], member.freedoms)
        for start, end, given, _ in self.blocks:
            for name in (start, end):
                counts[name] = max(counts[name], len(given))
        for master, slave in self.links:
            counts[slave] = max(counts[slave], counts[master] or 3)
            counts[master] = counts[master] or 3
        plane = (0, 1, 5) if self.form.planar else range(6)
        return [
            self.place[n] + k for n, count in counts.items() for k in range(count) if k in plane
        ]

    def columns(self, name: str, count: int = 6) -> list[int]:
        """Of a node, among six a node."""
        return [self.place[name] + k for k in range(count)]

    def _of(self, start: str, end: str, count: int) -> list[int]:
        return [*self.columns(start, count), *self.columns(end, count)]

    @property
    def size(self) -> int:
        """Six times the nodes."""
        return 6 * len(self.nodes)

    def stiffness(self, *, late: bool = False) -> Array:
        """K, or the sum of retardation times K of each member, of six freedoms a node."""
        total = np.zeros((self.size, self.size))
        for start, end, member in self.members:
            at = self._of(start, end, member.freedoms)
            factor = member.number("retardation") if late else 1.0
            total[np.ix_(at, at)] += factor * member.stiffness()
        for start, end, given, slow in self.blocks:
            at = self._of(start, end, len(given))
            block = np.kron(np.array([[1, -1], [-1, 1]]), np.diag(given))
            total[np.ix_(at, at)] += (slow if late else 1.0) * block
        return total

    # -- mass --------------------------------------------------------------------------------------

    def pieces(self, motions: Array) -> Iterator[AssemblyPiece]:
        """All that has mass; second derivatives along motions (size, k)."""
        for start, end, member in self.members:
            at = self._of(start, end, member.freedoms)
            yield from self._of_member(member, at, motions)
        none = np.zeros((3, *[motions.shape[1]] * 2))
        for row in _table(self.form.masses, ("node", "mass", "inertia")):
            name = str(row["node"])
            rows = np.zeros((6, self.size))
            kept = [k for k in range(6) if self.place[name] + k in self.active]
            rows[kept, [self.place[name] + k for k in kept]] = 1
            given = row.get("inertia")
            inertia = np.zeros(3) if given is None else np.asarray(given, dtype=float)
            inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
            mass = float(row["mass"]) * np.eye(3)
            for own, part, turns in ((mass, rows[:3], False), (inertia, rows[3:], True)):
                if np.any(own):
                    yield AssemblyPiece(self.nodes[name], own, part, none, turns)

    def _of_member(
        self, member: WitnessMember, at: list[int], motions: Array
    ) -> Iterator[AssemblyPiece]:
        section, half = member.number, member.freedoms
        none = np.zeros((3, *[motions.shape[1]] * 2))
        whole = section("density") * section("area") * member.length

        def spread(rows: Array) -> Array:
            full = np.zeros((3, self.size))
            full[:, at] = rows
            return full

        if self.form.lumped:
            for k, place in enumerate((member.start, member.end)):
                rows = np.zeros((3, 2 * half))
                rows[:, k * half : k * half + 3] = np.eye(3)
                yield AssemblyPiece(place, whole / 2 * np.eye(3), spread(rows), none, False)
            return
        about = np.diag([section("Iy") + section("Iz"), section("Iy"), section("Iz")])
        about = member.axes.T @ about @ member.axes * section("density") * member.length
        for s, weight in zip(*member.rule, strict=True):
            place = member.start + s * (member.end - member.start)
            second = member.second_places(s, motions[at]) if self.form.stiffening else None
            moved, turned = (none, none) if second is None else (second[:3], second[3:])
            rows = spread(member.displacement(s))
            yield AssemblyPiece(place, weight * whole * np.eye(3), rows, moved, False)
            if member.bends:
                yield AssemblyPiece(place, weight * about, spread(member.turn(s)), turned, True)

    def second_forces(self, motions: Array) -> Array:
        """Of all members (size, k, k)."""
        total = np.zeros((self.size, *[motions.shape[1]] * 2))
        for start, end, member in self.members:
            at = self._of(start, end, member.freedoms)
            total[at] += member.second_forces(motions[at])
        return total

    # -- what holds it -----------------------------------------------------------------------------

    def link_values(self, d: Array) -> tuple[Array, Array]:
        """First and second order of what rigid links hold, of freedoms d (size, n)."""
        first, second = [np.zeros((0, d.shape[1]))], [np.zeros((0, d.shape[1]))]
        for master, slave in self.links:
            m, s = self.columns(master), self.columns(slave)
            a = self.nodes[slave] - self.nodes[master]
            if any(column in self.active for column in m[3:]):
                r = d[m[3:]]
                across = np.cross(r, a[:, None], axis=0)
                first += [d[m[:3]] + across - d[s[:3]], r - d[s[3:]]]
                second += [np.cross(r, across, axis=0) / 2, 0 * r]
            else:
                length, apart = float(np.linalg.norm(a)), d[s[:3]] - d[m[:3]]
                first.append(-(a[None] @ apart) / length)
                second.append(-(apart**2).sum(axis=0, keepdims=True) / (2 * length))
        return np.concatenate(first), np.concatenate(second)

    def held(self) -> Array:
        """Rows (count, size) of supports and links: times the freedoms zero."""
        rows = [np.zeros((0, self.size))]
        supports = self.form.supports
        if supports is None:
            supports = () if self.form.root is None else ((self.form.root, "fixed"),)
        for node, given in supports:
            rows.append(self._support(str(node), given))
        rows.append(self.link_values(np.eye(self.size))[0])
        passive = [k for k in range(self.size) if k not in self.active]
        rows.append(np.eye(self.size)[passive])
        return np.concatenate(rows)

    def _support(self, node: str, given: Any) -> Array:
        unit = np.eye(self.size)
        if isinstance(given, str):
            return unit[self.columns(node, 6 if given == "fixed" else 3)]
        if isinstance(given[0], str):
            return unit[[self.place[node] + _WORDS.index(word) for word in given]]
        ((word, vector),) = given
        direction = np.zeros(3)
        direction[: len(vector)] = np.asarray(vector, dtype=float)
        direction /= np.linalg.norm(direction)
        normal = np.outer(direction, direction)
        across = normal if word == "normal" else np.eye(3) - normal
        return across @ unit[self.columns(node, 3)]


def _place(row: dict[str, Any]) -> Array:
    return np.array([float(row.get(word) or 0.0) for word in "xyz"])


def _nodes(given: Any) -> Iterator[dict[str, Any]]:
    """Rows, or names with their places."""
    for row in given:
        if _is_named(row, _NODE):
            yield dict(row)
        elif len(row) == 2 and isinstance(row[1], tuple):
            yield dict(zip(_NODE, (row[0], *row[1]), strict=False))
        else:
            yield dict(zip(_NODE, row, strict=False))


def _table(given: Any, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    for row in given:
        yield dict(row if _is_named(row, words) else zip(words, row, strict=False))


def _is_named(row: Any, words: Sequence[str]) -> bool:
    return all(isinstance(e, tuple) and len(e) == 2 and e[0] in words for e in row)
