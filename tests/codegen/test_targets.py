"""Languages other than C: a program in Python gives the graph's values."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_programs.pendulum import pendulum
from small_programs.random_graph import CHOICES, VALUES, random_program

from eomc.codegen import EmissionError, emit
from eomc.codegen.language import FUNCTIONS, INDENT, Language, Target, functions, register
from eomc.codegen.language import target as known
from eomc.derive.graph import Program, evaluate


class Python(Language):
    """Indented blocks, words for operators, arrays made by the function."""

    title = "Python"
    functions = {op: f"math.{op}" for op in FUNCTIONS} | {"abs": "abs"}
    operators = {**Language.operators, "and": " and ", "or": " or "}  # noqa: RUF012
    negation = "not "
    statement_end = ""
    remark_marks = ("# ", "")

    def choice(self, condition: str, yes: str, no: str) -> str:
        return f"{yes} if {condition} else {no}"

    def parameter(self, number: int) -> str:
        return f"p[{number}]"

    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        return f"{name} = {value}"

    def work_array(self, size: int) -> list[str]:
        return [f"work = [0.0]*{size}"]

    def guard(self, value, status) -> list[str]:
        return [f"if not {value} > 0:", f"{INDENT}raise FloatingPointError({status.code!r})"]

    def ending(self, entry) -> list[str]:
        return [f"return {', '.join(port.name for port in entry.outputs)}"]

    def frame(self, name, arguments, lines) -> str:
        return "\n".join([f"def {name}({', '.join(arguments)}):", *lines, "\n"])

    def definition(self, entry, lines) -> str:
        arguments = [port.name for port in entry.inputs] + ["p"] * bool(self.face.members)
        arrays = [f"{INDENT}{port.name} = [0.0]*{port.size}" for port in entry.outputs]
        return self.frame(entry.name, arguments, [*arrays, *lines])


@pytest.fixture(scope="module", autouse=True)
def python() -> Iterator[None]:
    def files(face, request) -> dict[str, str]:
        return {f"{face.prefix}.py": "import math\n\n" + functions(Python(face), request.limits)}

    register(Target("python", files, reserved={"tau"}))
    yield
    del known._TARGETS["python"]


def run(program: Program, **options: int) -> dict:
    (text,) = emit(program, target="python", **options).values()
    names: dict = {}
    exec(text, names)
    return names


@settings(max_examples=40)
@given(CHOICES, st.integers(1, 12), VALUES, st.sampled_from([None, 1, 3]))
def test_random_graphs_whole_and_in_pieces(choices, outputs, values, piece_size) -> None:
    program = random_program(choices, outputs)
    cut = {} if piece_size is None else {"whole_limit": 1, "piece_size": piece_size}
    named = {f"x[{i}]": value for i, value in enumerate(values)}
    (output,) = program.functions[0].outputs
    expected = np.array(evaluate(program.graph, output.entries, named))
    try:
        result = run(program, **cut)["f"](values, [0.0])
    except (ArithmeticError, ValueError):  # where C gives an infinity or NaN, Python refuses
        return
    got = np.array(result)
    finite = np.isfinite(expected) & (np.abs(expected) < 1e100)
    np.testing.assert_allclose(got[finite], expected[finite], rtol=1e-12, atol=1e-12)


def test_guards_parameters_and_reserved_words() -> None:
    program = pendulum()
    names = run(program)
    dynamics = next(f for f in program.functions if f.guards)
    arguments = names[dynamics.name].__code__.co_varnames
    assert "tau" not in arguments and "tau_2" in arguments
    p = [parameter.default for parameter in program.parameters]
    inputs = [[0.3] * len(argument.entries) for argument in dynamics.inputs]
    given = {str(program.graph.value[node]): 0.3 for a in dynamics.inputs for node in a.entries} | {
        parameter.symbol: parameter.default for parameter in program.parameters
    }
    (output,) = dynamics.outputs
    expected = evaluate(program.graph, output.entries, given)
    assert math.isclose(names[dynamics.name](*inputs, p)[0], expected[0], rel_tol=1e-12)
    with pytest.raises(FloatingPointError, match=dynamics.guards[0].code):
        names[dynamics.name](*inputs, [2.0, -0.7])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "cobol"}, "unknown target 'cobol'; valid are c, .*python"),
        ({"target": "python", "real": "float"}, "unknown scalar type 'float'; valid are double"),
        ({"target": "python", "lanes": 4}, "lanes is 4; valid are 1"),
    ],
)
def test_what_a_target_does_not_know(options, message) -> None:
    with pytest.raises(EmissionError, match=message):
        emit(pendulum(), **options)
