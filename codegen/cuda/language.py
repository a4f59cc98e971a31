"""C on the device: arrays with strides, and a kernel after each function.

Entry i of state k stands at ``[i*count + k]``, so that neighbouring threads read neighbouring
numbers. Other compilers of C++ read the same file as loops over the states, and so it is tested.
"""

from collections.abc import Sequence

from eomc.codegen.c.language import C99, wrapped
from eomc.codegen.c.sine_cosine import turning
from eomc.codegen.language import INDENT, comment_block, contract
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port


class Cuda(C99):
    """The language of kernels; the sums and products are those of the C, in the same order."""

    title = "CUDA"

    def argument(self, port: Port) -> str:
        if port.by_value:
            return f"{self.face.real_type} {port.name}"
        return f"{self.face.prefix}_{'output' if port.is_output else 'input'} {port.name}"

    def work_argument(self, size: int) -> str:
        return f"{self.value_type} *work"

    def piece(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        return self.frame(f"{self.face.macro}_PIECE void {name}", arguments, lines)

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        one = f"{self.face.macro}_DEVICE int {entry.symbol}_state"
        return f"{self.frame(one, self.arguments(entry), lines)}\n{self._kernel(entry)}"

    def _kernel(self, entry: EmittedFunction) -> str:
        m, real = self.face.prefix, self.face.real_type
        declared, given = [], []
        for port in entry.ports:
            const = "" if port.is_output else "const "
            declared.append(f"{const}{real} *{port.name}")
            kind = "output" if port.is_output else "input"
            strided = f"{m}_{kind}({port.name} + k, count)"
            given.append(f"{port.name}[k]" if port.by_value else strided)
        if self.face.members:
            declared.insert(len(entry.inputs), f"{self.face.parameters_type} p")
            given.insert(len(entry.inputs), "&p")
        declared += ["int *codes", "size_t count"]
        head = wrapped(f"{self.face.macro}_KERNEL void {entry.symbol}", declared)
        places = f",\n{INDENT * 3}".join(given)
        call = f"{entry.symbol}_state(\n{INDENT * 3}{places})"
        remark = comment_block(
            [
                *contract(self.face, entry),
                "out codes: what each state's function returned, 0 unless it failed",
                "in  count: number of states",
            ]
        )
        return (
            f"{remark}{head}\n{{\n{INDENT}{self.face.macro}_STATES(k, count) {{\n"
            f"{INDENT * 2}codes[k] = {call};\n{INDENT}}}\n}}\n"
        )


def declarations(face: Interface) -> str:
    """Return codes, all that a run may give among them, and parameters."""
    rows = [f"{INDENT}{face.macro}_OK = 0"]
    rows += [f"{INDENT}{status.enumerator} = {status.value}" for status in face.statuses]
    text = f"enum {face.prefix}_status {{\n" + ",\n".join(rows) + "\n};\n\n"
    if not face.members:
        return text
    language = Cuda(face)
    text += "/* Parameters that may be changed at run time, the same of all states. */\nstruct "
    text += f"{face.parameters_type} {{\n"
    for member in face.members:
        value = language.number(member.parameter.default)
        text += f"{INDENT}{face.real_type} {member.name} = {value};\n"
    return text + "};\n\n"


def sine_cosine(face: Interface, code: str) -> str:
    """The sine and cosine of the C with selections instead of a table, where `code` has any."""
    if not any(f"{face.prefix}_{name}(" in code for name in ("sincos", "sin", "cos")):
        return ""
    number = f"{face.prefix}_real"
    return turning("sine_cosine.cu", face, face.real, number, f"({number})")
