"""The arithmetic of articulated bodies: tips to base by `EliminationOrder`, and back.

At each link with the articulated inertia I and the wrench p, for a column S of an unknown that has
gathered U, D and S^T p further out (Featherstone, *Rigid Body Dynamics Algorithms*, sec. 7.3):

    meet        U += I S,  D += S^T I S + 2 S^T U,  b += S^T p
    eliminate   I -= U U^T / D,  p += U (tau - b) / D
    carry       I, p and the U of unknowns still open go to the parent
    accelerate  x = (tau - b - U^T a) / D,  a += S x
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from eomc.derive.bodies.body import Forces
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia, EliminatedSpeed
from eomc.derive.dynamics.elimination_order import EliminationOrder
from eomc.derive.geometry import LinkPose, SpatialForce, SpatialMotion
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree

DEPENDENT = 1e-14
"""Part of a row's response that counts as rounding once the rows before it are held."""


@dataclass
class _Open:
    """An unknown on its way to the base: U, its force b = S^T p so far, and its row of inertia; of
    a multiplier also what the speeds alone answer to it, the diagonal of G M^-1 G^T so far."""

    momentum: SpatialForce
    force: Expression
    inertia: dict[int, Expression] = field(default_factory=dict)
    response: Expression | int = 0


@dataclass(frozen=True)
class _SweptColumn:
    """A column S of a speed at a link."""

    speed: int
    s: SpatialMotion


@dataclass(frozen=True)
class _Eliminated:
    """An unknown after its elimination: (tau - b)/D, coupling with unknowns still open."""

    unknown: int
    elimination: EliminatedSpeed
    ready: Expression
    others: dict[int, Expression]


@dataclass
class AtLink:
    """State of the sweep at a link: I and p of its subtree, the unknowns still open, and what was
    met and eliminated in order; on the way back the acceleration that comes from the parent."""

    inertia: ArticulatedInertia
    wrench: SpatialForce
    open: dict[int, _Open] = field(default_factory=dict)
    events: list[_SweptColumn | _Eliminated] = field(default_factory=list)
    before: SpatialMotion | None = None


