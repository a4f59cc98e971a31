"""Rust: a crate that needs neither the standard library nor an allocator.

The sine and cosine are those of the C, and Rust neither fuses nor reorders operations on numbers:
the functions give the bits of C compiled with ``-ffp-contract=off``.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from string import Template

from eomc.codegen.c.sine_cosine import sine_cosine_marks
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
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status

CARGO = Template("""\
[package]
name = "$m"
version = "0.0.0"
edition = "2021"
publish = false

[features]
default = ["std"]
std = []

# Without std: functions that core does not have, and sines of angles beyond $limit rad.
[dependencies]
libm = { version = "0.2", optional = true, default-features = false }
""")

LIBRARY = Template("""\
//! Equations of motion of $title, made by eomc.
//!
//! Functions write into arrays that the caller gives, row-major; nothing is allocated.
#![cfg_attr(not(feature = "std"), no_std)]
#![allow(non_snake_case, unused_parens, clippy::all)]

/// Scalar type of this model.
pub type Real = $scalar;

$declarations$mathematics$functions""")

SINE_COSINE = Template("""\
/// Sine and cosine within 0.83 units in the last place; no branch depends on x unless it is large.
#[inline]
fn sincos(x: Real) -> (Real, Real) {
    if !(-$limit <= x && x <= $limit) {
        return far_turn(x);
    }
    // x = n pi/2 + (r + e): adding and subtracting the large number rounds to an integer.
    let n = (x*$per_half_pi + $rounder) - $rounder;
    let r1 = x - n*$half_pi_1;
    let second = n*$half_pi_2;
    let third = n*$half_pi_3;
    let r2 = r1 - second;
    let r = r2 - third;
    let e = ((r2 - r) - third) + ((r1 - r2) - second);
    let z = r*r;
    let half = $one_half*z;
    let w = $one - half;
    let p = $sine;
    let k = $cosine;
    let s = r + (r*z*p + e*w);
    let c = w + ((($one - w) - half) + (z*z*k - r*e));
    // A quarter turn takes sine to cosine and cosine to minus sine.
    let quarters = [s, c, -s, -c];
    let quarter = n as i32 as usize;
    (quarters[quarter & 3], quarters[quarter.wrapping_add(1) & 3])
}

/// Of large angles, infinities and NaN; without std and libm not a number.
#[cold]
fn far_turn(x: Real) -> (Real, Real) {
    #[cfg(feature = "std")]
    return (x.sin(), x.cos());
    #[cfg(all(not(feature = "std"), feature = "libm"))]
    return (libm::sin$f(x), libm::cos$f(x));
    #[cfg(not(any(feature = "std", feature = "libm")))]
    return (x - x + Real::NAN, Real::NAN);
}

""")

ABSOLUTE = """\
#[inline]
fn abs(x: Real) -> Real {
    Real::from_bits(x.to_bits() << 1 >> 1)
}

"""

OTHER = Template("""\
#[inline]
fn $op($arguments) -> Real {
    #[cfg(feature = "std")]
    return x.$method;
    #[cfg(all(not(feature = "std"), feature = "libm"))]
    return libm::$name$f($names);
    #[cfg(not(any(feature = "std", feature = "libm")))]
    compile_error!("this model calls $op: turn the feature std or libm on");
}

