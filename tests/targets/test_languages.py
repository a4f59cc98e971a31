"""Every language gives what the C gives: the same programs and states, run by its own tools."""

import ctypes
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import compile_c
from small_programs.pendulum import pendulum
from small_programs.random_graph import random_program
from targets.languages import RUNS, State, outputs, ran

import eomc
from eomc.codegen import emit, write
from eomc.codegen.plan.interface import interface, own_prefix
from eomc.codegen.plan.real import REALS
from eomc.codegen.targets import target_of
from eomc.derive.graph import Function, Program

MODELS = Path(__file__).parents[2] / "examples" / "models"
FUNCTIONS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "kinetic_energy", "normalize")


def panda() -> Program:
    return eomc.equations(MODELS / "panda.toml").program(
        functions=("forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")
    )


def quadcopter() -> Program:
    equations = eomc.equations(MODELS / "quadcopter.toml")
    return equations.program(functions=FUNCTIONS, frames=(), tunable="all")


def vocabulary() -> Program:
    """Every operation of the graph, several times, on what others gave."""
    choices = [(kind, 7 * kind + 1, 5 * kind + 2, 3 * kind) for kind in range(90)]
    return random_program(choices, 90)


PROGRAMS: dict[str, tuple[Callable[[], Program], dict[str, int]]] = {
    "panda": (panda, {"piece_size": 400, "whole_limit": 600}),
    "quadcopter": (quadcopter, {}),
    "vocabulary": (vocabulary, {}),
    "vocabulary in pieces": (vocabulary, {"piece_size": 7, "whole_limit": 1}),
    "pendulum with time": (lambda: pendulum(timed=True), {}),
    "pendulum without parameters": (lambda: pendulum(tunable=False), {}),
}


def states(program: Program, count: int) -> list[State]:
    generator = np.random.default_rng(3)
    sizes = {a.name: len(a.entries) for f in program.functions for a in f.inputs}
    return [
        {name: generator.uniform(-2, 2, size).tolist() for name, size in sizes.items()}
        for _ in range(count)
    ]


def by_c(program: Program, folder: Path, given: list[State]) -> list[list[list[float] | None]]:
    """The witness: what the emitted C gives, None where it returns a code."""
    sources = emit(program)
    write(sources, folder)
    flags = ("-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared")
    path = compile_c(folder, sources.c_files, "library.so", "gcc", *flags)
    library = ctypes.CDLL(str(path))
    return [
        [called(library, sources.name, f, state, program) for f in program.functions]
        for state in given
    ]


def called(
    library: ctypes.CDLL, prefix: str, function: Function, state: State, program: Program
) -> list[float] | None:
    arguments: list[object] = []
    for argument in function.inputs:
        values = np.array(state[argument.name], dtype=float)
        arguments.append(values if argument.shape else ctypes.c_double(values[0]))
    if program.parameters:
        arguments.append(np.array([parameter.default for parameter in program.parameters]))
    arrays = [np.empty(max(len(argument.entries), 1)) for argument in function.outputs]
    given = [
        ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a
        for a in (*arguments, *arrays)
    ]
    if getattr(library, f"{prefix}_{function.name}")(*given):
        return None
    return np.concatenate(arrays).tolist()  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", RUNS)
def test_the_same_numbers_as_from_c(target: str, name: str, tmp_path: Path) -> None:
    make, options = PROGRAMS[name]
    program = make()
    given = states(program, 3)
    face = interface(program, own_prefix(program.name), REALS["double"], target_of(target).reserved)
    folder = write(emit(program, target=target, **options), tmp_path / target)
    expected = by_c(program, tmp_path / "c", given)
    got = outputs(target, face, folder, given)
    for state, rows in zip(got, expected, strict=True):
        for (entry, numbers), reference in zip(state, rows, strict=True):
            assert (numbers is None) == (reference is None), entry.name
            if numbers is None:
                continue
            if RUNS[target].exact:
                np.testing.assert_array_equal(numbers, reference, err_msg=entry.name)
            else:
                scale = np.nanmax(np.abs(reference), initial=1.0)
                np.testing.assert_allclose(numbers, reference, rtol=1e-11, atol=1e-12 * scale)


def test_rust_of_single_precision_has_the_bits_of_c(tmp_path: Path) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not here")
    model, q = MODELS / "panda.toml", 0.25 * np.arange(7)
    folder = eomc.emit(
        model, tmp_path / "arm", functions="forward_dynamics", real="float", target="rust"
    )
    listed = ", ".join(map(str, q))
    (folder / "main.rs").write_text(
        f"fn main() {{\n    let (q, mut a) = ([{listed}], [0.0; 7]);\n"
        "    model::forward_dynamics(&q, &q, &q, &mut a).unwrap();\n"
        '    for x in a { print!("{:e} ", x); }\n}\n'
    )
    library = ("--crate-type", "lib", "--crate-name", "model", "src/lib.rs")
    ran("rustc", "--edition", "2021", *library, folder=folder)
    ran(
        *("rustc", "--edition", "2021", "main.rs", "--extern", "model=libmodel.rlib"), folder=folder
    )
    got = np.array(ran(folder / "main", folder=folder).split(), dtype=np.float32)
    expected = eomc.build(model, real="float").forward_dynamics(q, q, q)
    np.testing.assert_array_equal(got, expected)
