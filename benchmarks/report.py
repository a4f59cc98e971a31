"""The results of the races in C as sections of the report, and the whole report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measure import ALONE, PINOCCHIO, WIDEST, Result, Row
from benchmarks.section import Section, Target, table, targets_table
from eomc.codegen.compiler import native_vector_bytes

_WORDS = {
    "forward_dynamics": "forward dynamics",
    "inverse_dynamics": "inverse dynamics",
    "mass_matrix": "mass matrix",
    "forward_dynamics_derivatives": "its derivatives by q, u, τ",
    "inverse_dynamics_second_derivatives": "second derivatives of inverse dynamics",
    "rk4_step": "Runge-Kutta step",
}
SPEED = "Speed in C"
_ON_SHORTER = 2 / 3
"""Share of the targets that shorter vectors must reach."""
_NONE = "\N{EN DASH}"
_TIMES = "\N{MULTIPLICATION SIGN}"


def markdown(facts: Mapping[str, str], sections: Sequence[Section], command: str) -> str:
    """All tables, with the command that made them; the targets before the rest."""
    targets = [target for section in sections for target in section.targets]
    parts = [
        "# Benchmarks",
        f"Made by `{command}`. One core unless said otherwise, thread CPU time, all contenders in "
        "turn within one process, 21 rounds; median and quartiles of the rounds. Everything is "
        "checked before it is timed.",
        table(("", ""), facts.items()),
    ]
    if targets:
        parts.append("## Targets\n\n" + targets_table(targets))
    return "\n\n".join(parts + [section.markdown() for section in sections]) + "\n"


def as_json(facts: Mapping[str, str], sections: Sequence[Section]) -> dict[str, Any]:
    """All figures; those of `speed` as results."""
    races = [section for section in sections if section.title == SPEED]
    return {
        "machine": dict(facts),
        "results": [figures for section in races for figures in section.figures],
        "targets": [
            {**vars(target), "value": float(target.value), "met": bool(target.met)}
            for section in sections
            for target in section.targets
        ],
        "sections": {
            section.title: list(section.figures)
            for section in sections
            if section.figures and section not in races
        },
    }


def speed(results: Sequence[Result]) -> Section:
    """Nanoseconds a call in C, beside the peers."""
    names = ("CasADi", "MuJoCo", "Pinocchio")
    rows = [
        (
            result.case.name,
            _WORDS[result.function],
            *(_ns(result.best(name)) for name in ("eomc", ALONE, *names)),
            *(_times(result.ratio(name)) for name in names),
        )
        for result in results
    ]
    reasons = dict.fromkeys(
        f"{name}, {_WORDS[result.function]}: {reason}."
        for result in results
        for name, reason in result.missing.items()
    )
    return Section(
        SPEED,
        "`python -m benchmarks --section speed`: nanoseconds a call (quartiles) over 64 random "
        "states in a ring, at all of which every contender agrees with Pinocchio; the fastest of "
        "four copies of each library, since its place in memory changes the time of the same code "
        "by as much as a half. Where targets are set, ours for AVX2 alone, too. Pinocchio in "
        "link or world axes, tuned for this core or for none, forward dynamics also by CRBA and "
        "Cholesky, whichever is fastest; "
        "CasADi: recursions written by hand on its "
        "scalar graph, the articulated-body or the factored one, whichever is shorter; MuJoCo: "
        "its smooth dynamics without contacts and limits. A Runge-Kutta step is four times "
        "forward dynamics, around the peers by one loop in C.",
        ("model", "function", "eomc", ALONE, *names, *(f"{_TIMES} {name}" for name in names)),
        rows,
        [_figures(result) for result in results],
        list(reasons),
        _targets(results),
    )


def costs(results: Sequence[Result]) -> Section:
    """Section on the making of the code: seconds of each stage, operations, size."""
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
                    "" if c.operations is None else str(c.operations),
                    *(f"{seconds:.3f}" for seconds in (c.derive, c.emit, c.compile)),
                    f"{(c.code or 0) / 1024:.1f}",
                )
            )
    return Section(
        "Cost of making the code",
        "Each function derived, emitted and compiled alone; operations are additions, "
        "subtractions, multiplications and divisions of a call.",
        ("model", "function", "by", "operations", "derive, s", "emit, s", "compile, s", "kB"),
        rows,
    )


def _targets(results: Sequence[Result]) -> list[Target]:
    """Of a case; times Pinocchio they are those of vectors of 512 bit: two thirds on shorter, which
    are measured beside them."""
    share = 1.0 if native_vector_bytes("gcc") == WIDEST else _ON_SHORTER
    targets = []
    for result in results:
        for function, peer, wanted in result.case.targets:
            ratio = result.ratio(peer)
            if function == result.function and ratio is not None:
                words = f"{result.case.name}: {_WORDS[function]}, times {peer}"
                least = wanted * share if peer == PINOCCHIO else wanted
                targets.append(Target(words, ratio, round(least, 2)))
                narrow = result.ratio(peer, ALONE) if peer == PINOCCHIO else None
                if narrow is not None:
                    least = round(wanted * _ON_SHORTER, 2)
                    targets.append(Target(f"{words}, {ALONE}", narrow, least))
    return targets


def _figures(result: Result) -> dict[str, Any]:
    return {
        "model": result.case.name,
        "function": result.function,
        "missing": result.missing,
        "contenders": [
            {
                "name": row.contender.name,
                "ns": row.timing.median,
                "ns_quartiles": [row.timing.low, row.timing.high],
                "error": row.error,
                "operations": row.contender.operations,
                "derive_s": row.contender.derive,
                "emit_s": row.contender.emit,
                "compile_s": row.contender.compile,
                "code_bytes": row.contender.code,
            }
            for row in result.rows
        ],
    }


def _ns(row: Row | None) -> str:
    if row is None:
        return _NONE
    timing = row.timing
    return f"{timing.median:.0f} ({timing.low:.0f}, {timing.high:.0f})"


def _times(ratio: float | None) -> str:
    return _NONE if ratio is None else f"{ratio:.1f}"
