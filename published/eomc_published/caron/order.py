"""The cost of the right-hand side, and what becomes of rigid links (9, 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import eomc
from eomc.systems.flexible_manipulator.data import SMALL
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import Scenario, compiled, peak
from eomc_published.caron.checks import between, within
from eomc_published.caron.scenarios import RIGID_LINK, one, response
from eomc_published.case import Case, CaseCheck, at_most, holds

UNITS = (5, 10, 20, 40, 80)


def operations(units: int) -> int:
    """Of the emitted accelerations."""
    model = FlexibleManipulator(units, 100.0, unit=SMALL).model()
    return eomc.equations(model).system(()).forward.operations


def _growth() -> Iterator[CaseCheck]:
    counts = [operations(units) for units in UNITS]
    slope = np.polyfit(np.log(UNITS), np.log(counts), 1)[0]
    yield at_most("fitted exponent of the operations", float(slope), 1.15)
    a_unit = [count / units for count, units in zip(counts, UNITS, strict=True)]
    yield between("operations a unit, most by fewest", 1.0, max(a_unit) / min(a_unit), 1.15)


def _rigid_links() -> Iterator[CaseCheck]:
    stiff = replace(RIGID_LINK.unit, slewing_EI=5.5e11, deployable_EI=5.5e11)
    # Damping lets an implicit method pass over the ringing that no rigid link has.
    nearly = replace(RIGID_LINK, flexible_units=True, unit=stiff, damping=1.0)
    rigid = response("4-6a")
    start = {"alpha2_twist": np.radians(5)}
    other = Scenario(nearly, one(30.0, 50), start=start, method="BDF", rtol=1e-6, atol=1e-8).run()
    yield within("joint [deg]", peak(other.beta(2)), peak(rigid.beta(2)), 0.01)
    yield within("tip of the platform [m]", peak(other.e(2)), peak(rigid.e(2)), 0.01)
    sizes = [compiled(each).nq for each in (RIGID_LINK, nearly)]
    yield holds(
        "coordinates, rigid and stiff", "5 and 6", f"{sizes[0]} and {sizes[1]}", sizes == [5, 6]
    )


CASES = (
    Case(
        9,
        "Cost by number of units",
        "sec. 2.6",
        "operations of the emitted code",
        _growth,
        slow=True,
        note="Times are measured by benchmarks/flexible_units.py; operations do not depend on the "
        "machine.",
    ),
    Case(
        10,
        "Rigid links",
        "fig. 4-6",
        "the switch against links a million times stiffer",
        _rigid_links,
        slow=True,
    ),
)
