"""Products with the derivatives of inverse and forward dynamics, without the derivatives.

From the left, J^T w, by one backward sweep over inverse dynamics: the gradient of w^T tau. Forward
dynamics is never differentiated itself. Of M a = tau + G^T nu - c with G a + g = 0 and weights w of
the accelerations,

    M lambda = w + G^T mu,   G lambda = 0
    d(w^T a) = lambda^T dtau - d[lambda^T (M a + c - G^T nu) - mu^T (G a + g)]

the bracket at fixed lambda, mu, a and nu; without constraints lambda = M^-1 w alone. From the
right, J d, by one forward sweep, M da - G^T dnu = dtau - d(M a + c - G^T nu), G da = -d(G a + g).
What articulated bodies know of the motion and of the wrenches in joints is taken from there, not
found by inverse dynamics once more (`eomc.derive.system.superposed`). Derivatives by q are along
its tangent directions.

Reference: Griewank and Walther, *Evaluating Derivatives*, 2nd ed., sec. 3.3; Giles and Pierce, *An
introduction to the adjoint approach to design*, Flow, Turbulence and Combustion 65 (2000), for the
adjoint of what is defined by equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.dynamics.articulated import Held
from eomc.derive.dynamics.forward import FACTORED
from eomc.derive.functions import directions
from eomc.derive.functions.constrained_derivatives import asked, constraint_forces
from eomc.derive.functions.directions import directed
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, ForwardSweep, nodes, reverse_gradient, symbols
from eomc.derive.graph.columns import substituted
from eomc.derive.graph.rotations import rotations

INVERSE = ("q", "u", "a", "z", "r", "p")
"""Arrays by which inverse dynamics is differentiated, as far as a system has them."""
FORWARD = ("q", "u", "tau", "z", "r", "p")
"""The same of forward dynamics."""

_UNITS = {"a_bar": "accelerations", "tau_bar": "generalized forces"}


def weights(system: Formulation, name: str) -> list[Expression]:
    """Entries of the weights ``a_bar`` or ``tau_bar``."""
    return list(symbols(system.graph, name, system.nu))


def weight(system: Formulation, name: str) -> Argument:
    """The weights as an input array."""
    entries = nodes(weights(system, name))
    told = f"weights of the {_UNITS[name]}"
    return Argument(name, (system.nu,), entries, told, "", system.speed_names)


def gradient(
    system: Formulation, value: Expression, arrays: Sequence[str], raw: bool = False
) -> dict[str, list[Expression]]:
    """Derivatives of a scalar by each of the arrays, by name, those by q along the tangent or,
    if `raw`, by its entries."""
    graph = system.graph
    known = directions.variables(system, arrays)
    if raw:
        known = [(name, system.q if name == "q" else entries) for name, entries in known]
    by = [entry.node for _, entries in known for entry in entries]
    slopes = [Expression(graph, n) for n in reverse_gradient(graph, value.node, by, rotations)]
    found, start = {}, 0
    for name, entries in known:
        own = slopes[start : start + len(entries)]
        start += len(entries)
        along = name == "q" and not raw
        found[name] = directions.tangent(system, own, entries) if along else own
    return found


def product(
    system: Formulation, left: Sequence[Expression], right: Sequence[Expression]
) -> Expression:
    """left^T right"""
    total = system.zero
    for x, y in zip(left, right, strict=True):
        total = total + x * y
    return total


@dataclass(frozen=True)
class ForceResponse:
    """Accelerations and multipliers that answer forces, from rest."""

    acceleration: list[Expression]
    multipliers: list[Expression]


def respond(
    system: Formulation,
    forces: Sequence[Expression],
    asked_of: Sequence[Expression],
    back: bool = False,
) -> ForceResponse:
    """M x = forces + G^T y, G x + asked_of = 0, by the way that forward dynamics goes.

    Where forces depend on a and the multipliers, M - dQ/da and G^T + dQ/dlambda stand there at the
    solution; going `back`, transposed.
    """
    if system.reacts:
        held = Held(system.constraints.linear.jacobian, asked_of) if asked_of else Held()
        found = (system.answer_back if back else system.answer)(list(forces), held)
        flat = at_solution(system, [*found.acceleration, *found.multipliers])
        return ForceResponse(flat[: system.nu], flat[system.nu :])
    if not system.is_constrained and system.forward.method == FACTORED:
        return ForceResponse(system.factor.solve(list(forces)), [])
    held = Held(system.constraints.linear.jacobian, asked_of) if system.is_constrained else Held()
    found = system.respond(forces, held)
    return ForceResponse(list(found.acceleration), list(found.multipliers))


def forces_taken(system: Formulation) -> tuple[list[Expression], list[Expression]]:
    """M a + c - G^T nu in the symbols a and ``multipliers``, and these symbols."""
    tau = list(system.inverse.free)
    if not system.is_constrained:
        return tau, []
    nu = list(symbols(system.graph, "multipliers", len(system.constraints.rows)))
    held = constraint_forces(system, nu)
    return [x - y for x, y in zip(tau, held, strict=True)], nu


def at_solution(system: Formulation, values: Sequence[Expression]) -> list[Expression]:
    """Values with the accelerations and multipliers of forward dynamics in place of symbols."""
    given = [*zip(system.a, system.forward.acceleration, strict=True)]
    if system.is_constrained:
        _, nu = forces_taken(system)
        given += zip(nu, system.solution.multipliers, strict=True)
    put = dict(system.superposed)
    put |= {symbol.node: value.node for symbol, value in given if symbol.node != value.node}
    (found,) = substituted(system.graph, [list(values)], put)
    return found


@shared
def inverse_adjoint(system: Formulation) -> dict[str, list[Expression]]:
    """Gradient of tau_bar^T tau by every array."""
    value = product(system, weights(system, "tau_bar"), system.inverse.free)
    return gradient(system, value, INVERSE)


@shared
def forward_adjoint(system: Formulation) -> dict[str, list[Expression]]:
    """Gradient of a_bar^T a by every array."""
    return forward_gradient(system, raw=False)


def forward_gradient(system: Formulation, raw: bool) -> dict[str, list[Expression]]:
    """The same, by q along the tangent or by its entries."""
    still = [system.zero] * (len(system.constraints.rows) if system.is_constrained else 0)
    adjoint = respond(system, weights(system, "a_bar"), still, back=True)
    graph, n = system.graph, system.nu
    costate, price = symbols(graph, "lambda", n), symbols(graph, "mu", len(still))
    taken, _ = forces_taken(system)
    value = product(system, costate, taken)
    if still:
        value = value - product(system, price, asked(system, system.a))
    found = gradient(system, -value, [name for name in FORWARD if name != "tau"], raw)
    given = [*zip(costate, adjoint.acceleration, strict=True)]
    given += zip(price, adjoint.multipliers, strict=True)
    put = {symbol.node: value.node for symbol, value in given}
    arrays = {name: substituted(graph, [slopes], put)[0] for name, slopes in found.items()}
    arrays = {name: at_solution(system, slopes) for name, slopes in arrays.items()}
    arrays["tau"] = adjoint.acceleration
    return {name: arrays[name] for name in FORWARD if name in arrays}


def inverse_change(system: Formulation) -> list[Expression]:
    """dtau along the direction."""
    sweep = ForwardSweep(system.graph, nodes(system.inverse.free), rotations)
    along = directions.direction(system, INVERSE)
    return [Expression(system.graph, node) for node in sweep.beside(along)]


def forward_change(system: Formulation) -> list[Expression]:
    """da along the direction."""
    taken, _ = forces_taken(system)
    rows = asked(system, system.a) if system.is_constrained else []
    sweep = ForwardSweep(system.graph, nodes([*taken, *rows]), rotations)
    along = directions.direction(system, [name for name in FORWARD if name != "tau"])
    slopes = at_solution(system, [Expression(system.graph, node) for node in sweep(along)])
    pushed = directions.amounts(system, "tau")
    forces = [force - slope for force, slope in zip(pushed, slopes[: system.nu], strict=True)]
    return respond(system, forces, slopes[system.nu :]).acceleration


def barred(system: Formulation, arrays: dict[str, list[Expression]], of: str) -> list[Argument]:
    """Gradients as output arrays: ``q_bar``, ``u_bar``, ..."""
    rows = directions.rows
    return [
        column(f"{name}_bar", slopes, f"gradient of {of} by {name}", "", rows(system, name))
        for name, slopes in arrays.items()
    ]


@directed(
    ("q", "u", "a"),
    "Gradient of tau_bar^T tau, inverse dynamics under weights: J^T tau_bar by one backward sweep; "
    "by q along its tangent directions.",
    lambda system: [weight(system, "tau_bar")],
    needs=("forces free of multipliers",),
)
def inverse_dynamics_vjp(system: Formulation) -> list[Argument]:
    """(q_bar, u_bar, a_bar, and of z, r and p where there are some)"""
    return barred(system, inverse_adjoint(system), "tau_bar^T tau")


@directed(
    ("q", "u", "tau"),
    "Gradient of a_bar^T a, forward dynamics under weights: J^T a_bar by one backward sweep; by q "
    "along its tangent directions.",
    lambda system: [weight(system, "a_bar")],
    pivots_positive,
)
def forward_dynamics_vjp(system: Formulation) -> list[Argument]:
    """(q_bar, u_bar, tau_bar, and of z, r and p where there are some)"""
    return barred(system, forward_adjoint(system), "a_bar^T a")


@directed(
    ("q", "u", "a"),
    "Directional derivative of inverse dynamics: J d by one forward sweep.",
    lambda system: directions.along(system, INVERSE),
    needs=("forces free of multipliers",),
)
def inverse_dynamics_jvp(system: Formulation) -> list[Argument]:
    """dtau"""
    change = inverse_change(system)
    return [column("dtau", change, "change of tau", "N m or N", system.speed_names)]


@directed(
    ("q", "u", "tau"),
    "Directional derivative of forward dynamics: J d by one forward sweep.",
    lambda system: directions.along(system, FORWARD),
    pivots_positive,
)
def forward_dynamics_jvp(system: Formulation) -> list[Argument]:
    """da"""
    change = forward_change(system)
    return [column("da", change, "change of a", "rad/s^2 or m/s^2", system.speed_names)]
