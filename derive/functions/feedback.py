"""Feedback laws: generalized forces from the state, the desired motion and gains.

Displacements are those of `difference`, e = difference(q, q_d); gains kp, kd are diagonals. Each
law feeds `forward_dynamics`, so that code generation joins both in a step of the closed loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.functions.driven import driven_places, responses
from eomc.derive.functions.dynamics import pivots_positive, positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, Guard, symbols
from eomc.derive.graph.traverse import substitute
from eomc.derive.system import System

law = partial(function, feeds="forward_dynamics")

_MOTION = ("q_d", "u_d", "a_d", "kp", "kd")


def _symbols(system: Formulation, name: str) -> list[Expression]:
    return symbols(system.graph, name, system.nq if name == "q_d" else system.nu)


def _corrections(system: Formulation) -> list[Expression]:
    """kp e + kd (u_d - u)"""
    error = system.displacement(system.q, _symbols(system, "q_d"))
    u_d, kp, kd = (_symbols(system, name) for name in ("u_d", "kp", "kd"))
    rows = zip(kp, error, kd, u_d, system.u, strict=True)
    return [p * e + d * (wanted - u) for p, e, d, wanted, u in rows]


def _forces(system: Formulation, tau: Sequence[Expression]) -> list[Argument]:
    names = system.speed_names
    return [column("tau", tau, "generalized forces", "N m or N", names)]


@law(
    "pd",
    ("q", "u", "q_d", "u_d", "kp", "kd"),
    "Proportional-derivative feedback: tau = kp e + kd (u_d - u).",
    sees_bodies=False,
)
def pd(system: Formulation) -> list[Argument]:
    """Takegaki and Arimoto, ASME J. Dyn. Syst. Meas. Control 103 (1981)."""
    return _forces(system, _corrections(system))


@law(
    "pd_with_gravity",
    ("q", "u", "q_d", "u_d", "kp", "kd"),
    "Proportional-derivative feedback on a weightless mechanism: tau = kp e + kd (u_d - u) + g(q).",
    needs=("potential",),
)
def pd_with_gravity(system: Formulation) -> list[Argument]:
    """Takegaki and Arimoto 1981."""
    pairs = zip(_corrections(system), system.gravity, strict=True)
    return _forces(system, [correction + weight for correction, weight in pairs])


@law(
    "computed_torque",
    ("q", "u", *_MOTION),
    "Computed torque: inverse dynamics at a_d + kd (u_d - u) + kp e.",
    sees_forces=True,
    needs=("forces free of multipliers",),
)
def computed_torque(system: Formulation) -> list[Argument]:
    """Luh, Walker and Paul, IEEE Trans. Automatic Control 25 (1980)."""
    return _forces(system, system.forces_at(wanted_accelerations(system)))


def wanted_accelerations(system: Formulation) -> list[Expression]:
    """v = a_d + kd (u_d - u) + kp e"""
    pairs = zip(_symbols(system, "a_d"), _corrections(system), strict=True)
    return [a + correction for a, correction in pairs]


@law(
    "state_feedback",
    ("q", "u", "q_d", "u_d", "tau_d", "K"),
    "Linear feedback of the state, as of an LQR: tau = tau_d - K (difference(q_d, q), u - u_d).",
    sees_bodies=False,
)
def state_feedback(system: Formulation) -> list[Argument]:
    """Anderson and Moore, *Optimal Control: Linear Quadratic Methods* (1990), ch. 2."""
    return _forces(system, _state_feedback(system))


def _state_feedback(system: Formulation) -> list[Expression]:
    n = system.nu
    x = system.displacement(_symbols(system, "q_d"), system.q)
    x += [u - wanted for u, wanted in zip(system.u, _symbols(system, "u_d"), strict=True)]
    gain = symbols(system.graph, "K", 2 * n * n)
    tau = _symbols(system, "tau_d")
    for i in range(n):
        for j, entry in enumerate(x):
            tau[i] = tau[i] - gain[2 * n * i + j] * entry
    return tau


# -- feedback linearization ----------------------------------------------------------------------


@shared
def _reach(system: System) -> Factor:
    """A of A Lambda = active (v - a_0): the driven accelerations for unit forces on the driven
    speeds; rows and columns that are not active are those of the identity."""
    places, columns = driven_places(system), responses(system)
    active = symbols(system.graph, "active", len(places))
    entries = {}
    for j in range(len(places)):
        for k in range(j + 1):
            entry = active[j] * active[k] * columns[k][places[j]]
            entries[j, k] = entry + (1 - active[j]) if j == k else entry
    return factor(entries, len(places))


def _guards(system: System) -> list[Guard]:
    return [*pivots_positive(system), *positive(_reach(system).pivots)]


def _linearizing(system: System, free: Sequence[Expression]) -> list[Expression]:
    """Forces on the driven speeds that take the accelerations from `free` to those wanted."""
    places, wanted = driven_places(system), wanted_accelerations(system)
    active = symbols(system.graph, "active", len(places))
    lack = [on * (wanted[place] - free[place]) for on, place in zip(active, places, strict=True)]
    return _reach(system).solve(lack)


@law(
    "feedback_linearization",
    ("q", "u", "tau", *_MOTION, "active"),
    "Forces on the driven speeds, beside tau, that give them a_d + kd (u_d - u) + kp e.",
    sees_forces=True,
    guards=_guards,
    needs=("drives",),
)
def feedback_linearization(system: System) -> list[Argument]:
    """Partial feedback linearization: all other speeds are free. Spong, IROS (1994).

    Driven speeds that are not active get no force. The output holds tau.
    """
    forces = _linearizing(system, system.forward.acceleration)
    tau = list(system.tau)
    for place, force in zip(driven_places(system), forces, strict=True):
        tau[place] = tau[place] + force
    return _forces(system, tau)


@law(
    "combined_feedback",
    ("q", "u", *_MOTION, "tau_d", "K", "active"),
    "Feedback linearization of the active driven speeds, state feedback beside it.",
    sees_forces=True,
    guards=_guards,
    needs=("drives",),
)
def combined_feedback(system: System) -> list[Argument]:
    """The linearizing law knows what the state feedback does: Caron 1996, sec. 5.4.

    With K = 0 and every driven speed active the law of large maneuvers, with a regulator's K and
    some of them active that of their end.
    """
    regulating = _state_feedback(system)
    replacement = {tau.node: force.node for tau, force in zip(system.tau, regulating, strict=True)}
    accelerations = [a.node for a in system.forward.acceleration]
    free = [
        Expression(system.graph, node)
        for node in substitute(system.graph, accelerations, replacement)
    ]
    for place, force in zip(driven_places(system), _linearizing(system, free), strict=True):
        regulating[place] = regulating[place] + force
    return _forces(system, regulating)