class ArticulatedSweep:
    """M x = tau + G^T lambda, G x + g = 0 with the right sides `right` of all unknowns.

    `links` holds what is known of every link and of the world, `pivots` the pivots of the speeds,
    `margins` those of the multipliers by as much as they exceed rounding; all must be positive.
    """

    def __init__(
        self,
        tree: LinkTree,
        pose: Sequence[LinkPose],
        order: EliminationOrder,
        right: Sequence[Expression],
    ) -> None:
        self.tree, self.pose, self.order, self.right = tree, pose, order, right
        self.no_force = SpatialForce.zero(tree.zero_vector())
        none = ArticulatedInertia.zero(tree.zero_vector())
        self.links = {WORLD: AtLink(none, self.no_force)}
        for index, link in enumerate(tree.links):
            inertia = ArticulatedInertia.of(link.body.inertia)
            self.links[index] = AtLink(inertia, self.no_force)
        self.pivots: list[Expression] = []
        self.margins: list[Expression] = []
        self._couplings: list[dict[int, Expression]] = [{} for _ in range(tree.nu)]
        for multiplier, row in order.equations():
            for speed, entry in row.items():
                self._couplings[speed][multiplier] = -entry

    def start(self, index: int, taken: Forces) -> None:
        """The forces that a link takes before anything is eliminated."""
        self.links[index].wrench = taken.wrench
        link = self.tree.links[index]
        if link.body.is_rigid:
            return
        mass = link.body.internal_mass()
        for j, (speed, momentum) in enumerate(zip(link.speeds, link.body.coupling(), strict=True)):
            if speed.prescribed:
                continue
            row = {
                other.index: mass[j][k]
                for k, other in enumerate(link.speeds)
                if not other.prescribed
            }
            self.links[index].open[speed.index] = _Open(momentum, taken.internal[j], row)

    def solve(self) -> list[Expression]:
        """All unknowns: tips to base, and back."""
        for index in reversed(range(len(self.tree.links))):
            self._visit(index)
        self._eliminate_at(WORLD)
        return self._accelerations()

    def _visit(self, index: int) -> None:
        """Meet the columns of a link, eliminate what it is the root of, pass on the rest."""
        link, here = self.tree.links[index], self.links[index]
        if self.order.early:
            for early in self.order.at(index, self.order.early.intersection(here.open)):
                self._eliminate(index, early, None)
        for speed, s in zip(link.speeds, self.pose[index].columns, strict=True):
            if speed.prescribed:
                continue
            alone = speed.index not in here.open
            self._meet(index, speed, s)
            if link.body.is_rigid and self.order.is_eliminated_when_met(index, speed.index):
                self._eliminate(index, speed.index, s if alone else None)
        self._eliminate_at(index)
        self._carry(index)

    def _meet(self, index: int, speed: LinkCoordinate, s: SpatialMotion) -> None:
        """U += I S, D += S^T I S + 2 S^T U, b += S^T p, and the inertia shared with others."""
        here = self.links[index]
        if speed.factor is not None:
            s = s * speed.factor
        if speed.index in here.open and s.is_zero:
            return
        known = self._opened(index, speed.index)
        u = here.inertia @ s
        own = s.dot(u) + 2 * s.dot(known.momentum)
        for other, entry in here.open.items():
            if other != speed.index:
                self._couple(index, speed.index, other, s.dot(entry.momentum))
        known.inertia[speed.index] = known.inertia.get(speed.index, self.tree.zero) + own
        known.force = known.force + s.angular.dot(here.wrench.angular)
        known.force = known.force + s.linear.dot(here.wrench.linear)
        known.momentum = known.momentum + u
        here.events.append(_SweptColumn(speed.index, s))

    def _couple(self, index: int, a: int, b: int, share: Expression) -> None:
        """Add to the inertia between two open unknowns."""
        if share.is_zero:
            return
        zero, here = self.tree.zero, self.links[index].open
        for row, column in dict.fromkeys(((a, b), (b, a))):
            here[row].inertia[column] = here[row].inertia.get(column, zero) + share

    def _opened(self, index: int, unknown: int) -> _Open:
        """An unknown that is open at the link from now on, if it was not before."""
        here = self.links[index].open
        if unknown not in here:
            here[unknown] = _Open(self.no_force, self.tree.zero)
        return here[unknown]

    def _eliminate_at(self, index: int) -> None:
        """Eliminate all unknowns whose root is the link."""
        for unknown in self.order.opened_at(index):
            self._opened(index, unknown)
            if unknown in self.order.springs:
                self._couple_spring(index, unknown)
        for unknown in self.order.at(index, self.links[index].open):
            self._eliminate(index, unknown, None)

    def _couple_spring(self, index: int, spring: int) -> None:
        """Couple a spring with the speeds of its row that wait for it."""
        for speed in self.links[index].open:
            if self.order.is_speed(speed) and spring in self._couplings[speed]:
                self._couple(index, speed, spring, self._couplings[speed].pop(spring))

    def _couple_multipliers(self, index: int, speed: int) -> None:
        """Couple a speed that is about to be eliminated with the multipliers that hold it."""
        for multiplier, coupling in self._couplings[speed].items():
            self._opened(index, multiplier)
            self._couple(index, speed, multiplier, coupling)

    def _eliminate(self, index: int, unknown: int, s: SpatialMotion | None) -> None:
        """I -= U U^T / D, p += U (tau - b) / D; `s` is the column if it moves this link alone."""
        tree, order, here = self.tree, self.order, self.links[index]
        if order.is_speed(unknown):
            self._couple_multipliers(index, unknown)
        known, name = here.open.pop(unknown), order.name(unknown)
        d = known.inertia.pop(unknown, tree.zero)
        if unknown in tree.armature:  # the rotor stays with D, so S^T I S does not vanish
            d, s = d + tree.armature[unknown], None
        if unknown in order.springs:
            d = d - 1 / tree.weight
        if d.is_zero:
            raise ModelError(
                f"speed {name!r} carries no inertia; give mass or inertia to a body that it moves"
            )
        gone = EliminatedSpeed(s, known.momentum, 1 / d.named(f"pivot of {name}"))
        ready = (self.right[unknown] - known.force) * gone.reciprocal
        others = {k: entry for k, entry in known.inertia.items() if not entry.is_zero}
        done = _Eliminated(unknown, gone, ready, others)
        here.events.append(done)
        self._require_positive(unknown, d, known)
        self._relieve(index, done)
        if index == WORLD or (tree.links[index].parent == WORLD and self._is_last(index, unknown)):
            return  # nothing is left that would feel it
        here.inertia = gone.inertia(here.inertia)
        here.wrench = gone.wrench(here.wrench, ready)

    def _require_positive(self, unknown: int, d: Expression, known: _Open) -> None:
        """D of a speed; of a multiplier -D beside the response of its row alone, of which none is
        left where rows depend; that of a spring is below zero by 1/W."""
        if self.order.is_speed(unknown):
            self.pivots.append(d)
        elif unknown not in self.order.springs:
            self.margins.append(-d - DEPENDENT * known.response)

    def _relieve(self, index: int, gone: _Eliminated) -> None:
        """Take what an eliminated unknown carries out of those still open, m its row of inertia:
        b_k += m_k (tau - b) / D,  U_k -= U m_k / D,  M_kj -= m_k m_j / D."""
        here, order, ready = self.links[index].open, self.order, gone.ready
        for known in here.values():
            known.inertia.pop(gone.unknown, None)
        is_speed = order.is_speed(gone.unknown)
        for k, entry in gone.others.items():
            scaled, other = entry * gone.elimination.reciprocal, here[k]
            if is_speed and k >= order.nu:
                other.response = scaled * entry + other.response
            other.force = other.force + entry * ready
            other.momentum = other.momentum - gone.elimination.u * scaled
            for j, second in gone.others.items():
                if j <= k:
                    self._couple(index, k, j, -scaled * second)

    def _is_last(self, index: int, speed: int) -> bool:
        """True if no column of this link is met, and no speed of it eliminated, after `speed`."""
        free = [s.index for s in self.tree.links[index].speeds if not s.prescribed]
        return bool(free) and free[-1] == speed and not self.links[index].open

    def _carry(self, index: int) -> None:
        """Inertia, wrench and open unknowns, seen from the parent."""
        at, here, parent = self.pose[index], self.links[index], self.tree.links[index].parent
        above = self.links[parent]
        for unknown, entry in here.open.items():
            momentum = self.no_force if parent == WORLD else at.to_parent(entry.momentum)
            self._carry_open(above.open, unknown, entry, momentum)
        if parent == WORLD:
            return
        above.inertia = above.inertia + here.inertia.carried(at.rotation, at.origin)
        above.wrench = above.wrench + at.to_parent(here.wrench)

    def _carry_open(
        self, above: dict[int, _Open], unknown: int, entry: _Open, momentum: SpatialForce
    ) -> None:
        if unknown not in above:
            above[unknown] = _Open(momentum, entry.force, dict(entry.inertia), entry.response)
            return
        known = above[unknown]
        known.momentum = known.momentum + momentum
        known.force = known.force + entry.force
        known.response = entry.response + known.response
        for other, inertia in entry.inertia.items():
            known.inertia[other] = known.inertia.get(other, self.tree.zero) + inertia

    def _accelerations(self) -> list[Expression]:
        """x = (tau - b - U^T a) / D and a += S x, base to tip."""
        tree = self.tree
        result = [tree.zero] * len(self.right)
        still = SpatialMotion.zero(tree.zero_vector())
        added = {WORLD: still}
        for index in range(WORLD, len(tree.links)):
            here, a = self.links[index], still
            if index != WORLD:
                a = here.before = self.pose[index].to_child(added[tree.links[index].parent])
            for event in reversed(here.events):
                if isinstance(event, _SweptColumn):
                    a = a + event.s * result[event.speed]
                    continue
                above = a.dot(event.elimination.u)
                for other, entry in event.others.items():
                    above = above + entry * result[other]
                result[event.unknown] = event.elimination.acceleration(event.ready, above)
            added[index] = a
        return result
