"""Equations of motion as a first-order system in raw coordinates, with its derivatives.

    x' = f(x, w, t, p),   y = g(x, w, t, p),   x = (q, u, z)

An importer integrates the entries of x without knowing that some of them are quaternions. All
functions read the unit quaternion q/|q|, and the rate of a quaternion is that of the raw one,
q' = q (0, omega)/2: |q| then stays what it is, and the attitude turns at omega whatever |q|. The
system is composed on the graph, of functions that are there already, and differentiated there:

    forward:  (x', y)' = J (dx, dw, dp),   adjoint: (dx, dw, dp) = J^T (x', y)

Reference: Griewank and Walther, *Evaluating Derivatives*, 2nd ed., ch. 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eomc.codegen.plan.errors import EmissionError
from eomc.derive.graph import (
    Argument,
    ForwardSweep,
    Function,
    Graph,
    Guard,
    Program,
    reachable,
    reverse_gradient,
    symbol,
    symbols,
)
from eomc.derive.graph.ends import end_guards
from eomc.derive.graph.traverse import substitute

RATES, OUTPUTS = "first_order_rates", "first_order_outputs"
FORWARD, ADJOINT = "first_order_forward", "first_order_adjoint"
"""Names of the emitted functions."""

STATES = ("q", "u", "z")
HELD = ("tau", "r", "s", "s_rate", "s_acceleration")
"""Inputs of functions that are inputs of the system, in this order."""
STABILIZATION = "stabilization"
TIME = "t"


@dataclass(frozen=True)
class ArrayEntry:
    """One number of an array: `array`, the name of its row there, and indices where a row has
    more entries or no name."""

    array: str
    name: str
    indices: str = ""


@dataclass(frozen=True)
class FirstOrder:
    """The system, and the program that it is emitted with.

    Attributes
    ----------
    program : Program
        With the functions of the system beside those that were there.
    states, held, outputs : tuples of Entry
        Of x, w and y; the last `switches` of y change sign at events.
    parameters : tuple of str
        Tunable ones, whose derivatives come after those by x and w.
    depends : tuple of tuples of int
        For each entry of x' and y those of (x, w, p, t) that it depends on.
    """

    program: Program
    states: tuple[ArrayEntry, ...]
    held: tuple[ArrayEntry, ...]
    outputs: tuple[ArrayEntry, ...]
    switches: int
    parameters: tuple[str, ...]
    depends: tuple[tuple[int, ...], ...]


def first_order(
    program: Program, outputs: Iterable[str], *, derivatives: bool = True
) -> FirstOrder:
    """The first-order system of a program that has the functions of motion.

    `outputs` names functions of `program` whose outputs y holds, entry by entry; element_switches
    follow them if `program` has them. Without `derivatives` the system has rates and outputs alone.
    Raises EmissionError if a function takes anything else.
    """
    return _ComposedFunctions(program).system(list(outputs), derivatives=derivatives)


class _ComposedFunctions:
    """Functions of the state x."""

    def __init__(self, program: Program) -> None:
        self.program, self.graph = program, program.graph
        self.known = {function.name: function for function in program.functions}
        self.constrained = "constrained_dynamics" in self.known
        self.dynamics = self.known[
            "constrained_dynamics" if self.constrained else "forward_dynamics"
        ]
        arrays = {a.name: a for f in program.functions for a in f.inputs}
        own = {a.name: a for f in (self.dynamics, self.known["coordinate_rates"]) for a in f.inputs}
        self.states = [arrays[name] for name in STATES if name in arrays]
        held = [name for name in HELD if name in arrays]
        held += [STABILIZATION] if STABILIZATION in own else []
        self.held = [arrays[name] for name in held]
        self.given = {n for a in (*self.states, *self.held) for n in a.entries}
        self.given.add(symbol(self.graph, TIME).node)

    def system(self, outputs: Sequence[str], *, derivatives: bool) -> FirstOrder:
        rates, guards = self.rates()
        outputs_of = [self.entries_of(name) for name in outputs]
        entries = [entry for names, _ in outputs_of for entry in names]
        values = [value for _, nodes in outputs_of for value in nodes]
        switches = 0
        if "element_switches" in self.known:
            names, nodes = self.entries_of("element_switches")
            switches = len(names)
            entries, values = [*entries, *names], [*values, *nodes]
        functions = self.functions(rates, values, guards)
        if derivatives:
            functions[1:1] = self.derivatives(rates, values, guards)
        known = [*self._nodes(self.states), *self._nodes(self.held), *self._parameters()]
        return FirstOrder(
            replace(self.program, functions=(*self.program.functions, *functions)),
            _entries(self.states),
            _entries(self.held),
            tuple(entries),
            switches,
            tuple(p.name for p in self.program.parameters),
            dependencies(self.graph, [*rates, *values], [*known, symbol(self.graph, TIME).node]),
        )

    def rates(self) -> tuple[list[int], list[Guard]]:
        """Of q, u and z, and what must be above zero for them."""
        parts = [self.known["coordinate_rates"], self.dynamics]
        if "element_state_rates" in self.known:
            parts.append(self.known["element_state_rates"])
        rates = [node for part in parts for node in part.outputs[0].entries]
        return rates, list(dict.fromkeys(guard for part in parts for guard in part.guards))

    def entries_of(self, name: str) -> tuple[list[ArrayEntry], list[int]]:
        """Entries of all outputs of a function, and their values."""
        function = self.known[name]
        values: Mapping[int, int] = self._found(function)
        entries: list[ArrayEntry] = []
        nodes: list[int] = []
        for argument in function.outputs:
            array = function.name if len(function.outputs) == 1 else f"{name}.{argument.name}"
            found = substitute(self.graph, argument.entries, values)
            pairs = zip(_named(array, argument), found, strict=True)
            for entry, node in [pair for row in self._rows(argument, list(pairs)) for pair in row]:
                entries.append(entry)
                nodes.append(node)
        symbols_left = {n for n in reachable(self.graph, nodes) if self.graph.op[n] == "symbol"}
        parameters = set(self._parameters())
        if left := sorted(symbols_left - self.given - parameters):
            which = ", ".join(str(self.graph.value[n]) for n in left[:3])
            raise EmissionError(
                f"{name!r} cannot be an output here: it takes {which}, which no state, input "
                "or parameter gives"
            )
        return entries, nodes

    def _rows(
        self, argument: Argument, pairs: list[tuple[ArrayEntry, int]]
    ) -> list[list[tuple[ArrayEntry, int]]]:
        """Rows of an array; of a matrix those of numbers alone, as of a pose, tell nothing."""
        if len(argument.shape) < 2:
            return [pairs]
        width = argument.shape[1]
        rows = [pairs[k : k + width] for k in range(0, len(pairs), width)]
        return [row for row in rows if any(self.graph.op[node] != "const" for _, node in row)]

    def _found(self, function: Function) -> dict[int, int]:
        """Accelerations and multipliers of the motion, for functions that take them."""
        found = dict(zip(("a", "multipliers"), self.dynamics.outputs, strict=False))
        return {
            entry: value
            for argument in function.inputs
            if argument.name in found
            for entry, value in zip(argument.entries, found[argument.name].entries, strict=True)
        }

    def _nodes(self, arrays: Sequence[Argument]) -> list[int]:
        return [node for argument in arrays for node in argument.entries]

    def _parameters(self) -> list[int]:
        return [symbol(self.graph, p.symbol).node for p in self.program.parameters]

    def functions(
        self, rates: Sequence[int], values: Sequence[int], guards: Sequence[Guard]
    ) -> list[Function]:
        """Rates and outputs, as they are emitted; each takes x, w and t."""
        state, held = self._state(), tuple(guards)
        made = [
            Function(RATES, state, (_array("x_rate", rates, "x'"),), "Rates of the state.", held)
        ]
        if values:
            meaning = "Outputs, then functions that change sign at events."
            made.append(Function(OUTPUTS, state, (_array("y", values, "outputs"),), meaning, held))
        return made

    def _state(self) -> tuple[Argument, ...]:
        x, w = self._nodes(self.states), self._nodes(self.held)
        return (
            _array("x", x, "coordinates, speeds, states of elements"),
            _array("w", w, "forces on the speeds and inputs"),
            Argument(TIME, (), (symbol(self.graph, TIME).node,), "time", "s"),
        )

    def derivatives(
        self, rates: Sequence[int], values: Sequence[int], guards: Sequence[Guard]
    ) -> list[Function]:
        """Products with J from the right and from the left."""
        known = [*self._nodes(self.states), *self._nodes(self.held), *self._parameters()]
        found, state, held = [*rates, *values], self._state(), tuple(guards)
        seeds = [e.node for e in symbols(self.graph, "first_order_seed", len(known))]
        bars = [e.node for e in symbols(self.graph, "first_order_bar", len(found))]
        pushed = ForwardSweep(self.graph, found)(dict(zip(known, seeds, strict=True)))
        total = self.graph.total(
            [self.graph.mul(bar, value) for bar, value in zip(bars, found, strict=True)]
        )
        pulled = reverse_gradient(self.graph, total, known)
        seed = _array("seed", seeds, "change of x, w and the parameters")
        bar = _array("seed", bars, "weights of the rates and outputs")
        along = _array("change", pushed, "of rates and outputs")
        back = _array("change", pulled, "J^T")
        ends = (tuple(end_guards(self.graph, [found], state)) for found in (along, back))
        forward, adjoint = ((*held, *guards) for guards in ends)
        return [
            Function(FORWARD, (*state, seed), (along,), "Directional derivative.", forward),
            Function(ADJOINT, (*state, bar), (back,), "Adjoint derivative.", adjoint),
        ]


def _array(name: str, nodes: Sequence[int], meaning: str) -> Argument:
    return Argument(name, (len(nodes),), tuple(nodes), meaning)


def _entries(arrays: Sequence[Argument]) -> tuple[ArrayEntry, ...]:
    return tuple(entry for argument in arrays for entry in _named(argument.name, argument))


def _named(array: str, argument: Argument) -> list[ArrayEntry]:
    """Entries of an array in order."""
    if not argument.shape:
        return [ArrayEntry(array, "")]
    named = [(row, "") for row in argument.rows]
    rows = named or [("", str(k + 1)) for k in range(argument.shape[0])]
    columns = [str(k + 1) for k in range(argument.shape[1])] if len(argument.shape) > 1 else [""]
    return [
        ArrayEntry(
            array, row, f"[{place}]" if (place := ",".join(filter(None, (own, column)))) else ""
        )
        for row, own in rows
        for column in columns
    ]


def dependencies(
    graph: Graph, nodes: Sequence[int], known: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """For each of `nodes` the places of the `known` ones that it depends on.

    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> dependencies(g, [g.mul(x, y), y], [x, y])
    ((0, 1), (1,))
    """
    held = {node: 1 << place for place, node in enumerate(known)}
    for node in reachable(graph, nodes):
        if node not in held:
            mask = 0
            for argument in graph.args[node]:
                mask |= held[argument]
            held[node] = mask
    count = len(known)
    return tuple(tuple(k for k in range(count) if held[node] >> k & 1) for node in nodes)
