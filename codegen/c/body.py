"""The body of one emitted function: statements, stores and guards, whole or in pieces."""

import re
from dataclasses import dataclass

from eomc.codegen.c.comment import comment_text
from eomc.codegen.c.expression import ATOM, Expressions
from eomc.codegen.c.signature import array_declarator, parameters_argument, port_declaration
from eomc.codegen.errors import EmissionError
from eomc.codegen.identifiers import Names
from eomc.codegen.interface import Entry, Interface, Port
from eomc.codegen.literal import literal
from eomc.codegen.partition import Limits, Partition, partition
from eomc.codegen.schedule import CONDITIONS, Schedule, schedule, without_sign
from eomc.derive.graph import operation_count

INDENT = "    "
_COMMENT = re.compile(r"/\*.*?\*/")
_WORD = re.compile(r"(?<![\w>])[A-Za-z_]\w*")  # not the members of p->


@dataclass(frozen=True)
class Body:
    """C text of one function and what it costs.

    text : definition, preceded by its pieces if it was cut
    apart : pieces that stand in files of their own, with their statements; `text` declares them
    operations : how many of each kind
    statements : computed values, merged operations not counted
    stack : bytes of work array and of values alive at once; registers hold a part of the latter
    """

    text: str
    operations: dict[str, int]
    statements: int
    stack: int
    apart: tuple[tuple[str, int], ...] = ()

    @property
    def units(self) -> tuple[tuple[str, int], ...]:
        """What may not be torn apart, with its statements."""
        return (*self.apart, (self.text, 0 if self.apart else self.statements))


def function_body(face: Interface, entry: Entry, limits: Limits) -> Body:
    """Write ``entry`` within the budgets of statements."""
    return BodyWriter(face, entry, limits).body()


