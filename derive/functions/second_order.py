"""Second derivatives of inverse and forward dynamics under weights, whole and along a direction.

Along a direction, one forward sweep over the gradient of `eomc.derive.functions.adjoints`. The
whole matrix H of inverse dynamics is that for every direction d of x = (q, u, a, ...), each block
off the diagonal once, where it takes fewer operations: M lambda by q, not q_bar by a. Forward
dynamics is not differentiated twice: with Z = (1, da/dx), x without a, and lambda = M^-1 a_bar,

    H_forward = -Z^T H_inverse(lambda) Z

from tau(q, u, a(q, u, tau)) = tau differentiated twice. Entry (i, j) is the derivative of entry i
of the gradient along direction j; of two directions of q on a manifold the order matters.

Reference: Singh, Russell and Wensing, *Efficient analytical derivatives of rigid-body dynamics
using spatial vector algebra*, IEEE Robotics and Automation Letters 7 (2022); *On second-order
derivatives of rigid-body dynamics*, IEEE Transactions on Robotics 40 (2024).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.functions import adjoints, derivatives, directions
from eomc.derive.functions.adjoints import FORWARD, INVERSE
from eomc.derive.functions.directions import directed
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, matrix
from eomc.derive.graph import Argument, Expression, ForwardSweep, Guard, nodes
from eomc.derive.graph.columns import Columns, substituted
from eomc.derive.graph.rotations import rotations

Gradient = Mapping[str, Sequence[Expression]]


def _flat(gradient: Gradient) -> list[Expression]:
    return [slope for slopes in gradient.values() for slope in slopes]


def _change(system: Formulation, gradient: Gradient, arrays: Sequence[str]) -> list[Argument]:
    """Each part of the gradient differentiated along the direction."""
    sweep = ForwardSweep(system.graph, nodes(_flat(gradient)), rotations)
    flat = iter(sweep.beside(directions.direction(system, arrays)))
    return [
        column(
            f"d{name}_bar",
            [Expression(system.graph, next(flat)) for _ in slopes],
            f"change of {name}_bar",
            "",
            directions.rows(system, name),
        )
        for name, slopes in gradient.items()
    ]


Blocks = dict[tuple[str, str], Columns]
"""By (array of the rows, array of the directions): columns."""


def _blocks(system: Formulation, gradient: Gradient) -> Blocks:
    """Derivatives of every part of the gradient by every array."""
    names = list(gradient)
    found: Blocks = {}
    for k, of in enumerate(names):
        rest = {name: gradient[name] for name in names[k:]}
        sweep = ForwardSweep(system.graph, nodes(_flat(rest)), rotations)
        columns = [
            [Expression(system.graph, node) for node in column]
            for column in sweep.columns(directions.units(system, [of]))
        ]
        start = 0
        for name, slopes in rest.items():
            own = [column[start : start + len(slopes)] for column in columns]
            start += len(slopes)
            found[name, of] = own
            if name != of:
                found[of, name] = directions.transposed(own, len(slopes))
    return found


def _pivots(system: Formulation) -> list[Guard]:
    """Those of forward dynamics and of its derivatives."""
    found = [*pivots_positive(system), *derivatives.partials_positive(system)]
    return list(dict.fromkeys(found))


def accelerations_by(system: Formulation, arrays: Sequence[str]) -> dict[str, Columns]:
    """Columns of da by each array."""
    found = system.forward_partials
    by: dict[str, Columns] = {"q": found.by_q, "u": found.by_u, "tau": found.inverse}
    for name, entries in directions.variables(system, [a for a in arrays if a not in by]):
        forces = derivatives.forces_by(system, entries)
        by[name] = [adjoints.respond(system, force, []).acceleration for force in forces]
    return by


def _at_costate(system: Formulation) -> Blocks:
    """Blocks of inverse dynamics under the weights M^-1 a_bar, at the accelerations of forward
    dynamics."""
    weights = adjoints.weights(system, "a_bar")
    costate = adjoints.respond(system, weights, [], back=True).acceleration
    put = zip(adjoints.weights(system, "tau_bar"), costate, strict=True)
    replacement = {symbol.node: value.node for symbol, value in put}
    blocks: Blocks = {}
    for key, columns in _blocks(system, adjoints.inverse_adjoint(system)).items():
        under = substituted(system.graph, columns, replacement)
        blocks[key] = [adjoints.at_solution(system, column) for column in under]
    return blocks


def accelerations_hessian(system: Formulation) -> Blocks:
    """Second derivatives of a_bar^T a by the arrays of forward dynamics: -Z^T H Z."""
    if system.is_constrained or not system.nu:  # without speeds there is no inverse to go through
        return _blocks(system, adjoints.forward_adjoint(system))
    blocks = _at_costate(system)
    arrays = [name for name, _ in directions.variables(system, FORWARD)]
    by = accelerations_by(system, arrays)

    def met(name: str, of: str, j: int) -> list[Expression]:
        """Of H Z the rows of an array, in the column of direction j."""
        total = list(blocks[name, of][j]) if of != "tau" else [system.zero] * len(blocks["a", name])
        for by_a, amount in zip(blocks[name, "a"], by[of][j], strict=True):
            total = [x + y * amount for x, y in zip(total, by_a, strict=True)]
        return total

    found: Blocks = {}
    for of in arrays:
        for j in range(len(by[of])):
            pushed = met("a", of, j)
            for name in arrays:
                entries = [adjoints.product(system, row, pushed) for row in by[name]]
                if name != "tau":
                    own = met(name, of, j)
                    entries = [x + y for x, y in zip(entries, own, strict=True)]
                found.setdefault((name, of), []).append([-entry for entry in entries])
    return found


def _hessian(system: Formulation, blocks: Blocks, arrays: Sequence[str]) -> list[Argument]:
    rows = {name: directions.rows(system, name) for name, _ in directions.variables(system, arrays)}
    names = tuple(f"{name}({row})" for name, own in rows.items() for row in own)
    whole = [
        [column[i] for of in rows for column in blocks[name, of]]
        for name, own in rows.items()
        for i in range(len(own))
    ]
    told = f"second derivatives by {', '.join(rows)}"
    return [matrix("H", whole, len(names), told, "", names)]


@directed(
    ("q", "u", "a"),
    "Change of the gradient of tau_bar^T tau along a direction: second derivatives of inverse "
    "dynamics under weights, times a direction.",
    lambda system: [adjoints.weight(system, "tau_bar"), *directions.along(system, INVERSE)],
    needs=("forces free of multipliers",),
)
def inverse_dynamics_hvp(system: Formulation) -> list[Argument]:
    """(dq_bar, du_bar, da_bar, ...)"""
    return _change(system, adjoints.inverse_adjoint(system), INVERSE)


@directed(
    ("q", "u", "tau"),
    "Change of the gradient of a_bar^T a along a direction: second derivatives of forward dynamics "
    "under weights, times a direction.",
    lambda system: [adjoints.weight(system, "a_bar"), *directions.along(system, FORWARD)],
    pivots_positive,
)
def forward_dynamics_hvp(system: Formulation) -> list[Argument]:
    """(dq_bar, du_bar, dtau_bar, ...)"""
    return _change(system, adjoints.forward_adjoint(system), FORWARD)


@directed(
    ("q", "u", "a"),
    "Second derivatives of tau_bar^T tau, inverse dynamics under weights, by q, u, a and what else "
    "it depends on; by q along its tangent directions.",
    lambda system: [adjoints.weight(system, "tau_bar")],
    needs=("forces free of multipliers",),
)
def inverse_dynamics_hessian(system: Formulation) -> list[Argument]:
    """H, rows and columns in the order of the gradient."""
    return _hessian(system, _blocks(system, adjoints.inverse_adjoint(system)), INVERSE)


@directed(
    ("q", "u", "tau"),
    "Second derivatives of a_bar^T a, forward dynamics under weights, by q, u, tau and what else "
    "it depends on; by q along its tangent directions.",
    lambda system: [adjoints.weight(system, "a_bar")],
    _pivots,
)
def forward_dynamics_hessian(system: Formulation) -> list[Argument]:
    """H, rows and columns in the order of the gradient."""
    return _hessian(system, accelerations_hessian(system), FORWARD)
