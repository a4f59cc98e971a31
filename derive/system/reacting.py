"""Forces that depend on the reactions in joints: friction under the load of the joint itself.

With the reactions R(q, u, a) of the joints, affine in a, and the law Q(q, u, R) of every element,

    M a + c = tau + sum_j e_j Q_j(R(a))

Inverse dynamics knows a and is explicit. Forward dynamics looks for the forces x_j = Q_j: the
accelerations under them, a = a_0 + sum_j x_j M^-1 e_j, are affine, so are the reactions, and

    x - Q(R_0 + R_1 x) = 0

is solved by a fixed number of Newton's steps in as many unknowns as there are such elements; to its
derivatives belongs the whole matrix M - dQ/da. Where a pivot of 1 - dQ/dx is not positive the force
grows faster than what it resists: the joint jams, and no acceleration or more than one goes with
tau. References: Pfeiffer and Glocker, *Multibody Dynamics with Unilateral Contacts*, ch. 5; Haug,
*Computer Aided Kinematics and Dynamics of Mechanical Systems*, sec. 10.4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.derive.dynamics.elimination import Elimination, eliminate
from eomc.derive.dynamics.forward import ForwardDynamics
from eomc.derive.dynamics.forward_partials import ForwardPartials, solved
from eomc.derive.dynamics.inverse import GeneralizedForces
from eomc.derive.elements.element import ForceElement
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, symbols
from eomc.derive.graph.columns import substituted, swept
from eomc.derive.graph.substitute import substitute
from eomc.derive.language.errors import ModelError
from eomc.derive.system.transmitted import in_joint, transmitted
from eomc.derive.tree.link import Coordinate

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
    """One element, the speed that it acts on, and the reaction of its joint at a (6,)."""

    element: ForceElement
    speed: Coordinate
    reaction: Reaction

    def force(self, system: System, reaction: Sequence[Expression]) -> Expression:
        """Q by a reaction."""
        force, moment = Vector(*reaction[:3]), Vector(*reaction[3:])
        return self.element.resistance(system.scene, force, moment)


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
    wrenches = transmitted(system, {})
    joints = {speed: joint for joint in system.model.tree() for speed in joint.speeds}
    found = []
    for element, name in acting:
        force, moment = in_joint(system, joints[name], wrenches)
        found.append(Reacting(element, system.tree.speed_of[name], [*force, *moment]))
    return found


def _refuse(system: System, element: ForceElement) -> None:
    """Raise `ModelError` beside what changes reactions in ways that are not solved here."""
    model = system.model
    others = {
        f"drive {next(iter(model.drives), '')!r} gives an acceleration": model.drives,
        "a contact is rigid": model.rigid_contacts(),
    }
    for what, found in others.items():
        if found:
            raise ModelError(
                f"{element.title} depends on the reaction in its joint, but {what}; leave out "
                "one of them",
                element.source,
            )


def forces(system: System, a: Sequence[Expression]) -> GeneralizedForces:
    """The forces of all of them at given accelerations."""
    zero = system.tree.zero
    total = GeneralizedForces([zero] * system.nu, [zero] * len(system.s))
    at = {x.node: y.node for x, y in zip(system.a, a, strict=True) if x.node != y.node}
    for each in system.reacting:
        (found,) = substitute(system.graph, [each.force(system, each.reaction).node], at)
        where = total.prescribed if each.speed.prescribed else total.free
        where[each.speed.index] = where[each.speed.index] + Expression(system.graph, found)
    return total


def forward_dynamics(system: System, free: ForwardDynamics) -> ForwardDynamics:
    """`free`, the dynamics without these forces, and what they add."""
    each = [entry for entry in system.reacting if not entry.speed.prescribed]
    responses = [_response(system, entry.speed.index) for entry in each]
    x = _solved(system, each, free.acceleration, responses)
    acceleration = list(free.acceleration)
    for force, column in zip(x, responses, strict=True):
        acceleration = [a + force * share for a, share in zip(acceleration, column, strict=True)]
    return ForwardDynamics(free.method, acceleration, free.pivots)


def _response(system: System, place: int) -> list[Expression]:
    """M^-1 e_j"""
    unit = [system.zero + int(i == place) for i in range(system.nu)]
    return system.respond(unit, system.held).acceleration


def _solved(
    system: System,
    each: Sequence[Reacting],
    free: Sequence[Expression],
    responses: Sequence[Sequence[Expression]],
) -> list[Expression]:
    """x of x = Q(R_0 + R_1 x)."""
    graph, one = system.graph, system.zero + 1
    flat = [entry for each_one in each for entry in each_one.reaction]
    along = [
        {a.node: share.node for a, share in zip(system.a, column, strict=True)}
        for column in responses
    ]
    slopes = swept(graph, flat, along)
    at = {a.node: value.node for a, value in zip(system.a, free, strict=True)}
    (start,) = substituted(graph, [flat], at)
    own = symbols(graph, "reaction", len(flat))
    laws = [entry.force(system, own[6 * k : 6 * k + 6]) for k, entry in enumerate(each)]
    by_x = swept(
        graph,
        laws,
        [{s.node: slope.node for s, slope in zip(own, column, strict=True)} for column in slopes],
    )
    x, change = [system.zero] * len(each), [one] * len(each)
    pivots: tuple[Expression, ...] = tuple(change)
    for _ in range(STEPS):
        here = [
            _sum([begin, *(force * column[i] for force, column in zip(x, slopes, strict=True))])
            for i, begin in enumerate(start)
        ]
        put = {s.node: value.node for s, value in zip(own, here, strict=True)}
        now, *columns = substituted(graph, [laws, *by_x], put)
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


def acceleration_rows(system: System, a: Sequence[Expression]) -> list[list[Expression]]:
    """M - dQ/da at given accelerations, as full rows."""
    n, zero = system.nu, system.zero
    one = zero + 1
    rows = [[system.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]
    if not system.reacting:
        return rows
    units = [{x.node: one.node} for x in system.a]
    slopes = swept(system.graph, forces(system, system.a).free, units)
    at = {x.node: y.node for x, y in zip(system.a, a, strict=True) if x.node != y.node}
    columns = substituted(system.graph, slopes, at)
    return [[entry - columns[j][i] for j, entry in enumerate(row)] for i, row in enumerate(rows)]


def effective(system: System) -> Elimination:
    """M - dQ/da at the accelerations of forward dynamics."""
    return eliminate(acceleration_rows(system, system.forward_factored.acceleration))


def forward_partials(system: System) -> ForwardPartials:
    """-(M - dQ/da)^-1 times the derivatives of inverse dynamics, and that inverse itself."""
    factor = system.effective
    by_q, by_u = system.partials(system.forward_factored.acceleration)
    n = system.nu
    units = [[system.zero + int(i == k) for i in range(n)] for k in range(n)]
    return ForwardPartials(
        solved(factor, by_q),
        solved(factor, by_u),
        [factor.solve(unit) for unit in units],
        [*system.forward_factored.pivots],
    )


def _sum(terms: Sequence[Expression]) -> Expression:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
