"""Given accelerations of some speeds by Lagrange multipliers.

With the selection P of the driven speeds and the accelerations a_0 of the mechanism left to itself,

    M a + c = tau + P Lambda,   P^T a = w
    Lambda = (P^T M^-1 P)^-1 (w - P^T a_0),   a = a_0 + M^-1 P Lambda.

Lambda are the generalized forces that the motion takes, beyond tau. The columns M^-1 P come from
the method that a_0 comes from, so that the whole is linear in the number of bodies where that is.
Reference: Meirovitch, *Methods of Analytical Dynamics*, sec. 2.9.
"""

from __future__ import annotations

from functools import partial

from eomc.derive.dynamics import articulated
from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.dynamics.forward import ARTICULATED
from eomc.derive.dynamics.kinematics import accelerations
from eomc.derive.functions.dynamics import pivots_positive, positive
from eomc.derive.functions.registry import column, function
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, Guard, symbols
from eomc.derive.system import System


def driven_places(system: System) -> list[int]:
    """Places of the driven speeds in u."""
    return [system.tree.speed_of[name].index for name in system.driven_names]


@shared
def responses(system: System) -> list[list[Expression]]:
    """Columns of M^-1 P: accelerations from rest by a unit force on each driven speed.

    Constraints hold, without the terms of their own that forward dynamics has already.
    """
    zero = system.zero
    units = [[zero + int(i == place) for i in range(system.nu)] for place in driven_places(system)]
    if system.forward.method != ARTICULATED:
        return [system.factor.solve(unit) for unit in units]
    still = partial(
        articulated.forward_dynamics,
        system.tree,
        system.still,
        system.pose,
        motion=partial(
            accelerations, system.tree, system.still, system.pose, system.tree.zero_vector()
        ),
        external={},
        held=articulated.Held(system.held.rows, [zero] * len(system.held.rows)),
    )
    return [still(unit).acceleration for unit in units]


@shared
def _apparent(system: System) -> Factor:
    """P^T M^-1 P, factored."""
    places, columns = driven_places(system), responses(system)
    entries = {(j, k): columns[k][places[j]] for j in range(len(places)) for k in range(j + 1)}
    return factor(entries, len(places))


def _guards(system: System) -> list[Guard]:
    return [*pivots_positive(system), *positive(_apparent(system).pivots)]


@function(
    "driven_dynamics",
    ("q", "u", "tau", "driven_acceleration"),
    "Accelerations with those of the driven speeds given, and the forces that this takes.",
    sees_forces=True,
    guards=_guards,
    needs=("drives",),
)
def driven_dynamics(system: System) -> list[Argument]:
    """(a, Lambda)"""
    names, places = system.driven_names, driven_places(system)
    wanted = symbols(system.graph, "driven_acceleration", len(names))
    free = system.forward.acceleration
    lack = [w - free[place] for w, place in zip(wanted, places, strict=True)]
    multipliers = _apparent(system).solve(lack)
    a = list(free)
    for response, multiplier in zip(responses(system), multipliers, strict=True):
        a = [entry + share * multiplier for entry, share in zip(a, response, strict=True)]
    for place, w in zip(places, wanted, strict=True):
        a[place] = w
    return [
        column("a", a, "accelerations", "rad/s^2 or m/s^2", system.speed_names),
        column("multipliers", multipliers, "forces on the driven speeds", "N m or N", names),
    ]
