"""The test that emitted C carries: states, and what its functions give there.

The values come from the graph in 50 digits, the tolerances from the same in the digits of the
scalar type: 64 times the difference, or the last place of the largest entry where that is more. So
the test knows neither the C nor a compiler, and says the same on every machine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, isfinite, ldexp
from typing import Any

import mpmath

from eomc.codegen.c.step_test import step_test
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port
from eomc.codegen.templates.template import fill
from eomc.derive.graph import evaluate_mp

STATES = 3
"""Tried for each function; where it has no value there is nothing to compare."""

MARGIN = 64
"""Between tolerance and rounding: other orders of the same sums, as in small code."""

DIGITS = {"double": 15, "float": 6}
"""Decimal digits whose binary ones, in mpmath, are those of the scalar type."""


@dataclass(frozen=True)
class SampleCall:
    """One call: entries of all inputs, its return code, and if that is OK the entries of each
    output with a tolerance."""

    inputs: tuple[Fraction, ...]
    code: str
    outputs: tuple[tuple[Any, ...], ...] = ()
    tolerances: tuple[float, ...] = ()


def self_test(face: Interface) -> str:
    """Text of ``test/<model>_test.c``."""
    tests, calls = [], []
    for entry in face.entries:
        samples = [s for number in range(STATES) if (s := _sample(face, entry, number)) is not None]
        if samples:
            tests.append(_test(face, entry, samples))
            calls.append(f"{INDENT}test_{entry.name}(&result, say);\n")
    if step := step_test(face):
        tests.append(step)
        calls.append(f"{INDENT}test_step(&result, say);\n")
    return fill(
        "self_test.c", m=face.prefix, M=face.macro, tests="".join(tests), calls="".join(calls)
    )


def _sample(face: Interface, entry: EmittedFunction, number: int) -> SampleCall | None:
    graph = face.program.graph
    inputs = [node for port in entry.inputs for node in port.argument.entries]
    values: dict[Any, Any] = {node: _value(node, number) for node in inputs}
    for member in face.members:
        values[graph.symbol(member.parameter.symbol)] = member.parameter.default
    given = tuple(values[node] for node in inputs)
    guards = [guard.node for guard in entry.function.guards]
    outputs = [node for port in entry.outputs for node in port.argument.entries]
    try:
        exact = evaluate_mp(graph, guards + outputs, values)
        rounded = evaluate_mp(graph, guards + outputs, values, DIGITS[face.real.name])
        signs = [(a > 0, b > 0) for a, b in zip(exact, rounded, strict=True)][: len(guards)]
        finite = all(isfinite(float(value)) for value in (*exact, *rounded))
    except (ArithmeticError, TypeError, ValueError):  # outside the domain of a function
        return None
    if any(a != b for a, b in signs) or not finite:
        return None
    codes = {status.code: status.enumerator for status in face.statuses}
    for guard, (is_positive, _) in zip(entry.function.guards, signs, strict=True):
        if not is_positive:
            return SampleCall(given, codes[guard.code])
    return SampleCall(given, f"{face.macro}_OK", *_compared(face, entry, guards, exact, rounded))


def _value(node: int, number: int) -> Fraction:
    """A number of 1/64ths within (-1, 1), which every type holds, of an input's entry."""
    state = (1664525 * (12345 + 7919 * number + 104729 * node) + 1013904223) % 2**32
    state = (1664525 * state + 1013904223) % 2**32
    return Fraction((state >> 20) % 127 - 63, 64)


def _compared(
    face: Interface,
    entry: EmittedFunction,
    guards: Sequence[int],
    exact: Sequence[Any],
    rounded: Sequence[Any],
) -> tuple[tuple[tuple[Any, ...], ...], tuple[float, ...]]:
    """Entries of each output and their tolerances, powers of two."""
    outputs, tolerances, start = [], [], len(guards)
    for port in entry.outputs:
        place = slice(start, start + port.size)
        start += port.size
        error = max(
            (abs(a - b) for a, b in zip(exact[place], rounded[place], strict=True)), default=0
        )
        largest = max((abs(value) for value in exact[place]), default=0)
        bound = MARGIN * float(max(error, largest / face.real.exact_integers))
        outputs.append(tuple(exact[place]))
        tolerances.append(ldexp(1.0, frexp(bound)[1]) if bound else 0.0)
    return tuple(outputs), tuple(tolerances)


