"""Forces within bounds on a board: the quadratic program of near-rigid control, many times over."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.building import build as compiled
from eomc.building import emit
from eomc.codegen.plan.errors import BuildError
from eomc.runtime.control import NearRigid
from eomc.runtime.control.least_effort import AllocationError
from eomc.systems.tensegrity import single_strut
from eomc_published.boards.qemu import ISO, M7, MISSING, build, run
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.tensegrity.single_strut import state

PROBLEMS, ON_BOARD, CHANGES = 3000, 300, 48
_FUNCTIONS = (
    *("mass_matrix", "bias", "difference", "input_matrix", "element_strains"),
    *("constraint_jacobian", "constraint_bias"),
)
_CONTROLLED = ("phi", "psi")
_OK, _BEYOND = "OK", "bounds_out_of_reach"

_MAIN = """
#include "board.h"
#include "single_strut.h"

static const double problems[{rows}][{width}] = {{
{table}
}};
static const int controlled[{speeds}] = {{{controlled}}};

static void tell(const double *values, int count)
{{
    for (int i = 0; i < count; i++) {{
        union {{ double number; unsigned long long bits; }} each;
        each.number = values[i];
        say_number(each.bits, 16);
        say(" ");
    }}
}}

int main(void)
{{
    for (int k = 0; k < {rows}; k++) {{
        const double *x = problems[k];
        double r[{inputs}] = {{0}}, change[{strains}] = {{0}};
        const double code = single_strut_near_rigid_control({arguments}, r, change);
        tell(&code, 1);
        tell(r, {inputs});
        tell(change, {strains});
        say("\\n");
    }}
    return 0;
}}
"""


@dataclass(frozen=True)
class AllocationCall:
    """Arguments of the emitted function but `controlled`, and the law of the runtime beside it."""

    law: NearRigid
    q: Array
    u: Array
    rest: tuple[Array, ...]

    @property
    def arrays(self) -> tuple[Array, ...]:
        """In the order of the function."""
        return (self.q, self.u, *self.rest)


@cache
def _strut() -> Any:
    return compiled(single_strut(), tunable="all")


def _problem(rng: np.random.Generator) -> AllocationCall:
    """Any state, modulus, acceleration, gains and bounds on forces and strains."""
    strut = _strut()
    modulus = {"E": 10 ** rng.uniform(8, 10.3), "mu": 10 ** rng.uniform(5, 7)}
    least = 20e6 / modulus["E"]
    y = [*rng.uniform(-0.5, 0.5, 2), *least * rng.uniform(0.5, 2, 3)]
    named = state(np.array(y), np.array([*rng.normal(size=2), *least * rng.normal(size=3)]))
    q, u = (
        np.array([values[name] for name in names])
        for values, names in zip(named, (strut.coordinates, strut.speeds), strict=True)
    )
    wanted = dict(zip(_CONTROLLED, rng.normal(0, 3, 2).tolist(), strict=True))
    high = rng.uniform(3, 9, 3) if rng.integers(2) else np.full(3, 1e9)
    kp = float(rng.integers(3))
    law = NearRigid(
        strut,
        {name: _accelerating(rate) for name, rate in wanted.items()},
        (least, 3 * least),
        {f"u{i + 1}": (0, high[i]) for i in range(3)},
        kp=kp,
        kd=2 * kp,
        parameters=modulus,
    )
    a = np.array([wanted.get(name, 0.0) for name in strut.speeds])
    rest = (
        np.array(list({**strut.parameters, **modulus}.values())),
        0 * q,
        0 * u,
        a,
        np.full(len(u), kp),
        np.full(len(u), 2 * kp),
        np.zeros(3),
        high,
        np.full(3, least),
        np.full(3, 3 * least),
    )
    return AllocationCall(law, q, u, rest)


def _accelerating(rate: float) -> Callable[[float], tuple[float, float, float]]:
    return lambda t: (0.0, 0.0, rate)


class _Cycle:
    """The emitted function on this machine."""

    def __init__(self, folder: Path) -> None:
        command = ["gcc", *ISO, "-O1", "-shared", "-fPIC", "single_strut.c", "-lm", "-o", "s.so"]
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if made.returncode:
            raise BuildError(f"gcc failed:\n{made.stderr}")
        library = ctypes.CDLL(str(folder / "s.so"))
        self._run = library.single_strut_near_rigid_control
        self._name = library.single_strut_status_name
        self._name.restype = ctypes.c_char_p
        names = [name in _CONTROLLED for name in _strut().speeds]
        self.controlled = np.array(names, dtype=np.int32)
        self.undefined = subprocess.run(
            ["nm", "-u", "s.so"], cwd=folder, capture_output=True, text=True, check=True
        ).stdout

    def __call__(self, problem: AllocationCall) -> tuple[int, str, Array]:
        """Code, its name, and forces with changes of strain."""
        found = np.zeros(3), np.zeros(3)
        arrays: list[NDArray[Any]] = [*problem.arrays[:-4], self.controlled]
        arrays += [*problem.arrays[-4:], *found]
        code = self._run(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))
        return code, self._name(code).decode(), np.concatenate(found)


def _main(problems: Sequence[AllocationCall], controlled: NDArray[np.int32]) -> str:
    rows = [np.concatenate(problem.arrays) for problem in problems]
    ends = np.cumsum([0, *(len(array) for array in problems[0].arrays)])
    places = [f"&x[{end}]" for end in ends[:-1]]
    return _MAIN.format(
        rows=len(rows),
        width=len(rows[0]),
        speeds=len(controlled),
        table=",\n".join(f"{{{', '.join(float(x).hex() for x in row)}}}" for row in rows),
        controlled=", ".join(map(str, controlled)),
        inputs=3,
        strains=3,
        arguments=", ".join([*places[:-4], "controlled", *places[-4:]]),
    )


def case_32() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(32)
    problems = [_problem(rng) for _ in range(PROBLEMS)]
    with tempfile.TemporaryDirectory() as place:
        folder = emit(single_strut(), Path(place) / "strut", functions=_FUNCTIONS, tunable="all")
        cycle = _Cycle(folder)
        results = [cycle(problem) for problem in problems]
        yield from _judged(problems, results)
        header = (folder / "single_strut.h").read_text(encoding="utf-8")
        bounded = f"At most {CHANGES} changes of the set of active bounds" in header
        yield holds("changes of active bounds", f"at most {CHANGES}", str(bounded), bounded)
        uses = any(word in cycle.undefined for word in ("alloc", "free"))
        yield holds("memory", "none is asked for", str(uses), not uses)
        text = _main(problems[:ON_BOARD], cycle.controlled)
        (folder / "main.c").write_text(text, encoding="utf-8")
        code, said = run(M7, build(M7, folder, ("single_strut.c", "main.c"), "-O2"))
    yield holds("the board", "0", str(code), code == 0)
    yield from _alike(results[:ON_BOARD], said)


def _alike(results: Sequence[tuple[int, str, Array]], said: str) -> Iterator[CaseCheck]:
    """The strut takes atan2 of the mathematics library, which is another one on the board."""
    bits = [[int(word, 16) for word in line.split()] for line in said.splitlines()]
    there = np.array(bits, dtype=np.uint64).view(np.float64)
    here = np.array([[code, *found] for code, _, found in results])
    codes = int((there[:, 0] != here[:, 0]).sum())
    yield at_most("codes that differ on the board", codes, 0)
    solved = here[:, 0] == 0
    yield agrees("forces on the board", here[solved, 1:4], there[solved, 1:4], 1e-12, relative=True)
    same = int((there == here).all(axis=1).sum())
    often = same >= 0.95 * len(here)
    yield holds("problems with the same bits", "95 %, others by atan2", str(same), often)


def _judged(problems: Sequence[AllocationCall], results: Sequence[Any]) -> Iterator[CaseCheck]:
    """Beside the law of the runtime, whose solver is another."""
    label = Counter(name for _, name, _ in results)
    named = set(label) == {_OK, _BEYOND} and min(label.values()) > PROBLEMS // 20
    yield holds("codes", f"{_OK} and {_BEYOND}, some of each", str(dict(label)), named)
    other, found, expected = 0, [], []
    for problem, (_, name, values) in zip(problems, results, strict=True):
        try:
            solved = problem.law.solve(0.0, problem.q, problem.u)
        except AllocationError:
            other += name != _BEYOND
            continue
        other += name != _OK
        least = problem.rest[-2][0]
        found.append(values / np.repeat((1, least), 3))
        expected.append(np.concatenate([solved.forces, solved.strain_changes / least]))
    yield at_most("problems with another verdict", other, 0)
    yield agrees("forces and changes of strain", expected, found, 1e-9, relative=True)


CASES = (
    Case(
        32,
        "forces within bounds, three thousand times",
        "the project's own",
        "another solver (DAQP) on this machine; a Cortex-M7",
        case_32,
        slow=True,
        unavailable=MISSING,
    ),
)
