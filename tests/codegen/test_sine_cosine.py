"""The emitted sine and cosine against exact values.

That no flag of a compiler breaks them are cases 18 to 21 of the reference `boards`.
"""

import ctypes
from collections.abc import Callable
from pathlib import Path

import mpmath
import numpy as np
import pytest
from small_programs.c_library import COMPILERS, WARNINGS, compile_c
from small_programs.pendulum import symbols

import eomc
from eomc.codegen import emit, write
from eomc.codegen.plan.real import REALS
from eomc.codegen.plan.sine_cosine import sine_cosine
from eomc.derive.graph import Argument, Function, Graph, Program

pytestmark = pytest.mark.variants

PENDULUM = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"
NATIVE = ("-march=native", "-ffp-contract=fast")


def circle() -> Program:
    """Sine and cosine together, and each alone: of few angles, of many in one call."""
    graph = Graph()
    x = symbols(graph, "x", 3)
    more = symbols(graph, "z", 8)
    few = Function("f", (Argument("x", (3,), x),), (Argument("y", (4,), turned(graph, x)),))
    many = Function("g", (Argument("z", (8,), more),), (Argument("y", (9,), turned(graph, more)),))
    return Program("circle", graph, (few, many))


def turned(graph: Graph, angles: tuple[int, ...]) -> tuple[int, ...]:
    """Both of the first angle, the sine of the second, the cosine of the third, sines of others."""
    x, y, z, *others = angles
    calls = [("sin", x), ("cos", x), ("sin", y), ("cos", z), *(("sin", angle) for angle in others)]
    return tuple(graph.unary(op, angle) for op, angle in calls)


@pytest.fixture
def call(tmp_path: Path) -> Callable[..., Callable[[np.ndarray], np.ndarray]]:
    """(sin, cos) of angles by the compiled C."""

    def compiled(real: str, compiler: str, flags: tuple[str, ...], name: str = "f"):
        sources = emit(circle(), real)
        folder = write(sources, tmp_path / real)
        options = (*WARNINGS, "-O2", *flags, "-fPIC", "-shared")
        path = compile_c(folder, sources.c_files, "library.so", compiler, *options)
        library = ctypes.CDLL(str(path))

        function, count = getattr(library, f"circle_{name}"), {"f": 3, "g": 8}[name]

        def values(angles: np.ndarray) -> np.ndarray:
            out = np.empty((len(angles), count + 1), angles.dtype)
            for angle, row in zip(np.repeat(angles[:, None], count, axis=1), out, strict=True):
                assert function(*(ctypes.c_void_p(a.ctypes.data) for a in (angle, row))) == 0
            np.testing.assert_array_equal(out[:, 2:4], out[:, :2])
            np.testing.assert_array_equal(out[:, 4:], out[:, [0] * (count - 3)])
            return out[:, :2]

        return values

    return compiled


def angles(dtype: type, limit: float) -> np.ndarray:
    """Over the whole range, near its ends, and next to the zeros of both functions."""
    generator = np.random.default_rng(7)
    turns = generator.integers(-int(limit / 1.6), int(limit / 1.6), 1500) * (np.pi / 2)
    near = turns.astype(dtype)
    return np.concatenate(
        [
            generator.uniform(-1, 1, 1500),
            generator.uniform(-10, 10, 1500),
            generator.uniform(-limit, limit, 1500),
            near,
            np.nextafter(near, dtype(np.inf)),
            10.0 ** generator.uniform(-30, 0, 300),
            (np.arange(1, 40) - 0.5) * (np.pi / 2),
            [limit, -limit, np.nextafter(dtype(limit), dtype(np.inf))],
        ],
        dtype=dtype,
        casting="same_kind",
    )


@pytest.mark.parametrize("flags", [(), NATIVE], ids=["portable", "native"])
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_error_is_below_one_unit_in_the_last_place(call, real, compiler, flags):
    dtype, digits = (np.float64, 53) if real == "double" else (np.float32, 24)
    x = angles(dtype, sine_cosine(REALS[real]).limit)
    got = call(real, compiler, flags)(x)
    together = call(real, compiler, flags, "g")(x)
    if not flags:  # nothing is fused: the same bits
        np.testing.assert_array_equal(together, got)
        together = together[:, :0]
    with mpmath.workdps(60):
        for angle, row in zip(x, np.hstack([got, together]), strict=True):
            exact = (mpmath.sin(mpmath.mpf(float(angle))), mpmath.cos(mpmath.mpf(float(angle))))
            for value, reference in zip(row, exact * 2, strict=False):
                unit = mpmath.ldexp(1, mpmath.frexp(reference)[1] - digits)
                assert abs(mpmath.mpf(float(value)) - reference) <= mpmath.mpf("0.83") * unit, angle


@pytest.mark.parametrize("name", ["f", "g"])
@pytest.mark.parametrize("real", ["double", "float"])
def test_far_away_the_library_answers(call, real, name):
    dtype = np.float64 if real == "double" else np.float32
    x = np.array([1e6, -1e22, 3e38, np.inf, -np.inf, np.nan, 0.0], dtype)
    got = call(real, "gcc", (), name)(x)
    with np.errstate(invalid="ignore"):
        expected = np.stack([np.sin(x.astype(float)), np.cos(x.astype(float))], axis=1)
    np.testing.assert_allclose(got, expected, rtol=np.finfo(dtype).eps)


@pytest.mark.parametrize("real", ["double", "float"])
def test_constants(real):
    """The parts of pi/2, their spare bits, and the approximation errors of the polynomials."""
    numbers, digits = sine_cosine(REALS[real]), 53 if real == "double" else 24
    with mpmath.workdps(60):
        gap = abs(mpmath.fsum(numbers.half_pi) - mpmath.pi / 2)
        turns = numbers.limit / (mpmath.pi / 2)
        assert gap * turns < mpmath.ldexp(1, -2 * digits + 2)
        for part in numbers.half_pi[:2]:  # times any n it still fits the type
            mantissa = int(mpmath.ldexp(part, digits - mpmath.frexp(part)[1]))
            spare = (mantissa & -mantissa).bit_length() - 1
            assert 2**spare >= int(turns)
        # The polynomials: a tenth of a unit of the result at most.
        for k in range(1, 401):
            r = mpmath.pi / 4 * k / 400
            z = r * r
            sine = r + r * z * mpmath.polyval(numbers.sine[::-1], z)
            cosine = 1 - z / 2 + z * z * mpmath.polyval(numbers.cosine[::-1], z)
            bound = mpmath.ldexp(1, -digits - 3)
            assert abs(sine / mpmath.sin(r) - 1) < bound and abs(cosine / mpmath.cos(r) - 1) < bound


def test_a_model_built_with_unsafe_optimizations(tmp_path: Path):
    flags = ("-O2", "-funsafe-math-optimizations")
    exact = eomc.build(PENDULUM).forward_dynamics([1.0], [0.0], [0.0])
    loose = eomc.build(PENDULUM, flags=flags, cache_dir=tmp_path)
    np.testing.assert_allclose(loose.forward_dynamics([1.0], [0.0], [0.0]), exact, rtol=1e-14)