class BodyWriter:
    """Writes one function on plain scalars; what another kind of value spells differently stands in
    methods of its own."""

    def __init__(self, face: Interface, entry: Entry, limits: Limits) -> None:
        self.face = face
        self.entry = entry
        self.graph = face.program.graph
        self.sources = self._input_elements()
        self.plan: Schedule = self._schedule()
        _check_symbols(face, entry, self.plan, self.sources)
        guards = [without_sign(self.graph, guard.node) for guard in entry.function.guards]
        self.parts: Partition = partition(
            self.plan, guards, whole_limit=limits.whole, piece_size=limits.piece
        )
        in_pieces = len(self.parts.pieces) > 1
        self.is_spread = in_pieces and len(self.plan.order) > limits.file
        self.stores, self.final_stores = self._plan_stores()
        self.names = _local_names(self)

    def _schedule(self) -> Schedule:
        return schedule(self.graph, self.entry.function.nodes)

    def _input_elements(self) -> dict[int, tuple[str, str]]:
        """C text of each symbol the function may use, and the word that names it in local names."""
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
            elements[node] = (self._parameter(number), member.name)
        return elements

    # -- how values are spelled ------------------------------------------------------------------

    @property
    def value_type(self) -> str:
        return self.face.real_type

    @property
    def symbol(self) -> str:
        return self.entry.symbol

    def _port_declaration(self, port: Port) -> str:
        return port_declaration(self.face, port)

    def _parameters_argument(self) -> str:
        return parameters_argument(self.face)

    def _element(self, port: Port, index: int) -> str:
        return port.element(index)

    def _parameter(self, number: int) -> str:
        return f"p->{self.face.members[number].name}"

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

    def body(self) -> Body:
        apart: tuple[tuple[str, int], ...] = ()
        if self.is_spread:
            text, apart = self._spread()
        else:
            text = self._in_pieces() if len(self.parts.pieces) > 1 else self._whole()
        operations = operation_count(self.graph, self.entry.function.nodes)
        stack = (self.parts.work + self.parts.live) * self.face.real.bytes
        return Body(text, operations, len(self.plan.order), stack, apart)

    def _expressions(self) -> Expressions:
        references = {node: text for node, (text, _) in self.sources.items()}
        return Expressions(self.graph, self.face.real, self.face.prefix, references)

    # -- the function in one -------------------------------------------------------------------

    def _whole(self) -> str:
        writer = self._expressions()
        lines: list[str] = []
        self._statements(writer, self.parts.pieces[0], lines)
        self._closing(writer, lines)
        return self._definition(lines)

    def _definition(self, lines: list[str]) -> str:
        lines = unused(self.face, self.entry, self.plan) + lines
        declared = function_arguments(self.face, self.entry)
        return definition_text(f"int {self.entry.symbol}", declared, lines)

    def _statements(self, writer: Expressions, piece: range, lines: list[str]) -> None:
        """Append the statements of one piece."""
        order, reads, uses = self.plan.order, self.plan.reads, self.plan.uses
        references, names, slots = writer.references, self.names, self.parts.slots
        stores, labels = self.stores, self.graph.labels
        grouped: set[int] = set()
        for position in piece:
            node = order[position]
            if slots:
                for read in reads[position]:
                    if read not in references:
                        lines.append(self._load(read))
                        references[read] = names[read]
            if node not in grouped:
                angles = self._angles(position, piece)
                if angles:
                    grouped |= set(angles)
                    lines += self._sines_and_cosines(writer, angles)
                elif (computed := self._computed(writer, node)) is not None:
                    lines += computed
                else:
                    text, strength = writer.written(node)
                    label = labels.get(node)
                    remark = "" if label is None else f"  /* {comment_text(label)} */"
                    kept = stores.get(node)
                    if kept is not None and uses[node] == 1:  # used by this one output alone
                        lines.append(self._store(kept[0], text, strength) + remark)
                        continue
                    lines += [line + remark for line in self._definition_of(node, text)]
            name = references[node] = names[node]
            if node in slots:
                lines.append(self._save(node))
            lines += [self._store(kept, name, ATOM) for kept in stores.get(node, ())]

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
        names = (self.names[sine], self.names[cosine])
        angle = writer.value(self.graph.args[sine][0])
        pointers = ", ".join(f"&{name}" for name in names)
        return [
            f"{INDENT}{self.value_type} {', '.join(names)};",
            f"{INDENT}{self.face.prefix}_sincos({angle}, {pointers});",
        ]

    def _computed(self, writer: Expressions, node: int) -> list[str] | None:
        """Statements that leave the value in its variable, if no expression can say it."""
        return None

    def _definition_of(self, node: int, text: str) -> list[str]:
        """A local variable with the value of ``node``."""
        kind = "int" if self.graph.op[node] in CONDITIONS else self.value_type
        return [f"{INDENT}const {kind} {self.names[node]} = {text};"]

    def _store(self, store: tuple[int, int, bool], text: str, strength: int) -> str:
        """One entry of an output."""
        number, index, negated = store
        if negated:
            text = f"-{text}" if strength <= ATOM else f"-({text})"
        return f"{INDENT}{self.entry.outputs[number].name}[{index}] = {text};"

    def _save(self, node: int) -> str:
        """To the work array, for later pieces."""
        name = self.names[node]
        if self.graph.op[node] in CONDITIONS:
            name = f"{name} ? {literal(1, self.face.real)} : {literal(0, self.face.real)}"
        return f"{INDENT}work[{self.parts.slots[node]}] = {name};"

    def _load(self, node: int) -> str:
        slot = f"work[{self.parts.slots[node]}]"
        if self.graph.op[node] in CONDITIONS:
            half = "0.5" + self.face.real.suffix
            return f"{INDENT}const int {self.names[node]} = {slot} > {half};"
        return f"{INDENT}const {self.face.real_type} {self.names[node]} = {slot};"

    def _closing(self, writer: Expressions, lines: list[str]) -> None:
        """Outputs that need no computation, the guards, and the return."""
        for number, index in self.final_stores:
            port = self.entry.outputs[number]
            text = writer.value(port.argument.entries[index])
            lines.append(f"{INDENT}{port.name}[{index}] = {text};")
        for value, code in self._guarded(writer):
            lines.append(f"{INDENT}if (!({value} > {writer.zero})) {{")
            lines.append(f"{INDENT * 2}return {code};")
            lines.append(f"{INDENT}}}")
        lines.append(f"{INDENT}return {self.face.macro}_OK;")

    def _guarded(self, writer: Expressions) -> list[tuple[str, str]]:
        """Guarded values that may fail, and the codes to return then."""
        codes = {status.code: status.enumerator for status in self.face.statuses}
        found = []
        for guard in self.entry.function.guards:
            constant = self.graph.number(guard.node)
            if constant is None or not constant > 0:
                found.append((writer.value(guard.node), codes[guard.code]))
        return found

    # -- the function in pieces -----------------------------------------------------------------

    def _in_pieces(self) -> str:
        pieces = [self._piece(number) for number in range(len(self.parts.pieces))]
        texts = [f"static {head}\n{text}" for head, text, _ in pieces]
        return "\n".join(texts) + "\n" + self._calling([call for _, _, call in pieces])

    def _spread(self) -> tuple[str, tuple[tuple[str, int], ...]]:
        """The function with declarations of its pieces, and these."""
        pieces = [self._piece(number) for number in range(len(self.parts.pieces))]
        declared = "".join(f"{head};\n" for head, _, _ in pieces)
        apart = tuple(
            (f"{head};\n{head}\n{text}", len(piece))
            for (head, text, _), piece in zip(pieces, self.parts.pieces, strict=True)
        )
        return declared + "\n" + self._calling([call for _, _, call in pieces]), apart

    def _calling(self, calls: list[str]) -> str:
        """The function that calls its pieces."""
        writer = self._expressions()
        work = self.parts.work
        lines = [f"{INDENT}{self.value_type} work[{work}];", ""] if work else []
        lines += calls
        for guard in self.entry.function.guards:
            node = without_sign(self.graph, guard.node)
            if node in self.parts.slots:
                writer.references[node] = f"work[{self.parts.slots[node]}]"
        self._closing(writer, lines)
        return self._definition(lines)

    def _piece(self, index: int) -> tuple[str, str, str]:
        """Head and body of one piece, and its call."""
        writer = self._expressions()
        lines: list[str] = []
        self._statements(writer, self.parts.pieces[index], lines)
        text = "\n".join(lines)
        words = set(_WORD.findall(_COMMENT.sub("", text)))
        ports = [port for port in self.entry.ports if port.name in words]
        declarations = [self._port_declaration(port) for port in ports]
        arguments = [port.name for port in ports]
        if "p" in words:
            declarations.append(self._parameters_argument())
            arguments.append("p")
        if "work" in words:
            work = array_declarator(self.face, "work", self.parts.work)
            declarations.append(f"{self.value_type} {work}")
            arguments.append("work")
        name = f"{self.symbol}_piece_{index + 1}"
        # As wide as with the word "static" before it.
        head = wrapped(f"static {self.face.macro}_NOINLINE void {name}", declarations)
        call = f"{INDENT}{name}({', '.join(arguments)});"
        return head.removeprefix("static "), f"{{\n{text}\n}}\n", call


