"""C99 as a target language: on plain scalars, arrays as arguments, a status as return value.

Arrays are declared with their length. Inside C they are ``restrict``; the macro that says so is
empty in C++ and in compilers that do not know the notation.
"""

from collections.abc import Sequence
from functools import cached_property

from eomc.codegen.language.language import FUNCTIONS, INDENT, Language
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status

# <math.h> name of each function; the name of the scalar type's variant appends its suffix.
LIBRARY = {op: op for op in FUNCTIONS if op not in ("sin", "cos")} | {"abs": "fabs"}


class C99(Language):
    """C; sine and cosine are the model's own functions."""

    title = "C"

    def __init__(self, face: Interface) -> None:
        super().__init__(face)
        self.functions = {op: name + face.real.suffix for op, name in LIBRARY.items()}
        self.functions |= {op: f"{face.prefix}_{op}" for op in ("sin", "cos")}

    @cached_property
    def value_type(self) -> str:
        """Of variables."""
        return self.face.real_type

    @cached_property
    def pair_type(self) -> str:
        """Of two values side by side."""
        return f"{self.face.prefix}_pair"

    @cached_property
    def quad_type(self) -> str:
        """Of two values with their changes, side by side."""
        return f"{self.face.prefix}_quad"

    @cached_property
    def condition_type(self) -> str:
        """Of what comparisons yield."""
        return "bool"

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"{condition} ? {yes} : {no}"

    def parameter(self, number: int) -> str:
        return f"p->{self.face.members[number].name}"

    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        kind = self.condition_type if is_condition else self.value_type
        return f"const {kind} {name} = {value};"

    def sine_and_cosine(self, sine: str, cosine: str, angle: str) -> list[str]:
        return [
            f"{self.value_type} {sine};",
            f"{self.value_type} {cosine};",
            f"{self.face.prefix}_sincos({angle}, &{sine}, &{cosine});",
        ]

    def guard(self, value: str, status: Status) -> list[str]:
        return [f"if (!({value} > {self.zero})) {{", f"{INDENT}return {status.enumerator};", "}"]

    def ending(self, entry: EmittedFunction) -> list[str]:
        return [f"return {self.face.macro}_OK;"]

    def work_array(self, size: int) -> list[str]:
        return [f"{self.value_type} work[{size}];"]

    def aligned_array(self, name: str, size: int) -> str:
        """A new array that is read and written by whole vectors."""
        return f"{self.face.macro}_ALIGNED {self.value_type} {name}[{size}];"

    def pair_item(self, array: str, index: int) -> str:
        """Two neighbours in an array as one vector; the first stands where such a vector may."""
        return f"{self.face.macro}_PAIR_AT({array}, {index})"

    def quad_item(self, array: str, index: int) -> str:
        """Four neighbours in an array as one vector."""
        return f"{self.face.macro}_QUAD_AT({array}, {index})"

    def unused(self, name: str) -> list[str]:
        return [f"(void){name};"]

    def argument(self, port: Port) -> str:
        return port_declaration(self.face, port)

    def parameters_argument(self) -> str:
        return parameters_argument(self.face)

    def work_argument(self, size: int) -> str:
        return f"{self.value_type} work[{size}]"  # not restrict: places in it have names, too

    def frame(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        return f"{wrapped(name, arguments)}\n{{\n" + "\n".join(lines) + "\n}\n"

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        return self.frame(f"int {entry.symbol}", self.arguments(entry), lines)

    def piece(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        return self.frame(f"static {self.face.macro}_NOINLINE void {name}", arguments, lines)

    def definition_head(self, entry: EmittedFunction) -> str:
        """Return type, name and arguments, as in the header."""
        return wrapped(f"int {entry.symbol}", self.arguments(entry))


def array_declarator(face: Interface, name: str, size: int | str) -> str:
    """``name[restrict size]``; the length is left out when it is zero, which C forbids to write."""
    if size == 0:
        return f"{name}[{face.macro}_RESTRICT]"
    return f"{name}[{face.macro}_RESTRICT {size}]"


def port_declaration(face: Interface, port: Port) -> str:
    """One argument of a function."""
    const = "" if port.is_output else "const "
    name = port.name if port.by_value else array_declarator(face, port.name, port.size)
    return f"{const}{face.real_type} {name}"


def parameters_argument(face: Interface) -> str:
    """The tunable parameters."""
    return f"const {face.parameters_type} *p"


def wrapped(head: str, declarations: Sequence[str]) -> str:
    """Name and arguments on one line, or one line each."""
    line = f"{head}({', '.join(declarations) or 'void'})"
    if len(line) <= 99:
        return line
    return f"{head}(\n{INDENT}" + f",\n{INDENT}".join(declarations) + ")"
