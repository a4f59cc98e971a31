"""Product of weights with the derivatives of a Runge-Kutta step, by its adjoint.

The classical step of x' = f(x), x = (q, u), in raw coordinates,

    X_i = x + c_i h k_{i-1},   k_i = f(X_i),   x_next = N(x + h sum b_i k_i)

with N that brings quaternions back to unit length, is differentiated as it stands, backwards:

    k_bar_i = h (b_i x_bar + c_{i+1} X_bar_{i+1}),   X_bar_i = (df/dx)^T k_bar_i
    x_bar <- x_bar + sum X_bar_i

so that four products with the derivatives of forward dynamics, which share their factorizations
with the stages, give the gradient. It is that of the computed step, not of the flow: exact to
rounding, whatever h.

Reference: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, 2nd ed., sec. II.1; Hager,
*Runge-Kutta methods in optimal control and the transformed adjoint system*, Numer. Math. 87 (2000).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derive.functions import adjoints, directions
from eomc.derive.functions.directions import directed
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, Guard, nodes, reverse_gradient, symbol, symbols
from eomc.derive.graph.rotations import rotations
from eomc.derive.graph.traverse import substitute

NODES = (0.0, 0.5, 0.5, 1.0)
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)

Vector = list[Expression]
_BARS = ("q_next_bar", "u_next_bar")


@dataclass(frozen=True)
class StepStages:
    """Stages (q, u, t) of a step, the rates (q', u') there, and the raw coordinates and speeds it
    ends at."""

    stages: list[dict[int, int]]
    rates: list[Vector]
    q: Vector
    u: Vector


def put(system: Formulation, values: Sequence[Expression], at: Mapping[int, int]) -> Vector:
    """Values in another state."""
    return [Expression(system.graph, n) for n in substitute(system.graph, nodes(values), dict(at))]


def _moved(x: Sequence[Expression], amount: Expression, rate: Sequence[Expression]) -> Vector:
    return [a + amount * b for a, b in zip(x, rate, strict=True)]


@shared
def step_stages(system: Formulation) -> StepStages:
    h, t = symbol(system.graph, "h"), symbol(system.graph, "t")
    rates = [*system.coordinate_rates(), *system.forward.acceleration]
    x = [*system.q, *system.u]
    stages: list[dict[int, int]] = []
    passed: list[Vector] = []
    end, rate = x, [system.zero for _ in x]
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        state = _moved(x, h * node, rate)
        at = dict(zip(nodes(x), nodes(state), strict=True))
        at[t.node] = (t + h * node).node
        stages.append(at)
        rate = put(system, rates, at)
        passed.append(rate)
        end = _moved(end, h * weight, rate)
    return StepStages(stages, passed, end[: system.nq], end[system.nq :])


def _pulled(system: Formulation) -> tuple[dict[str, Vector], dict[str, Vector]]:
    """Weights k_bar of the rates as symbols, and (df/dx)^T k_bar with the forces' own."""
    graph = system.graph
    of_rates = list(symbols(graph, "k_bar", system.nq))
    by = [*system.q, *system.u]
    through = adjoints.product(system, of_rates, system.coordinate_rates())
    slopes = reverse_gradient(graph, through.node, nodes(by), rotations)
    found = adjoints.forward_gradient(system, raw=True)
    for name, own in (("q", slopes[: system.nq]), ("u", slopes[system.nq :])):
        # Of a model where nothing moves there is none.
        known = found.get(name, [])
        found[name] = [x + Expression(graph, y) for x, y in zip(known, own, strict=True)]
    return {"q": of_rates, "u": adjoints.weights(system, "a_bar")}, found


def step_weights(system: Formulation) -> list[Argument]:
    told = "weights of the coordinates, entry by entry", "weights of the speeds"
    names = system.coordinate_names, system.speed_names
    return [
        Argument("h", (), (symbol(system.graph, "h").node,), "length of the step", "s"),
        *(
            Argument(
                bar, (len(rows),), nodes(symbols(system.graph, bar, len(rows))), text, "", rows
            )
            for bar, text, rows in zip(_BARS, told, names, strict=True)
        ),
    ]


def _pivots(system: Formulation) -> list[Guard]:
    """Those of forward dynamics at each stage."""
    return stage_guards(system, pivots_positive(system))


def stage_guards(system: Formulation, found: Sequence[Guard]) -> list[Guard]:
    """Guards, of a state, at each stage."""
    return [
        Guard(node, guard.code)
        for at in step_stages(system).stages
        for guard, node in zip(
            found, substitute(system.graph, [guard.node for guard in found], at), strict=True
        )
    ]


def _before_normalizing(system: Formulation) -> Vector:
    """Weights of the raw coordinates that the step ends at."""
    given = symbols(system.graph, _BARS[0], system.nq)
    value = adjoints.product(system, given, system.normalized(system.q))
    slopes = reverse_gradient(system.graph, value.node, nodes(system.q), rotations)
    at = dict(zip(nodes(system.q), nodes(step_stages(system).q), strict=True))
    return put(system, [Expression(system.graph, node) for node in slopes], at)


@directed(
    ("q", "u", "tau"),
    "Gradient of q_next_bar^T q_next + u_next_bar^T u_next after one step of the classical "
    "Runge-Kutta method of length h, by one backward sweep; by q and u entry by entry.",
    step_weights,
    _pivots,
    needs=("free steps",),
)
def rk4_step_vjp(system: Formulation) -> list[Argument]:
    """(q_bar, u_bar, tau_bar, r_bar, p_bar)"""
    graph, h = system.graph, symbol(system.graph, "h")
    weights, pulled = _pulled(system)
    end = {"q": _before_normalizing(system), "u": list(symbols(graph, _BARS[1], system.nu))}
    total = {
        **end,
        **{name: [system.zero] * len(own) for name, own in pulled.items() if name not in end},
    }
    behind, reach = {name: [system.zero] * len(own) for name, own in end.items()}, 0.0
    stages = list(zip(step_stages(system).stages, NODES, WEIGHTS, strict=True))
    for start, node, weight in reversed(stages):
        at = dict(start)
        for name, symbols_ in weights.items():
            amounts = [
                h * (x * weight + y * reach) for x, y in zip(end[name], behind[name], strict=True)
            ]
            at |= dict(zip(nodes(symbols_), nodes(amounts), strict=True))
        found = {name: put(system, own, at) for name, own in pulled.items()}
        total = {
            name: [x + y for x, y in zip(own, found[name], strict=True)]
            for name, own in total.items()
        }
        behind, reach = {name: found[name] for name in end}, node
    rows = {name: directions.rows(system, name) for name in total} | {"q": system.coordinate_names}
    return [
        column(f"{name}_bar", total[name], f"gradient by {name}", "", rows[name])
        for name in adjoints.FORWARD
        if name in total
    ]