def _test(face: Interface, entry: EmittedFunction, samples: Sequence[SampleCall]) -> str:
    """One static function, which tests one of the model's."""
    real, name = face.real_type, entry.name
    size = sum(port.size for port in entry.inputs)
    good = [sample for sample in samples if sample.outputs]
    lines = [
        f"static void test_{name}({face.prefix}_test_result *result, {face.prefix}_test_say *say)"
    ]
    lines += ["{"]
    if size:
        rows = [[literal(x, face.real) for x in sample.inputs] for sample in samples]
        lines += _table(f"static const {real} in[{len(samples)}][{size}]", rows)
    lines.append(f"{INDENT}static const int codes[] = {{{', '.join(s.code for s in samples)}}};")
    for number, port in enumerate(entry.outputs):
        if port.size and good:
            rows = [_row(face, sample, number, port) for sample in samples]
            head = f"static const {real} expected_{port.name}[{len(samples)}][{port.size}]"
            lines += _table(head, rows)
            limits = [literal(s.tolerances[number] if s.outputs else 0, face.real) for s in samples]
            lines += _table(f"static const {real} tolerance_{port.name}[]", [limits], flat=True)
    lines += _loop(face, entry, len(samples), bool(good))
    return "\n".join([*lines, "}", "", ""])


def _row(face: Interface, sample: SampleCall, number: int, port: Port) -> list[str]:
    values = sample.outputs[number] if sample.outputs else [0] * port.size
    return [literal(float(mpmath.mpf(value)), face.real) for value in values]


def _table(head: str, rows: Sequence[Sequence[str]], *, flat: bool = False) -> list[str]:
    """A constant array, a row after the other, five numbers a line."""
    lines = [f"{INDENT}{head} = {{"]
    for row in rows:
        parts = [", ".join(row[i : i + 5]) for i in range(0, len(row), 5)]
        text = f",\n{INDENT * 3}".join(parts)
        lines.append(f"{INDENT * 2}{text if flat else f'{{{text}}}'},")
    return [*lines, f"{INDENT}}};"]


def _loop(face: Interface, entry: EmittedFunction, count: int, compares: bool) -> list[str]:
    """Calls at all states, and compares."""
    arguments, start = [], 0
    for port in entry.inputs:
        arguments.append(f"in[k][{start}]" if port.by_value else f"in[k] + {start}")
        start += port.size
    if face.members:
        arguments.append("&p")
    # Prefixes, lest an output be called like what stands here.
    arguments += [f"got_{port.name}" for port in entry.outputs]
    body = [f"{face.real_type} got_{port.name}[{max(port.size, 1)}];" for port in entry.outputs]
    body += [f"const int code = {entry.symbol}({', '.join(arguments)});", "result->comparisons++;"]
    body += ["if (code != codes[k]) {", f"{INDENT}result->failures++;"]
    body += [f'{INDENT}say("{entry.name}: return code");', "}"]
    compared = [port for port in entry.outputs if port.size and compares]
    if compared:
        body.append(f"if (code == {face.macro}_OK && codes[k] == {face.macro}_OK) {{")
        for port in compared:
            body += [
                f'{INDENT}check(result, say, "{entry.name}: {port.name}", got_{port.name},',
                f"{INDENT}      expected_{port.name}[k], tolerance_{port.name}[k], {port.size});",
            ]
        body.append("}")
    lines = []
    if face.members:
        made = f"{face.prefix}_default_parameters()"
        lines.append(f"{INDENT}const {face.parameters_type} p = {made};")
    lines.append(f"{INDENT}for (int k = 0; k < {count}; k++) {{")
    return [*lines, *(f"{INDENT * 2}{line}" for line in body), f"{INDENT}}}"]


def with_self_test(face: Interface, files: Mapping[str, str]) -> dict[str, str]:
    """The files of a model, with the test in a folder of its own and its lines for CMake."""
    built = files["CMakeLists.txt"] + fill("CMakeTest.txt", m=face.prefix)
    test = {f"test/{face.prefix}_test.c": self_test(face)}
    return {**files, "CMakeLists.txt": built, **test}
