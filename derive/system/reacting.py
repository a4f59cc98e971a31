"""Forces that depend on the reactions in joints: friction under the load of the joint itself.

With the reactions R(q, u, a, lambda) of the joints, affine in a and in the multipliers of
constraints, and the law Q(q, u, R) of every element, that acts along d: on its own speed, or
between the two sides of a joint that closes a loop,

    M a + c = tau + G^T lambda + sum_j d_j Q_j(R),    G a + g = 0

Inverse dynamics knows a and lambda and is explicit. Forward dynamics looks for the forces
x_j = Q_j: accelerations and multipliers under them are affine in x, by the answers of the held
mechanism to each d_j, so are the reactions, and

    x - Q(R_0 + R_1 x) = 0

is solved by a fixed number of Newton's steps in as many unknowns as there are such elements; to its
derivatives belong the whole matrices M - dQ/da and G^T + dQ/dlambda
(`eomc.derive.system.reacting_partials`). Where a pivot of 1 - dQ/dx is not positive the force grows
faster than what it resists: the joint jams, and no acceleration or more than one goes with tau.
References: Pfeiffer and Glocker, *Multibody Dynamics with Unilateral Contacts*, ch. 5; Haug,
*Computer Aided Kinematics and Dynamics of Mechanical Systems*, sec. 10.4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.derive.constraints import Constraint
from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.dynamics.elimination import eliminate
from eomc.derive.dynamics.forward import ForwardDynamics
from eomc.derive.dynamics.inverse import GeneralizedForces
from eomc.derive.elements.element import ForceElement
from eomc.derive.forces.cut_joint_losses import act, on_freedoms
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.graph import Expression, symbols
from eomc.derive.graph.columns import substituted, swept
from eomc.derive.graph.traverse import substitute
from eomc.derive.joints.joint import Joint
from eomc.derive.language.errors import ModelError
from eomc.derive.scene.loads import Loads
from eomc.derive.system.constraint_wrenches import on_links
from eomc.derive.system.shared_loads import check_determined
from eomc.derive.system.transmitted import in_cut_joint, in_joint, on_cut_child, transmitted
from eomc.derive.tree.link import LinkCoordinate

if TYPE_CHECKING:
    from eomc.derive.system.system import System

#: Of Newton's method, from the forces without friction: four reach rounding where nothing is near
#: to jamming.
STEPS = 6
_SETTLED = 1e-9

Reaction = list[Expression]
"""Force and moment."""


@dataclass(frozen=True, eq=False)
class Reacting:
    """One element: what a unit of its force does to the speeds, and the reaction (6,) of its joint
    in the symbols a, ``multipliers`` and ``rubbing``.

    Of a joint that closes a loop also its rate, the symbol of its force, and how that acts.
    """

    element: ForceElement
    unit: GeneralizedForces
    reaction: Reaction
    cut: ReactionFriction | None = None

    def force(self, system: System, reaction: Sequence[Expression]) -> Expression:
        """Q by a reaction."""
        force, moment = Vector(*reaction[:3]), Vector(*reaction[3:])
        scene = system.scene
        if self.cut is not None:
            (name,) = self.cut.joint.speeds
            scene = system.seen({**scene.variables, f"speed({name})": self.cut.rate})
        return self.element.resistance(scene, force, moment)

    @property
    def moves(self) -> bool:
        """True if it acts on a free speed."""
        return not all(entry.is_zero for entry in self.unit.free)


@dataclass(frozen=True, eq=False)
class ReactionFriction:
    """Friction in a joint that closes a loop: the rate there, the symbol of the force, and its
    wrench on the child, about the joint, from the common ancestor, and those on links.
    """

    joint: Joint
    rate: Expression
    own: Expression
    wrench: SpatialForce
    loads: Loads


def multiplier_symbols(system: System) -> dict[str, Expression]:
    """The symbols ``multipliers`` by the names of the rows; none without constraints."""
    if not system.is_constrained:
        return {}
    names = system.constraints.names
    return dict(zip(names, symbols(system.graph, "multipliers", len(names)), strict=True))


def reacting(system: System) -> list[Reacting]:
    """The elements whose forces depend on reactions."""
    acting = [
        (element, name)
        for table in system.model.acting().values()
        for element in table.values()
        if (name := element.reacts_to()) is not None
    ]
    if not acting:
        return []
    _refuse(system, acting[0][0])
    cuts = {speed: joint for joint in system.model.cuts() for speed in joint.speeds}
    joints = {speed: joint for joint in system.model.tree() for speed in joint.speeds}
    rubbing = _rubbing(system, [cuts[name] for _, name in acting if name in cuts])
    of_cuts = iter(rubbing)
    rubs = [(cuts if name in cuts else joints)[name] for _, name in acting]
    found = []
    made = _reactions(system, rubs, rubbing, multiplier_symbols(system))
    for (element, name), reaction in zip(acting, made, strict=True):
        own = next(of_cuts) if name in cuts else None
        unit = _unit_of(system, own) if own else _unit_on(system, system.tree.speed_of[name])
        found.append(Reacting(element, unit, reaction, own))
    if system.is_constrained and len(system.constraints.all_rows) > len(system.constraints.rows):
        names = [row.name for row in system.constraints.all_rows]
        carried = dict(zip(names, symbols(system.graph, "carried", len(names)), strict=True))
        everywhere = [*moving_joints(system), *system.model.cuts()]
        pressing, others = (_reactions(system, of, rubbing, carried) for of in (rubs, everywhere))
        check_determined(system, found, pressing, others)
    return found


def _reactions(
    system: System,
    joints: Sequence[Joint],
    rubbing: Sequence[ReactionFriction],
    multipliers: Mapping[str, Expression],
) -> list[Reaction]:
    """In joints of the tree and cut ones, in the symbols ``rubbing``; friction of a cut joint acts
    along its freedom and is left out in itself."""
    wrenches = transmitted(system, held_links(system, rubbing, multipliers))
    cuts = {joint.name for joint in system.model.cuts()}
    found = [
        in_cut_joint(system, joint, multipliers)
        if joint.name in cuts
        else in_joint(system, joint, wrenches)
        for joint in joints
    ]
    return [list(wrench.entries) for wrench in found]


def moving_joints(system: System) -> list[Joint]:
    """Joints of the tree between bodies that move."""
    place = system.tree.pose_of
    return [
        joint for joint in system.model.tree() if place[joint.child][0] != place[joint.parent][0]
    ]


def _rubbing(system: System, joints: Sequence[Joint]) -> list[ReactionFriction]:
    """One for each element that rubs in a joint which closes a loop; a joint may have several."""
    found: list[ReactionFriction] = []
    scene = system.scene
    for own, joint in zip(symbols(system.graph, "rubbing", len(joints)), joints, strict=True):
        rates: list[Expression] = []

        def force(
            _: int, rate: Expression, rates: list[Expression] = rates, own: Expression = own
        ) -> Expression:
            rates.append(rate)
            return own

        at, wrench = on_freedoms(joint, scene, force)
        loads = Loads(system.zero)
        act(joint, scene, loads, at, wrench)
        found.append(ReactionFriction(joint, rates[0], own, wrench, loads))
    return found


def held_links(
    system: System, rubbing: Sequence[ReactionFriction], multipliers: Mapping[str, Expression]
) -> dict[int, list[SpatialForce]]:
    """Wrenches on links of constraints, and of friction in joints that close loops."""
    model = system.model
    elements: list[Joint | Constraint] = [*model.cuts(), *model.constraints.values()]
    held = on_links(elements, system.scene, multipliers)
    for each in rubbing:
        for link, wrench in each.loads.wrenches.items():
            held.setdefault(link, []).append(wrench)
    return held


def in_all_joints(system: System) -> list[SpatialForce]:
    """Reactions in all joints that move and in cut ones, with all that rubs in them."""
    rubbing = [each.cut for each in system.reacting if each.cut is not None]
    joints = [*moving_joints(system), *system.model.cuts()]
    none = SpatialForce.zero(system.tree.zero_vector())
    found: list[Expression] = []
    made = _reactions(system, joints, rubbing, multiplier_symbols(system))
    for joint, reaction in zip(joints, made, strict=True):
        for each in rubbing:
            if each.joint.name != joint.name:
                continue
            rubs = on_cut_child(system, joint, none, each.wrench)
            reaction = [x + y for x, y in zip(reaction, rubs.entries, strict=True)]
        found += reaction
    flat = _settled(system, found)
    return [SpatialForce.of(flat[k : k + 6]) for k in range(0, len(flat), 6)]


def _unit_on(system: System, speed: LinkCoordinate) -> GeneralizedForces:
    """1 on a speed of the tree."""
    unit = _none(system)
    where = unit.prescribed if speed.prescribed else unit.free
    where[speed.index] = system.zero + 1
    return unit


def _unit_of(system: System, rubbing: ReactionFriction) -> GeneralizedForces:
    """1 between the sides of a joint that closes a loop."""
    forces = system.all_generalized(rubbing.loads)
    at = {rubbing.own.node: (system.zero + 1).node}
    free, prescribed = substituted(system.graph, [forces.free, forces.prescribed], at)
    return GeneralizedForces(free, prescribed)


def _none(system: System) -> GeneralizedForces:
    return GeneralizedForces([system.zero] * system.nu, [system.zero] * len(system.s))


def _refuse(system: System, element: ForceElement) -> None:
    """Raise `ModelError` beside what changes reactions in ways that are not solved here."""
    model = system.model
    servo = model.servo_constraints
    others = {
        f"servo constraint {next(iter(servo), '')!r} gives an acceleration": servo,
        "a contact is rigid": model.rigid_contacts(),
    }
    for what, found in others.items():
        if found:
            raise ModelError(
                f"{element.title} depends on the reaction in its joint, but {what}; leave out "
                "one of them",
                element.source,
            )


def laws(system: System) -> list[Expression]:
    """Q of each in the symbols a and ``multipliers``."""
    return _settled(system, [each.force(system, each.reaction) for each in system.reacting])


def _settled(system: System, values: Sequence[Expression]) -> list[Expression]:
    """Values with the forces in joints that close loops by their laws: these depend on the
    multipliers alone."""
    at = {
        each.cut.own.node: each.force(system, each.reaction).node
        for each in system.reacting
        if each.cut is not None
    }
    if not at:
        return list(values)
    return substituted(system.graph, [list(values)], at)[0]


def forces(
    system: System, a: Sequence[Expression], multipliers: Sequence[Expression] | None = None
) -> GeneralizedForces:
    """The forces of all of them at given accelerations and multipliers, or in the symbols of
    these."""
    total = _none(system)
    pairs = [*zip(system.a, a, strict=True)]
    if multipliers is not None:
        pairs += zip(multiplier_symbols(system).values(), multipliers, strict=True)
    at = {x.node: y.node for x, y in pairs if x.node != y.node}
    for each, law in zip(system.reacting, system.reacting_laws, strict=True):
        (found,) = substitute(system.graph, [law.node], at)
        force = Expression(system.graph, found)
        for where, unit in ((total.free, each.unit.free), (total.prescribed, each.unit.prescribed)):
            for k, share in enumerate(unit):
                if not share.is_zero:
                    where[k] = where[k] + share * force
    return total


def forward_dynamics(system: System, free: ForwardDynamics) -> ForwardDynamics:
    """`free`, the dynamics of an open chain without these forces, and what they add."""
    found = resisted(system, ArticulatedSolution(free.acceleration, free.pivots))
    return ForwardDynamics(free.method, found.acceleration, free.pivots)


def resisted(system: System, free: ArticulatedSolution) -> ArticulatedSolution:
    """The same of accelerations and multipliers."""
    each = [entry for entry in system.reacting if entry.moves]
    answers = responses(system)
    start = {x.node: value.node for x, value in _places(system, free)}
    columns = [_answer(system, *pair) for pair in zip(each, answers, strict=True)]
    x = _solved(system, each, start, columns)
    acceleration, multipliers = list(free.acceleration), list(free.multipliers)
    for force, answer in zip(x, answers, strict=True):
        acceleration = _moved(acceleration, force, answer.acceleration)
        multipliers = _moved(multipliers, force, answer.multipliers)
    return ArticulatedSolution(acceleration, free.pivots, multipliers)


def _moved(
    values: Sequence[Expression], force: Expression, shares: Sequence[Expression]
) -> list[Expression]:
    return [value + force * share for value, share in zip(values, shares, strict=True)]


def responses(system: System) -> list[ArticulatedSolution]:
    """Accelerations and multipliers by a unit force of each element that acts on what is free."""
    held = system.held
    still = Held(held.rows, [system.zero] * len(held.rows))
    units = [entry.unit.free for entry in system.reacting if entry.moves]
    return [system.respond(unit, still) for unit in units]


def _places(system: System, found: ArticulatedSolution) -> list[tuple[Expression, Expression]]:
    """(symbol, value) of accelerations and multipliers."""
    symbolic = multiplier_symbols(system).values()
    pairs = [*zip(system.a, found.acceleration, strict=True)]
    return [*pairs, *zip(symbolic, found.multipliers, strict=True)]


def _answer(system: System, entry: Reacting, response: ArticulatedSolution) -> dict[int, int]:
    along = {symbol.node: share.node for symbol, share in _places(system, response)}
    if entry.cut is not None:
        along[entry.cut.own.node] = (system.zero + 1).node
    return along


def _solved(
    system: System,
    each: Sequence[Reacting],
    start: Mapping[int, int],
    along: Sequence[Mapping[int, int]],
) -> list[Expression]:
    """x of x = Q(R_0 + R_1 x)."""
    graph, one = system.graph, system.zero + 1
    flat = [entry for each_one in each for entry in each_one.reaction]
    slopes = swept(graph, flat, along)
    rest = {one.cut.own.node: system.zero.node for one in system.reacting if one.cut is not None}
    (begun,) = substituted(graph, [flat], {**start, **rest})
    own = symbols(graph, "reaction", len(flat))
    made = [entry.force(system, own[6 * k : 6 * k + 6]) for k, entry in enumerate(each)]
    by_x = swept(
        graph,
        made,
        [{s.node: slope.node for s, slope in zip(own, column, strict=True)} for column in slopes],
    )
    x, change = [system.zero] * len(each), [one] * len(each)
    pivots: tuple[Expression, ...] = tuple(change)
    for _ in range(STEPS):
        here = [
            _sum([begin, *(force * column[i] for force, column in zip(x, slopes, strict=True))])
            for i, begin in enumerate(begun)
        ]
        put = {s.node: value.node for s, value in zip(own, here, strict=True)}
        now, *columns = substituted(graph, [made, *by_x], put)
        matrix = [[int(i == j) - columns[j][i] for j in range(len(each))] for i in range(len(each))]
        factor = eliminate(matrix)
        change = factor.solve([q - force for q, force in zip(now, x, strict=True)])
        x = [force + step for force, step in zip(x, change, strict=True)]
        pivots = factor.pivots
    return _guarded(each, x, change, pivots)


def _guarded(
    each: Sequence[Reacting],
    x: Sequence[Expression],
    change: Sequence[Expression],
    pivots: Sequence[Expression],
) -> list[Expression]:
    """x, which fails by the name of an element that jams or whose force does not settle."""
    found = []
    for entry, force, step, pivot in zip(each, x, change, pivots, strict=True):
        code = "jammed_" + re.sub(r"\W", "_", entry.element.name)
        left = (1 + force * force) * _SETTLED**2 - step * step
        held = pivot.required(code).if_less(0, force * 0, force)
        found.append(left.required(code).if_less(0, force * 0, held))
    return found


def _sum(terms: Sequence[Expression]) -> Expression:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
