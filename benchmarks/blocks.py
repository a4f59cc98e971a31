"""Matrices that are long in a line, beside loops over blocks of their columns.

python -m benchmarks --section blocks
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

import eomc
from benchmarks.compiling import AVX2_FLAGS, FLAGS, PORTABLE_FLAGS, compile_measured
from benchmarks.contender import copied
from benchmarks.ours import call_text
from benchmarks.section import Section, Target
from benchmarks.timing import Timer
from eomc.codegen import emit, write
from eomc.derive.graph import Program
from eomc.derive.model import Model
from eomc.systems.chain import general_chain

MASS, INVERSE, FORWARD = (
    "mass_matrix",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
KINDS = {"as it is": FLAGS, "AVX2 alone": AVX2_FLAGS, "any machine": PORTABLE_FLAGS}


def with_hands() -> Model:
    """Legs and arms of seven joints on a floating trunk, hands of five fingers: 64 speeds."""
    rng = np.random.default_rng(0)
    model = eomc.Model("with_hands")

    def link(name: str, parent: str, kind: str = "revolute") -> None:
        com, xyz, rpy = (tuple(map(float, rng.uniform(-s, s, 3))) for s in (0.1, 0.3, 1.0))
        mass = float(rng.uniform(0.2, 2))
        model.body(name, mass=mass, com=com, inertia=(0.1, 0.12, 0.15, 0.01, -0.02, 0.005))
        place = eomc.Placement(xyz=xyz, rpy=rpy)
        axis = {} if kind == "floating" else {"axis": (0, 0, 1)}
        model.joint(f"{name}_joint", kind, parent=parent, child=name, placement=place, **axis)

    link("trunk", "world", "floating")
    for limb in ("left_leg", "right_leg", "left_arm", "right_arm"):
        for k in range(7):
            link(f"{limb}_{k}", f"{limb}_{k - 1}" if k else "trunk")
        for finger in range(5 if limb.endswith("arm") else 0):
            for k in range(3):
                own = f"{limb}_finger_{finger}"
                link(f"{own}_{k}", f"{own}_{k - 1}" if k else f"{limb}_6")
    return model


CASES: tuple[tuple[str, Callable[[], Model], str, float, float], ...] = (
    ("chain, 75 joints", lambda: general_chain(75), MASS, 1, 10),
    ("chain, 100 joints", lambda: general_chain(100), MASS, 1, 10),
    ("chain, 36 joints", lambda: general_chain(36), INVERSE, 1, 10),
    ("chain, 60 joints", lambda: general_chain(60), INVERSE, 1, 10),
    ("robot with hands, 64 speeds", with_hands, INVERSE, 1.2, 1.5),
    ("chain, 30 joints", lambda: general_chain(30), FORWARD, 1, 1.1),
    ("chain, 60 joints", lambda: general_chain(60), FORWARD, 1, 10),
    ("robot with hands, 64 speeds", with_hands, FORWARD, 1, 10),
)
"""Name, model, function; at most the time of loops by that of the line, at least the time to make
the line by that to make loops. Fingers fill rows badly; where a line is written to be weighed, it
would be kept if it were 1.2 times as quick."""


@dataclass(frozen=True)
class Form:
    """A line or loops; `call` : ns by kind of machine; `code` : bytes, as it is."""

    model: str
    function: str
    in_loops: bool
    emit: float
    compile: float
    code: int
    call: dict[str, float]


def forms(name: str, program: Program, timer: Timer, folder: Path) -> tuple[Form, Form]:
    """The line, then the loops that emission chooses, timed in turn and checked."""
    (function,) = program.functions
    facts, libraries = [], []
    for in_loops in (False, True):
        chosen = (
            program if in_loops else replace(program, functions=(replace(function, blocked={}),))
        )
        begin = time.perf_counter()
        sources = emit(chosen)
        emission = time.perf_counter() - begin
        told = json.loads(sources["ours.json"])["functions"][function.name]
        assert (told["form"]["name"] == "loops") == in_loops
        made = []
        for number, flags in enumerate(KINDS.values()):
            place = write(
                {**sources, "call.c": call_text(function)}, folder / f"{in_loops}{number}"
            )
            made.append(compile_measured(place, [*sources.c_files, "call.c"], flags))
        facts.append((emission, made[0].seconds, made[0].code))
        libraries.append([each.library for each in made])
    states = np.random.default_rng(0).uniform(
        -1.5, 1.5, (64, sum(len(port.entries) for port in function.inputs))
    )
    if "q" in program.index_names and any(q.endswith("_qw") for q in program.index_names["q"]):
        states[:, 3:7] /= np.linalg.norm(states[:, 3:7], axis=1)[:, None]
    size = sum(len(port.entries) for port in function.outputs)
    calls: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for number, kind in enumerate(KINDS):
        contenders = [copied(found[number], f"{kind}{k}") for k, found in enumerate(libraries)]
        line, loops = (contender.values(states[:4], size) for contender in contenders)
        if not np.abs(line - loops).max() <= 1e-12 * np.abs(line).max():
            raise RuntimeError(f"{name}: {function.name} in loops differs from the line")
        for call, timing in zip(calls, timer.race(contenders, states, size), strict=True):
            call[kind] = timing.median
    first, second = (Form(name, function.name, bool(k), *facts[k], calls[k]) for k in range(2))
    return first, second


def section(folder: Path) -> Section:
    """The table, and what loops must save."""
    timer = Timer(folder / "timer")
    found = []
    for number, (name, model, function, *_) in enumerate(CASES):
        program = eomc.equations(model()).program(functions=(function,), name="ours")
        found.append(forms(name, program, timer, folder / str(number)))
    targets = []
    for (line, loops), (*_, most, longer) in zip(found, CASES, strict=True):
        what = f"{line.model}, {line.function}: blocks by line"
        ratio = loops.call["as it is"] / line.call["as it is"]
        made = (line.emit + line.compile) / (loops.emit + loops.compile)
        targets.append(Target(f"{what}, time", ratio, most, at_most=True))
        targets.append(
            Target(f"{line.model}, {line.function}: line by blocks, to make", made, longer)
        )
    return Section(
        "Long matrices",
        "`python -m benchmarks --section blocks`: matrices whose line is longer than 150 kB, in a "
        "line and in loops over blocks of columns, which emission chooses; time of one call with "
        "the vectors of this machine, with AVX2 alone and with what any x86-64 has, in ns; machine "
        "code and tables in kB; seconds to emit and to compile.",
        ("model", "function", "form", *KINDS, "kB", "emit", "compile"),
        [_row(form) for pair in found for form in pair],
        [asdict(form) for pair in found for form in pair],
        (),
        targets,
    )


def _row(form: Form) -> tuple[str, ...]:
    return (
        form.model,
        form.function,
        "blocks" if form.in_loops else "line",
        *(f"{form.call[kind]:.0f}" for kind in KINDS),
        f"{form.code / 1000:.0f}",
        f"{form.emit:.1f}",
        f"{form.compile:.1f}",
    )
