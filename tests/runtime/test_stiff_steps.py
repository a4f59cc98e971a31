"""Steps of explicit methods that are too long for the fastest rate of a motion are told of."""

from __future__ import annotations

import functools
import re
import warnings
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.model.errors import SimulationError

STIFF = "rate of .* 1/s"


def damped(rate: float) -> eomc.Model:
    """A cart that a damper stops at a rate, beside a pendulum that swings slowly."""
    model = eomc.Model("cart", gravity=(0, 0, -9.81))
    model.body("cart", mass=2)
    model.joint("slide", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    ends = eomc.Point("world", (-1, 0, 0)), eomc.Point("cart", (0, 0, 0))
    model.spring("buffer", *ends, stiffness=1, damping=2 * rate, free_length=1)
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return model


@functools.cache
def cart() -> eomc.CompiledModel:
    return eomc.build(damped(3000.0))


@functools.cache
def block(slip_speed: float) -> eomc.CompiledModel:
    """A block that slides on a floor with friction."""
    model = eomc.Model("block", gravity=(0, 0, -9.81))
    model.body("carrier", mass=0.1)
    model.joint("x", "prismatic", parent="world", child="carrier", axis=(1, 0, 0))
    model.body("block", mass=1)
    model.joint("z", "prismatic", parent="carrier", child="block", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "block", "radius": 0.1},
        surface={"kind": "plane", "at": "world", "normal": (0, 0, 1)},
        normal={"kind": "kelvin_voigt", "stiffness": 2e4, "damping": 100.0},
        friction={"kind": "coulomb", "coefficient": 0.8, "slip_speed": slip_speed},
    )
    return eomc.build(model)


def silent(*arguments: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eomc.simulate(*arguments, **options)


def advised(told: str) -> float:
    (step,) = re.findall(r"step=(\S+)", told)
    return float(step)


def test_a_rate_is_told_with_its_element_and_the_step_that_it_takes() -> None:
    """At 0.3 ms the method is within its stability and follows a rate of 3000/s no more."""
    start = {"hinge": 0.1}, {"slide": 1.0}
    with pytest.warns(UserWarning, match=STIFF) as told:
        eomc.simulate(cart(), *start, 0.3, method="rk4", step=5e-4)
    (said,) = [str(entry.message) for entry in told]
    assert told[0].filename == __file__  # the line that runs
    assert "'buffer' and the speed 'slide' have a rate of 3e+03 1/s" in said
    assert "'Radau' or 'BDF'" in said and advised(said) == pytest.approx(3e-4)
    silent(cart(), *start, 0.3, method="rk4", step=advised(said))


def test_a_run_that_fails_says_it_too() -> None:
    with pytest.warns(UserWarning, match=STIFF), pytest.raises(SimulationError):
        eomc.simulate(cart(), None, {"slide": 1.0}, 3.0, method="rk4", step=2e-3)


def test_friction_at_rest_is_stiff_and_at_a_softer_step_is_not() -> None:
    """mu g / slip_speed = 785 1/s and 7850 1/s (with the carrier, 1.1 kg, less a tenth)."""
    start = {"z": 0.1 - 9.81 / 2e4}
    silent(block(1e-2), start, None, 0.1, method="rk4", step=1e-3)
    with pytest.warns(UserWarning, match="'floor' and the speed 'x' have a rate of 7.1") as told:
        eomc.simulate(block(1e-3), start, None, 0.1, method="rk4", step=1e-3)
    assert advised(str(told[0].message)) == pytest.approx(1.4e-4, rel=0.3)


@pytest.mark.parametrize("method", ["dopri", "RK45"])
def test_methods_whose_steps_stability_cuts_are_told_of(method: str) -> None:
    with pytest.warns(UserWarning, match="as short as stability demands"):
        eomc.simulate(cart(), {"hinge": 1.0}, {"slide": 1.0}, 3.0, method=method, rtol=1e-5)


@pytest.mark.parametrize("method", ["rk4", "dopri", "DOP853", "Radau", None])
def test_runs_that_are_well_resolved_say_nothing(method: str | None) -> None:
    model = eomc.Model("pendulum", gravity=(0, 0, -9.81))
    for k, parent in enumerate(("world", "rod0", "rod1")):
        at = (0, 0, -1.0 if k else 0.0)
        model.body(f"rod{k}", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01, 0, 0, 0))
        model.joint(
            f"hinge{k}", "revolute", parent=parent, child=f"rod{k}", axis=(0, 1, 0), placement=at
        )
    run = silent(eomc.build(model), [1.0, 0.5, -0.5], None, 2.0, method=method, step=2e-3)
    assert np.isfinite(run.q).all()


def test_no_function_is_compiled_for_it() -> None:
    """Functions that the run calls itself tell the rates; the element's name takes one, and only
    where there is something to tell."""
    model = eomc.build(damped(30.0))
    silent(model, {"hinge": 0.1}, {"slide": 1.0}, 0.1, method="rk4", step=1e-3)
    assert "acting_forces" not in model.functions
    assert not any(name.endswith("derivatives") for name in model.functions)


def test_scales_do_not_matter() -> None:
    """The same in other units of length, mass and time."""
    for length, mass, time in ((1e-6, 1e-9, 1e-3), (1e6, 1e9, 1e3)):
        model = eomc.Model("cart")
        model.body("cart", mass=2 * mass)
        model.joint("slide", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
        ends = eomc.Point("world", (-length, 0, 0)), eomc.Point("cart", (0, 0, 0))
        damping = 2 * 3000 * mass / time
        model.spring("buffer", *ends, stiffness=0, damping=damping, free_length=length)
        built, start = eomc.build(model), {"slide": length / time}
        silent(built, None, start, 0.1 * time, method="rk4", step=3e-4 * time)
        with pytest.warns(UserWarning, match="'buffer'"):
            eomc.simulate(built, None, start, 0.1 * time, method="rk4", step=5e-4 * time)
