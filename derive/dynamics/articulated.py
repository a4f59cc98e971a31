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

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia, Elimination
from eomc.derive.dynamics.kinematics import State
from eomc.derive.dynamics.quantities import of_each_motion
from eomc.derive.geometry import Acceleration, Pose, SpatialForce, SpatialMotion
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.tree.link import WORLD, Coordinate, Tree, common_ancestor

DEPENDENT = 1e-14
"""Part of a row's response that counts as rounding once the rows before it are held."""


@dataclass
class _Open:
    """A speed on its way to the base: U, its force S^T p so far, and its row of inertia; of a
    multiplier also what the speeds alone answer to it, the diagonal of G M^-1 G^T so far."""

    speed: int
    momentum: SpatialForce
    force: Expression
    inertia: dict[int, Expression] = field(default_factory=dict)
    response: Expression | int = 0


@dataclass(frozen=True)
class _Met:
    """A column S of a speed at a link."""

    speed: int
    s: SpatialMotion


@dataclass(frozen=True)
class _Eliminated:
    """One speed after its elimination: (tau - S^T p)/D, coupling with speeds still open."""

    speed: int
    elimination: Elimination
    ready: Expression
    others: dict[int, Expression]


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


def roots(tree: Tree) -> list[int]:
    """For each speed the deepest link that all links it moves hang on (or are); `WORLD` if none."""
    result: list[int | None] = [None] * tree.nu
    for index, link in enumerate(tree.links):
        for speed in link.speeds:
            if not speed.prescribed:
                known = result[speed.index]
                root = index if known is None else common_ancestor(tree, known, index)
                result[speed.index] = root
    return [WORLD if root is None else root for root in result]


def forward_dynamics(
    tree: Tree,
    state: State,
    pose: Sequence[Pose],
    tau: Sequence[Expression],
    *,
    motion: Callable[[], Sequence[Acceleration]],
    external: Mapping[int, SpatialForce],
    held: Held | None = None,
) -> ArticulatedSolution:
    """Accelerations under the generalized forces `tau`; `state` moves without free acceleration,
    its links by `motion`, which is asked for behind the inertias: nodes keep that order."""
    sweep = _Sweep(tree, state, pose, tau, held or Held())
    sweep.start(motion(), external)
    return sweep.solution()


def respond(
    tree: Tree, state: State, pose: Sequence[Pose], tau: Sequence[Expression], held: Held
) -> ArticulatedSolution:
    """x with M x = tau + G^T lambda, G x + g = 0: a step from rest, without any other force."""
    sweep = _Sweep(tree, state, pose, tau, held)
    sweep.start_at_rest()
    return sweep.solution()


