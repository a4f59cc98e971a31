"""Sine and cosine under any flags of compilers: on scalars, of many angles at once, on lanes."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from eomc.codegen import emit, write
from eomc.codegen.plan.errors import BuildError
from eomc.codegen.plan.real import REALS, RealName
from eomc.codegen.plan.sine_cosine import sine_cosine
from eomc.derive.graph import Argument, Function, Graph, Program, nodes, symbols
from eomc_published.case import Case, CaseCheck, at_most, holds

Array = NDArray[Any]
COMPILERS = tuple(name for name in ("gcc", "clang") if shutil.which(name))
LOOSE = {
    "unsafe": ("-O2", "-funsafe-math-optimizations"),
    "associative": ("-O3", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"),
    "fast": ("-O2", "-ffast-math"),
    "Ofast": ("-Ofast",),
    "Ofast native": ("-Ofast", "-march=native"),
    "32 bits": ("-O2", "-m32"),
    "32 bits, GNU": ("-O2", "-m32", "-std=gnu99"),
    "32 bits, Ofast": ("-Ofast", "-m32"),
    "32 bits, SSE": ("-O2", "-m32", "-msse2", "-mfpmath=sse"),
}
"""Flags under which compilers may regroup sums or keep more than the type's own digits."""
STANDARD = {"O0": ("-O0",), "O1": ("-O1",), "O2": ("-O2",), "O3": ("-O3",)}
_WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wno-psabi")
_WAYS = ("scalars", "many at once", "lanes")
_MAIN = """
#include <stdio.h>
#include "circle.h"

/* Reads angles, writes sine and cosine: on scalars, of many angles at once, then on lanes. */
int main(void)
{
    circle_real x[4], angle[8], lanes[4], out[9], all[8];
    int codes[4];
    while (fread(x, sizeof(x), 1, stdin) == 1) {
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 8; i++) {
                angle[i] = x[k];
            }
            lanes[k] = x[k];
            (void)circle_f(angle, out);
            fwrite(out, sizeof(*out), 2, stdout);
            (void)circle_g(angle, out);
            fwrite(out, sizeof(*out), 2, stdout);
        }
        (void)circle_f_lanes(lanes, all, codes);
        fwrite(all, sizeof(*all), 8, stdout);
    }
    return 0;
}
"""


def _circle() -> Program:
    """Sine and cosine of one angle; of this and the sines of seven others in one call."""
    graph = Graph()
    (x,), z = (nodes(symbols(graph, name, n)) for name, n in (("x", 1), ("z", 8)))
    both = (graph.unary("sin", x), graph.unary("cos", x))
    sines = (graph.unary("sin", angle) for angle in z[1:])
    more = (graph.unary("sin", z[0]), graph.unary("cos", z[0]), *sines)
    few = Function("f", (Argument("x", (1,), (x,)),), (Argument("y", (2,), both),))
    many = Function("g", (Argument("z", (8,), z),), (Argument("y", (9,), more),))
    return Program("circle", graph, (few, many))


@dataclass(frozen=True)
class SampledAngles:
    """Angles of one scalar type with their exact values, as two numbers each."""

    x: Array
    exact: Array
    rest: Array
    unit: Array
    near: Array

    def errors(self, values: Array) -> Array:
        """Of sine and cosine, without rounding."""
        found: Array = (values.astype(float) - self.exact) - self.rest
        return found


