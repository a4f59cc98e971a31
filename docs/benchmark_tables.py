"""Tables and sentences of pages from `benchmarks/recorded`, the last `python -m benchmarks`."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

RECORDED = Path(__file__).parent.parent / "benchmarks" / "recorded"
RECORD = RECORDED / "benchmarks.json"
REPORT = RECORD.with_suffix(".md")
PANDA, G1, CHAIN = "Panda, 7 joints", "G1, 29 joints", "chain, 30 joints"

Row = dict[str, Any]


def section(title: str) -> list[Row]:
    """Rows of a section. Raises KeyError if the record has none of that title."""
    rows: list[Row] = json.loads(RECORD.read_text(encoding="utf-8"))["sections"][title]
    return rows


def row(title: str, **wanted: Any) -> Row:
    """The one row of a section with these values. Raises LookupError otherwise."""
    found = [entry for entry in section(title) if wanted.items() <= entry.items()]
    if len(found) != 1:
        raise LookupError(f"{RECORD.name}, {title}: {len(found)} rows with {wanted}")
    return found[0]


def reported(title: str, part: str, shown: tuple[str, ...] = ()) -> str:
    """A table of the report of the benchmarks, or a sentence where its last run had no such.

    With `shown`, only the rows whose first entry is one of these.
    """
    rest = REPORT.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    lines = rest.partition("\n## ")[0].splitlines()
    rows = [line for line in lines if line.startswith("|")]
    if shown:
        rows = rows[:2] + [line for line in rows[2:] if line.split("|")[1].strip() in shown]
    machine = json.loads(RECORD.read_text(encoding="utf-8"))["machine"]["processor"]
    if not rows:
        command = f"`python -m benchmarks --section {part}`"
        return f"*The last recorded run has no such table; {command} makes it.*"
    return "\n".join([f"On one core of {machine}:", "", *rows])


def forms_block() -> str:
    """The same C with vectors of the machine, with those of AVX2, and with none."""
    return reported("Forms of one function", "forms", (PANDA, G1, CHAIN))


def blocks_block() -> str:
    """Long matrices in a line and in loops over blocks of columns."""
    longest = ("chain, 60 joints", "chain, 100 joints", "robot with hands, 64 speeds")
    return reported("Long matrices", "blocks", longest)


def masts_block() -> str:
    """Forward dynamics of masts of struts and cables, by their height."""
    return reported("Masts of struts and cables", "cables")


def collocation_block() -> str:
    """A problem of optimization on compiled dynamics, and on CasADi's own expressions."""
    return reported("Collocation", "collocation")


def pace_block() -> str:
    """Sizes of pages, and how many times faster than real time their steps are."""
    return reported("Pages", "pages")


def targets_block() -> str:
    """Number of targets that the last run met, and those that it missed."""
    targets = json.loads(RECORD.read_text(encoding="utf-8"))["targets"]
    missed = [target for target in targets if not target["met"]]
    lines = [f"The last recorded run meets {len(targets) - len(missed)} of {len(targets)} targets."]
    for target in missed:
        bound = "at most" if target["at_most"] else "at least"
        lines.append(
            f"Missed: {target['what']}, {target['value']:.3g} ({bound} {target['wanted']:g})."
        )
    return "\n".join(lines)


def scale_block() -> str:
    """Time and memory to derive, emit and compile, by the size of the model."""
    return reported("Scale", "scale")


def python_block() -> str:
    """Time of a call from Python."""
    return reported("From Python", "python")


def loops_block() -> str:
    """Forward dynamics of chains of four-bar linkages, by their number."""
    return reported("Loops", "loops")


def waiting_block() -> str:
    """Processor time from a change of a model to its first results."""
    record = json.loads((RECORDED / "waiting.json").read_text(encoding="utf-8"))
    rows = [f"| {row['what']} | {row['seconds']:.2g} |" for row in record["sections"]["Waiting"]]
    head = f"On one core of {record['machine']['processor']}:"
    return "\n".join([head, "", "| task | s |", "| --- | ---: |", *rows])


