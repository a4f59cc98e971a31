"""Transport of tangent displacements: W of xi' = du + W xi.

Where speeds are the rates of coordinates W is zero. Body rates of quaternion joints are not: with
the relative twist S u of a link in its own axes, S constant,

    S W xi = -[S u, S xi]

(the bracket of se(3)). Reference: Sola, Deray and Atchuthan, *A micro Lie theory for state
estimation in robotics* (2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.tree.link import Link

if TYPE_CHECKING:
    from eomc.derive.system.model_on_graph import ModelOnGraph

Rows = list[list[Expression]]


def transport(system: ModelOnGraph, u: Sequence[Expression]) -> Rows:
    """W (nu, nu) of xi' = du + W xi, linear in the speeds `u`; zero but for body rates."""
    n, zero = system.tree.nu, system.tree.zero
    rows = [[zero] * n for _ in range(n)]
    for link in system.tree.links:
        if not link.owns_coordinates or _speeds_are_rates(system, link):
            continue
        columns = link.motion.subspace(system.state.coordinates(link))
        _require_constant(link, columns)
        w, v = _twist(system, columns, [u[speed.index] for speed in link.speeds])
        for column, speed in zip(columns, link.speeds, strict=True):
            theta, p = column
            angular, linear = w.cross(theta), w.cross(p) + v.cross(theta)
            for (row_angular, row_linear), row in zip(columns, link.speeds, strict=True):
                bracket = row_angular.dot(angular) + row_linear.dot(linear)
                rows[row.index][speed.index] = -bracket
    return rows


def _speeds_are_rates(system: ModelOnGraph, link: Link) -> bool:
    q, u = system.state.coordinates(link), system.state.speeds(link)
    rates = link.motion.rates(q, u)
    return len(rates) == len(u) and all(a.node == b.node for a, b in zip(rates, u, strict=True))


def _require_constant(link: Link, columns: Sequence[tuple[Vector, Vector]]) -> None:
    """Constant unit columns along the axes, as all motions with body rates have."""
    for k, (angular, linear) in enumerate(columns):
        for j, (other, along) in enumerate(columns[: k + 1]):
            product = angular.dot(other) + linear.dot(along)
            if not (product.is_constant and (product - int(j == k)).is_zero):
                raise ModelError(
                    f"joint {link.name!r}: its speeds are not the rates of its coordinates, and "
                    "its motion subspace is not constant and orthonormal in the child's axes; "
                    "such a joint cannot be linearized"
                )


def _twist(
    system: ModelOnGraph, columns: Sequence[tuple[Vector, Vector]], u: Sequence[Expression]
) -> tuple[Vector, Vector]:
    angular = linear = system.tree.zero_vector()
    for (w, v), speed in zip(columns, u, strict=True):
        angular, linear = angular + w * speed, linear + v * speed
    return angular, linear
