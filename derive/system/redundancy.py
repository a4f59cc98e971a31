"""Rows of constraints that depend on others, found by rank at configurations that close.

A planar four-bar in space closes with a revolute joint, five rows, of which two are independent:
the others hold wherever these do. Rows are taken in their order; one whose gradient lies in the
span of those before it is redundant. Loops may close in several branches, of different rank: what
counts is the rank next to the initial guesses, or to the neutral configuration if that closes, else
the highest that is found; ranks of other branches are told. Where a redundancy is gone with a
tunable parameter a little off (another length, and the loop opens or locks), it rests on the value
of that parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.elements.rows import Row
from eomc.derive.language.errors import ModelError
from eomc.derive.model.singularity import IN_LOOPS
from eomc.derive.system.configurations import CLOSED, DEPENDENT, Configuration, ConfigurationSearch

if TYPE_CHECKING:
    from eomc.derive.system.constraints import ConstraintRows


_ENOUGH, _MANY = 2, 12
"""Configurations that are looked at if no row depends on others there, and else."""

_ANOTHER = 1e-3
"""Change of a tunable parameter, relative or of a zero, that tells what rests on its value."""


@dataclass(frozen=True)
class Redundancy:
    """Independent and redundant rows of a model's constraints, by their rank.

    Attributes
    ----------
    rows, redundant : names of all rows, and of those that depend on others
    speeds : number of generalized speeds
    parameters : names of the tunable parameters on whose default values the redundancy rests;
        with others near them the loops open or lock
    branches : other ranks that were found where the loops close
    freedoms : speeds less independent rows

    A row bears the name of its joint or constraint and the direction that it holds:
    "hinge.force_x" a force along x of the joint frame on the parent, "hinge.torque_1" a torque
    about the first direction normal to the axis.

    >>> found = Redundancy(("loop.force_x", "loop.force_z"), ("loop.force_z",), 3)
    >>> found.rank, found.freedoms, found.directions
    (1, 2, {'loop': ('force_z',)})
    """

    rows: tuple[str, ...]
    redundant: tuple[str, ...]
    speeds: int
    parameters: tuple[str, ...] = ()
    branches: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return len(self.rows) - len(self.redundant)

    @property
    def freedoms(self) -> int:
        """Degrees of freedom."""
        return self.speeds - self.rank

    @property
    def directions(self) -> dict[str, tuple[str, ...]]:
        """Redundant directions by joint or constraint."""
        found: dict[str, tuple[str, ...]] = {}
        for row in self.redundant:
            element, _, direction = row.rpartition(".")
            found[element] = (*found.get(element, ()), direction)
        return found

    def report(self) -> dict[str, object]:
        """All of it as plain values, for JSON."""
        return {
            "rows": list(self.rows),
            "rank": self.rank,
            "speeds": self.speeds,
            "freedoms": self.freedoms,
            "redundant": {name: list(entries) for name, entries in self.directions.items()},
            "rests_on": list(self.parameters),
            "other_ranks": list(self.branches),
        }


@dataclass(frozen=True)
class Independent:
    """Rows that are independent.

    parameters : tunable ones on whose values it rests that the others are not
    branches : other ranks that were found
    sizes : of the coordinates "q", the speeds "u" and of all rows by name
    place : a configuration, with the gradients of all rows that are no numbers
    """

    rows: list[Row]
    parameters: tuple[str, ...] = ()
    branches: tuple[int, ...] = ()
    sizes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    place: Configuration | None = None


def redundancy(constraints: ConstraintRows) -> Redundancy:
    """The report of a model's constraints."""
    names = tuple(row.name for row in constraints.all_rows)
    kept = set(constraints.names)
    dependent = tuple(name for name in names if name not in kept)
    found = constraints.independent
    nu = constraints.system.tree.nu
    return Redundancy(names, dependent, nu, found.parameters, found.branches)


def independent(constraints: ConstraintRows) -> Independent:
    """Rows that are independent where the loops close.

    Raises `ModelError` if they close nowhere, with what does not close, for rows that depend on
    others but for what is given from outside (prescribed coordinates or time), and for a
    redundancy of rows of speeds that rests on a tunable parameter: no open loop would tell.
    """
    live = _live(constraints)
    if not live:
        _check_massless(constraints, [])
        return Independent([])
    search = ConfigurationSearch(constraints, live)
    places = _judged(search)
    kept = _branch(places)
    alike = [place for place, spanning in places if spanning == kept]
    for place in alike:
        for k in _spanning(np.hstack([place.gradients, place.given])):
            if k not in kept:
                raise _overdetermined(constraints, live[k])
    _check_massless(constraints, [place.gradients[kept] for place in alike])
    rows = [live[k] for k in kept]
    ranks = {len(spanning) for place, spanning in places if place.is_settled} - {len(kept)}
    parameters = tuple(_rests_on(search, alike, kept)) if len(kept) < len(live) else ()
    # A first place may have closed by itself, whatever the lengths.
    typical = max(alike[1:] or alike, key=lambda place: float(place.speed_sizes.min()))
    sizes = _sizes(search, typical)
    return Independent(rows, parameters, tuple(sorted(ranks)), sizes, typical)