""")

# Methods of f64 that are not called as in C.
METHODS = {"log": "ln()", "atan2": "atan2(y)", "pow": "powf(y)"}


class Rust(Language):
    """Functions of references to arrays; what can fail is a Result."""

    title = "Rust"
    functions = {op: op for op in FUNCTIONS}  # noqa: RUF012
    remark_marks = ("// ", "")

    def number(self, value: int | float | Fraction) -> str:
        return untyped(super().number(value))

    def call(self, op: str, arguments: Sequence[str]) -> str:
        if op in ("sin", "cos"):
            return f"sincos({arguments[0]}).{0 if op == 'sin' else 1}"
        return super().call(op, arguments)

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"if {condition} {{ {yes} }} else {{ {no} }}"

    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        return f"let {name}: {'bool' if is_condition else 'Real'} = {value};"

    def sine_and_cosine(self, sine: str, cosine: str, angle: str) -> list[str]:
        return [f"let ({sine}, {cosine}) = sincos({angle});"]

    def guard(self, value: str, status: Status) -> list[str]:
        failed = f"{INDENT}return Err(Status::{variants(self.face)[status.code]});"
        return [f"if !({value} > {self.zero}) {{", failed, "}"]

    def ending(self, entry: EmittedFunction) -> list[str]:
        return ["Ok(())"]

    def work_array(self, size: int) -> list[str]:
        return [f"let work = &mut [{self.zero}; {size}];"]

    def unused(self, name: str) -> list[str]:
        return [f"let _ = {name};"]

    def argument(self, port: Port) -> str:
        if port.by_value:
            return f"{port.name}: Real"
        return f"{port.name}: &{'mut ' if port.is_output else ''}[Real; {port.size}]"

    def parameters_argument(self) -> str:
        return "p: &Parameters"

    def work_argument(self, size: int) -> str:
        return f"work: &mut [Real; {size}]"

    def piece_name(self, entry: EmittedFunction, number: int) -> str:
        return f"{entry.name}_piece_{number}"

    def frame(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        head = f"fn {name}({', '.join(arguments)})"
        return "\n".join([f"#[inline(never)]\n{head} {{", *lines, "}\n"])

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        remark = comment_lines(contract(self.face, entry), "///")
        arguments = "".join(f"{INDENT}{argument},\n" for argument in self.arguments(entry))
        head = f"pub fn {entry.name}(\n{arguments}) -> Result<(), Status> {{"
        return remark + "\n".join([head, *lines, "}\n"])


def untyped(text: str) -> str:
    """Numbers of C without the mark of their type, which Rust finds out."""
    return re.sub(r"(?<=[\d.])f\b", "", text)


def variants(face: Interface) -> dict[str, str]:
    """Names of the return codes: ``SingularMassMatrix``."""
    names = Names()
    words = ((status.code, re.findall(r"[A-Za-z0-9]+", status.code)) for status in face.guarding)
    return {code: names.take("".join(word.capitalize() for word in found)) for code, found in words}


def declarations(face: Interface, language: Rust) -> str:
    """Return codes, names of indices, parameters."""
    rows = [f"{INDENT}{name},\n" for name in variants(face).values()]
    remark = "/// Why a function gives no result; its outputs then mean nothing.\n"
    text = f"{remark}#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum Status {{\n"
    text += f"{''.join(rows)}}}\n\n"
    for index in face.indices:
        for number, enumerator in enumerate(index.enumerators):
            name = enumerator.removeprefix(f"{face.macro}_")
            text += f"pub const {name}: usize = {number};\n"
    text += "\n" if face.indices else ""
    if not face.members:
        return text
    text += "/// Parameters that may be changed at run time.\n#[derive(Clone, Copy, Debug)]\n"
    text += "pub struct Parameters {\n"
    for member in face.members:
        units = f" [{member.parameter.units}]" if member.parameter.units else ""
        remark = comment_text(f"{member.parameter.description}{units}".strip())
        text += f"{INDENT}/// {remark}\n" if remark else ""
        text += f"{INDENT}pub {member.name}: Real,\n"
    values = [
        f"{INDENT * 3}{member.name}: {language.number(member.parameter.default)},\n"
        for member in face.members
    ]
    made = f"{INDENT}fn default() -> Self {{\n{INDENT * 2}Parameters {{\n"
    made += f"{''.join(values)}{INDENT * 2}}}\n{INDENT}}}\n"
    return f"{text}}}\n\nimpl Default for Parameters {{\n{made}}}\n\n"


def mathematics(face: Interface, text: str) -> str:
    """The functions of numbers that the functions of the model call."""
    called = set(re.findall(r"(?<![\w.])([a-z]\w*)\(", text))
    parts = []
    if "sincos" in called:
        marks = {name: untyped(value) for name, value in sine_cosine_marks(face.real).items()}
        parts.append(SINE_COSINE.substitute(marks, f=face.real.suffix))
    if "abs" in called:
        parts.append(ABSOLUTE)
    for op in sorted(called & set(FUNCTIONS) - {"abs"}):
        names = ("x", "y") if op in ("atan2", "pow") else ("x",)
        parts.append(
            OTHER.substitute(
                op=op,
                method=METHODS.get(op, f"{op}()"),
                name=op,
                f=face.real.suffix,
                names=", ".join(names),
                arguments=", ".join(f"{name}: Real" for name in names),
            )
        )
    return "".join(parts)


def files(face: Interface, request: Request) -> dict[str, str]:
    """``Cargo.toml`` and ``src/lib.rs``."""
    language = Rust(face)
    text = functions(language, request.limits)
    scalar = "f32" if face.real.suffix else "f64"
    library = LIBRARY.substitute(
        title=comment_text(face.program.name),
        scalar=scalar,
        functions=text,
        declarations=declarations(face, language),
        mathematics=mathematics(face, text),
    )
    limit = untyped(sine_cosine_marks(face.real)["limit"])
    return {"Cargo.toml": CARGO.substitute(m=face.prefix, limit=limit), "src/lib.rs": library}


RESERVED = """
abstract as async await become box crate dyn enum extern final fn impl in let loop macro match mod
move mut override priv pub ref self Self super trait type typeof unsafe unsized use virtual where
yield Real Status Parameters sincos far_turn Ok Err
"""

TARGET = register(Target("rust", files, RESERVED.split(), reals=("double", "float")))
