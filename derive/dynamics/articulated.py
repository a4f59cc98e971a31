"""Forward dynamics in O(N) by articulated bodies.

M a + c = tau is solved without M: tips first, each speed is eliminated from the inertia that its
subtree shows to the parent,

    U = I S,  D = S^T U,  I -= U U^T / D,  p += U (tau - S^T p) / D,

what is left travels to the parent, and on the way back a = (tau - S^T p - U^T a_p) / D. The wrench
p starts from what the motion without acceleration takes. Reference: Featherstone, *Rigid Body
Dynamics Algorithms*, ch. 7; the bias is here that of inverse dynamics, so that velocities enter
once.

A speed may move more than one link: an internal coordinate moves its body and all that is attached
to it, a mimic joint follows another one. Such a speed stays *open* on the way to the base, with
the momentum U it gives to the subtree, its own inertia and its coupling with the other open speeds,
until the link is reached that has all of them above it. For a deformable body with k internal
coordinates this is the elimination of a (6 + k) block, and the whole stays linear in the number of
bodies.

A speed that moves no mass has D = 0, but rows G a + g = 0 may determine it: M is singular then, and
M + W G^T G regular, with the same solution and the same multipliers, for W (G a + g) is none
(Golub and Greif, *On solving block-structured indefinite linear systems*, SIAM J. Sci. Comput. 24
(2003) 2076). The rows of such speeds act a second time, by springs -mu/W = G a + g that give and
are eliminated first; the speeds stay open until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from eomc.derive.bodies.body import Forces
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.dynamics.articulated_sweep import ArticulatedSweep
from eomc.derive.dynamics.elimination_order import EliminationOrder
from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.dynamics.quantities import of_each_motion
from eomc.derive.geometry import Acceleration, LinkPose, SpatialForce, SpatialMotion
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkTree


@dataclass(frozen=True)
class Held:
    """Rows G a + g = 0 that hold the accelerations, by multipliers: M a + c = tau + G^T lambda.

    A multiplier is one more open speed, without inertia and coupled by -G with the speeds of its
    row; it is eliminated at the link that all of these hang on, behind them and with a negative
    pivot. So loops that stay local cost what they have joints, and the whole stays linear in their
    number.
    """

    rows: Sequence[Mapping[int, Expression]] = ()
    bias: Sequence[Expression] = ()


@dataclass(frozen=True)
class ArticulatedSolution:
    """Accelerations of the independent speeds, multipliers, and what must be positive: the pivots D
    of the speeds, then those of the multipliers by as much as they exceed rounding."""

    acceleration: list[Expression]
    pivots: list[Expression]
    multipliers: list[Expression] = field(default_factory=list)
    passed: Mapping[int, Passed] = field(default_factory=dict)


@dataclass(frozen=True)
class Passed:
    """Of a link, seen by the one that it hangs on: the articulated inertia I, the wrench p, and the
    speeds still open, momentum U and acceleration x; and the acceleration a that comes from
    there."""

    inertia: ArticulatedInertia
    wrench: SpatialForce
    open: Sequence[tuple[SpatialForce, Expression]]
    acceleration: SpatialMotion

    @property
    def transmitted(self) -> SpatialForce:
        """Wrench that the link takes from there: I a + p + sum of U x."""
        taken = self.inertia @ self.acceleration + self.wrench
        for momentum, x in self.open:
            taken = taken + momentum * x
        return taken


def forward_dynamics(
    tree: LinkTree,
    state: KinematicState,
    pose: Sequence[LinkPose],
    tau: Sequence[Expression],
    *,
    motion: Callable[[], Sequence[Acceleration]],
    external: Mapping[int, SpatialForce],
    held: Held | None = None,
) -> ArticulatedSolution:
    """Accelerations under the generalized forces `tau`; `state` moves without free acceleration,
    its links by `motion`, which is asked for behind the inertias: nodes keep that order."""
    sweep = _sweep(tree, pose, tau, held or Held())
    coasting = motion()
    of_each_motion(coasting)
    none = SpatialForce.zero(tree.zero_vector())
    for index, (link, at) in enumerate(zip(tree.links, coasting, strict=True)):
        taken = link.body.forces(at, state.speeds(link), state.accelerations(link))
        wrench = taken.wrench - external.get(index, none)
        sweep.start(index, Forces(wrench, taken.internal))
    return _solution(sweep)


def respond(
    tree: LinkTree, pose: Sequence[LinkPose], tau: Sequence[Expression], held: Held
) -> ArticulatedSolution:
    """x with M x = tau + G^T lambda, G x + g = 0: a step from rest, without any other force."""
    sweep = _sweep(tree, pose, tau, held)
    none = SpatialForce.zero(tree.zero_vector())
    for index, link in enumerate(tree.links):
        sweep.start(index, Forces(none, [tree.zero] * len(link.speeds)))
    return _solution(sweep)


def _sweep(
    tree: LinkTree, pose: Sequence[LinkPose], tau: Sequence[Expression], held: Held
) -> ArticulatedSweep:
    order = EliminationOrder(tree, held.rows)
    right = [*tau, *held.bias, *(held.bias[j] for j in order.doubled)]
    return ArticulatedSweep(tree, pose, order, right)


def _solution(sweep: ArticulatedSweep) -> ArticulatedSolution:
    """Solve, and read what the links pass to their parents."""
    tree, found = sweep.tree, sweep.solve()
    passed = {
        index: Passed(
            at.inertia, at.wrench, [(x.momentum, found[k]) for k, x in at.open.items()], at.before
        )
        for index, at in reversed(sweep.links.items())
        if at.before is not None and tree.links[index].parent != WORLD
    }
    multipliers = found[tree.nu : sweep.order.springs.start]
    pivots = [*sweep.pivots, *sweep.margins]
    return ArticulatedSolution(found[: tree.nu], pivots, multipliers, passed)
