"""The configuration manifold: rates, steps, differences, the reference configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from eomc.derive.functions.registry import column, function
from eomc.derive.graph import Argument, Expression, constant, symbols
from eomc.derive.system import System
from eomc.derive.tree.link import Link

_UNITS = "rad or m"

# These know of the free coordinates only: no prescribed motion among their inputs.
manifold_function = partial(function, sees_bodies=False)


def _owners(system: System) -> list[Link]:
    return [link for link in system.tree.links if link.owns_coordinates]


def _by_link(
    system: System,
    size: int,
    of_link: Callable[[Link], Sequence[Expression]],
    index: Callable[[Link], Sequence[int]],
) -> list[Expression]:
    result = [constant(system.graph, 0)] * size
    for link in _owners(system):
        for place, value in zip(index(link), of_link(link), strict=True):
            result[place] = value
    return result


def _q_index(link: Link) -> list[int]:
    return [c.index for c in link.coordinates]


def _u_index(link: Link) -> list[int]:
    return [c.index for c in link.speeds]


def _pick(array: Sequence[Expression], places: Sequence[int]) -> list[Expression]:
    return [array[place] for place in places]


@manifold_function("coordinate_rates", ("q", "u"), "Rates of the coordinates: q' = G(q) u.")
def coordinate_rates(system: System) -> list[Argument]:
    """Identity but for quaternions."""
    names = system.tree.coordinate_names
    return [column("q_rate", system.coordinate_rates(), "q'", "rad/s or m/s", names)]


@manifold_function(
    "integrate", ("q", "du"), "Configuration reached from q by the tangent displacement du."
)
def integrate(system: System) -> list[Argument]:
    """On the manifold: quaternions keep their length."""
    du = symbols(system.graph, "du", system.tree.nu)
    q = _by_link(
        system,
        system.tree.nq,
        lambda k: k.motion.integrate(_pick(system.q, _q_index(k)), _pick(du, _u_index(k))),
        _q_index,
    )
    return [column("q_next", q, "coordinates", _UNITS, system.tree.coordinate_names)]


def displacement(
    system: System, q0: Sequence[Expression], q1: Sequence[Expression]
) -> list[Expression]:
    """Tangent displacement that leads from q0 to q1, rotations of at most half a turn."""
    return _by_link(
        system,
        system.tree.nu,
        lambda k: k.motion.difference(_pick(q0, _q_index(k)), _pick(q1, _q_index(k))),
        _u_index,
    )


@manifold_function("difference", ("q0", "q1"), "Tangent displacement du that leads from q0 to q1.")
def difference(system: System) -> list[Argument]:
    """The inverse of integrate."""
    q0, q1 = (symbols(system.graph, name, system.tree.nq) for name in ("q0", "q1"))
    du = displacement(system, q0, q1)
    return [column("du", du, "displacement", _UNITS, system.tree.speed_names)]


def neutral_values(system: System) -> list[float]:
    """Coordinates of the reference configuration."""
    values = [0.0] * system.tree.nq
    for link in _owners(system):
        for place, value in zip(_q_index(link), link.motion.neutral(), strict=True):
            values[place] = value
    return values


@manifold_function("neutral", (), "Reference configuration: zero, quaternions without rotation.")
def neutral(system: System) -> list[Argument]:
    """Constants."""
    q = [constant(system.graph, value) for value in neutral_values(system)]
    return [column("q", q, "coordinates", _UNITS, system.tree.coordinate_names)]


@manifold_function("normalize", ("q",), "q with its quaternions brought to unit length.")
def normalize(system: System) -> list[Argument]:
    """Removes the drift of numerical integration."""
    q = _by_link(
        system,
        system.tree.nq,
        lambda k: k.motion.normalize(_pick(system.q, _q_index(k))),
        _q_index,
    )
    return [column("q_unit", q, "coordinates", _UNITS, system.tree.coordinate_names)]
