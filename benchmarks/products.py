"""Products of derivatives with vectors beside the functions that they are of.

python -m benchmarks --section products
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks.cases import robots_and_chain
from benchmarks.ours import ours
from benchmarks.section import Section, Target
from benchmarks.timing import STATES, Timer
from eomc.derive.model import Model

WANTED = {"forward_dynamics_vjp": 2.3, "inverse_dynamics_hvp": 5.0}
OF = ("forward_dynamics", "inverse_dynamics")
KINDS = ("vjp", "jvp", "hvp")


@dataclass(frozen=True)
class Product:
    """Nanoseconds of a product and of its function, in the same rounds."""

    model: str
    function: str
    operations: int
    once: float
    product: float

    @property
    def times(self) -> float:
        """How many times as long as the function."""
        return self.product / self.once


def measured(name: str, model: Model, of: str, timer: Timer, folder: Path) -> list[Product]:
    """All products of one function at random arguments."""
    names = [of, *(f"{of}_{kind}" for kind in KINDS)]
    program = eomc.equations(model).program(functions=names)
    taken, given = (
        max(sum(len(port.entries) for port in ports(function)) for function in program.functions)
        for ports in (lambda function: function.inputs, lambda function: function.outputs)
    )
    contenders = [ours(model, each, folder / each, name=each) for each in names]
    states = np.random.default_rng(0).uniform(-1.5, 1.5, (STATES, taken))
    once, *times = timer.race(contenders, states, given)
    return [
        Product(name, each.name, each.operations or 0, once.median, timing.median)
        for each, timing in zip(contenders[1:], times, strict=True)
    ]


def section(folder: Path) -> Section:
    """The arm, the humanoid where its file is installed, a chain."""
    timer = Timer(folder / "timer")
    rows: list[Product] = []
    for name, model, place in robots_and_chain():
        for of in OF:
            rows += measured(name, model, of, timer, folder / place)
    return Section(
        "Products of derivatives",
        "`python -m benchmarks --section products`: products with a vector from the left (vjp), "
        "from the right (jvp), and of second derivatives under weights along a direction (hvp), in "
        "C on one core beside one call of the function itself; the fastest of four copies.",
        ("model", "function", "operations", "ns", "times the function"),
        [
            (row.model, row.function, f"{row.operations}", f"{row.product:.0f}", f"{row.times:.2f}")
            for row in rows
        ],
        [asdict(row) for row in rows],
        targets=[
            Target(
                f"{row.model}: {row.function}, times the function in time",
                row.times,
                WANTED[row.function],
                at_most=True,
            )
            for row in rows
            if row.function in WANTED
        ],
    )