def _check_massless(constraints: ConstraintRows, gradients: Sequence[Array]) -> None:
    """Raise `ModelError` for a motion without inertia that no row sees in any of the places."""
    tree = constraints.system.tree
    speeds = sorted(tree.massless)
    if not speeds:
        return
    loose = np.ones(len(speeds))
    for gradient in gradients:
        _, values, right = np.linalg.svd(gradient[:, speeds])
        if (values > DEPENDENT).sum() == len(speeds):
            return
        loose = right[-1]
    name = tree.speed_names[speeds[int(np.abs(loose).argmax())]]
    raise ModelError(
        f"model {constraints.system.model.name!r}: coordinate {name!r} carries no inertia, and no "
        "constraint determines its motion (singular mass matrix); give a body that it moves mass "
        f"or inertia, or its joint rotor_inertia{IN_LOOPS}"
    )


_Judged = tuple[Configuration, list[int]]
"""A configuration, and rows whose gradients span those of all rows there."""


def _judged(search: ConfigurationSearch) -> list[_Judged]:
    """Configurations that close; those next to singular ones only if there are no others."""
    places: list[_Judged] = []
    settled = 0
    for place in search.configurations():
        spanning = _spanning(place.gradients)
        places.append((place, spanning))
        settled += place.is_settled and bool(place.gradients.size)
        most = max(len(rows) for _, rows in places)
        if settled >= (_ENOUGH if most == len(search.rows) else _MANY):
            break
    return [found for found in places if found[0].is_settled or not settled]


def _branch(places: Sequence[_Judged]) -> list[int]:
    """Rows of the branch that counts."""
    own = [found for found in places if found[0].is_home]
    # What a motion leads to can move; a place that cannot is another one, met by chance.
    moving = [rows for place, rows in own if len(rows) < place.gradients.shape[1]]
    return max(moving or [rows for _, rows in own or places], key=len)


def _sizes(search: ConfigurationSearch, place: Configuration) -> Mapping[str, Mapping[str, float]]:
    """For what is judged at run time, to two digits."""
    system = search.system
    named = {
        "q": (system.coordinate_names, search.coordinate_sizes(place)),
        "u": (system.speed_names, place.speed_sizes),
        "rows": ([row.name for row in search.rows], place.row_sizes),
    }
    return {
        what: {name: float(f"{size:.1e}") for name, size in zip(names, sizes, strict=True)}
        for what, (names, sizes) in named.items()
    }


def _live(constraints: ConstraintRows) -> list[Row]:
    """Rows that are no numbers."""
    live = []
    for row in constraints.all_rows:
        if not row.residual.is_constant:
            live.append(row)
            continue
        gap = float(row.residual.graph.number(row.residual.node) or 0)
        if abs(gap) > CLOSED:
            raise ModelError(
                f"{row.name} can never close: it is {gap:g} in every configuration; "
                "check the placements of its joint"
            )
    return live


def _rests_on(
    search: ConfigurationSearch, places: Sequence[Configuration], kept: Sequence[int]
) -> Iterator[str]:
    """Tunable parameters near whose values rows beside `kept` are independent, or cannot close."""
    names = search.tunable()
    if not names or _new_rows(search, places, kept, names) == []:
        return
    for name in names:
        new = _new_rows(search, places, kept, [name])
        for k in new or ():
            if not search.rows[k].holonomic:
                raise ModelError(
                    f"{search.rows[k].name} is redundant at the default value of parameter "
                    f"{name!r} only; bake it in (tunable=False) or leave the constraint out"
                )
        if new is None or new:
            yield name


def _new_rows(
    search: ConfigurationSearch,
    places: Sequence[Configuration],
    kept: Sequence[int],
    names: Sequence[str],
) -> list[int] | None:
    """Rows beside `kept` that are independent with parameters a little off; None if nothing closes
    then, near the places."""
    sound, found = search.parameters, set[int]()
    changes = {name: 1 + _ANOTHER / (k + 1) for k, name in enumerate(names)}
    search.parameters = sound | {n: sound[n] * by or by - 1 for n, by in changes.items()}
    try:
        for place in places[:_ENOUGH]:
            closed = search.nearby(place)
            if closed is None:
                return None
            found |= set(_spanning(closed.gradients))
    finally:
        search.parameters = sound
    return sorted(found - set(kept))


def _overdetermined(constraints: ConstraintRows, row: Row) -> ModelError:
    """Of a row that nothing free can satisfy."""
    names = constraints.system.tree.prescribed_names
    if names:
        return ModelError(
            f"the prescribed coordinates {', '.join(map(repr, names))} leave nothing free that "
            f"could satisfy {row.name}; prescribe fewer"
        )
    return ModelError(
        f"{row.name} and the constraints before it move the same coordinates in time, each its own "
        "way; leave one of them out"
    )


def _spanning(jacobian: Array) -> list[int]:
    """Rows that are no combination of those before them."""
    basis: list[Array] = []
    chosen = []
    for k, row in enumerate(jacobian):
        size = np.linalg.norm(row)
        rest = row.copy()
        for _ in range(2):  # twice is enough for orthogonality to rounding
            for direction in basis:
                rest -= (direction @ rest) * direction
        if size > 0 and np.linalg.norm(rest) > DEPENDENT * size:
            basis.append(rest / np.linalg.norm(rest))
            chosen.append(k)
    return chosen