class _Sweep:
    """Tips to base: the articulated inertia, the wrench and the open speeds of every link."""

    def __init__(
        self, tree: Tree, state: State, pose: Sequence[Pose], tau: Sequence[Expression], held: Held
    ) -> None:
        self.tree, self.state, self.pose, self.held = tree, state, pose, held
        self.no_force = SpatialForce.zero(tree.zero_vector())
        self.inertias = {
            index: ArticulatedInertia.of(link.body.inertia) for index, link in enumerate(tree.links)
        }
        self.wrenches: dict[int, SpatialForce] = {}
        self.open: dict[int, dict[int, _Open]] = {i: {} for i in range(WORLD, len(tree.links))}
        self.events: dict[int, list[_Met | _Eliminated]] = {i: [] for i in self.open}
        self.pivots: list[Expression] = []
        self.margins: list[Expression] = []
        self.roots = roots(tree)
        self.holding: list[dict[int, Expression]] = [{} for _ in range(tree.nu)]
        self.early: set[int] = set()
        self.carried: dict[
            int, tuple[ArticulatedInertia, SpatialForce, dict[int, SpatialForce]]
        ] = {}
        self.reached: dict[int, SpatialMotion] = {}
        self.massless = tree.massless & {speed for row in held.rows for speed in row}
        soft = [j for j, row in enumerate(held.rows) if not self.massless.isdisjoint(row)]
        self.soft = range(tree.nu + len(held.rows), tree.nu + len(held.rows) + len(soft))
        self.tau = [*tau, *held.bias, *(held.bias[j] for j in soft)]
        self._open_multipliers([held.rows[j] for j in soft])

    def _open_multipliers(self, soft: Sequence[Mapping[int, Expression]]) -> None:
        """Multiplier j is speed nu + j; it meets the speeds of its row as they are eliminated.
        Those of the soft rows stand behind."""
        rows = self.held.rows
        ends = [self._common(self.roots[speed] for speed in row) for row in rows]
        yielding = [self._common(self.roots[speed] for speed in row) for row in soft]
        for speed in self.massless:  # each waits for all of its rows
            held = (end for row, end in zip(rows, ends, strict=True) if speed in row)
            self.roots[speed] = self._common(held)
        for row in rows:
            own = [self.roots[speed] for speed in row]
            root = self._common(own)
            if root not in own:  # nothing of this link's own joint holds or is held
                self.early.add(len(self.roots))
            self.roots.append(root)
        self.roots += yielding
        for multiplier, row in enumerate([*rows, *soft], self.tree.nu):
            for speed, entry in row.items():
                self.holding[speed][multiplier] = -entry

    def _common(self, links: Iterable[int]) -> int:
        """The deepest link that all hang on (or are)."""
        found = list(links)
        root = found[0] if found else WORLD
        for link in found:
            root = common_ancestor(self.tree, root, link)
        return root

    def solution(self) -> ArticulatedSolution:
        """Tips to base, and back."""
        for index in reversed(range(len(self.tree.links))):
            self.visit(index)
        self.eliminate_at(WORLD)
        found = self.accelerations()
        nu, behind = self.tree.nu, self.soft.start
        passed = {
            index: Passed(
                inertia, wrench, [(u, found[k]) for k, u in still.items()], self.reached[index]
            )
            for index, (inertia, wrench, still) in self.carried.items()
        }
        return ArticulatedSolution(
            found[:nu], [*self.pivots, *self.margins], found[nu:behind], passed
        )

    def start_at_rest(self) -> None:
        """No wrench on any body."""
        for index, link in enumerate(self.tree.links):
            self.wrenches[index] = self.no_force
            if not link.body.is_rigid:
                self._open_internal(index, [self.tree.zero] * len(link.speeds))

    def start(self, motion: Sequence[Acceleration], external: Mapping[int, SpatialForce]) -> None:
        """The wrench on each body in the motion without free acceleration."""
        of_each_motion(motion)
        for index, (link, at) in enumerate(zip(self.tree.links, motion, strict=True)):
            rates, rest = self.state.speeds(link), self.state.accelerations(link)
            taken = link.body.forces(at, rates, rest)
            self.wrenches[index] = taken.wrench - external.get(index, self.no_force)
            if not link.body.is_rigid:
                self._open_internal(index, taken.internal)

    def _open_internal(self, index: int, forces: Sequence[Expression]) -> None:
        """Internal speeds of a deformable body, with the forces that its motion takes."""
        link = self.tree.links[index]
        mass = link.body.internal_mass()
        for j, (speed, momentum) in enumerate(zip(link.speeds, link.body.coupling(), strict=True)):
            if speed.prescribed:
                continue
            row = {
                other.index: mass[j][k]
                for k, other in enumerate(link.speeds)
                if not other.prescribed
            }
            self.open[index][speed.index] = _Open(speed.index, momentum, forces[j], row)

    def visit(self, index: int) -> None:
        """Meet the columns of a link, eliminate what it is the root of, pass on the rest."""
        link, at = self.tree.links[index], self.pose[index]
        self.eliminate_at(index, self.early)
        for speed, s in zip(link.speeds, at.columns, strict=True):
            if speed.prescribed:
                continue
            alone = speed.index not in self.open[index]
            self._meet(index, speed, s)
            here = self.roots[speed.index] == index and speed.index not in self.massless
            if here and link.body.is_rigid:
                self._eliminate(index, speed.index, s if alone else None)
        self.eliminate_at(index)
        self._carry(index)

    def _meet(self, index: int, speed: Coordinate, s: SpatialMotion) -> None:
        """A speed moves this link along S: its momentum, inertia and force grow by their share."""
        if speed.factor is not None:
            s = s * speed.factor
        if s.is_zero and speed.index in self.open[index]:
            return
        here = self.open[index]
        if speed.index not in here:
            here[speed.index] = _Open(speed.index, self.no_force, self.tree.zero)
        known = here[speed.index]
        wrench = self.wrenches[index]
        u = self.inertias[index] @ s
        own = s.dot(u) + 2 * s.dot(known.momentum)
        for other, entry in here.items():
            if other != speed.index:
                share = s.dot(entry.momentum)
                self._couple(index, speed.index, other, share)
        known.inertia[speed.index] = known.inertia.get(speed.index, self.tree.zero) + own
        known.force = known.force + s.angular.dot(wrench.angular) + s.linear.dot(wrench.linear)
        known.momentum = known.momentum + u
        self.events[index].append(_Met(speed.index, s))

    def _couple(self, index: int, a: int, b: int, share: Expression) -> None:
        """Add to the inertia between two open speeds."""
        if share.is_zero:
            return
        zero, here = self.tree.zero, self.open[index]
        for row, column in dict.fromkeys(((a, b), (b, a))):
            here[row].inertia[column] = here[row].inertia.get(column, zero) + share

    def eliminate_at(self, index: int, among: Collection[int] | None = None) -> None:
        """Eliminate open speeds (of those given) whose root is this link, the last one first:
        springs, speeds, and what holds them."""
        nu, behind = self.tree.nu, self.soft.start
        if among is None:
            for multiplier in range(nu, len(self.roots)):
                if self.roots[multiplier] == index and multiplier not in self.early:
                    self._opened(index, multiplier)
                    if multiplier in self.soft:
                        self._meet_speeds(index, multiplier)
        order = sorted(self.open[index], key=lambda k: (nu <= k < behind, -k))
        for speed in order:
            if self.roots[speed] == index and (among is None or speed in among):
                self._eliminate(index, speed, None)

    def _meet_speeds(self, index: int, spring: int) -> None:
        """Couple a spring with the speeds of its row that wait for it."""
        for speed in self.open[index]:
            if speed < self.tree.nu and spring in self.holding[speed]:
                self._couple(index, speed, spring, self.holding[speed].pop(spring))

    def _opened(self, index: int, multiplier: int) -> None:
        """See to it that a multiplier is open."""
        start = _Open(multiplier, self.no_force, self.tree.zero)
        self.open[index].setdefault(multiplier, start)

    def _eliminate(self, index: int, speed: int, s: SpatialMotion | None) -> None:
        """Take a speed out; `s` is its column if it moves this link alone."""
        tree, here = self.tree, self.open[index]
        self._meet_multipliers(index, speed)
        known = here.pop(speed)
        d = known.inertia.pop(speed, tree.zero)
        is_multiplier = speed >= tree.nu
        name = f"multiplier {speed - tree.nu}" if is_multiplier else tree.speed_names[speed]
        if speed in tree.armature:  # the rotor stays with D, so S^T I S does not vanish
            d, s = d + tree.armature[speed], None
        if speed in self.soft:
            d = d - 1 / self.tree.weight
        if d.is_zero:
            raise ModelError(
                f"speed {name!r} carries no inertia; give mass or inertia to a body that it moves"
            )
        gone = Elimination(s, known.momentum, 1 / d.named(f"pivot of {name}"))
        ready = (self.tau[speed] - known.force) * gone.reciprocal
        others = {k: entry for k, entry in known.inertia.items() if not entry.is_zero}
        self.events[index].append(_Eliminated(speed, gone, ready, others))
        if speed in self.soft:
            pass  # below zero by 1/W
        elif is_multiplier:  # beside the response of its row alone, none is left where rows depend
            self.margins.append(-d - DEPENDENT * known.response)
        else:
            self.pivots.append(d)
        self._relieve(index, known, others, gone.reciprocal, ready)
        if index == WORLD or (tree.links[index].parent == WORLD and self._is_last(index, speed)):
            return  # nothing is left that would feel it
        self.inertias[index] = gone.inertia(self.inertias[index])
        self.wrenches[index] = gone.wrench(self.wrenches[index], ready)

    def _meet_multipliers(self, index: int, speed: int) -> None:
        """Couple a speed that is about to be eliminated with the multipliers that hold it."""
        if speed >= self.tree.nu:
            return
        for multiplier, coupling in self.holding[speed].items():
            self._opened(index, multiplier)
            self._couple(index, speed, multiplier, coupling)

    def _relieve(
        self,
        index: int,
        gone: _Open,
        others: Mapping[int, Expression],
        reciprocal: Expression,
        ready: Expression,
    ) -> None:
        """Take what an eliminated speed carries out of the speeds still open."""
        here = self.open[index]
        for known in here.values():
            known.inertia.pop(gone.speed, None)
        for k, entry in others.items():
            scaled, other = entry * reciprocal, here[k]
            if gone.speed < self.tree.nu <= k:
                other.response = scaled * entry + other.response
            other.force = other.force + entry * ready
            other.momentum = other.momentum - gone.momentum * scaled
            for j, second in others.items():
                if j <= k:
                    self._couple(index, k, j, -scaled * second)

    def _is_last(self, index: int, speed: int) -> bool:
        """True if no column of this link is met, and no speed of it eliminated, after `speed`."""
        free = [s.index for s in self.tree.links[index].speeds if not s.prescribed]
        return bool(free) and free[-1] == speed and not self.open[index]

    def _carry(self, index: int) -> None:
        """Inertia, wrench and open speeds, seen from the parent."""
        at, parent = self.pose[index], self.tree.links[index].parent
        for speed, entry in self.open[index].items():
            self._carry_open(index, parent, speed, entry)
        if parent == WORLD:
            return
        still = {speed: entry.momentum for speed, entry in self.open[index].items()}
        self.carried[index] = self.inertias[index], self.wrenches[index], still
        carried = self.inertias[index].carried(at.rotation, at.origin)
        self.inertias[parent] = self.inertias[parent] + carried
        self.wrenches[parent] = self.wrenches[parent] + at.to_parent(self.wrenches[index])

    def _carry_open(self, index: int, parent: int, speed: int, entry: _Open) -> None:
        above = self.open[parent]
        at, momentum = self.pose[index], self.no_force
        if parent != WORLD:
            momentum = at.to_parent(entry.momentum)
        if speed not in above:
            row = dict(entry.inertia)
            above[speed] = _Open(speed, momentum, entry.force, row, entry.response)
            return
        known = above[speed]
        known.momentum = known.momentum + momentum
        known.force = known.force + entry.force
        known.response = entry.response + known.response
        for other, inertia in entry.inertia.items():
            known.inertia[other] = known.inertia.get(other, self.tree.zero) + inertia

    def accelerations(self) -> list[Expression]:
        """Base to tip: what each speed adds to the acceleration of its parent."""
        tree = self.tree
        result = [tree.zero] * len(self.tau)
        still = SpatialMotion.zero(tree.zero_vector())
        added = {WORLD: still}
        for index in range(WORLD, len(tree.links)):
            a = still
            if index != WORLD:
                a = self.pose[index].to_child(added[tree.links[index].parent])
                self.reached[index] = a
            for event in reversed(self.events[index]):
                if isinstance(event, _Met):
                    a = a + event.s * result[event.speed]
                    continue
                above = a.dot(event.elimination.u)
                for other, entry in event.others.items():
                    above = above + entry * result[other]
                result[event.speed] = event.elimination.acceleration(event.ready, above)
            added[index] = a
        return result
