"""Functions as for-loops over tables that call one step for all bodies of a kind.

Offsets of arguments are columns of the tables. A column that grows evenly is written as a product
with the loop's variable; of the others only what remains after their common factor and their least
value is stored, so that columns of different arrays over the same bodies are mostly one. Steps,
columns and tables are shared by all functions of a file.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from eomc.codegen.c.language import C99
from eomc.codegen.c.scalar_body import ScalarWriter
from eomc.codegen.c.shared import Shared
from eomc.codegen.c.step import StepText, row_type
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.cost import CodeForm, Work, estimate_loops
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port
from eomc.codegen.plan.partition import PieceLimits
from eomc.derive.graph import (
    Argument,
    Call,
    Climb,
    ForLoop,
    Function,
    Rolled,
    RolledArgument,
    RolledArray,
    RolledStep,
    RolledTurns,
    operation_count,
    reachable,
)
from eomc.derive.graph.ends import end_guards
from eomc.derive.graph.tuning import MANY_NUMBERS, SET_ONE_BY_ONE, SPARSE_RUN

Number = int | float | Fraction

_WORD = re.compile(r"\w+")
_CALL_WIDTH = 84


def rolled_body(
    language: C99,
    entry: EmittedFunction,
    rolled: Rolled,
    limits: PieceLimits,
    shared: Shared,
    vector: int | None = None,
) -> tuple[FunctionText, CodeForm]:
    """Write these for-loops for `entry`, and what they cost; what they share goes into `shared`.

    vector : bytes of the rows, where the text stands in the condition that there are such
    """
    return _RolledWriter(language, entry, rolled, limits, shared, vector).body()


class _RolledWriter:
    def __init__(
        self,
        language: C99,
        entry: EmittedFunction,
        rolled: Rolled,
        limits: PieceLimits,
        shared: Shared,
        vector: int | None,
    ) -> None:
        self.language, self.face = language, language.face
        self.entry, self.rolled, self.shared = entry, rolled, shared
        self.limits, self.vector = limits, vector
        taken = {"p", "work", "i", "j", "code", *_spread_outputs(rolled)}
        names = Names(taken | {port.name for port in entry.ports})
        self.c_names = {port.argument.name: port.name for port in entry.ports}
        self.ports = frozenset(self.c_names)
        self.written = _written(rolled)
        self.apart = {array.name: array.apart for array in rolled.arrays if array.apart > 1}
        self.turned = {loop.array for loop in rolled.loops if isinstance(loop, RolledTurns)}
        self.declarations: list[str] = []
        self.first: list[str] = []
        self.started: list[tuple[Port, list[int]]] = []
        self.size = self.tabled = self.moved = self.set = self.climbs = 0
        self.is_begun = False
        self.used: dict[str, StepText] = {}
        self.operations: dict[str, int] = {}
        used = {port.argument.name for port in entry.ports} | _used(rolled)
        for array in rolled.arrays:
            if array.name in used:
                self._add_array(array, names)

    # -- arrays ----------------------------------------------------------------------------------

    def _add_array(self, array: RolledArray, names: Names) -> None:
        graph = self.face.program.graph
        is_port = array.name in self.ports
        numbers = {place: graph.number(node) for place, node in array.start.items()}
        known = {place: value for place, value in numbers.items() if value is not None}
        zero = literal(0, self.face.real)
        length = array.size * array.width
        image = [literal(known[k], self.face.real) if k in known else zero for k in range(length)]
        if not is_port and array.name not in self.written and len(known) == length:
            name = self.shared.table(array.name, image, self.vector, array.width)
            self.c_names[array.name] = name
            self.tabled += length
            return
        if not is_port:
            self.c_names[array.name] = names.take(array.name)
            kind = row_type(self.face, array.width)
            if array.name in self.turned or array.name in self.apart:
                kind = f"{self.face.macro}_ALIGNED {kind}"
            self.declarations.append(f"{kind} {self.c_names[array.name]}[{array.size}];")
            self.size += length
        self._start(array, image, known)

    def _start(self, array: RolledArray, image: list[str], known: Mapping[int, Number]) -> None:
        """Many numbers are copied, many zeros set in a loop, the others one by one."""
        name = self.c_names[array.name]
        self.set += len(array.start)
        done: set[int] = set()
        zeros = [place for place, value in known.items() if value == 0]
        if len(known) - len(zeros) > SET_ONE_BY_ONE and _is_run(known):
            places = range(min(known), max(known) + 1)
            table = self.shared.table(array.name, image[places.start : places.stop], self.vector)
            self._fill(name, places, f"{table}[{self._sum(['i'], -places.start)}]")
            done = set(known)
        elif len(zeros) > SET_ONE_BY_ONE and _is_run(zeros):
            self._fill(name, range(min(zeros), max(zeros) + 1), literal(0, self.face.real))
            done = set(zeros)
        left = [place for place in array.start if place not in done]
        if left:
            nodes = tuple(array.start[place] for place in left)
            argument = Argument(array.name, (len(nodes),), nodes)
            self.started.append((Port(name, argument, True), left))

    def _fill(self, name: str, places: range, value: str) -> None:
        head = f"for (int i = {places.start}; i < {places.stop}; ++i) {{"
        self.first.append(f"{head}\n{INDENT * 2}{name}[i] = {value};\n{INDENT}}}")

    # -- the function ----------------------------------------------------------------------------

    def body(self) -> tuple[FunctionText, CodeForm]:
        lines = [INDENT + line for line in (*self.declarations, *self.first)]
        statements = live = 0
        if self.started:
            start = _StartWriter(_ArrayStart(self.face), self.entry, self.started, self.limits)
            if start.is_cut:
                lines += self._begun(start)
            else:
                lines += start.statements()
            statements, live = len(start.plan.order), start.parts.work + start.parts.live
            self._count(start.operations, 1)
        for loop in self.rolled.loops:
            if isinstance(loop, RolledTurns):
                lines.append(
                    f"{INDENT}{self.face.prefix}_turns({self.c_names[loop.array]}, {loop.count});"
                )
                self._count({"sin": loop.count, "cos": loop.count}, 1)
            else:
                lines += self._loop(loop)
        if any(step.fails for step in self.used.values()) or self.is_begun:
            lines.insert(0, f"{INDENT}int code;")
        lines.append(f"{INDENT}return {self.face.macro}_OK;")
        unused = _unused(self.face, self.entry, lines)
        live += max((step.live for step in self.used.values()), default=0)
        statements += sum(step.statements for step in self.used.values())
        work = Work(sum(self.operations.values()), self.moved, self.set, self.climbs)
        cost = estimate_loops(work, statements, self.tabled, self.face.real.bytes)
        body = FunctionText(
            self.language.definition(self.entry, unused + lines),
            dict(self.operations),
            statements,
            stack_bound(self.size + live, self.face.real),
        )
        return body, CodeForm("loops", "loops were asked for", cost)

    def _begun(self, start: "_StartWriter") -> list[str]:
        """The call of the function that computes what arrays begin with, where that is long."""
        self.is_begun = True
        symbol = self.shared.beginning(self.entry, start.function)
        names = [port.name for port in self.entry.inputs] + ["p"] * bool(self.face.members)
        names += [port.name for port in start.entry.outputs]
        return [
            f"{INDENT}code = {symbol}({', '.join(names)});",
            f"{INDENT}if (code != {self.face.macro}_OK) {{",
            f"{INDENT * 2}return code;",
            f"{INDENT}}}",
        ]

    def _count(self, operations: Mapping[str, int], times: int) -> None:
        for kind, count in operations.items():
            self.operations[kind] = self.operations.get(kind, 0) + count * times

    def _loop(self, loop: ForLoop) -> list[str]:
        head = f"for (int i = 0; i < {loop.turns}; ++i) {{"
        if loop.backward:
            head = f"for (int i = {loop.turns - 1}; i >= 0; --i) {{"
        lines: list[str] = []
        once = [1] * loop.turns
        for call in loop.calls:
            lines += self._call(call, "i", once, INDENT * 2)
        for climb in loop.climbs:
            if max(climb.first) >= 0:  # it goes somewhere
                lines += self._climb(climb)
        return [INDENT + head, *lines, f"{INDENT}}}"] if lines else []

    def _climb(self, climb: Climb) -> list[str]:
        first = self._sum(*self._column(climb.first, "i"))
        following = self._sum(*self._column(climb.following, "j"))
        visits = climb.visits
        if len(visits) > 1:
            self.climbs += sum(row >= 0 for row in climb.first)
        lines = [f"{INDENT * 2}for (int j = {first}; j >= 0; j = {following}) {{"]
        for call in climb.calls:
            lines += self._call(call, "j", visits, INDENT * 3)
        return [*lines, f"{INDENT * 2}}}"]

    def _call(self, call: Call, row: str, visits: Sequence[int], indent: str) -> list[str]:
        """One call, or a switch between the kinds."""
        kinds = sorted(set(call.kinds))
        texts: dict[int, list[str]] = {}
        for kind in kinds:
            if kind >= 0:
                step = self._step(call, kind)
                self.used[step.symbol] = step
                times = sum(v for v, k in zip(visits, call.kinds, strict=True) if k == kind)
                self._count(step.operations, times)
                self.moved += times * _moved(call, call.steps[kind], in_climb=row == "j")
                texts[kind] = self._invocation(call, call.steps[kind], step)
        if len(kinds) == 1:
            return [indent + line for kind in texts for line in texts[kind]]
        choice = self._sum(*self._column(call.kinds, row))
        lines = [f"{indent}switch ({choice}) {{"]
        last = kinds[-1] if kinds[0] >= 0 else None  # every row has a kind
        for kind, text in texts.items():
            label = "default:" if kind == last else f"case {kind}:"
            lines += [f"{indent}{label}", *(indent + INDENT + line for line in text)]
            lines.append(f"{indent}{INDENT}break;")
        if last is None:
            lines += [f"{indent}default:", f"{indent}{INDENT}break;"]
        return [*lines, f"{indent}}}"]

    def _step(self, call: Call, kind: int) -> StepText:
        step = call.steps[kind]
        arguments = (*step.function.inputs, *step.function.outputs)
        arrays = {
            a.name: call.pieces[a.name].array
            for a in arguments
            if (len(a.entries) > 1 or a.name in step.rows) and not call.pieces[a.name].spread
        }
        apart = {n: self.apart[array] for n, array in arrays.items() if array in self.apart}
        return self.shared.step(step, apart, self.vector)

    def _invocation(self, called: Call, step: RolledStep, text: StepText) -> list[str]:
        pieces = called.pieces
        spread = [output for output in step.function.outputs if pieces[output.name].spread]
        names = {output.name for output in spread}
        pointers = [
            name if name in names else self._pointer(pieces[name]) for name in text.arguments
        ]
        head = "code = " if text.fails else ""
        call = [f"{head}{text.symbol}({', '.join(pointers)});"]
        if len(call[0]) > _CALL_WIDTH:
            call = [f"{head}{text.symbol}(", *_folded(pointers)]
        if text.fails:
            call += [f"if (code != {self.face.macro}_OK) {{", f"{INDENT}return code;", "}"]
        if not spread:
            return call
        kind = row_type(self.face, step.width)
        lines = [f"{kind} {output.name}[1];" for output in spread] + call
        for output in spread:
            for places in (pieces, called.copies):
                if output.name in places:
                    lines.append(self._spread(output, places[output.name], step.width))
        return ["{", *(INDENT + line for line in lines), "}"]

    def _spread(self, output: Argument, piece: RolledArgument, width: int) -> str:
        """The numbers of a row, to their places in an array of numbers."""
        spread = piece.spread
        assert spread is not None
        value, place, prefix = f"{output.name}[0]", self._pointer(piece), self.face.prefix
        if width == 1:
            return f"*({place}) = {value};"
        end = self._sum(*self._column(spread.end, "i"))
        if spread.apart == 1:
            return f"{prefix}_lay{width}({value}, {end}, {place});"
        return f"{prefix}_spread{width}({value}, {end}, {place}, {spread.apart});"

    # -- offsets ---------------------------------------------------------------------------------

    def _pointer(self, piece: RolledArgument) -> str:
        terms, constant = self._column(piece.offsets, "i")
        if piece.inner:
            more, further = self._column(piece.inner, "j")
            terms, constant = terms + more, constant + further
        # Not &array[place], of which gcc makes longer code; no pointer on the way is outside.
        if constant < 0:
            terms, constant = [f"({self._sum(terms, constant)})"], 0
        return self._sum([self.c_names[piece.array], *terms], constant)

    def _column(self, values: tuple[int, ...], row: str) -> tuple[list[str], int]:
        """Terms and constant of an offset as a function of the row."""
        least = min(values)
        factor = math.gcd(*(value - least for value in values))
        if factor == 0:
            return [], least
        bare = tuple((value - least) // factor for value in values)
        name = row
        if bare != tuple(range(len(bare))):
            name = f"(int){self.shared.column(bare, self.vector)}[{row}]"
        return [name if factor == 1 else f"{factor}*{name}"], least

    @staticmethod
    def _sum(terms: list[str], constant: int) -> str:
        text = " + ".join(terms)
        if not text:
            return str(constant)
        return text if constant == 0 else f"{text} {'+' if constant > 0 else '-'} {abs(constant)}"


def _moved(call: Call, step: RolledStep, *, in_climb: bool) -> int:
    """Entries that a step reads and writes; those that a climb always finds at one place stay in
    registers."""
    count = 0
    for argument in (*step.function.inputs, *step.function.outputs):
        piece = call.pieces[argument.name]
        is_carried = in_climb and len(set(piece.inner)) <= 1
        if not (is_carried or piece.spread):
            count += len(argument.entries)
    return count


def _is_run(places: Iterable[int]) -> bool:
    """True if they are a fair part of what is between them, or too many to be set one by one."""
    known = set(places)
    return len(known) > MANY_NUMBERS or max(known) - min(known) < SPARSE_RUN * len(known)


def _spread_outputs(rolled: Rolled) -> set[str]:
    """Names of what is spread."""
    return {n for call in rolled.calls for n, piece in call.pieces.items() if piece.spread}


def _folded(arguments: Sequence[str]) -> list[str]:
    """Lines of arguments, the last one closed."""
    lines = [INDENT]
    for number, argument in enumerate(arguments, start=1):
        text = f"{argument}, " if number < len(arguments) else f"{argument});"
        if len(lines[-1]) + len(text) > _CALL_WIDTH:
            lines[-1] = lines[-1].rstrip()
            lines.append(INDENT)
        lines[-1] += text
    return lines


def _used(rolled: Rolled) -> set[str]:
    """Arrays that some step takes."""
    return {
        call.pieces[argument.name].array
        for call in rolled.calls
        for kind in set(call.kinds)
        if kind >= 0
        for argument in (*call.steps[kind].function.inputs, *call.steps[kind].function.outputs)
    }


def _written(rolled: Rolled) -> frozenset[str]:
    """Arrays that some step writes."""
    return frozenset(
        call.pieces[output.name].array
        for call in rolled.calls
        for step in call.steps
        for output in step.function.outputs
    )


def _unused(face: Interface, entry: EmittedFunction, lines: Sequence[str]) -> list[str]:
    """Statements that name the arguments of which the lines make no use."""
    words = set(_WORD.findall("\n".join(lines)))
    names = [port.name for port in entry.ports] + ["p"] * bool(face.members)
    return [f"{INDENT}(void){name};" for name in names if name not in words]


class _ArrayStart(C99):
    """Arrays of the function are larger than what is set here."""

    def argument(self, port: Port) -> str:
        if port.is_output:
            return f"{self.value_type} *{port.name}"
        return super().argument(port)


class _StartWriter(ScalarWriter):
    """First values of arrays that depend on the inputs, as straight-line code."""

    def __init__(
        self,
        language: C99,
        entry: EmittedFunction,
        started: Sequence[tuple[Port, list[int]]],
        limits: PieceLimits,
    ) -> None:
        self.places = [places for _, places in started]
        ports = tuple(port for port, _ in started)
        outputs = tuple(port.argument for port in ports)
        graph = language.face.program.graph
        reached = set(reachable(graph, [n for o in outputs for n in o.entries]))
        guards = [guard for guard in entry.function.guards if guard.node in reached]
        codes = {guard.code for guard in entry.function.guards}
        ends = end_guards(graph, outputs, entry.function.inputs)
        guards += [guard for guard in ends if guard.code in codes]
        inner = Function(entry.name, entry.function.inputs, outputs, guards=tuple(guards))
        inside = EmittedFunction(entry.name, entry.symbol, inner, entry.inputs, ports)
        super().__init__(language, inside, limits)

    def _plan_stores(self) -> tuple[dict[int, list[tuple[int, int, bool]]], list[tuple[int, int]]]:
        following, final = super()._plan_stores()
        placed = {
            node: [(number, self.places[number][k], negated) for number, k, negated in stores]
            for node, stores in following.items()
        }
        return placed, final

    def _closing(self, writer: Expressions, lines: list[str]) -> None:
        for number, index in self.final_stores:
            port = self.entry.outputs[number]
            text = writer.value(port.argument.entries[index])
            lines.append(f"{INDENT}{port.name}[{self.places[number][index]}] = {text};")
        for value, status in self._guarded(writer):
            lines += [INDENT + line for line in self.language.guard(value, status)]

    def _definition(self, lines: list[str]) -> str:
        return "\n".join(lines)

    def statements(self) -> list[str]:
        """The statements themselves, of one piece."""
        return self._whole().split("\n")

    def function(self, symbol: str) -> str:
        """All of them as a function of their own, in pieces."""
        pieces = [self._piece(number) for number in range(len(self.parts.pieces))]
        lines = [*self._calling(pieces).split("\n"), f"{INDENT}return {self.face.macro}_OK;"]
        lines = [*_unused(self.face, self.entry, lines), *lines]
        head = f"static {self.face.macro}_NOINLINE int {symbol}"
        own = self.language.frame(head, self.language.arguments(self.entry), lines)
        return "\n".join([*(text for text, _ in pieces), own])

    @property
    def operations(self) -> dict[str, int]:
        """Numbers of operations of the statements, by kind."""
        return operation_count(self.graph, self.entry.function.nodes)
