"""Cost of parameters that stay adjustable at run time: operations and time of the Panda arm.

python -m benchmarks --section tunable
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks.cases import panda
from benchmarks.compiling import c_function, compile_shared
from benchmarks.contender import Contender
from benchmarks.measure import random_states
from benchmarks.mechanism import Mechanism, mechanism
from benchmarks.ours import call_text
from benchmarks.section import Section
from benchmarks.timing import Timer
from eomc.codegen import emit, write
from eomc.derive.graph import flops
from eomc.derive.model import Model, Placement

FUNCTIONS = ("forward_dynamics", "inverse_dynamics")
_ENTRIES = ("m", "x", "y", "z", "xx", "yy", "zz", "xy", "xz", "yz")


@dataclass(frozen=True)
class Tuned:
    """One function with some parameters tunable; nanoseconds a call, operations beside none."""

    function: str
    tunable: str
    parameters: int
    operations: int
    call: float


def arm(numbers: Mechanism, tunable: Collection[str], damping: float = 0.0) -> Model:
    """The mechanism; link k has parameters m<k>, x<k> ... yz<k>, of which some are tunable."""
    model = Model("arm", gravity=tuple(map(float, numbers.gravity)))
    for k, link in enumerate(numbers.links):
        xx, xy, xz, _, yy, yz, _, _, zz = link.tensor.ravel()
        values = (link.mass, *link.center, xx, yy, zz, xy, xz, yz)
        mass, x, y, z, *inertia = (
            model.parameter(f"{entry}{k}", float(value), tunable=f"{entry}{k}" in tunable)
            for entry, value in zip(_ENTRIES, values, strict=True)
        )
        model.body(f"link{k}", mass=mass, com=(x, y, z), inertia=tuple(inertia))
        px, py, pz = map(float, link.offset)
        x_row, y_row, z_row = ((float(a), float(b), float(c)) for a, b, c in link.rotation)
        model.joint(
            f"joint{k}",
            "revolute",
            parent="world" if link.parent < 0 else f"link{link.parent}",
            child=f"link{k}",
            axis=tuple(map(float, np.eye(3)[link.axis])),
            damping=damping,
            placement=Placement(xyz=(px, py, pz), rotation=(x_row, y_row, z_row)),
        )
    return model


def _contender(model: Model, function: str, folder: Path, name: str) -> tuple[Contender, int]:
    """The function at the default parameters."""
    program = eomc.equations(model).program(functions=[function], name="ours")
    text = call_text(program.functions[0])
    if program.parameters:
        text = text.replace(", y + 0", ", &values, y + 0").replace(
            "void call(const double *x, double *y);\n",
            "static ours_parameters values;\n"
            "__attribute__((constructor)) static void set(void)\n"
            "{\n    values = ours_default_parameters();\n}\n"
            "void call(const double *x, double *y);\n",
        )
    sources = emit(program)
    write({**sources, "call.c": text}, folder)
    library, _, _ = compile_shared(folder, ["call.c", *sources.c_files])
    count = flops(program.graph, program.functions[0].nodes)
    return Contender(name, c_function(library, "call")), count


def measured(build: Path) -> list[Tuned]:
    """All choices of both functions; results are compared before they are timed."""
    numbers = mechanism(panda())
    last = numbers.size - 1
    everything = {f"{entry}{k}" for entry in _ENTRIES for k in range(numbers.size)}
    choices = {"none": set(), f"mass of link {last + 1}": {f"m{last}"}, "all inertial": everything}
    rows = []
    for function in FUNCTIONS:
        made = []
        for number, (words, names) in enumerate(choices.items()):
            place = build / "tunable" / f"{function}_{number}"
            made.append(_contender(arm(numbers, names), function, place, words))
        states = random_states(numbers.size, function)
        values = [contender.values(states, numbers.size) for contender, _ in made]
        for contender, other in zip([c for c, _ in made], values, strict=True):
            error = np.abs(other - values[0]).max() / np.abs(values[0]).max()
            if not error < 1e-10:
                raise ArithmeticError(f"{function}, tunable {contender.name}: off by {error:.1e}")
        times = Timer(build / "timer").race([c for c, _ in made], states, numbers.size)
        rows += [
            Tuned(function, words, len(names), count, timing.median)
            for (words, names), (_, count), timing in zip(choices.items(), made, times, strict=True)
        ]
    return rows


def section(build: Path) -> Section:
    """Operations and nanoseconds beside those with all numbers baked in."""
    rows = measured(build)
    bases = {row.function: row for row in rows if row.tunable == "none"}
    return Section(
        "Tunable parameters",
        "`python -m benchmarks --section tunable`: the Panda arm with all its numbers baked in, "
        "one mass adjustable at run time, and all ten inertial numbers of every link.",
        ("function", "tunable", "parameters", "operations", "", "ns", ""),
        [
            (
                row.function,
                row.tunable,
                str(row.parameters),
                str(row.operations),
                f"+{100 * (row.operations / bases[row.function].operations - 1):.0f} %",
                f"{row.call:.0f}",
                f"{100 * (row.call / bases[row.function].call - 1):+.0f} %",
            )
            for row in rows
        ],
        [asdict(row) for row in rows],
    )
