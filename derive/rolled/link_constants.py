"""Kinds of motions of the links of a tree, and the constants of every link."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, reachable
from eomc.derive.motions.motion import Motion
from eomc.derive.system import System
from eomc.derive.tree.link import LinkCoordinate, TreeLink

Plain = int | float | str | bool | None


@dataclass(frozen=True)
class MotionKind:
    """Links whose motions take the same operations on different numbers."""

    name: str
    links: tuple[int, ...]


def motion_kinds(system: System) -> list[MotionKind]:
    """Kinds in the order of their first links."""
    found: dict[tuple[object, ...], list[int]] = {}
    for index, link in enumerate(system.tree.links):
        found.setdefault(_key(link.motion), []).append(index)
    names: list[str] = []
    for motion, *_ in found:
        assert isinstance(motion, type)
        name = "".join(f"_{c.lower()}" if c.isupper() else c for c in motion.__name__).strip("_")
        count = sum(known == name or known.startswith(f"{name}_") for known in names)
        names.append(f"{name}_{count + 1}" if count else name)
    kinds = zip(names, found.values(), strict=True)
    return [MotionKind(name, tuple(links)) for name, links in kinds]


def _key(motion: Motion) -> tuple[object, ...]:
    plain = [(k, v) for k, v in sorted(vars(motion).items()) if isinstance(v, Plain)]
    return (type(motion), *plain)


def motion_numbers(motion: Motion) -> Iterator[Expression]:
    """Constants of a motion: its scalars and vectors."""
    for _, value in sorted(vars(motion).items()):
        if isinstance(value, Expression):
            yield value
        elif isinstance(value, Vector):
            yield from value


def with_numbers(motion: Motion, numbers: Iterator[Expression]) -> Motion:
    """The same motion on another graph, with these constants."""
    moved = copy.copy(motion)
    for name, value in sorted(vars(motion).items()):
        if isinstance(value, Expression):
            setattr(moved, name, next(numbers))
        elif isinstance(value, Vector):
            setattr(moved, name, Vector(next(numbers), next(numbers), next(numbers)))
    return moved


def obstacle(system: System) -> str | None:
    """The reason why for-loops cannot stand for the recursions over this tree; None if they can.

    They need rigid bodies on joints whose motion subspace is constant, in a tree without loops and
    other constraints, all of whose coordinates are free.
    """
    model, tree = system.model, system.tree
    if cuts := model.cuts():
        return f"joint {cuts[0].name!r} closes a loop"
    if model.constraints:
        return f"constraint {next(iter(model.constraints))!r} holds its coordinates"
    if tree.prescribed_names:
        return f"coordinate {tree.prescribed_names[0]!r} is prescribed"
    for entry in system.reacting:
        return f"{entry.element.title} depends on the reaction in its joint"
    for index, link in enumerate(tree.links):
        if not isinstance(link.body, RigidBody):
            return f"body {link.name!r} is deformable"
        if not _is_regular(system, link, index):
            return f"joint {link.name!r} moves in directions that change with its coordinates"
    return None


def owns_its_speeds(system: System) -> bool:
    """True if no speed moves more than one link: no mimic joints."""
    speeds = [speed for link in system.tree.links for speed in link.speeds]
    one_each = len({speed.index for speed in speeds}) == len(speeds)
    return one_each and all(speed.factor is None for speed in speeds)


def _is_regular(system: System, link: TreeLink, index: int) -> bool:
    motion = link.motion
    known = (Expression, Vector, Plain)
    if not all(isinstance(value, known) for value in vars(motion).values()):
        return False
    q, u = system.state.coordinates(link), system.state.speeds(link)
    if motion.drift(q, u) is not None:
        return False
    if not (_is_run(link.coordinates) and _is_run(link.speeds)):
        return False
    numbers = [*motion_numbers(motion), *link_columns(system, index), *link.offset]
    return all(is_fixed(system, entry) for entry in numbers)


def _is_run(places: Sequence[LinkCoordinate]) -> bool:
    """One after the other, and no two of different arrays."""
    first = places[0].index
    return [place.index for place in places] == list(range(first, first + len(places)))


def is_fixed(system: System, value: Expression) -> bool:
    """True if a number or a function of parameters alone."""
    if value.is_constant:
        return True
    graph = value.graph
    symbols = (n for n in reachable(graph, [value.node]) if graph.op[n] == "symbol")
    return all(graph.value[node] in system.symbolic for node in symbols)


def link_columns(system: System, index: int) -> list[Expression]:
    """Columns of the speeds of a link, one after the other, each with the angular part first."""
    columns = system.pose[index].columns
    return [entry for s in columns for entry in (*s.angular, *s.linear)]


def factors(system: System, places: Sequence[LinkCoordinate]) -> list[Expression]:
    """Factors of a link's own coordinates to those of the tree; 1 but for mimic joints."""
    one = system.tree.zero + 1
    return [one if place.factor is None else place.factor for place in places]


def link_placement(system: System, index: int) -> list[Expression]:
    """Placement in the parent, maps of the coordinates, constants of the motion."""
    link, zero = system.tree.links[index], system.tree.zero
    rows = link.placement.matrix(zero).rows
    values = [entry for row in (*rows, link.offset) for entry in row]
    values += factors(system, link.coordinates)
    values += [zero if c.offset is None else c.offset for c in link.coordinates]
    return [*values, *motion_numbers(link.motion)]


def link_inertia(system: System, index: int) -> list[Expression]:
    """Mass, first moment, second moment."""
    inertia = system.tree.links[index].body.inertia
    return [inertia.mass, *inertia.first, *inertia.second.entries]
