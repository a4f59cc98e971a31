"""Steps of loops as static C functions: one definition for all bodies of a kind."""

from dataclasses import dataclass, replace

from eomc.codegen.c.body import CWriter
from eomc.codegen.c.language import C99
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.identifiers import identifier
from eomc.codegen.plan.interface import Entry, Interface, Port
from eomc.codegen.plan.partition import Limits
from eomc.derive.graph import Argument, Function, Program, Step, operation_count


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


def step_text(face: Interface, step: Step, symbol: str) -> StepText:
    """Write `step`; guards whose code the model does not know cannot fail."""
    known = {status.code for status in face.statuses}
    guards = tuple(guard for guard in step.function.guards if guard.code in known)
    function = replace(step.function, guards=guards)
    program = Program(step.name, step.graph, (function,))
    own = replace(face, program=program, entries=(), members=())
    return _StepWriter(C99(own), function, symbol).step()


def _port(argument: Argument, is_output: bool) -> Port:
    return Port(identifier(argument.name), argument, is_output)


class _StepWriter(CWriter):
    def __init__(self, language: C99, function: Function, symbol: str) -> None:
        self.in_place = {a.name for a in function.inputs} & {a.name for a in function.outputs}
        inputs = tuple(_port(argument, False) for argument in function.inputs)
        outputs = tuple(_port(argument, True) for argument in function.outputs)
        entry = Entry(function.name, symbol, function, inputs, outputs)
        whole = Limits(whole=1_000_000, file=1_000_000)
        super().__init__(language, entry, whole)

    def _element(self, port: Port, index: int) -> str:
        """Name of an entry; of what is changed in place, of the copy read before all writing."""
        if port.argument.name in self.in_place:
            return f"{port.name}_{index}"
        return super()._element(port, index)

    def step(self) -> StepText:
        function = self.entry.function
        writer = self._expressions()
        lines = self._unused() + self._read_first(writer)
        self._statements(writer, self.parts.pieces[0], lines)
        self._closing(writer, lines)
        fails = bool(self._guarded(writer))
        if not fails:
            lines.pop()  # nothing to return
        ports = [p for p in self.entry.inputs if p.argument.name not in self.in_place]
        ports += self.entry.outputs
        head = f"static {'int' if fails else 'void'} {self.entry.symbol}"
        return StepText(
            self.entry.symbol,
            self.language.frame(head, [self.language.argument(port) for port in ports], lines),
            tuple(port.argument.name for port in ports),
            fails,
            operation_count(self.graph, function.nodes),
            len(self.plan.order),
            self.parts.live,
        )

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
                    lines.append(INDENT + self.language.variable(name, f"{port.name}[{index}]"))
        return lines
