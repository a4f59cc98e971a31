"""MATLAB and Octave: a package folder, ``+<model>``, with a function in each file.

What C gives as NaN, such as the root of a negative number, is NaN here too and never complex.
"""

import re
from collections.abc import Mapping, Sequence
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
    register,
)
from eomc.codegen.language.body import function_body
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status
from eomc.codegen.plan.partition import PieceLimits

LONGEST_NAME = 63
"""MATLAB cuts names that are longer."""

WHOLE = PieceLimits(10**9, 10**9, 10**9)
"""Arrays travel by value: functions are not cut into pieces."""

REAL_ONLY = ("sqrt", "log", "asin", "acos", "acosh", "atanh", "pow")

CHOOSE = """\
function y = choose(condition, yes, no)
    if condition
        y = yes;
    else
        y = no;
    end
end
"""

REAL = Template("""\
function y = real_$op($names)
    y = $written;
    if ~isreal(y)
        y = NaN;
    end
end
""")


class Matlab(Language):
    """Arrays have the shapes of the equations and come back; what fails is an error."""

    title = "MATLAB"
    functions = {op: op for op in FUNCTIONS} | {op: f"real_{op}" for op in REAL_ONLY}
    first_index = 1
    negation = "~"
    remark_marks = ("% ", "")

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"choose({condition}, {yes}, {no})"

    def item(self, array: str, index: int) -> str:
        return f"{array}({index + 1})"

    def element(self, port: Port, index: int) -> str:
        shape = port.argument.shape
        if shape == ():
            return port.name
        places = []
        for extent in reversed(shape):
            index, place = divmod(index, extent)
            places.append(str(place + 1))
        return f"{port.name}({', '.join(reversed(places))})"

    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        return f"{name} = {value};"

    def guard(self, value: str, status: Status) -> list[str]:
        failed = f"error('{self.face.prefix}:{status.code}', '{status.code}');"
        return [f"if ~({value} > {self.zero})", f"{INDENT}{failed}", "end"]

    def ending(self, entry: EmittedFunction) -> list[str]:
        return []

    def work_array(self, size: int) -> list[str]:
        return [f"work = zeros({size}, 1);"]

    def frame(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        return "\n".join([f"function {name}({', '.join(arguments)})", *lines, "end\n"])

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        names = [port.name for port in entry.inputs] + ["p"] * bool(self.face.members)
        start = [line for port in entry.inputs for line in self._sized(port)]
        if self.face.members:
            start += [
                f"{INDENT}if nargin < {len(names)}",
                f"{INDENT * 2}p = {self.face.prefix}.parameters();",
                f"{INDENT}end",
            ]
        start += [f"{INDENT}{port.name} = zeros({extents(port)});" for port in entry.outputs]
        outputs = ", ".join(port.name for port in entry.outputs)
        remark = comment_lines(contract(self.face, entry), "%")
        head, _, body = self.frame(
            f"[{outputs}] = {entry.name}", names, [*start, *lines]
        ).partition("\n")
        return f"{head}\n{remark}{body}"

    def _sized(self, port: Port) -> list[str]:
        """Refuse an input of another size."""
        failed = f"error('{self.face.prefix}:size', '{port.name} has {port.size} entries');"
        return [
            f"{INDENT}if numel({port.name}) ~= {port.size}",
            f"{INDENT * 2}{failed}",
            f"{INDENT}end",
        ]


def extents(port: Port) -> str:
    """Of an array as ``zeros`` takes them: vectors are columns."""
    shape = port.argument.shape
    return ", ".join(map(str, (*shape, 1) if len(shape) < 2 else shape)) if shape else "1"


def parameters(face: Interface, language: Matlab) -> str:
    """A function that gives the values of the model file."""
    text = "function p = parameters()\n% Parameters that may be changed at run time.\n"
    for member in face.members:
        units = f" [{member.parameter.units}]" if member.parameter.units else ""
        remark = comment_text(f"{member.parameter.description}{units}".strip())
        value = language.number(member.parameter.default)
        text += f"{INDENT}p.{member.name} = {value};" + (f"  % {remark}\n" if remark else "\n")
    return text + "end\n"


def check_names(made: Mapping[str, str]) -> None:
    """Raise EmissionError if a function has a name that MATLAB would cut."""
    for name, text in made.items():
        code = re.sub(r"%.*", "", text)
        long = [word for word in re.findall(r"\w+", code) if len(word) > LONGEST_NAME]
        if long:
            raise EmissionError(
                f"function {name!r}: {long[0]!r} is too long a name in MATLAB, which reads "
                f"{LONGEST_NAME} characters; choose a shorter one"
            )


def files(face: Interface, request: Request) -> dict[str, str]:
    """A file for each function, with what it calls."""
    language = Matlab(face)
    made = {}
    if face.members:
        made["parameters"] = parameters(face, language)
    for entry in face.entries:
        text = function_body(language, entry, WHOLE).text
        if "choose(" in text:
            text += "\n" + CHOOSE
        for op in REAL_ONLY:
            if re.search(rf"\breal_{op}\(", text):
                written, names = ("x.^e", "x, e") if op == "pow" else (f"{op}(x)", "x")
                text += "\n" + REAL.substitute(op=op, names=names, written=written)
        made[entry.name] = text
    check_names(made)
    return {f"+{face.prefix}/{name}.m": text for name, text in made.items()}


RESERVED = """
end function global persistent otherwise parfor spmd switch until unwind_protect endfunction endif
elseif parameters choose zeros numel error nargin isreal power NaN eps pi
"""

TARGET = register(Target("matlab", files, RESERVED.split()))
