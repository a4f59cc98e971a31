"""The body of one emitted function: statements, stores and guards, whole or in pieces."""

import math
import re
from dataclasses import dataclass

from eomc.codegen.language.expression import ATOM, Expressions
from eomc.codegen.language.language import INDENT, Language
from eomc.codegen.plan.cost import CodeForm
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status
from eomc.codegen.plan.partition import FunctionPartition, PieceLimits, partition
from eomc.codegen.plan.real import Real
from eomc.codegen.plan.schedule import CONDITIONS, Schedule, schedule, without_sign
from eomc.derive.graph import Graph, operation_count


@dataclass(frozen=True)
class FunctionText:
    """Text of one function and what it costs.

    text : definition, preceded by its pieces if it was cut
    apart : pieces that stand in files of their own, with their statements; `text` declares them
    operations : how many of each kind
    statements : computed values, merged operations not counted
    stack : bytes at most, see `stack_bound`
    form : which of several ways of writing was taken, and why
    """

    text: str
    operations: dict[str, int]
    statements: int
    stack: int
    apart: tuple[tuple[str, int], ...] = ()
    form: CodeForm | None = None

    @property
    def units(self) -> tuple[tuple[str, int], ...]:
        """Texts that may not be torn apart, each with its number of statements."""
        return (*self.apart, (self.text, 0 if self.apart else self.statements))


def _stands(name: str, text: str) -> bool:
    """True if a variable stands in a text, not as part of a word nor as a member of p."""
    return re.search(rf"{name}(?<![\w>.]{name})(?!\w)", text) is not None


