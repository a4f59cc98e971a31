"""One function with its derivatives by all of its arguments, for packages that differentiate.

CasADi, JAX and PyTorch know arrays of numbers, not quaternions. Functions read the quaternion
q/|q|, and derivatives by q are those by its entries: exact for a function of any q. Tunable
parameters are one more argument, ``p``. For outputs y_k and inputs x_j,

    value: y      jacobian: dy_k/dx_j      adjoint: x_bar_j = sum (dy_k/dx_j)^T y_bar_k
    adjoint_jacobian: dx_bar_j/dx_i and dx_bar_j/dy_bar_k

Where all coordinates are displaced by their speeds, derivatives of inverse and forward dynamics are
those of `eomc.derive.functions`; all others are found by sweeps over the graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eomc.derive.graph import (
    Argument,
    ForwardSweep,
    Function,
    Guard,
    Program,
    nodes,
    reverse_gradient,
    symbol,
    symbols,
)
from eomc.derive.graph.ends import end_guards
from eomc.derive.graph.rotations import rotations

VALUE, JACOBIAN = "value", "jacobian"
ADJOINT, ADJOINT_JACOBIAN = "adjoint", "adjoint_jacobian"

_PARAMETERS = "p"
_ANALYTIC = {"forward_dynamics": "tau", "inverse_dynamics": "a"}
"""Functions with derivatives of their own, and what they take beside q and u."""

Block = tuple[str, str]
"""Derivative of the first array by the second."""


@dataclass(frozen=True)
class Differentiable:
    """A program of the functions ``value``, ``jacobian``, ``adjoint`` and ``adjoint_jacobian``.

    `inputs` and `outputs` are the names of the arrays in order; `y_bar` of an output y is
    ``y_bar``. Blocks of a Jacobian are its outputs in the order of rows, then of columns, named
    ``dy_dx``. Without second derivatives there is no ``adjoint_jacobian``.
    """

    name: str
    program: Program
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]

    def functions(self) -> Mapping[str, Function]:
        """By name."""
        return {function.name: function for function in self.program.functions}


def differentiable(
    equations: Any, name: str, tunable: Any = None, second: bool = True
) -> Differentiable:
    """The function `name` of `equations` with its derivatives.

    `tunable` are the parameters that stay arguments, as of ``equations.program``; `second` asks
    for second derivatives too. Raises `ModelError` for a name that the equations do not have.

    >>> from eomc.derive.model import Model
    >>> import eomc
    >>> model = Model("pendulum", gravity=(0, 0, -9.81))
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> found = differentiable(eomc.equations(model), "potential_energy")
    >>> [argument.name for argument in found.functions()["jacobian"].outputs]
    ['dV_dq']
    """
    return _DerivativesOfFunction(equations, name, tunable).made(second)


def parameter_array(program: Program) -> list[Argument]:
    """The argument ``p`` of the tunable parameters of a program; none if there are none."""
    known = program.parameters
    if not known:
        return []
    entries = tuple(symbol(program.graph, p.symbol).node for p in known)
    names = tuple(p.name for p in known)
    return [Argument(_PARAMETERS, (len(known),), entries, "parameters", "", names)]


class _DerivativesOfFunction:
    """Derivatives of one function on the graph of its program."""

    def __init__(self, equations: Any, name: str, tunable: Any) -> None:
        self.equations, self.name, self.tunable = equations, name, tunable
        self.program = equations.program(functions=[name], tunable=tunable)
        self.graph = self.program.graph
        self.given = equations.formulation(equations.tunable(tunable))
        (self.function,) = self.program.functions
        self.inputs = (*self.function.inputs, *parameter_array(self.program))
        self.outputs = self.function.outputs
        self.analytic = self._is_analytic()

    def _is_analytic(self) -> bool:
        """True if q is displaced by the speeds themselves and the function is in `_ANALYTIC`."""
        if self.name not in _ANALYTIC:
            return False
        one = self.graph.constant(1)
        own = [{q.node: one} for q in self.given.q]
        return bool(self.given.directions() == own)

    def _own(self, suffix: str) -> Function:
        """A derivative that the equations have themselves."""
        program: Program = self.equations.program([f"{self.name}_{suffix}"], tunable=self.tunable)
        return program.functions[0]

    def made(self, second: bool) -> Differentiable:
        guards = self.function.guards
        value = Function(VALUE, self.inputs, self.outputs, self.function.description, guards)
        weights, adjoint = self._adjoint()
        gradient = self._made(
            ADJOINT,
            (*self.inputs, *weights),
            adjoint,
            "Gradient under weights.",
            self.function.guards,
        )
        functions = [value, self._jacobian(), gradient]
        if second:
            functions.append(self._adjoint_jacobian(weights, adjoint))
        program = Program(f"{self.program.name}_{self.name}", self.graph, tuple(functions))
        return Differentiable(self.name, program, self.inputs, self.outputs)

    def _made(
        self,
        name: str,
        inputs: tuple[Argument, ...],
        outputs: tuple[Argument, ...],
        told: str,
        guards: Sequence[Guard],
    ) -> Function:
        ends = end_guards(self.graph, outputs, self.function.inputs)
        return Function(name, inputs, outputs, told, (*guards, *ends))

    # -- first derivatives -----------------------------------------------------------------------

    def _swept(self, of: Argument, by: Argument) -> list[int]:
        """Row-major entries of the derivative of one array by another."""
        one = self.graph.constant(1)
        sweep = ForwardSweep(self.graph, of.entries, rotations)
        columns = [sweep({entry: one}) for entry in by.entries]
        return [column[i] for i in range(len(of.entries)) for column in columns]

    def _blocks(
        self, of: Sequence[Argument], by: Sequence[Argument], known: Mapping[Block, Sequence[int]]
    ) -> tuple[Argument, ...]:
        blocks = []
        for row in of:
            for column in by:
                entries = known.get((row.name, column.name))
                found = self._swept(row, column) if entries is None else entries
                shape = (len(row.entries), len(column.entries))
                told = f"d {row.name} / d {column.name}"
                blocks.append(Argument(f"d{row.name}_d{column.name}", shape, tuple(found), told))
        return tuple(blocks)

    def _jacobian(self) -> Function:
        known: dict[Block, Sequence[int]] = {}
        guards = self.function.guards
        if self.analytic:
            own = self._own("derivatives")
            guards = own.guards
            arrays = ("q", "u", _ANALYTIC[self.name])
            known = {
                (self.outputs[0].name, array): block.entries
                for array, block in zip(arrays, own.outputs, strict=True)
            }
        if self.name in _ANALYTIC and self.program.parameters:
            own = self._own("parameter_derivatives")
            guards = tuple(dict.fromkeys((*guards, *own.guards)))
            known[self.outputs[0].name, _PARAMETERS] = own.outputs[0].entries
        blocks = self._blocks(self.outputs, self.inputs, known)
        return self._made(JACOBIAN, self.inputs, blocks, "Jacobian.", guards)

    def _adjoint(self) -> tuple[tuple[Argument, ...], tuple[Argument, ...]]:
        weights = tuple(
            Argument(
                f"{y.name}_bar",
                y.shape,
                nodes(symbols(self.graph, f"{y.name}_bar", len(y.entries))),
                f"weights of {y.name}",
            )
            for y in self.outputs
        )
        known = {x.name: x.entries for x in self._own("vjp").outputs} if self.analytic else {}
        total = self.graph.constant(0)
        for y, weight in zip(self.outputs, weights, strict=True):
            for entry, bar in zip(y.entries, weight.entries, strict=True):
                total = self.graph.add(total, self.graph.mul(entry, bar))
        barred = []
        for x in self.inputs:
            entries = known.get(f"{x.name}_bar")
            if entries is None:
                entries = tuple(reverse_gradient(self.graph, total, x.entries, rotations))
            barred.append(Argument(f"{x.name}_bar", x.shape, entries, f"gradient by {x.name}"))
        return weights, tuple(barred)

    # -- second derivatives ----------------------------------------------------------------------

    def _adjoint_jacobian(
        self, weights: Sequence[Argument], adjoint: Sequence[Argument]
    ) -> Function:
        guards = self.function.guards
        known: dict[Block, Sequence[int]] = {}
        if self.analytic:
            own = self._own("hessian")
            guards = own.guards
            known = self._parts(own.outputs[0])
            of, by = self.outputs[0].name, self.inputs
            for x, block in zip(by, self._jacobian().outputs, strict=True):
                n, m = block.shape
                turned = [block.entries[i * m + j] for j in range(m) for i in range(n)]
                known[f"{x.name}_bar", f"{of}_bar"] = turned
        blocks = self._blocks(adjoint, [*self.inputs, *weights], known)
        told = "Jacobian of the gradient."
        inputs = (*self.inputs, *weights)
        return self._made(ADJOINT_JACOBIAN, inputs, blocks, told, guards)

    def _parts(self, whole: Argument) -> dict[Block, Sequence[int]]:
        """Blocks of the matrix of second derivatives, whose rows bear ``array(entry)``."""
        places: dict[str, list[int]] = {}
        for k, row in enumerate(whole.rows):
            places.setdefault(row.partition("(")[0], []).append(k)
        size = len(whole.rows)
        return {
            (f"{of}_bar", by): [whole.entries[i * size + j] for i in rows for j in columns]
            for of, rows in places.items()
            for by, columns in places.items()
        }
