"""CUDA C++: kernels that evaluate a function for many states, one state a thread.

Entry i of state k stands at ``[i*count + k]``, so that neighbouring threads read neighbouring
numbers. Other compilers of C++ read the same file as loops over the states, and so it is tested.
"""

from collections.abc import Sequence
from string import Template

from eomc.codegen.c.language import C99, wrapped
from eomc.codegen.language import (
    FUNCTIONS,
    INDENT,
    Request,
    Target,
    comment_block,
    comment_text,
    contract,
    functions,
    register,
)
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port

KERNELS = Template("""\
/* Equations of motion of $title, made by eomc: CUDA C++, or C++ on a processor. */
#include <math.h>
#include <stddef.h>

#ifdef __CUDACC__
#define ${M}_DEVICE static __device__
#define ${M}_METHOD __device__
#define ${M}_PIECE static __device__ __noinline__
#define ${M}_KERNEL extern "C" __global__
#define ${M}_STATES(k, count) \\
    for (size_t k = blockIdx.x*(size_t)blockDim.x + threadIdx.x; k < (count); \\
         k += gridDim.x*(size_t)blockDim.x)
#else
#define ${M}_DEVICE static inline
#define ${M}_METHOD
#define ${M}_PIECE static
#define ${M}_KERNEL extern "C"
#define ${M}_STATES(k, count) for (size_t k = 0; k < (count); k++)
#endif

typedef $real ${m}_real;

/* Entries of one state among the arrays of all. */
struct ${m}_input {
    const ${m}_real *first;
    size_t count;
    ${M}_METHOD const ${m}_real &operator[](size_t i) const
    {
        return first[i*count];
    }
};

struct ${m}_output {
    ${m}_real *first;
    size_t count;
    ${M}_METHOD ${m}_real &operator[](size_t i) const
    {
        return first[i*count];
    }
};

${M}_DEVICE void ${m}_sincos(
    ${m}_real x,
    ${m}_real *sine,
    ${m}_real *cosine)
{
#ifdef __CUDACC__
    sincos$f(x, sine, cosine);
#else
    *sine = sin$f(x);
    *cosine = cos$f(x);
#endif
}

$declarations$functions""")


class Cuda(C99):
    """C on the device, arrays with strides, and a kernel after each function."""

    title = "CUDA"

    def __init__(self, face: Interface) -> None:
        super().__init__(face)
        self.functions |= {op: op + face.real.suffix for op in ("sin", "cos")}

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
            strided = f"{m}_{kind}{{{port.name} + k, count}}"
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
    """Return codes and parameters."""
    rows = [f"{INDENT}{face.macro}_OK = 0"]
    rows += [f"{INDENT}{status.enumerator} = {status.value}" for status in face.guarding]
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


def files(face: Interface, request: Request) -> dict[str, str]:
    """One file of kernels."""
    text = KERNELS.substitute(
        title=comment_text(face.program.name),
        m=face.prefix,
        M=face.macro,
        real=face.real.name,
        f=face.real.suffix,
        declarations=declarations(face),
        functions=functions(Cuda(face), request.limits),
    )
    return {f"{face.prefix}.cu": text}


RESERVED = (
    *("count", "codes", "k", "blockIdx", "blockDim", "threadIdx", "gridDim", "warpSize", "sincos"),
    *FUNCTIONS,
)

TARGET = register(Target("cuda", files, RESERVED, reals=("double", "float")))
