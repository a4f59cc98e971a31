"""Linearized equations of motion about any state, and their directional derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derive.functions import derivatives, directions
from eomc.derive.functions.directions import directed
from eomc.derive.functions.formulation import Formulation, Rows
from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument, Expression, nodes
from eomc.derive.graph.columns import swept


def _times(a: Rows, b: Rows) -> Rows:
    """a b, with sums over what is not zero."""
    product = []
    for row in a:
        zero = row[0] * 0
        used = [(entry, b[k]) for k, entry in enumerate(row) if not entry.is_zero]
        product.append([_dot(used, j, zero) for j in range(len(b[0]))])
    return product


def _dot(
    used: Sequence[tuple[Expression, list[Expression]]], j: int, zero: Expression
) -> Expression:
    total = zero
    for entry, row in used:
        if not row[j].is_zero:
            total = total + entry * row[j]
    return total


def _minus(a: Rows, b: Rows) -> Rows:
    return [[x - y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def _square(system: Formulation, argument: Argument) -> Rows:
    """Rows of a derived (nu, nu) output."""
    n = system.nu
    entries = [Expression(system.graph, node) for node in argument.entries]
    return [entries[i * n : (i + 1) * n] for i in range(n)]


@function(
    "linearization",
    ("q", "u", "a"),
    "Linearized motion M xi'' + C xi' + K xi = d tau in tangent displacements xi; xi' = du + W xi.",
    sees_forces=True,
    sees_multipliers=True,
)
def linearization(system: Formulation) -> list[Argument]:
    """(M, C, K, W, W'), each (nu, nu)."""
    by_q, by_u, mass = (
        _square(system, argument) for argument in derivatives.inverse_dynamics_derivatives(system)
    )
    w, w_rate = system.transport
    damping = _minus(by_u, _times(mass, w))
    stiffness = _minus(_minus(by_q, _times(by_u, w)), _times(mass, w_rate))
    names = system.speed_names
    described = (
        ("M", mass, "mass matrix"),
        ("C", damping, "damping and gyroscopic matrix"),
        ("K", stiffness, "stiffness matrix"),
        ("W", w, "rates of displacements: xi' = du + W xi"),
        ("W_rate", w_rate, "time derivative of W"),
    )
    return [
        matrix(name, rows, len(names), description, "", names)
        for name, rows, description in described
    ]


@function(
    "input_matrix",
    ("q", "u", "a"),
    "Generalized forces of the inputs: -d tau / d r at given accelerations.",
    sees_forces=True,
    sees_multipliers=True,
    needs=("inputs",),
)
def input_matrix(system: Formulation) -> list[Argument]:
    """B_r, (nu, number of inputs): M xi'' + C xi' + K xi = d tau + B_r dr."""
    one = (system.zero + 1).node
    directions = [{r.node: one} for r in system.r]
    columns = swept(system.graph, system.inverse.free, directions)
    rows = [[-column[i] for column in columns] for i in range(system.nu)]
    description = "generalized forces of the inputs"
    return [matrix("B_r", rows, len(columns), description, "", system.speed_names)]


_ALONG = ("q", "u", "a", "p")


@directed(
    ("q", "u", "a"),
    "Derivative of the linearized equations along a direction in state and parameters.",
    lambda system: directions.along(system, _ALONG),
    needs=("forces free of multipliers",),
)
def linearization_derivative(system: Formulation) -> Sequence[Argument]:
    """(dM, dC, dK, dW, dW'), each (nu, nu)."""
    outputs = linearization(system)
    flat = [Expression(system.graph, node) for output in outputs for node in output.entries]
    (changes,) = swept(system.graph, flat, [directions.direction(system, _ALONG)])
    found, start = [], 0
    for output in outputs:
        entries = nodes(changes[start : start + len(output.entries)])
        start += len(output.entries)
        description = f"directional derivative: {output.description}"
        found.append(
            replace(output, name=f"d{output.name}", entries=entries, description=description)
        )
    return found
