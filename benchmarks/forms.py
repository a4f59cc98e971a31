"""Gain by vectors for one state: the same C as it is, for AVX2 alone, with vectors switched off.

    python -m benchmarks.forms

Contenders that are byte-identical run at different speeds, by where their pages fall: each library
is copied, and the fastest copy counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks import flexible_units, loops
from benchmarks.cases import ALL, DYNAMICS, G1, g1, panda
from benchmarks.compiling import AVX2_FLAGS, FLAGS, compile_measured
from benchmarks.contender import Array, Contender, Unavailable, copied
from benchmarks.core import measured
from benchmarks.ours import call_text
from benchmarks.robot_files import robot_file
from benchmarks.section import Section, Target, print_alone
from benchmarks.timing import STATES, Timer
from eomc.codegen import emit, write
from eomc.codegen.code_size import machine_code
from eomc.codegen.plan.cost import CostEstimate, call_time
from eomc.derive.equations import Equations
from eomc.derive.formats import load
from eomc.derive.graph import Program
from eomc.derive.graph.tuning import CORE, Core
from eomc.derive.model import Model
from eomc.systems.chain import general_chain
from eomc.systems.flexible_manipulator.data import SMALL
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.four_bar_chain import four_bar_chain
from eomc.systems.free_flyer import spatial

NO_VECTORS = (*FLAGS, "-DOURS_NO_VECTORS")
KINDS = {"as it is": FLAGS, "AVX2 alone": AVX2_FLAGS, "no vectors": NO_VECTORS}
# Of the largest entry; forms round differently where multiplications and additions are fused.
TOLERANCE = {"forward_dynamics_derivatives": 1e-9}
_GAIN = 1.5
_OFF = 0.25
_ESTIMATED = ("Panda, 7 joints", "G1, 29 joints", "chain, 30 joints")
FORWARD = ("forward_dynamics",)
StatesOf = Callable[[Program], Array]


@dataclass(frozen=True)
class Form:
    """One function compiled one way: bytes of machine code, ns, and what was estimated, by the
    numbers that emission goes by and by those of this core."""

    model: str
    function: str
    kind: str
    form: str
    estimate: int
    here: float
    code: int
    call: float


def random_states(program: Program) -> Array:
    """Rows of all inputs of a function, quaternions of unit length."""
    (function,) = program.functions
    rng = np.random.default_rng(len(function.inputs[0].entries))
    blocks = []
    for port in function.inputs:
        block = rng.uniform(-1.5, 1.5, (STATES, len(port.entries)))
        for first in (k for k, name in enumerate(port.rows) if name.endswith("_qw")):
            quaternion = block[:, first : first + 4]
            quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
        blocks.append(block)
    return np.ascontiguousarray(np.hstack(blocks))


def forms(
    model: str,
    equations: Equations,
    function: str,
    timer: Timer,
    folder: Path,
    states_of: StatesOf,
    core: Core,
) -> list[Form]:
    """All kinds of one function, checked against each other and timed in turn."""
    program = equations.program(functions=(function,), name="ours")
    sources = emit(program)
    (first,) = program.functions
    text = {**sources, "call.c": call_text(first)}
    facts = json.loads(sources["ours.json"])["functions"][function]["form"]
    contenders: list[Contender] = []
    codes = []
    for number, flags in enumerate(KINDS.values()):
        place = write(text, folder / f"{function}{number}")
        made = compile_measured(place, [*sources.c_files, "call.c"], flags)
        codes.append(sum(machine_code(made.library, "ours").values()))
        contenders.append(copied(made.library, str(number)))
    states = states_of(program)
    size = sum(len(port.entries) for port in first.outputs)
    judge, *others = (contender.values(states, size) for contender in contenders)
    bound = TOLERANCE.get(function, 1e-12) * np.abs(judge).max()
    if not all(np.abs(other - judge).max() <= bound for other in others):
        raise RuntimeError(f"{model}: forms of {function} differ")
    times = [timing.median for timing in timer.race(contenders, states, size)]
    cost = CostEstimate(**facts["cost"])
    here = call_time(cost, core)
    return [
        Form(model, function, kind, facts["name"], cost.time, here, code, call)
        for kind, code, call in zip(KINDS, codes, times, strict=True)
    ]


Subject = tuple[str, Callable[[], Model], tuple[str, ...], StatesOf]


def subjects() -> list[Subject]:
    """Robots and a chain, then what has loops, floats or bends."""
    four_bars = four_bar_chain(10)
    arm = FlexibleManipulator(20, 100.0, unit=SMALL)
    return [
        ("Panda, 7 joints", panda, ALL, random_states),
        ("G1, 29 joints", g1, ALL, random_states),
        ("chain, 30 joints", lambda: general_chain(30), ALL, random_states),
        ("G1, floating", floating(G1), ALL, random_states),
        ("Go2, floating", floating("go2_description/urdf/go2.urdf"), ALL, random_states),
        ("space robot, two arms", lambda: spatial("euler_parameters"), ALL, random_states),
        ("ten four-bars", lambda: four_bars, FORWARD, lambda _: loops.states(four_bars)),
        ("flexible, 20 units", arm.model, FORWARD, lambda _: flexible_units.states(arm)),
    ]


def floating(file: str) -> Callable[[], Model]:
    """A robot whose root is free."""
    return lambda: load(
        robot_file(file), base="floating", damping=False, friction=False, inertia="ignore"
    )


def rows(folder: Path) -> list[Form]:
    """All subjects, those without their file left out."""
    timer = Timer(folder / "timer")
    try:
        core, _ = measured(folder / "core")
    except Unavailable:
        core = CORE
    found: list[Form] = []
    for name, make, functions, states_of in subjects():
        try:
            equations = eomc.equations(make())
        except Unavailable as reason:
            print(f"{name} left out: {reason}", file=sys.stderr)
            continue
        place = folder / "".join(c if c.isalnum() else "_" for c in name)
        for function in functions:
            found += forms(name, equations, function, timer, place, states_of, core)
    return found


def section(folder: Path) -> Section:
    """The table; what pairs and rows must save."""
    found = rows(folder)
    groups = [found[k : k + len(KINDS)] for k in range(0, len(found), len(KINDS))]
    targets = [
        Target(f"{now.model}, {now.function}: no vectors by vectors", off.call / now.call, _GAIN)
        for now, _, off in groups
        if now.form in ("pairs", "rows") and now.function in DYNAMICS
    ]
    targets += [
        Target(
            f"{now.model}, {now.function}: time by this core's numbers, off by",
            abs(now.here / now.call - 1),
            _OFF,
            at_most=True,
        )
        for now, _, _ in groups
        if now.model in _ESTIMATED
    ]
    return Section(
        "Forms of one function",
        "`python -m benchmarks --section forms`: the same C with vectors of this machine, those of "
        "AVX2, and none; one state, the fastest of four copies of each library, all in turn. "
        "Estimated by the numbers that emission goes by, and by those of this core.",
        ("model", "function", "form", "estimated", "by this core", *KINDS),
        [
            (
                group[0].model,
                group[0].function,
                group[0].form,
                f"{group[0].estimate} ns",
                f"{group[0].here:.0f} ns",
                *(f"{form.call:.0f} ns, {form.code / 1000:.1f} kB" for form in group),
            )
            for group in groups
        ],
        [asdict(form) for form in found],
        (),
        targets,
    )


if __name__ == "__main__":
    print_alone(section)
