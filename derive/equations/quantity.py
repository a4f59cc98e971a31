"""A derived quantity to be read: as SymPy, LaTeX or text, counted, or evaluated."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.derive.equations.written_symbols import motions, written_symbol
from eomc.derive.graph import (
    Argument,
    Function,
    Graph,
    evaluate,
    flops,
    operation_count,
    to_sympy,
    to_sympy_cse,
)

if TYPE_CHECKING:
    import sympy as sp

_CLOSED_UP_TO = 200
_MATRIX_UP_TO = 40


class SymbolicQuantity:
    """One output array of a derived function.

    Attributes
    ----------
    graph : Graph
    argument : Argument
        Name, shape, nodes, units and meaning.
    inputs : tuple of Argument
        What it is a function of.
    names : dict of str to str or sympy expression
        How symbol nodes are written in SymPy, by node name; by default the entries of an input bear
        the names of its rows.
    values : mapping of str to float
        Values of further symbol nodes (parameters), by node name, for `evaluate`.

    Examples
    --------
    >>> g = Graph()
    >>> q, m = g.symbol("q[0]"), g.symbol("m")
    >>> weight = Argument("weight", (1,), (g.mul(m, g.unary("sin", q)),))
    >>> angle = Argument("q", (1,), (q,), rows=("theta",))
    >>> quantity = SymbolicQuantity(g, weight, (angle,), values={"m": 2.0})
    >>> quantity.to_sympy()
    Matrix([[m*sin(theta)]])
    >>> quantity.evaluate(q=[[0.0], [0.5]]).round(6).tolist()
    [[0.0], [0.958851]]
    >>> quantity.operations
    {'mul': 1, 'sin': 1}
    """

    def __init__(
        self,
        graph: Graph,
        argument: Argument,
        inputs: tuple[Argument, ...] = (),
        names: Mapping[str, str | sp.Basic] | None = None,
        values: Mapping[str, float] | None = None,
    ) -> None:
        self.graph = graph
        self.argument = argument
        self.inputs = inputs
        self.names = {**_row_names(graph, inputs), **(names or {})}
        self.values = dict(values or {})

    def __repr__(self) -> str:
        arguments = ", ".join(argument.name for argument in self.inputs)
        return f"<{self.name}({arguments}), shape {self.shape}, {self.flops} operations>"

    @property
    def name(self) -> str:
        """Name of the output."""
        return self.argument.name

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array; ``()`` of a scalar."""
        return self.argument.shape

    @property
    def operations(self) -> dict[str, int]:
        """Number of operations by kind; a change of sign counts nothing."""
        return operation_count(self.graph, self.argument.entries)

    @property
    def flops(self) -> int:
        """Additions, subtractions, multiplications and divisions together."""
        return flops(self.graph, self.argument.entries)

    def to_sympy(self) -> Any:
        """Closed SymPy expression; a column for a vector, a matrix for a matrix.

        What is shared is written out each time; `cse` is for large quantities.
        """
        return self._shaped(to_sympy(self.graph, self.argument.entries, self.names))

    def cse(self) -> tuple[list[tuple[sp.Symbol, sp.Expr]], list[Any]]:
        """``(replacements, [reduced])`` as `sympy.cse` returns it, for any size."""
        replacements, reduced = to_sympy_cse(self.graph, self.argument.entries, self.names)
        return replacements, [self._shaped(reduced)]

    def to_latex(self, closed: bool | None = None) -> str:
        """LaTeX of the quantity; with replacements, an ``aligned`` block of one equation a line.

        `closed` False writes shared subexpressions as symbols of their own, True writes them out;
        by default whatever suits the size.
        """
        name = written_symbol(self.name).latex()
        if self._is_closed(closed):
            return f"{name} = {self._latex(self.to_sympy())}"
        replacements, (reduced,) = self.cse()
        lines = [f"{self._latex(symbol)} &= {self._latex(expr)}" for symbol, expr in replacements]
        lines.append(f"{name} &= {self._latex(reduced)}")
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def to_mathml(self, closed: bool | None = None) -> str:
        """MathML, which browsers show without a script; `closed` as of `to_latex`.

        Entries of vectors and of large matrices are equations of their own, counted from 1.
        """
        from eomc.derive.equations.mathml import mathml

        replacements: list[tuple[Any, Any]] = []
        if self._is_closed(closed):
            found = self.to_sympy()
        else:
            replacements, (found,) = self.cse()
        if len(self.shape) == 1 or (self.shape and sum(self.operations.values()) > _MATRIX_UP_TO):
            entries = zip(np.ndindex(self.shape), found, strict=True)
            rows = [(f"{self.name}_{''.join(str(k + 1) for k in at)}", e) for at, e in entries]
        else:
            rows = [(self.name, found)]
        return mathml([*replacements, *rows], motions(self.inputs))

    def _repr_latex_(self) -> str:
        """For notebooks."""
        return f"$\\displaystyle {self.to_latex()}$"

    def to_text(self, closed: bool | None = None) -> str:
        """One line ``name[i, j] = expression`` for each entry; replacements, if any, come first."""
        import sympy as sp

        if self._is_closed(closed):
            replacements: list[tuple[sp.Symbol, sp.Expr]] = []
            entries = to_sympy(self.graph, self.argument.entries, self.names)
        else:
            replacements, entries = to_sympy_cse(self.graph, self.argument.entries, self.names)
        lines = [f"{symbol} = {sp.sstr(expr)}" for symbol, expr in replacements]
        for index, entry in zip(np.ndindex(self.shape), entries, strict=True):
            place = f"[{', '.join(map(str, index))}]" if index else ""
            lines.append(f"{self.name}{place} = {sp.sstr(entry)}")
        return "\n".join(lines)

    def evaluate(
        self, *arrays: ArrayLike, values: Mapping[str, float] | None = None, **named: ArrayLike
    ) -> NDArray[np.float64]:
        """Value in float64, straight from the graph: slow, without a compiler, for checks.

        Parameters
        ----------
        *arrays, **named
            The inputs in order or by name, each with its shape and any leading batch dimensions.
        values : mapping of str to float
            Values of parameter nodes that differ from `SymbolicQuantity.values`.

        Returns
        -------
        array of shape batch + `shape`

        Raises
        ------
        TypeError, ValueError
            An input is missing, unknown, given twice, or of another shape.
        """
        given = self._bind(arrays, named)
        numbers: dict[str, Any] = {**self.values, **(values or {})}
        batch: tuple[int, ...] = ()
        for argument in self.inputs:
            array, rank = given[argument.name], len(argument.shape)
            leading = array.shape[: array.ndim - rank]
            if array.shape[array.ndim - rank :] != argument.shape or array.ndim < rank:
                raise ValueError(
                    f"{argument.name}: shape {array.shape} does not end in {argument.shape}"
                )
            batch = np.broadcast_shapes(batch, leading)
            flat = array.reshape((*leading, len(argument.entries)))
            for i, node in enumerate(argument.entries):
                numbers[str(self.graph.value[node])] = flat[..., i]
        entries = evaluate(self.graph, self.argument.entries, numbers)
        flat_result = np.empty((*batch, len(entries)))
        for i, entry in enumerate(entries):
            flat_result[..., i] = entry
        return flat_result.reshape((*batch, *self.shape))

    def _bind(
        self, arrays: tuple[ArrayLike, ...], named: Mapping[str, ArrayLike]
    ) -> dict[str, NDArray[np.float64]]:
        order = [argument.name for argument in self.inputs]
        if len(arrays) > len(order):
            raise TypeError(f"{self.name} takes {len(order)} inputs: {', '.join(order)}")
        given = dict(zip(order, arrays, strict=False))
        for name, value in named.items():
            if name not in order:
                raise TypeError(f"{self.name} has no input {name!r}; it takes {', '.join(order)}")
            if name in given:
                raise TypeError(f"{self.name}: input {name!r} is given twice")
            given[name] = value
        missing = [name for name in order if name not in given]
        if missing:
            raise TypeError(f"{self.name} needs {', '.join(missing)}")
        return {name: np.asarray(value, dtype=np.float64) for name, value in given.items()}

    def _is_closed(self, closed: bool | None) -> bool:
        return sum(self.operations.values()) <= _CLOSED_UP_TO if closed is None else closed

    def _latex(self, value: Any) -> str:
        import sympy as sp

        moving = motions(self.inputs)
        symbols = {
            symbol: (moving.get(symbol.name) or written_symbol(symbol.name)).latex()
            for symbol in value.free_symbols
        }
        text: str = sp.latex(value, symbol_names=symbols)
        return text

    def _shaped(self, entries: list[sp.Expr]) -> Any:
        import sympy as sp

        if not self.shape:
            return entries[0]
        if len(self.shape) <= 2:
            rows, columns = (*self.shape, 1)[:2]
            return sp.Matrix(rows, columns, entries)
        return sp.ImmutableDenseNDimArray(entries, self.shape)


def quantities(
    graph: Graph,
    function: Function,
    names: Mapping[str, str | sp.Basic] | None = None,
    values: Mapping[str, float] | None = None,
) -> Any:
    """The output of `function` as a `SymbolicQuantity`; of several outputs a named tuple of
    them."""
    results = [
        SymbolicQuantity(graph, output, function.inputs, names, values)
        for output in function.outputs
    ]
    if len(results) == 1:
        return results[0]
    kind = namedtuple(function.name, [output.name for output in function.outputs])  # type: ignore[misc]
    return kind(*results)


def _row_names(graph: Graph, inputs: tuple[Argument, ...]) -> dict[str, str]:
    """Names of the input entries: their rows, led by the input's name where a row occurs twice."""
    rows = [row for argument in inputs for row in argument.rows]
    names: dict[str, str] = {}
    for argument in inputs:
        if len(argument.rows) == len(argument.entries):
            for node, row in zip(argument.entries, argument.rows, strict=True):
                unique = rows.count(row) == 1
                names[str(graph.value[node])] = row if unique else f"{argument.name}_{row}"
    return names