def studies_block() -> str:
    """Time of a study of many runs beside that of its steps in C, by the number of runs."""
    lines = [
        "| runs | the emitted C | a study, kept in a folder | |",
        "| ---: | ---: | ---: | --- |",
    ]
    for entry in section("Studies"):
        bare, whole = (entry[key] * entry["runs"] / 1e6 for key in ("bare", "studied"))
        lines.append(
            f"| {entry['runs']} | {bare:.1f} s | {whole:.1f} s | {entry['share']:.0%} in C |"
        )
    return "\n".join(lines)


def jax_block() -> str:
    """Forward dynamics inside JAX beside the physics engines written in it."""
    rows = section("Inside JAX")
    own = rows[0]["state"]
    lines = [
        "| Panda, 1024 states | compiled in, s | a state, µs | times slower |",
        "| --- | ---: | ---: | ---: |",
        *(
            f"| {entry['contender']} | {entry['compiling']:.2g} | {entry['state']:.3g} | "
            f"{entry['state'] / own:.2g} |"
            for entry in rows
        ),
    ]
    return "\n".join(lines)


def tunable_block() -> str:
    """Operations and times of the Panda arm by how many of its numbers stay adjustable."""
    lines = [
        "| function | tunable | parameters | operations | | time | |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    fixed: Row = {}
    for entry in section("Tunable parameters"):
        if entry["parameters"] == 0:
            fixed = entry
        more, slower = (
            "" if entry is fixed else f"{100 * (entry[key] / fixed[key] - 1):+.0f} %"
            for key in ("operations", "call")
        )
        lines.append(
            f"| `{entry['function']}` | {entry['tunable']} | {entry['parameters']} | "
            f"{entry['operations']} | {more} | {entry['call']:.0f} ns | {slower} |"
        )
    return "\n".join(lines)


def chain_block() -> str:
    """Operations of serial chains beside the literature, and how they grow."""
    rows = section("Operations")
    ways = ("alternating", "arbitrary", "literature")
    lines = [
        "| n | function | alternating axes | arbitrary axes | literature | algorithm |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {entry['joints']} | {entry['function']} | "
            f"{' | '.join(str(entry[way]) for way in ways)} | {entry['algorithm']} |"
            for entry in rows
            if entry["joints"] in (7, 30, 100)
        ),
    ]

    def counts(function: str, way: str) -> dict[int, int]:
        return {e["joints"]: e[way] for e in rows if e["function"] == function}

    inverse, forward = (
        {way: counts(f"{kind}_dynamics", way) for way in ways} for kind in ("inverse", "forward")
    )

    def power(found: dict[int, int]) -> str:
        return f"{math.log(found[200] / found[50]) / math.log(4):.3f}"

    def each(way: str) -> list[str]:
        return [f"{(kind[way][200] - kind[way][100]) / 100:.0f}" for kind in (inverse, forward)]

    derived, known = counts("mass_matrix", "arbitrary"), counts("mass_matrix", "literature")
    fewer = max(n for n in derived if derived[n] < known[n])
    more = min(n for n in derived if n > fewer)
    alternating, arbitrary, literature = (each(way) for way in ways)
    words = (
        f"From 50 to 200 joints the operations of inverse and forward dynamics grow with powers "
        f"{power(inverse['alternating'])} and {power(forward['alternating'])}\nof the number of "
        f"joints ({power(inverse['arbitrary'])} and {power(forward['arbitrary'])} for arbitrary "
        f"axes). Each further joint costs {' and '.join(alternating)} operations\n"
        f"({' and '.join(arbitrary)} for arbitrary axes; {' and '.join(literature)} in the "
        f"literature). The mass matrix has n² entries. For arbitrary axes, its derived form takes "
        f"more\noperations than Featherstone's from between {fewer} and {more} joints, by "
        f"{100 * (derived[100] / known[100] - 1):.0f} % at 100."
    )
    return "\n".join([*lines, "", words])


