"""Steps of loops as static C functions: one definition for all bodies of a kind."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from eomc.codegen.c.body import CWriter
from eomc.codegen.c.language import C99, array_declarator
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import identifier
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port
from eomc.codegen.plan.partition import PieceLimits
from eomc.derive.graph import Argument, Function, Program, RolledStep, operation_count, reachable

COLUMNS = "columns"
"""Within a step, and behind the prefix of the model, the type of a row of any width."""
_ON_ROWS = ("add", "sub", "mul", "neg")


@dataclass(frozen=True)
class StepText:
    """A step as C.

    arguments : names of its arguments in order, those changed in place once
    fails : whether it returns a code
    """

    symbol: str
    text: str
    arguments: tuple[str, ...]
    fails: bool
    operations: dict[str, int]
    statements: int
    live: int


def step_text(face: Interface, step: RolledStep, symbol: str, apart: Mapping[str, int]) -> StepText:
    """Write `step`; guards whose code the model does not know cannot fail.

    apart : distances of the entries of arguments in arrays of numbers, where they are not 1
    """
    known = {status.code for status in face.statuses}
    guards = tuple(guard for guard in step.function.guards if guard.code in known)
    function = replace(step.function, guards=guards)
    program = Program(step.name, step.graph, (function,))
    own = replace(face, program=program, entries=(), members=())
    return _StepWriter(_StepLanguage(own, step, apart), function, symbol, step.rows).step()


def _port(argument: Argument, is_output: bool) -> Port:
    return Port(identifier(argument.name), argument, is_output)


class _StepLanguage(C99):
    """Arguments that are rows, of their own or of neighbours, and such whose entries are apart."""

    def __init__(self, face: Interface, step: RolledStep, apart: Mapping[str, int]) -> None:
        super().__init__(face)
        self.rows = {identifier(name) for name in step.rows}
        self.apart = {identifier(name): distance for name, distance in apart.items()}
        self.row_type = COLUMNS if step.any_width else row_type(face, step.width)
        self.width, self.any_width = step.width, step.any_width

    def argument(self, port: Port) -> str:
        const, is_row = "" if port.is_output else "const ", port.name in self.rows
        if is_row and self.any_width:
            assert port.name in self.apart
        size, kind = port.size, self.row_type if is_row else self.face.real_type
        if port.name in self.apart:
            size = self.apart[port.name] * (size - 1) + (self.width if is_row else 1)
            kind = self.face.real_type
        return f"{const}{kind} {array_declarator(self.face, port.name, size)}"

    def element(self, port: Port, index: int) -> str:
        place = index * self.apart.get(port.name, 1)
        if port.name in self.rows and port.name in self.apart:
            if self.any_width:
                return f"{self.face.macro}_COLUMNS_FROM({port.name}, {place})"
            if self.width > 1:
                return f"{self.face.macro}_ROW{self.width}_FROM({port.name}, {place})"
        return self.item(port.name, place)

    def row(self, number: str) -> str:
        """A row of one number."""
        if self.any_width:
            return f"{number} - ({self.row_type}){{0}}"
        if self.width == 1:
            return number
        return f"({self.row_type}){{{', '.join([number] * self.width)}}}"


def row_type(face: Interface, width: int) -> str:
    """Of so many numbers side by side."""
    return face.real_type if width == 1 else f"{face.prefix}_row{width}"


class _StepWriter(CWriter):
    language: _StepLanguage

    def __init__(
        self, language: _StepLanguage, function: Function, symbol: str, rows: frozenset[str]
    ) -> None:
        self.in_place = {a.name for a in function.inputs} & {a.name for a in function.outputs}
        inputs = tuple(_port(argument, False) for argument in function.inputs)
        outputs = tuple(_port(argument, True) for argument in function.outputs)
        entry = EmittedFunction(function.name, symbol, function, inputs, outputs)
        whole = PieceLimits(whole=1_000_000, file=1_000_000)
        super().__init__(language, entry, whole)
        self.rows = {node for a in function.inputs if a.name in rows for node in a.entries}
        for node in reachable(self.graph, function.nodes):
            if self.rows.isdisjoint(self.graph.args[node]):
                continue
            self.rows.add(node)
            if self.graph.op[node] not in _ON_ROWS:
                raise EmissionError(f"step {function.name!r}: rows have no {self.graph.op[node]!r}")

    def _element(self, port: Port, index: int) -> str:
        """Name of an entry; of what is changed in place, of the copy read before all writing."""
        if port.argument.name in self.in_place:
            return f"{port.name}_{index}"
        return super()._element(port, index)

    def step(self) -> StepText:
        function = self.entry.function
        writer = self._expressions()
        lines = [f"{INDENT}typedef {self.face.prefix}_column_block {COLUMNS};"]
        lines = (lines if self.language.any_width else []) + self._unused()
        lines += self._read_first(writer)
        self._statements(writer, self.parts.pieces[0], lines)
        self._closing(writer, lines)
        fails = bool(self._guarded(writer))
        if not fails:
            lines.pop()  # nothing to return
        ports = [p for p in self.entry.inputs if p.argument.name not in self.in_place]
        ports += self.entry.outputs
        # Several climbs call a step on rows, which are to stay in registers.
        inline = f"{self.face.macro}_INLINE " if self.language.width > 1 else ""
        if self.language.any_width:
            inline = f"{self.face.macro}_NOINLINE "
        head = f"static {inline}{'int' if fails else 'void'} {self.entry.symbol}"
        return StepText(
            self.entry.symbol,
            self.language.frame(head, [self.language.argument(port) for port in ports], lines),
            tuple(port.argument.name for port in ports),
            fails,
            operation_count(self.graph, function.nodes),
            len(self.plan.order),
            self.parts.live,
        )

    def _variable(self, node: int, text: str) -> str:
        if node in self.rows:
            return f"{INDENT}const {self.language.row_type} {self.names[node]} = {text};"
        return super()._variable(node, text)

    def _final_stores(self, writer: Expressions, lines: list[str]) -> None:
        for number, index in self.final_stores:
            port = self.entry.outputs[number]
            node = port.argument.entries[index]
            text = writer.value(node)
            if port.name in self.language.rows and node not in self.rows:
                text = self.language.row(text)
            place = self._output(number, index)
            lines.append(INDENT + self.language.assignment(place, text))

    def _unused(self) -> list[str]:
        return [
            f"{INDENT}(void){port.name};"
            for port in self.entry.inputs
            if port.argument.name not in self.in_place
            and not any(node in self.plan.symbols for node in port.argument.entries)
        ]

    def _read_first(self, writer: Expressions) -> list[str]:
        lines = []
        for port in self.entry.inputs:
            if port.argument.name not in self.in_place:
                continue
            for index, node in enumerate(port.argument.entries):
                if node in self.plan.symbols:
                    name = writer.references[node]
                    kind = self.language.row_type if node in self.rows else self.language.value_type
                    lines.append(
                        f"{INDENT}const {kind} {name} = {self.language.element(port, index)};"
                    )
        return lines
