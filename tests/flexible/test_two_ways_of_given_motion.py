"""The length of a flexible telescope is given: by elimination, and by Lagrange multipliers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import eomc
from eomc.derive.bodies import TelescopicBeam
from eomc.derive.model import Model

LENGTH = "11 + 3/2*sin(t/2)"


def length(t: float) -> tuple[float, float, float]:
    return 11 + 1.5 * np.sin(t / 2), 0.75 * np.cos(t / 2), -0.375 * np.sin(t / 2)


def arm() -> Model:
    model = Model("arm", gravity=(0, -1, 0))
    form = TelescopicBeam(
        slewing_length=7.5,
        slewing_mass=200,
        deployable_length=7.5,
        deployable_mass=200,
        EI=5.5e5,
        length=11,
        payload=400,
        tip_mass_ratio=1.0,
        damping=0.01,
    )
    model.deformable("unit", form)
    model.joint("slew", "revolute", parent="world", child="unit", axis=(0, 0, 1))
    return model


@cache
def eliminated() -> eomc.CompiledModel:
    model = arm()
    model.prescribed("unit_length")
    return eomc.build(model)


@cache
def constrained() -> eomc.CompiledModel:
    model = arm()
    model.constraint("drive", "driver", first="unit_length", expression=LENGTH)
    return eomc.build(model)


@pytest.mark.slow
def test_one_motion_and_the_force_that_maintains_it() -> None:
    start = {"slew": 0.2, "unit_y1": 0.05}
    times = np.linspace(0, 2, 21)
    options = {"t_span": times, "rtol": 1e-9, "atol": 1e-11}
    first = eomc.simulate(
        eliminated(), start, {"slew": 0.1}, prescribed={"unit_length": length}, **options
    )
    start |= {"unit_length": 11.0}
    rates = {"slew": 0.1, "unit_length": 0.75}
    second = eomc.simulate(constrained(), start, rates, **options)
    for name in ("slew", "unit_y1"):
        assert second[name] == pytest.approx(first[name], abs=1e-7 * np.abs(first[name]).max())
    assert np.ptp(first["unit_y1"]) > 1e-3
    names = constrained().coordinates
    kept = [names.index(name) for name in eliminated().coordinates]
    multiplier = eomc.runtime.multipliers(second)["drive.driver"]
    for k in range(0, 21, 5):
        given = ([x] for x in length(times[k]))
        force = eliminated().prescribed_forces(
            second.q[k, kept], second.u[k, kept], np.zeros(2), *given
        )
        assert multiplier[k] == pytest.approx(force[0], rel=1e-6)
        assert abs(force[0]) > 1.0
