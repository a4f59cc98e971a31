"""Julia: a module of functions that write into the arrays that they are given.

Numbers of any type pass through, so that ``ForwardDiff`` differentiates the functions. Arrays have
the shapes of the equations: ``M[2, 1]`` is the entry of the second row.
"""

from collections.abc import Sequence
from string import Template

from eomc.codegen.language import (
    FUNCTIONS,
    INDENT,
    Language,
    Request,
    Target,
    comment_lines,
    comment_text,
    contract,
    functions,
    register,
)
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status

MODULE = Template("""\
# Equations of motion of $title, made by eomc.
module $m

$parameters$functions
end
""")


class Julia(Language):
    """Arrays begin with one, blocks end with a word, failures are thrown."""

    title = "Julia"
    functions = {op: op for op in FUNCTIONS} | {"atan2": "atan", "pow": "^"}
    first_index = 1
    statement_end = ""
    remark_marks = ("# ", "")

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"{condition} ? {yes} : {no}"

    def element(self, port: Port, index: int) -> str:
        return port.name if port.by_value else f"{port.name}[{subscripts(port, index)}]"

    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        return f"{name} = {value}"

    def sine_and_cosine(self, sine: str, cosine: str, angle: str) -> list[str]:
        return [f"{sine}, {cosine} = sincos({angle})"]

    def guard(self, value: str, status: Status) -> list[str]:
        return [f'{value} > {self.zero} || throw(ErrorException("{status.code}"))']

    def ending(self, entry: EmittedFunction) -> list[str]:
        return ["return nothing"]

    def work_array(self, size: int) -> list[str]:
        return [f"work = Vector{{Scalar}}(undef, {size})"]

    def piece_name(self, entry: EmittedFunction, number: int) -> str:
        return f"{entry.name}_piece_{number}"

    def frame(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        return "\n".join([f"function {name}({', '.join(arguments)})", *lines, "end\n"])

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        """Whole function; what it changes stands first, as usual in Julia, whose mark is ``!``."""
        outputs = [port.name for port in entry.outputs]
        inputs = [name for name in self.arguments(entry) if name not in outputs]
        if any("{Scalar}" in line for line in lines):
            lines = [f"{INDENT}Scalar = float(eltype({outputs[0]}))", *lines]
        remark = comment_lines(contract(self.face, entry), "#")
        return remark + self.frame(f"{entry.name}!", [*outputs, *inputs], lines)


def subscripts(port: Port, index: int) -> str:
    """Of an entry in an array of the argument's shape, counted from one."""
    places = []
    for extent in reversed(port.argument.shape or (1,)):
        index, place = divmod(index, extent)
        places.append(str(place + 1))
    return ", ".join(reversed(places))


def parameters(face: Interface, language: Julia) -> str:
    """A struct whose values may be chosen by name."""
    if not face.members:
        return ""
    text = "# Parameters that may be changed at run time.\n"
    text += "Base.@kwdef mutable struct Parameters{Scalar}\n"
    for member in face.members:
        units = f" [{member.parameter.units}]" if member.parameter.units else ""
        remark = comment_text(f"{member.parameter.description}{units}".strip())
        value = language.number(member.parameter.default)
        text += f"{INDENT}{member.name}::Scalar = {value}" + (f"  # {remark}\n" if remark else "\n")
    return text + "end\n\n"


def files(face: Interface, request: Request) -> dict[str, str]:
    """One module."""
    language = Julia(face)
    text = MODULE.substitute(
        title=comment_text(face.program.name),
        m=face.prefix,
        parameters=parameters(face, language),
        functions=functions(language, request.limits),
    )
    return {f"{face.prefix}.jl": text}


RESERVED = """
abstract baremodule begin const do else elseif end export false finally for function global import
in isa let local macro module mutable nothing outer primitive quote return struct true using where
Scalar Parameters Vector eltype sincos throw ErrorException Base float undef
"""

TARGET = register(Target("julia", files, RESERVED.split()))