def definition_head(face: Interface, entry: Entry) -> str:
    """Return type, name and arguments, as in the header."""
    return wrapped(f"int {entry.symbol}", function_arguments(face, entry))


def function_arguments(face: Interface, entry: Entry) -> list[str]:
    """Declarations of inputs, parameters and outputs."""
    declarations = [port_declaration(face, port) for port in entry.inputs]
    if face.members:
        declarations.append(parameters_argument(face))
    return declarations + [port_declaration(face, port) for port in entry.outputs]


def definition_text(head: str, declarations: list[str], lines: list[str]) -> str:
    """A C function of these statements."""
    return f"{wrapped(head, declarations)}\n{{\n" + "\n".join(lines) + "\n}\n"


def wrapped(head: str, declarations: list[str]) -> str:
    line = f"{head}({', '.join(declarations) or 'void'})"
    if len(line) <= 99:
        return line
    return f"{head}(\n{INDENT}" + f",\n{INDENT}".join(declarations) + ")"


def _check_symbols(
    face: Interface, entry: Entry, plan: Schedule, sources: dict[int, tuple[str, str]]
) -> None:
    graph = face.program.graph
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
    stem = next(
        stem
        for stem in ("t", "v", "w", "local_")
        if not any(port.startswith(stem) and port[len(stem) :].isdigit() for port in ports)
    )
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


def unused(face: Interface, entry: Entry, plan: Schedule) -> list[str]:
    """``(void)`` for arguments that the function takes and does not need."""
    used = plan.symbols
    names = [
        port.name for port in entry.inputs if not any(n in used for n in port.argument.entries)
    ]
    names += [port.name for port in entry.outputs if port.size == 0]
    if face.members and not any(
        face.program.graph.symbol(member.parameter.symbol) in used for member in face.members
    ):
        names.append("p")
    return [f"{INDENT}(void){name};" for name in names]