def stack_bound(numbers: int, real: Real) -> int:
    """Bytes of stack that optimized code takes at most, of arrays and values alive at once.

    Half as much again: compilers keep values longer than needed, 1.31 times as many on Cortex-M;
    and room for saved registers, for sine and cosine, and for arithmetic in software, whose every
    call saves registers. The library's sine of angles that are large is not in it.
    """
    return (3 * numbers * real.bytes // 2 + 256 + 7) // 8 * 8


def function_body(language: Language, entry: EmittedFunction, limits: PieceLimits) -> FunctionText:
    """Write ``entry`` within the budgets of statements."""
    return BodyWriter(language, entry, limits).body()


class BodyWriter:
    """Writes one function in the words of a language."""

    stated: frozenset[str] = frozenset()
    """Operations that no expression can say; see `_computed`."""
    slab: int = 0
    """Depth of values that stand together, see `schedule`."""
    far: float = math.inf
    """Statements after which a value is read in the work array again, where it stands there:
    compilers keep for so long what has a name, most of it on the stack."""

    def __init__(
        self,
        language: Language,
        entry: EmittedFunction,
        limits: PieceLimits,
        graph: Graph | None = None,
    ) -> None:
        self.language = language
        self.face: Interface = language.face
        self.entry = entry
        self.graph = self.face.program.graph if graph is None else graph
        self.sources = self._input_elements()
        self.plan: Schedule = self._schedule()
        _check_symbols(self.graph, entry, self.plan, self.sources)
        guards = [without_sign(self.graph, guard.node) for guard in entry.function.guards]
        self.parts: FunctionPartition = self._partition(guards, limits)
        self.is_cut = len(self.parts.pieces) > 1
        self.before: dict[int, list[str]] = {}
        """Stores that wait for nothing, to stand before a statement."""
        self.stores, self.final_stores = self._plan_stores()
        self.names = _local_names(self)

    def _schedule(self) -> Schedule:
        return schedule(self.graph, self.entry.function.nodes, slab=self.slab)

    def _partition(self, kept: list[int], limits: PieceLimits) -> FunctionPartition:
        return partition(self.plan, kept, whole_limit=limits.whole, piece_size=limits.piece)

    def _input_elements(self) -> dict[int, tuple[str, str]]:
        """Text of each symbol the function may use, and the word that names it in local names."""
        elements: dict[int, tuple[str, str]] = {}
        for port in self.entry.inputs:
            rows = port.argument.rows if len(port.argument.shape) == 1 else ()
            for index, node in enumerate(port.argument.entries):
                if port.by_value:
                    word = port.name
                else:
                    word = rows[index] if index < len(rows) else f"{port.name}{index}"
                elements[node] = (self._element(port, index), word)
        for number, member in enumerate(self.face.members):
            node = self.graph.symbol(member.parameter.symbol)
            elements[node] = (self.language.parameter(number), member.name)
        return elements

    def _element(self, port: Port, index: int) -> str:
        return self.language.element(port, index)

    # -- what goes where ------------------------------------------------------------------------

    def _plan_stores(self) -> tuple[dict[int, list[tuple[int, int, bool]]], list[tuple[int, int]]]:
        """Stores that follow a statement: (output, entry, negated); and those of plain inputs."""
        computed = set(self.plan.order)
        following: dict[int, list[tuple[int, int, bool]]] = {}
        final: list[tuple[int, int]] = []
        for number, port in enumerate(self.entry.outputs):
            for index, node in enumerate(port.argument.entries):
                inner = without_sign(self.graph, node)
                if inner in computed:
                    following.setdefault(inner, []).append((number, index, inner != node))
                else:
                    final.append((number, index))
        return following, final

    def body(self) -> FunctionText:
        """The function, one or more texts, with what it costs."""
        text, apart = self._texts()
        operations = operation_count(self.graph, self.entry.function.nodes)
        stack = stack_bound(self.parts.work + self.parts.live, self.face.real)
        return FunctionText(text, operations, len(self.plan.order), stack, apart)

    def _texts(self) -> tuple[str, tuple[tuple[str, int], ...]]:
        """The definition, and pieces that stand apart."""
        return self._in_pieces() if self.is_cut else self._whole(), ()

    def _expressions(self) -> Expressions:
        references = {node: text for node, (text, _) in self.sources.items()}
        return Expressions(self.graph, self.language, references)

    # -- the function in one -------------------------------------------------------------------

    def _whole(self) -> str:
        writer = self._expressions()
        lines: list[str] = []
        self._statements(writer, self.parts.pieces[0], lines)
        self._closing(writer, lines)
        return self._definition(lines)

    def _definition(self, lines: list[str]) -> str:
        return self.language.definition(self.entry, self._unused() + lines)

    def _statements(self, writer: Expressions, piece: range, lines: list[str]) -> None:
        """Append the statements of one piece."""
        order, reads, uses = self.plan.order, self.plan.reads, self.plan.uses
        references, names, slots = writer.references, self.names, self.parts.slots
        stores, labels, op = self.stores, self.graph.labels, self.graph.op
        grouped: set[int] = set()
        named: dict[int, int] = {}
        for position in piece:
            node = order[position]
            if position in self.before:
                lines += self.before[position]
            if slots:
                for read in reads[position]:
                    if read not in references:
                        lines.append(self._load(read))
                        references[read] = names[read]
                    elif position - named.get(read, position) > self.far and self._is_there(read):
                        references[read] = self._slot(read)
                    named[read] = position
            if node not in grouped:
                kind = op[node]
                angles = self._angles(position, piece) if kind in ("sin", "cos") else []
                if angles and (together := self._sines_and_cosines(writer, angles)):
                    grouped |= set(angles)
                    lines += together
                elif kind in self.stated:
                    lines += self._computed(writer, node)
                else:
                    text, strength = writer.written(node)
                    label = labels.get(node)
                    remark = "" if label is None else self.language.remark(label)
                    kept = stores.get(node)
                    if kept is not None and uses[node] == 1:  # used by this one output alone
                        lines.append(self._store(kept[0], text, strength) + remark)
                        continue
                    lines.append(self._variable(node, text) + remark)
            name = references.setdefault(node, names[node])
            if slots:
                lines += self._saved(node, name)
                named[node] = position
            for store in stores.get(node, ()):
                lines.append(self._store(store, name, ATOM))

    def _angles(self, position: int, piece: range) -> list[int]:
        """The statements from ``position`` on that are best computed together: sine and cosine."""
        order, op, args = self.plan.order, self.graph.op, self.graph.args
        if position + 1 not in piece:
            return []
        pair = order[position : position + 2]
        is_pair = {op[node] for node in pair} == {"sin", "cos"}
        return pair if is_pair and args[pair[0]] == args[pair[1]] else []

    def _sines_and_cosines(self, writer: Expressions, angles: list[int]) -> list[str]:
        """Both of one angle in one call."""
        sine, cosine = sorted(angles, key=lambda node: self.graph.op[node] == "cos")
        angle = writer.value(self.graph.args[sine][0])
        lines = self.language.sine_and_cosine(self.names[sine], self.names[cosine], angle)
        return [INDENT + line for line in lines]

    def _computed(self, writer: Expressions, node: int) -> list[str]:
        """Statements that leave the value of a `stated` operation in its variable."""
        raise NotImplementedError

    def _variable(self, node: int, text: str) -> str:
        """A local variable with the value of ``node``."""
        is_condition = self.graph.op[node] in CONDITIONS
        return INDENT + self.language.variable(self.names[node], text, is_condition=is_condition)

    def _store(self, store: tuple[int, int, bool], text: str, strength: int) -> str:
        """One entry of an output."""
        number, index, negated = store
        if negated:
            text = f"-{text}" if strength <= ATOM else f"-({text})"
        return INDENT + self.language.assignment(self._output(number, index), text)

    def _output(self, number: int, index: int) -> str:
        return self.language.output(self.entry.outputs[number], index)

    def _slot(self, node: int) -> str:
        return self.language.item("work", self.parts.slots[node])

    def _is_there(self, node: int) -> bool:
        """True if a value that a piece has saved or loaded can be read in the work array."""
        return node in self.parts.slots and self.graph.op[node] not in CONDITIONS

    def _saved(self, node: int, name: str) -> list[str]:
        """Statements that keep what is called so for later pieces."""
        is_there = node not in self.parts.slots or name == self._slot(node)
        return [] if is_there else [self._save(node)]

    def _save(self, node: int) -> str:
        """To the work array, for later pieces."""
        name = self.names[node]
        if self.graph.op[node] in CONDITIONS:
            name = self.language.saved_condition(name)
        return INDENT + self.language.assignment(self._slot(node), name)

    def _load(self, node: int) -> str:
        slot = self._slot(node)
        if self.graph.op[node] in CONDITIONS:
            slot = self.language.loaded_condition(slot)
        return self._variable(node, slot)

    def _closing(self, writer: Expressions, lines: list[str]) -> None:
        """Outputs that need no computation, the guards, and the end."""
        self._final_stores(writer, lines)
        for value, status in self._guarded(writer):
            lines += [INDENT + line for line in self.language.guard(value, status)]
        lines += [INDENT + line for line in self.language.ending(self.entry)]

    def _final_stores(self, writer: Expressions, lines: list[str]) -> None:
        for number, index in self.final_stores:
            text = writer.value(self.entry.outputs[number].argument.entries[index])
            lines.append(INDENT + self.language.assignment(self._output(number, index), text))

    def _guarded(self, writer: Expressions) -> list[tuple[str, Status]]:
        """Guarded values that may fail, and how."""
        codes = {status.code: status for status in self.face.statuses}
        found = []
        for guard in self.entry.function.guards:
            constant = self.graph.number(guard.node)
            if constant is None or not constant > 0:
                found.append((writer.value(guard.node), codes[guard.code]))
        return found

    # -- the function in pieces -----------------------------------------------------------------

    def _in_pieces(self) -> str:
        pieces = [self._piece(number) for number in range(len(self.parts.pieces))]
        return "\n".join(text for text, _ in pieces) + "\n" + self._calling(pieces)

    def _calling(self, pieces: list[tuple[str, str]]) -> str:
        """The function that calls its pieces."""
        writer = self._expressions()
        lines: list[str] = []
        if work := self._work_length():
            lines += [INDENT + line for line in self._work_array(work)] + [""]
        self._opening(writer, lines)
        lines += [call for _, call in pieces]
        for guard in self.entry.function.guards:
            node = without_sign(self.graph, guard.node)
            if node in self.parts.slots:
                writer.references[node] = self._slot(node)
        self._closing(writer, lines)
        return self._definition(lines)

    def _work_length(self) -> int:
        return self.parts.work

    def _work_array(self, size: int) -> list[str]:
        """The array that pieces share."""
        return self.language.work_array(size)

    def _work_given(self) -> str:
        """Expression by which a piece is given the array."""
        return "work"

    def _opening(self, writer: Expressions, lines: list[str]) -> None:
        """Append to `lines` what the function does before it calls its pieces; nothing here."""

    def _piece(self, index: int) -> tuple[str, str]:
        """One piece, and its call."""
        language = self.language
        lines: list[str] = []
        self._statements(self._expressions(), self.parts.pieces[index], lines)
        lines = self._counted(lines)
        text = self._bare(lines)
        ports = [port for port in self.entry.ports if _stands(port.name, text)]
        declarations = [language.argument(port) for port in ports]
        arguments = [port.name for port in ports]
        if _stands("p", text):
            declarations.append(language.parameters_argument())
            arguments.append("p")
        if _stands("work", text):
            declarations.append(language.work_argument(self._work_length()))
            arguments.append(self._work_given())
        name = language.piece_name(self.entry, index + 1)
        call = f"{INDENT}{name}({', '.join(arguments)}){language.statement_end}"
        return language.piece(name, declarations, lines), call

    def _counted(self, lines: list[str]) -> list[str]:
        """The statements of a piece with what they name of the work array as it is counted there;
        from its beginning, as here, they stand already."""
        return lines

    def _bare(self, lines: list[str]) -> str:
        """The statements without remarks."""
        begin, end = map(re.escape, self.language.remark_marks)
        return re.sub(f"{begin}.*?{end or '$'}", "", "\n".join(lines), flags=re.M)

    def _unused(self) -> list[str]:
        """Say of arguments that the function takes that it does not need them."""
        used = self.plan.symbols
        names = [port.name for port in self.entry.inputs if used.isdisjoint(port.argument.entries)]
        names += [port.name for port in self.entry.outputs if port.size == 0]
        members = self.face.members
        if members and not any(
            self.graph.symbol(member.parameter.symbol) in used for member in members
        ):
            names.append("p")
        return [INDENT + line for name in names for line in self.language.unused(name)]


def _check_symbols(
    graph: Graph, entry: EmittedFunction, plan: Schedule, sources: dict[int, tuple[str, str]]
) -> None:
    for port in entry.inputs:
        for node in port.argument.entries:
            if graph.op[node] != "symbol":
                raise EmissionError(
                    f"function {entry.function.name!r}: an entry of its input "
                    f"{port.argument.name!r} is no symbol"
                )
    strangers = sorted(str(graph.value[node]) for node in plan.symbols if node not in sources)
    if strangers:
        raise EmissionError(
            f"function {entry.function.name!r} depends on {', '.join(map(repr, strangers[:5]))}, "
            "neither an entry of its inputs "
            f"({', '.join(port.argument.name for port in entry.inputs) or 'none'}) "
            "nor a tunable parameter"
        )


def _local_names(writer: BodyWriter) -> dict[int, str]:
    """Names of the statements: ``sin_<coordinate>`` if the angle is an input, else ``t<n>``."""
    names = Names(("p", "work", *(port.name for port in writer.entry.ports)))
    op, args = writer.graph.op, writer.graph.args
    ports = {port.name for port in writer.entry.ports}
    numbered = {port.rstrip("0123456789") for port in ports if port[-1].isdigit()}
    stem = next(stem for stem in ("t", "v", "w", "local_") if stem not in numbered)
    local: dict[int, str] = {}
    number = 0
    for node in writer.plan.order:
        if op[node] in ("sin", "cos"):
            source = writer.sources.get(args[node][0])
            if source is not None:
                local[node] = names.take(f"{op[node]}_{source[1]}")
                continue
        number += 1
        local[node] = f"{stem}{number}"
    return local
