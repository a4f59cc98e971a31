"""The same numbers from every compiler and at every level of optimization."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import COMPILERS, Library, compile_c

import eomc
from eomc.codegen import emit, write
from eomc.codegen.compiler import (
    DEFAULT_FLAGS,
    GCC_FLAGS,
    MODEL_FLAGS,
    NATIVE_FLAGS,
    find_compiler,
    model_options,
)

pytestmark = pytest.mark.variants

MODELS = Path(__file__).parents[2] / "examples" / "models"
FUNCTIONS = {
    "inverse_dynamics": ("qua", 7),
    "mass_matrix": ("q", 49),
    "forward_dynamics": ("qut", 7),
    "bias": ("qu", 7),
}
STATES = 50
# Units in the last place of the largest entry that fused multiply-adds may change.
FUSED = 16


@pytest.fixture(scope="module")
def sources():
    """The Panda arm as it is emitted."""
    equations = eomc.equations(eomc.load(MODELS / "panda.toml"))
    return emit(equations.program(functions=tuple(FUNCTIONS), name="panda"))


@pytest.fixture
def results(sources, tmp_path: Path):
    """All functions at random states, of a library compiled in some way."""
    numbers = itertools.count()

    def compiled(compiler: str, *flags: str) -> dict[str, np.ndarray]:
        folder = write(sources, tmp_path / str(next(numbers)))
        path = compile_c(
            folder,
            sources.c_files,
            "library.so",
            compiler,
            *model_options(find_compiler(compiler), flags),
            "-fvisibility=default",
            "-fPIC",
            "-shared",
        )
        library = Library(path, sources, "double")
        rng = np.random.default_rng(6)
        states = dict(zip("quat", rng.uniform(-3, 3, (4, STATES, 7)), strict=True))
        values = {}
        for name, (arguments, size) in FUNCTIONS.items():
            rows = []
            for k in range(STATES):
                status, (row,) = library.call(name, [states[a][k] for a in arguments], [size])
                assert status == 0
                rows.append(row)
            values[name] = np.array(rows)
        return values

    return compiled


LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_same_bits_from_every_compiler(compiler: str, results) -> None:
    """The default flags: whatever the compiler, its level, and the processor's instructions."""
    expected = results("gcc" if "gcc" in COMPILERS else compiler, "-O0")
    for level in (*LEVELS, "-O2 -march=native"):
        found = results(compiler, *level.split())
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values, f"{compiler} {level}: {name}")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_fused_operations_change_the_last_digits_alone(compiler: str, results) -> None:
    """`march_native=True`, beside the default flags, in units in the last place."""
    expected = results(compiler, "-O2")
    found = results(compiler, "-O2", *NATIVE_FLAGS)
    for name, values in expected.items():
        unit = np.spacing(np.abs(values).max(axis=1))
        ulp = np.abs(found[name] - values).max(axis=1) / unit
        assert ulp.max() <= FUSED, f"{compiler}: {name}"


def test_no_flag_gives_up_ieee_arithmetic() -> None:
    """What builds ask for by themselves reorders nothing and assumes nothing."""
    asked = {*MODEL_FLAGS, *GCC_FLAGS, *NATIVE_FLAGS, *DEFAULT_FLAGS}
    careless = (
        "-ffast-math",
        "-Ofast",
        "-funsafe-math-optimizations",
        "-fassociative-math",
        "-ffinite-math-only",
        "-freciprocal-math",
        "-fno-signed-zeros",
    )
    assert not asked.intersection(careless)
    assert "-ffp-contract=off" in MODEL_FLAGS
    cmake = emit(eomc.equations(eomc.load(MODELS / "pendulum.toml")).program())["CMakeLists.txt"]
    assert "-ffp-contract=off" in cmake and not any(flag in cmake for flag in careless)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_each_compiler_is_asked_for_what_it_knows(compiler: str) -> None:
    """gcc's own options go to gcc alone, and a processor that the user names stays named."""
    options = model_options(find_compiler(compiler), ["-O2", "-march=native", "-mtune=haswell"])
    assert set(MODEL_FLAGS) < set(options) and options[-1] == "-mtune=haswell"
    assert set(GCC_FLAGS).issubset(options) == (compiler == "gcc")
