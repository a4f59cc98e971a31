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

from eomc.derive.geometry import LinkPose, Rotation, SpatialMotion
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.tree.link import TreeLink

if TYPE_CHECKING:
    from eomc.derive.system.model_on_graph import ModelOnGraph

Rows = list[list[Expression]]


def transport(system: ModelOnGraph, u: Sequence[Expression]) -> Rows:
    """W (nu, nu) of xi' = du + W xi, linear in the speeds `u`; zero but for body rates."""
    n, zero, still = system.tree.nu, system.tree.zero, system.tree.zero_vector()
    rows = [[zero] * n for _ in range(n)]
    for link in system.tree.links:
        if not link.owns_coordinates or _speeds_are_rates(system, link):
            continue
        columns = link.motion.subspace(system.state.coordinates(link))
        _require_constant(link, columns)
        twist = LinkPose(Rotation(), still, columns).relative(
            [u[s.index] for s in link.speeds], still
        )
        for column, speed in zip(columns, link.speeds, strict=True):
            bracket = twist.cross(column)
            for other, row in zip(columns, link.speeds, strict=True):
                rows[row.index][speed.index] = -_product(other, bracket)
    return rows


def _speeds_are_rates(system: ModelOnGraph, link: TreeLink) -> bool:
    q, u = system.state.coordinates(link), system.state.speeds(link)
    rates = link.motion.rates(q, u)
    return len(rates) == len(u) and all(a.node == b.node for a, b in zip(rates, u, strict=True))


def _require_constant(link: TreeLink, columns: Sequence[SpatialMotion]) -> None:
    """Constant unit columns along the axes, as all motions with body rates have."""
    for k, column in enumerate(columns):
        for j, other in enumerate(columns[: k + 1]):
            product = _product(column, other)
            if not (product.is_constant and (product - int(j == k)).is_zero):
                raise ModelError(
                    f"joint {link.name!r}: its speeds are not the rates of its coordinates, and "
                    "its motion subspace is not constant and orthonormal in the child's axes; "
                    "such a joint cannot be linearized"
                )


def _product(a: SpatialMotion, b: SpatialMotion) -> Expression:
    """a^T b, the coordinate of b along a unit column a of an orthonormal subspace."""
    return a.angular.dot(b.angular) + a.linear.dot(b.linear)
