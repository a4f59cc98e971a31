"""C++17: one header of templates on the scalar, which throws nothing and allocates nothing.

Arguments are whatever has ``[]``: ``std::array``, Eigen's vectors and maps, pointers. The scalar is
the element type of the first output; of doubles and floats sine and cosine are those of the C, of
any other type they are found beside it, so that numbers that carry derivatives pass through.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from string import Template

from eomc.codegen.c.sine_cosine import scalar_sine_cosine
from eomc.codegen.language import (
    FUNCTIONS,
    INDENT,
    Language,
    Request,
    Target,
    comment_block,
    comment_text,
    contract,
    functions,
    register,
)
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status
from eomc.codegen.plan.real import REALS
from eomc.codegen.templates.template import fill

HEADER = Template("""\
/* Equations of motion of $title, made by eomc. C++17; arrays are row-major. */
#ifndef ${M}_HPP
#define ${M}_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE_SIZE__)
#define ${M}_INLINE inline __attribute__((always_inline))
#else
#define ${M}_INLINE inline
#endif
#if defined(__GNUC__) || defined(__clang__)
#define ${M}_NOINLINE __attribute__((noinline))
#else
#define ${M}_NOINLINE
#endif

namespace eomc {
namespace $m {

using std::abs;
using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atan2;
using std::atanh;
using std::cos;
using std::cosh;
using std::exp;
using std::fabs;
using std::floor;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

$sine_cosine$declarations$functions
}  // namespace $m
}  // namespace eomc

#undef ${M}_INLINE
#undef ${M}_NOINLINE
#endif  /* ${M}_HPP */
""")

OF_ANY = """\
namespace detail {

template <class Real>
inline void sincos(const Real &x, Real &sine, Real &cosine)
{
    sine = sin(x);
    cosine = cos(x);
}

"""

OF_ONE = Template("""\
namespace of_$real {
typedef $real ${m}_real;
$text}  // namespace of_$real

template <>
inline void sincos<$real>(const $real &x, $real &sine, $real &cosine)
{
    of_$real::${m}_sincos(x, &sine, &cosine);
}

""")

ALONE = Template("""\
template <class Real>
inline Real sin_of(const Real &x)
{
    Real sine, cosine;
    sincos<Real>(x, sine, cosine);
    return sine;
}

template <class Real>
inline Real cos_of(const Real &x)
{
    Real sine, cosine;
    sincos<Real>(x, sine, cosine);
    return cosine;
}

}  // namespace detail

#undef ${M}_PIN

