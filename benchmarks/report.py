"""The results as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.batches import Batch
from benchmarks.measure import Result, Row
from benchmarks.python_calls import PythonCall
from benchmarks.settings import Setting
from benchmarks.sympy_peer import Attempt

_WORDS = {
    "forward_dynamics": "forward dynamics",
    "inverse_dynamics": "inverse dynamics",
    "mass_matrix": "mass matrix",
    "forward_dynamics_derivatives": "its derivatives by q, u, τ",
}


def markdown(
    facts: Mapping[str, str],
    results: Sequence[Result],
    calls: Sequence[PythonCall],
    attempts: Sequence[Attempt],
    batches: Sequence[Batch] = (),
    settings: Sequence[Setting] = (),
) -> str:
    """All tables, with the command that made them."""
    parts = [
        "# Benchmarks",
        "Made by `python -m benchmarks --write docs/benchmarks.md`. One core, thread CPU time, all "
        "contenders in turn within one process, 21 rounds, 64 random states in a ring; median and "
        "quartiles of the rounds. Every function was checked against Pinocchio at all these states "
        "before it was timed.",
        _table(("", ""), facts.items()),
        "## Speed in C\n\nNanoseconds a call (quartiles); Pinocchio in link or world axes, "
        "whichever is faster; CasADi: recursions written by hand on its scalar graph, the "
        "articulated-body or the factored one, whichever is shorter; MuJoCo: its smooth dynamics "
        "without contacts and limits.",
        _speed(results),
        _missing(results),
        "## Targets",
        _table(("model", "function", "times Pinocchio", "wanted", ""), _targets(results)),
        "## Cost of making the code\n\nEach function derived, emitted and compiled alone; "
        "operations are additions, subtractions, multiplications and divisions of a call.",
        _costs(results),
    ]
    if calls:
        rows = [(call.way, f"{call.call:.0f}") for call in calls]
        parts += [
            "## From Python\n\nForward dynamics of the Panda arm, one state a call.",
            _table(("way", "ns a call"), rows),
        ]
    if batches:
        rows = [(batch.model, batch.way, f"{batch.state:.0f}") for batch in batches]
        parts += [
            "## Batches\n\nMany states in one call from Python with NumPy arrays, on one core; "
            "nanoseconds a state, of Runge-Kutta a state and step.",
            _table(("model", "way", "ns"), rows),
        ]
    if settings:
        head = ("model", "function", "flags", "piece", "kB", "compile, s", "peak MB", "ns a call")
        parts += [
            "## Settings\n\nThe same function at several levels of optimization, in pieces of so "
            "many statements or whole; peak MB is the memory of the compiler.",
            _table(head, [_setting(setting) for setting in settings]),
        ]
    if attempts:
        parts += [
            "## SymPy and PyDy\n\nPlanar pendulum: `LagrangesMethod` (derivation alone), and "
            "`KanesMethod` with PyDy's Cython right-hand side, called from Python.",
            _table(("method", "links", "derive, s", "compile, s", "ns a call", "error"),
                   [_attempt(attempt) for attempt in attempts]),
        ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def as_json(
    facts: Mapping[str, str],
    results: Sequence[Result],
    calls: Sequence[PythonCall],
    attempts: Sequence[Attempt],
    batches: Sequence[Batch] = (),
    settings: Sequence[Setting] = (),
) -> dict[str, Any]:
    """All figures."""
    return {
        "machine": dict(facts),
        "results": [
            {
                "model": result.case.name,
                "function": result.function,
                "missing": result.missing,
                "contenders": [_figures(row) for row in result.rows],
            }
            for result in results
        ],
        "from_python": [vars(call) for call in calls],
        "sympy": [vars(attempt) for attempt in attempts],
        "batches": [vars(batch) for batch in batches],
        "settings": [vars(setting) for setting in settings],
    }


def _figures(row: Row) -> dict[str, Any]:
    contender, timing = row.contender, row.timing
    return {
        "name": contender.name,
        "ns": timing.median,
        "ns_quartiles": [timing.low, timing.high],
        "error": row.error,
        "operations": contender.operations,
        "derive_s": contender.derive,
        "emit_s": contender.emit,
        "compile_s": contender.compile,
        "code_bytes": contender.code,
    }


def _table(head: Sequence[str], rows: Any) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _ns(row: Row | None) -> str:
    if row is None:
        return "–"  # noqa: RUF001
    timing = row.timing
    return f"{timing.median:.0f} ({timing.low:.0f}, {timing.high:.0f})"


def _times(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.1f}"  # noqa: RUF001


def _speed(results: Sequence[Result]) -> str:
    rows = [
        (
            result.case.name,
            _WORDS[result.function],
            *(_ns(result.best(name)) for name in ("eomc", "CasADi", "MuJoCo", "Pinocchio")),
            _times(result.ratio("CasADi")),
            _times(result.ratio("MuJoCo")),
            _times(result.ratio("Pinocchio")),
        )
        for result in results
    ]
    names = ("CasADi", "MuJoCo", "Pinocchio")
    head = ("model", "function", "eomc", *names, *(f"× {name}" for name in names))  # noqa: RUF001
    return _table(head, rows)


def _missing(results: Sequence[Result]) -> str:
    reasons = dict.fromkeys(
        f"{name}, {_WORDS[result.function]}: {reason}."
        for result in results
        for name, reason in result.missing.items()
    )
    return "\n".join(f"- {reason}" for reason in reasons)


def _targets(results: Sequence[Result]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for result in results:
        for function, wanted in result.case.targets:
            ratio = result.ratio("Pinocchio")
            if function == result.function and ratio is not None:
                verdict = "met" if ratio >= wanted else "MISSED"
                rows.append(
                    (result.case.name, _WORDS[function], f"{ratio:.1f}", f"{wanted:.0f}", verdict)
                )
    return rows


def targets_met(results: Sequence[Result]) -> bool:
    """Whether every target that could be measured is met."""
    return all(row[-1] == "met" for row in _targets(results))


def _costs(results: Sequence[Result]) -> str:
    rows = []
    for result in results:
        for name in ("eomc", "CasADi"):
            row = result.best(name)
            if row is None:
                continue
            c = row.contender
            rows.append(
                (
                    result.case.name,
                    _WORDS[result.function],
                    name,
                    c.operations,
                    *(f"{seconds:.3f}" for seconds in (c.derive, c.emit, c.compile)),
                    f"{(c.code or 0) / 1024:.1f}",
                )
            )
    head = ("model", "function", "by", "operations", "derive, s", "emit, s", "compile, s", "kB")
    return _table(head, rows)


def _setting(setting: Setting) -> tuple[str, ...]:
    return (
        setting.model,
        _WORDS[setting.function],
        setting.flags,
        setting.pieces,
        f"{setting.code / 1024:.1f}",
        f"{setting.seconds:.1f}",
        f"{setting.memory:.0f}",
        f"{setting.call:.0f}",
    )


def _attempt(attempt: Attempt) -> tuple[str, ...]:
    method = {"lagrange": "LagrangesMethod", "pydy": "KanesMethod, PyDy"}[attempt.method]
    if attempt.stopped:
        return (method, str(attempt.links), attempt.stopped, "", "", "")
    return (
        method,
        str(attempt.links),
        *("" if s is None else f"{s:.1f}" for s in (attempt.derive, attempt.compile)),
        "" if attempt.call is None else f"{attempt.call:.0f}",
        "" if attempt.error is None else f"{attempt.error:.0e}",
    )
