"""One case: build all contenders, check them against each other, time them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.casadi_peer import casadi
from benchmarks.cases import Case
from benchmarks.compiling import AVX2_FLAGS
from benchmarks.contender import TOLERANCE, Array, Contender, Unavailable, inputs, output_size
from benchmarks.mechanism import Mechanism, mechanism
from benchmarks.mujoco_peer import mujoco
from benchmarks.ours import ours
from benchmarks.pinocchio_peer import pinocchio
from benchmarks.timing import STATES, Timer, Timing
from eomc.codegen.compiler import native_vector_bytes
from eomc.derive.model import Model

PINOCCHIO, ALONE = "Pinocchio", "AVX2 alone"
WIDEST = 64
"""Bytes of the vectors that targets are set for."""


@dataclass(frozen=True)
class Row:
    """Results of one contender on one function."""

    contender: Contender
    timing: Timing
    error: float


@dataclass
class Result:
    """All contenders on one function of one case, and why others are missing."""

    case: Case
    function: str
    rows: list[Row] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)

    def best(self, name: str) -> Row | None:
        """The fastest of the rows whose contender's name begins so."""
        rows = [row for row in self.rows if row.contender.name.startswith(name)]
        return min(rows, key=lambda row: row.timing.median, default=None)

    def ratio(self, name: str, own: str = "eomc") -> float | None:
        """Factor by which ours is faster than that contender; None if either has no row."""
        ours, other = self.best(own), self.best(name)
        if ours is None or other is None:
            return None
        return other.timing.median / ours.timing.median


def random_states(size: int, function: str) -> Array:
    """STATES rows of (q, u, forces or accelerations)."""
    return np.random.default_rng(size).uniform(-1.5, 1.5, size=(STATES, inputs(function) * size))


def measure(case: Case, function: str, timer: Timer, build: Path) -> Result:
    """Derive, compile, check and time one function."""
    model = case.model()
    numbers = mechanism(model)
    result = Result(case, function)
    contenders = _contenders(model, numbers, function, build, result)
    states = random_states(numbers.size, function)
    size = output_size(function, numbers.size)
    # Pinocchio judges; without it CasADi, which shares no code with us either.
    judge = [contender for contender in contenders if contender.tolerance == TOLERANCE][-1]
    expected = judge.values(states, size)
    errors = [_error(contender.values(states, size), expected) for contender in contenders]
    for contender, error in zip(contenders, errors, strict=True):
        if not error < contender.tolerance:
            raise ArithmeticError(
                f"{case.name}, {function}: {contender.name} is off by {error:.1e}; not timed"
            )
    timings = timer.race(contenders, states, size)
    result.rows = [Row(*row) for row in zip(contenders, timings, errors, strict=True)]
    return result


def _error(values: Array, expected: Array) -> float:
    """Largest relative error over the states, in the 2-norm."""
    errors = np.linalg.norm(values - expected, axis=1) / np.linalg.norm(expected, axis=1)
    return float(errors.max())


def _contenders(
    model: Model, numbers: Mechanism, function: str, build: Path, result: Result
) -> list[Contender]:
    slug = "".join(c if c.isalnum() else "_" for c in result.case.name)
    folder = build / slug / function
    contenders = [ours(model, function, folder / "ours")]
    judged = {name for name, peer, _ in result.case.targets if peer == PINOCCHIO}
    if function in judged and native_vector_bytes("gcc") == WIDEST:
        contenders.append(ours(model, function, folder / "avx2", AVX2_FLAGS, ALONE))
    makers: dict[str, Callable[[], list[Contender]]] = {
        "CasADi": lambda: casadi(numbers, function, folder / "casadi"),
        "MuJoCo": lambda: mujoco(numbers, function, folder / "mujoco"),
        PINOCCHIO: lambda: pinocchio(numbers, function, build),
    }
    for name, make in makers.items():
        try:
            contenders += make()
        except Unavailable as error:
            result.missing[name] = str(error)
    return contenders