""")

ELEMENT = Template("std::remove_cv_t<std::remove_reference_t<decltype($name[0])>>")


class Cpp(Language):
    """Function templates on the types of their arguments; a status comes back."""

    title = "C++"
    functions = {  # noqa: RUF012
        op: f"detail::{op}_of" if op in ("sin", "cos") else op for op in FUNCTIONS
    }
    entry: EmittedFunction

    def number(self, value: int | float | Fraction) -> str:
        """In the scalar's type; a quotient of two numbers that are exact in it."""
        text = super().number(value)
        if not text.startswith("("):
            return f"Real({text})"
        above, below = text[1:-1].split("/")
        return f"(Real({above})/Real({below}))"

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"{condition} ? {yes} : {no}"

    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        return f"const {'bool' if is_condition else 'Real'} {name} = {value};"

    def sine_and_cosine(self, sine: str, cosine: str, angle: str) -> list[str]:
        return [f"Real {sine}, {cosine};", f"detail::sincos<Real>({angle}, {sine}, {cosine});"]

    def guard(self, value: str, status: Status) -> list[str]:
        failed = f"{INDENT}return status::{status_name(self.face, status)};"
        return [f"if (!({value} > {self.zero})) {{", failed, "}"]

    def ending(self, entry: EmittedFunction) -> list[str]:
        return ["return status::ok;"]

    def work_array(self, size: int) -> list[str]:
        return [f"std::array<Real, {size}> work{{}};"]

    def unused(self, name: str) -> list[str]:
        return [f"(void){name};"]

    def argument(self, port: Port) -> str:
        if port.by_value:
            return f"const {argument_type(port)} {port.name}"
        return f"{'' if port.is_output else 'const '}{argument_type(port)} &{port.name}"

    def parameters_argument(self) -> str:
        return "const Parameters &p"

    def work_argument(self, size: int) -> str:
        return f"std::array<Real, {size}> &work"

    def piece_name(self, entry: EmittedFunction, number: int) -> str:
        return f"{entry.name}_piece_{number}<Real>"

    def piece(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        types = ["Real", *re.findall(r"\b(?:In|Out)_\w+|\bParameters\b", " ".join(arguments))]
        head = f"template <{', '.join(f'class {name}' for name in types)}>"
        plain = name.removesuffix("<Real>")
        return f"{head}\n{self.frame(f'{self.face.macro}_NOINLINE void {plain}', arguments, lines)}"

    def frame(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        return "\n".join([f"{name}({', '.join(arguments)})\n{{", *lines, "}\n"])

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        types = [f"class {argument_type(port)}" for port in entry.inputs]
        declared = [self.argument(port) for port in entry.inputs]
        if self.face.members:
            types.append("class Parameters")
            declared.append(self.parameters_argument())
        types += [f"class {argument_type(port)}" for port in entry.outputs]
        declared += [f"{argument_type(port)} &&{port.name}" for port in entry.outputs]
        checks = [
            f"{INDENT}static_assert(detail::fits<{argument_type(port)}, {port.size}>, "
            f'"{port.name} has {port.size} entries");'
            for port in entry.ports
            if not port.by_value
        ]
        first = ELEMENT.substitute(name=entry.outputs[0].name)
        scalar = f"{INDENT}using Real [[maybe_unused]] = {first};"
        head = f"template <{', '.join(types)}>\n[[nodiscard]] inline status {entry.name}("
        arguments = f",\n{INDENT}".join(declared)
        body = "\n".join([scalar, *checks, *lines])
        remark = comment_block(contract(self.face, entry))
        return f"{remark}{head}\n{INDENT}{arguments})\n{{\n{body}\n}}\n"


def argument_type(port: Port) -> str:
    """The template's parameter that is the type of an argument."""
    return f"{'Out' if port.is_output else 'In'}_{port.name}"


def status_name(face: Interface, status: Status) -> str:
    return status.enumerator.removeprefix(f"{face.macro}_").lower() + "_"


FITS = """\
namespace detail {

/* Whether an array of so many entries fits; what does not tell its size is taken at its word. */
template <class Array, class = void>
struct size_of : std::integral_constant<std::size_t, 0> {};
template <class Array>
struct size_of<Array, std::void_t<decltype(std::tuple_size<Array>::value)>>
    : std::integral_constant<std::size_t, std::tuple_size<Array>::value> {};
template <class Array, std::size_t size>
constexpr bool fits = size_of<std::remove_cv_t<std::remove_reference_t<Array>>>::value == size
    || size_of<std::remove_cv_t<std::remove_reference_t<Array>>>::value == 0;

}  // namespace detail

"""


def declarations(face: Interface) -> str:
    """Return codes, names of indices, parameters."""
    rows = [f"{INDENT}{status_name(face, s)} = {s.value},\n" for s in face.guarding]
    remark = "/* Why a function gives no result; its outputs then mean nothing. */\n"
    text = f"{FITS}{remark}enum class status {{\n{INDENT}ok = 0,\n{''.join(rows)}}};\n\n"
    for index in face.indices:
        for number, enumerator in enumerate(index.enumerators):
            name = enumerator.removeprefix(f"{face.macro}_")
            text += f"constexpr std::size_t {name.lower()} = {number};\n"
    text += "\n" if face.indices else ""
    if not face.members:
        return text
    text += "/* Parameters that may be changed at run time. */\n"
    text += "template <class Real>\nstruct parameters {\n"
    language = Cpp(face)
    for member in face.members:
        units = f" [{member.parameter.units}]" if member.parameter.units else ""
        remark = comment_text(f"{member.parameter.description}{units}".strip())
        value = language.number(member.parameter.default)
        text += f"{INDENT}Real {member.name} = {value};"
        text += f"  /* {remark} */\n" if remark else "\n"
    return text + "};\n\n"


def sine_cosine(face: Interface) -> str:
    """The C's for doubles and for floats, each in a namespace."""
    text = OF_ANY
    for real in REALS.values():
        far = fill("far_turn.c", m=face.prefix, M=face.macro, f=real.suffix)
        of_real = f"{far}\n{scalar_sine_cosine(face, real)}"
        text += OF_ONE.substitute(m=face.prefix, real=real.name, text=of_real)
    return text + ALONE.substitute(M=face.macro)


def files(face: Interface, request: Request) -> dict[str, str]:
    """One header."""
    text = functions(Cpp(face), request.limits)
    header = HEADER.substitute(
        title=comment_text(face.program.name),
        m=face.prefix,
        M=face.macro,
        functions=text,
        declarations=declarations(face),
        sine_cosine=sine_cosine(face),
    )
    return {f"{face.prefix}.hpp": header}


RESERVED = ("std", "detail", "status", "parameters", "Real", "Parameters", "ok")

TARGET = register(Target("cpp", files, RESERVED))
