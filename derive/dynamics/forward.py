"""Forward dynamics by the method that takes fewer operations.

The factored mass matrix wins on short and on branched mechanisms, articulated bodies on long
chains and on floating bases; both are derived on one graph and counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression, flops, nodes
from eomc.derive.tree.link import WORLD, LinkTree

FACTORED = "factored mass matrix"
ARTICULATED = "articulated bodies"


@dataclass(frozen=True)
class ForwardDynamics:
    """Accelerations, the pivots that must be positive, and how they were found."""

    method: str
    acceleration: list[Expression]
    pivots: list[Expression]

    @property
    def operations(self) -> int:
        """Additions, multiplications and divisions."""
        expressions = [*self.acceleration, *self.pivots]
        return flops(expressions[0].graph, nodes(expressions)) if expressions else 0


def factored_at_least(tree: LinkTree) -> int:
    """Operations below which the factored mass matrix cannot come, to spare its derivation.

    A pair of a speed and an ancestor speed takes at least twelve operations to carry the momentum
    over a joint, and two for each speed between them and the base in the factorization.
    """
    depth: list[int] = []
    total = 0
    counted: set[int] = set()
    for link in tree.links:
        above = 0 if link.parent == WORLD else depth[link.parent]
        new = {speed.index for speed in link.speeds if not speed.prescribed} - counted
        counted |= new
        speeds = len(new)
        for k in range(speeds):
            ancestors = above + k
            total += 12 * ancestors + ancestors * ancestors
        depth.append(above + speeds)
    return total