@cache
def angles(real: RealName) -> SampledAngles:
    """Over the whole range, near its ends, next to the zeros of both functions; `near` marks
    those next to the first hundred zeros on each side. Numbers too small for the type's full
    digits are left out: programs linked with ``-ffast-math`` take them as zeros."""
    dtype: Any = np.float64 if real == "double" else np.float32
    digits = 53 if real == "double" else 24
    generator, limit = np.random.default_rng(7), sine_cosine(REALS[real]).limit
    turns = generator.integers(-int(limit / 1.6), int(limit / 1.6), 800) * (np.pi / 2)
    zeros = (np.concatenate([-np.arange(1, 101), np.arange(1, 101)]) * (np.pi / 2)).astype(dtype)
    parts = [
        zeros,
        np.nextafter(zeros, dtype(np.inf)),
        np.nextafter(zeros, dtype(-np.inf)),
        generator.uniform(-1, 1, 400),
        generator.uniform(-10, 10, 400),
        generator.uniform(-limit, limit, 800),
        turns,
        10.0 ** generator.uniform(-30, 0, 190),
        (np.arange(1, 40) - 0.5) * (np.pi / 2),
        [limit, -limit],
    ]
    x = np.concatenate(parts, dtype=dtype, casting="same_kind")
    x = x[: len(x) // 4 * 4]
    with mpmath.workdps(60):
        pairs = [(mpmath.sin(y), mpmath.cos(y)) for y in map(mpmath.mpf, x.tolist())]
        exact = np.array([[float(v) for v in pair] for pair in pairs])
        rest = np.array([[float(v - float(v)) for v in pair] for pair in pairs])
    unit = np.ldexp(1.0, np.frexp(exact)[1] - digits)
    return SampledAngles(x, exact, rest, unit, np.arange(len(x)) < 3 * len(zeros))


def _compiled(folder: Path, compiler: str, flags: Sequence[str]) -> str:
    """Empty, or what the compiler says."""
    iso = () if any(flag.startswith("-std") for flag in flags) else ("-std=c99",)
    sources = sorted(path.name for path in folder.glob("*.c"))
    command = [compiler, *_WARNINGS, *iso, *flags, *sources, "-lm", "-o", "circle"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return made.stderr if made.returncode else ""


@cache
def values(real: RealName, compiler: str, flags: tuple[str, ...]) -> Array | None:
    """(ways, angles, 2): sine and cosine; None where 32-bit programs do not link here."""
    with tempfile.TemporaryDirectory() as place:
        folder = write(emit(_circle(), real, lanes=4), Path(place) / "circle")
        (folder / "main.c").write_text(_MAIN, encoding="utf-8")
        if message := _compiled(folder, compiler, flags):
            if "-m32" in flags and ("cannot find" in message or "No such file" in message):
                return None
            raise BuildError(f"{compiler} {' '.join(flags)} failed:\n{message}")
        x = angles(real).x
        run = subprocess.run(
            [folder / "circle"], input=x.tobytes(), capture_output=True, check=True, timeout=60
        )
    got = np.frombuffer(run.stdout, x.dtype).reshape(-1, 24)
    scalars, together = got[:, :16].reshape(-1, 2, 2).transpose(1, 0, 2)
    on_lanes = got[:, 16:].reshape(-1, 2, 4).transpose(0, 2, 1).reshape(-1, 2)
    return np.stack([scalars, together, on_lanes])


def _under_flags(real: RealName) -> Iterator[tuple[str, Array | None]]:
    """Label, and sines and cosines, of each compiler with each set of loose flags."""
    for compiler in COMPILERS:
        for name, flags in LOOSE.items():
            yield f"{real}, {compiler}, {name}", values(real, compiler, flags)


def _within_two_units(real: RealName) -> Iterator[CaseCheck]:
    """Two units in the last place, or the compiler has refused."""
    given = angles(real)
    for label, found in _under_flags(real):
        if found is None:
            yield holds(label, "two units", "no 32-bit programs here", True)
            continue
        for way, rows in zip(_WAYS, found, strict=True):
            worst = float(np.max(np.abs(given.errors(rows)) / given.unit))
            yield at_most(f"{label}, {way}: units in the last place", worst, 2.0)


def case_18() -> Iterator[CaseCheck]:
    yield from _within_two_units("double")


def case_19() -> Iterator[CaseCheck]:
    given = angles("double")
    for label, found in _under_flags("double"):
        if found is None:
            continue
        for way, rows in zip(_WAYS, found, strict=True):
            relative = np.abs(given.errors(rows)[given.near] / given.exact[given.near])
            yield at_most(f"{label}, {way}: relative error", float(relative.max()), 1e-15)


def case_20() -> Iterator[CaseCheck]:
    reals: tuple[RealName, ...] = ("double", "float")
    for real in reals:
        first = values(real, COMPILERS[0], STANDARD["O0"])
        for compiler in COMPILERS:
            for name, flags in STANDARD.items():
                found = values(real, compiler, (*flags, "-ffp-contract=off"))
                if first is None or found is None:
                    raise BuildError(f"{compiler} links no program here")
                same = all(np.array_equal(rows, first[0]) for rows in found)
                yield holds(f"{real}, {compiler} -{name}", "one set of bits", str(same), same)


def case_21() -> Iterator[CaseCheck]:
    limit = sine_cosine(REALS["float"]).limit
    yield holds("limit of single precision", "402 or more", f"{limit:.6g}", limit >= 402)
    yield from _within_two_units("float")


_MISSING = "" if COMPILERS else "neither gcc nor clang is here"
_EXACT = "against 60 digits, on scalars, of many angles at once and on lanes, at nine sets of flags"
CASES = (
    Case(
        18,
        "no flag breaks sine and cosine",
        "ISO C99; manuals of GCC and Clang",
        _EXACT,
        case_18,
        unavailable=_MISSING,
        slow=True,
    ),
    Case(
        19,
        "nor their digits next to zeros",
        "ISO C99; manuals of GCC and Clang",
        "relative error within a bit of the first hundred zeros",
        case_19,
        unavailable=_MISSING,
        slow=True,
    ),
    Case(
        20,
        "the same bits at standard flags",
        "ISO C99",
        "of both compilers at every optimization, on scalars and lanes",
        case_20,
        unavailable=_MISSING,
        slow=True,
    ),
    Case(
        21,
        "no flag breaks those of single precision",
        "ISO C99; manuals of GCC and Clang",
        _EXACT,
        case_21,
        unavailable=_MISSING,
        slow=True,
    ),
)