def derivative_growth_block() -> str:
    """Operations of exact derivatives by the number of joints, and powers of it."""
    rows = section("Operations of derivatives")
    sizes = [key for key in rows[0] if key.isdigit()]
    lines = [
        f"| function | {' | '.join(f'n = {n}' for n in sizes)} | fitted | last |",
        f"|{' --- |' * (len(sizes) + 3)}",
        *(
            f"| {entry['function']} | {' | '.join(str(entry[n]) for n in sizes)} | "
            f"{entry['power']:.3f} | {entry['last_power']:.3f} |"
            for entry in rows
        ),
    ]
    return "\n".join(lines)


def free_flyer_block() -> str:
    """Operations of the derivations of the spatial free-flyer, and what deriving takes."""
    rows = section("Spatial free-flyer")
    counts = [f"| {entry['derivation']} | {entry['operations']} |" for entry in rows]
    timed = [
        f"| {entry['derivation']} | {' | '.join(f'{s:.2f}' for s in entry['seconds'])} |"
        for entry in rows
        if entry["seconds"]
    ]
    return "\n".join(
        [
            *("| derivation | operations |", "| --- | ---: |", *counts, ""),
            "Derivation and emission of C take (`--t-span`):",
            *("", "| derivation | derive, s | emit, s |", "| --- | ---: | ---: |", *timed),
        ]
    )


def piece_block() -> str:
    """Time and memory of compiling long functions in pieces and whole, and the time of a call."""
    shared = {"model": G1, "function": "forward_dynamics_derivatives", "flags": "-O2"}
    pieces = row("Settings", pieces="500", **shared)
    whole = row("Settings", pieces="whole", **shared)
    chain = row("Scale", model="chain of 200", functions="forward dynamics")
    return (
        f"The derivatives of a humanoid with 29 joints, {pieces['code'] / 1024:.0f} kB, compile in "
        f"{pieces['seconds']:.1f} s and {pieces['memory']:.0f} MB;\nin one piece in "
        f"{whole['seconds']:.0f} s and {whole['memory']:.0f} MB, to slower code "
        f"({whole['call']:.0f} ns a call instead of {pieces['call']:.0f}).\nForward dynamics of a "
        f"chain of 200 joints, {chain['text'] / 1024:.1f} MB of C, takes {chain['compile']:.1f} s "
        f"and {chain['memory']:.0f} MB."
    )


def trom_block() -> str:
    """Time of a pass of differences over that of exact derivatives, by example."""
    ratios = [
        f"{entry['ratio']:.1f} ({entry['example']})"
        for entry in section("Linearization")
        if entry["coordinates"] < 20
    ]
    lowest = min(entry["ratio"] for entry in section("Linearization"))
    return (
        "One pass of differences takes this many times as long as the exact derivatives, in the "
        f"same state:\n{', '.join(ratios)};\nat least {lowest:.1f}. A whole `linearize` also has "
        "checks and reduction, which cost the same with both."
    )


def flexible_units_block() -> str:
    """Cost of the flexible manipulator by its number of units."""
    lines = [
        "| units | speeds | operations | a unit | compile, s | kB | ns a call |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rows = section("Flexible manipulator")
    lines += [
        f"| {entry['units']} | {entry['speeds']} | {entry['operations']} | "
        f"{entry['operations'] / entry['units']:.0f} | {entry['compile_s']:.1f} | "
        f"{entry['code_kB']:.0f} | {entry['ns']:.0f} ({entry['ns_low']:.0f}, "
        f"{entry['ns_high']:.0f}) |"
        for entry in rows
    ]
    powers = [_power(rows, key) for key in ("operations", "ns")]
    last = (
        f"The exponents of fitted power laws are {powers[0]:.3f} for the operations and "
        f"{powers[1]:.3f} for the time."
    )
    return "\n".join([*lines, "", last])


def _power(rows: list[Row], key: str) -> float:
    units, values = ([math.log(entry[name]) for entry in rows] for name in ("units", key))
    return float(np.polyfit(units, values, 1)[0])
