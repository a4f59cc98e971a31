"""The body of one emitted function on vectors: the same statements for several states at once."""

from eomc.codegen.c.body import INDENT, Body, BodyWriter, unused, wrapped
from eomc.codegen.c.expression import ATOM, LIBRARY, Expressions
from eomc.codegen.c.lanes_expression import LaneExpressions
from eomc.codegen.interface import Entry, Interface, Port
from eomc.codegen.partition import Limits
from eomc.codegen.schedule import CONDITIONS, MERGED, Schedule, schedule

UNARY_CALLS = frozenset(LIBRARY) - {"abs", "atan2", "pow"}  # sine and cosine are our own
BINARY_CALLS = frozenset({"atan2", "pow"})


def lanes_function_body(face: Interface, entry: Entry, limits: Limits) -> Body:
    """``<function>_lanes`` on compilers that know vectors."""
    return _LaneWriter(face, entry, limits).body()


class _LaneWriter(BodyWriter):
    def _schedule(self) -> Schedule:
        # Library calls change a vector in place: they are statements.
        return schedule(self.graph, self.entry.function.nodes, MERGED - {"sqrt"})

    @property
    def value_type(self) -> str:
        return f"{self.face.prefix}_lanes_vector"

    @property
    def symbol(self) -> str:
        return f"{self.entry.symbol}_lanes"

    def _port_declaration(self, port: Port) -> str:
        return lanes_declaration(self.face, port.name, port.size, is_output=port.is_output)

    def _parameters_argument(self) -> str:
        return lanes_declaration(self.face, "p", len(self.face.members), is_output=False)

    def _element(self, port: Port, index: int) -> str:
        return f"{self.face.macro}_ROW({port.name}, {index})"

    def _parameter(self, number: int) -> str:
        return f"{self.face.macro}_ROW(p, {number})"

    def _expressions(self) -> LaneExpressions:
        references = {node: text for node, (text, _) in self.sources.items()}
        writer = LaneExpressions(self.graph, self.face.real, self.face.prefix, references)
        writer.prefix = self.face.prefix
        return writer

    def _definition(self, lines: list[str]) -> str:
        head = lanes_definition_head(self.face, self.entry)
        lines = unused(self.face, self.entry, self.plan) + lines
        return f"{head}\n{{\n" + "\n".join(lines) + "\n}\n"

    def _angles(self, position: int, piece: range) -> list[int]:
        """All sines and cosines that follow each other."""
        order, op = self.plan.order, self.graph.op
        end = position
        while end in piece and op[order[end]] in ("sin", "cos"):
            end += 1
        return order[position:end]

    def _sines_and_cosines(self, writer: Expressions, angles: list[int]) -> list[str]:
        """Of all angles in one call, which keeps the coefficients in registers."""
        args, prefix, (first, *_) = self.graph.args, self.face.prefix, angles
        places = {angle: k for k, angle in enumerate(dict.fromkeys(args[node] for node in angles))}
        turns = f"turns_{self.plan.order.index(first)}"
        lines = [f"{INDENT}{prefix}_lanes_turn {turns}[{len(places)}];"]
        lines += [
            f"{INDENT}{turns}[{place}].angle = {writer.value(angle)};"
            for (angle,), place in places.items()
        ]
        lines.append(f"{INDENT}{prefix}_lanes_turns({turns}, {len(places)});")
        words = {"sin": "sine", "cos": "cosine"}
        return lines + [
            f"{INDENT}const {self.value_type} {self.names[node]} = "
            f"{turns}[{places[args[node]]}].{words[self.graph.op[node]]};"
            for node in angles
        ]

    def _computed(self, writer: Expressions, node: int) -> list[str] | None:
        """Library calls, which change a vector in place."""
        op, args, name = self.graph.op[node], self.graph.args[node], self.names[node]
        call = f"{self.face.prefix}_lanes_{op}"
        if op not in UNARY_CALLS | BINARY_CALLS:
            return None
        lines = [f"{INDENT}{self.value_type} {name} = {writer.value(args[0])};"]
        if op in UNARY_CALLS:
            return [*lines, f"{INDENT}{call}(&{name});"]
        return [
            *lines,
            f"{INDENT}{{",
            f"{INDENT * 2}const {self.value_type} second = {writer.value(args[1])};",
            f"{INDENT * 2}{call}(&{name}, &second);",
            f"{INDENT}}}",
        ]

    def _definition_of(self, node: int, text: str) -> list[str]:
        is_mask = self.graph.op[node] in CONDITIONS
        kind = f"{self.face.prefix}_lanes_mask" if is_mask else self.value_type
        return [f"{INDENT}const {kind} {self.names[node]} = {text};"]

    def _store(self, store: tuple[int, int, bool], text: str, strength: int) -> str:
        number, index, negated = store
        if negated:
            text = f"-{text}" if strength <= ATOM else f"-({text})"
        name = self.entry.outputs[number].name
        return f"{INDENT}{self.face.macro}_PUT({name}, {index}) = {text};"

    def _save(self, node: int) -> str:
        name = self.names[node]
        value = f"({self.value_type}){name}" if self.graph.op[node] in CONDITIONS else name
        return f"{INDENT}work[{self.parts.slots[node]}] = {value};"

    def _load(self, node: int) -> str:
        slot = f"work[{self.parts.slots[node]}]"
        if self.graph.op[node] in CONDITIONS:
            mask = f"{self.face.prefix}_lanes_mask"
            return f"{INDENT}const {mask} {self.names[node]} = ({mask}){slot};"
        return f"{INDENT}const {self.value_type} {self.names[node]} = {slot};"

    def _closing(self, writer: Expressions, lines: list[str]) -> None:
        macro, prefix = self.face.macro, self.face.prefix
        for number, index in self.final_stores:
            port = self.entry.outputs[number]
            text = writer.value(port.argument.entries[index])
            lines.append(f"{INDENT}{macro}_PUT({port.name}, {index}) = {text};")
        lines += [
            f"{INDENT}for (int lane = 0; lane < {macro}_LANES; lane++) {{",
            f"{INDENT * 2}codes[lane] = {macro}_OK;",
            f"{INDENT}}}",
        ]
        guarded = self._guarded(writer)
        if not guarded:
            lines.append(f"{INDENT}return {macro}_OK;")
            return
        good = [
            f"({prefix}_lanes_mask)({value} > {macro}_SPLAT({writer.zero}))" for value, _ in guarded
        ]
        both = " & ".join(good) if len(good) < 3 else f"\n{INDENT * 2}& ".join(good)
        lines.append(f"{INDENT}{prefix}_lanes_mask good = {both};")
        lines += [f"{INDENT}if ({prefix}_lanes_all(&good)) {{", f"{INDENT * 2}return {macro}_OK;"]
        lines.append(f"{INDENT}}}")
        for mask, (_, code) in zip(good, guarded, strict=True):
            lines.append(f"{INDENT}good = {mask};")
            lines.append(f"{INDENT}{prefix}_lanes_fail(&good, {code}, codes);")
        lines.append(f"{INDENT}return {prefix}_lanes_first(codes);")


def lanes_declaration(face: Interface, name: str, size: int, *, is_output: bool) -> str:
    """An argument with all lanes of all its entries."""
    const = "" if is_output else "const "
    extent = f" {size}*{face.macro}_LANES" if size else ""
    return f"{const}{face.real_type} {name}[{face.macro}_RESTRICT{extent}]"


def lanes_definition_head(face: Interface, entry: Entry) -> str:
    """Return type, name and arguments, as in the header."""
    declarations = [
        lanes_declaration(face, port.name, port.size, is_output=False) for port in entry.inputs
    ]
    if face.members:
        declarations.append(lanes_declaration(face, "p", len(face.members), is_output=False))
    declarations += [
        lanes_declaration(face, port.name, port.size, is_output=True) for port in entry.outputs
    ]
    declarations.append(f"int codes[{face.macro}_RESTRICT {face.macro}_LANES]")
    return wrapped(f"int {entry.symbol}_lanes", declarations)
