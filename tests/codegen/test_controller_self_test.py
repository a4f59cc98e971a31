"""Emitted controllers: free of the simulation's disturbances, and with a test of their own."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import PD, PID, ComputedTorque, Sampled
from eomc.runtime.control.signal import LowPass, Noise, Quantizer, RateLimit, Saturation
from eomc.runtime.control.task_space import Position, ResolvedAcceleration, Task
from eomc.runtime.difference.equation import linear_equation
from eomc_published.boards.bits import facts, here

ARM = Path(__file__).parents[2] / "examples" / "models" / "arm.toml"


@functools.cache
def arm() -> Any:
    return eomc.build(ARM)


def noisy(law: Any) -> Sampled:
    return Sampled(
        law,
        0.002,
        delay=0.001,
        sensors={"q": [Noise(0.01), Quantizer(2**-10)], "u": [Noise(0.1), LowPass(0.01)]},
        actuators=[Noise(relative=0.02), Saturation(90.0), RateLimit(2000.0)],
    )


def moving(t: float) -> Any:
    return np.array([0.3 + t, -0.4]), np.array([1.0, 0.0]), np.zeros(2)


LAWS = {
    "pid": lambda: PID(arm(), [0.5, -0.4], kp=300, ki=600, kd=40, filter=0.005, limit=150.0),
    "pd": lambda: PD(arm(), moving, 30, 3, gravity=True),
    "computed_torque": lambda: ComputedTorque(arm(), moving, 64.0, parameters={"payload": 1.5}),
    "task": lambda: ResolvedAcceleration(
        Task(arm(), [Position("tip", "xz")]), [[0.5, 0.4]], kp=64.0, kd=16.0, damping=0.01
    ),
}


@pytest.mark.parametrize(("name", "real"), [*((name, "double") for name in LAWS), ("pid", "float")])
def test_it_passes_its_test(name: str, real: Any, tmp_path: Path) -> None:
    folder = eomc.emit_controller(
        noisy(LAWS[name]()), tmp_path, model=ARM, name="law", real=real, self_test=True
    )
    text = (folder / "law.c").read_text() + (folder / "law.h").read_text()
    assert "normal" not in text and "chance" not in text and "seed" not in text
    code, said = here(folder, "law")
    assert code == 0, said
    assert facts(said)[0] >= 16  # each step has a code and an output


def test_the_test_tells_a_fault(tmp_path: Path) -> None:
    """Whose step forgets: each function is right, the steps in a row are not."""
    folder = eomc.emit_controller(
        noisy(LAWS["pid"]()), tmp_path, model=ARM, name="law", self_test=True
    )
    text = (folder / "law.c").read_text()
    assert text.count("state->memory[k] = next[k];") == 1
    (folder / "law.c").write_text(text.replace("state->memory[k] = next[k];", "(void)next[k];"))
    code, said = here(folder, "law")
    assert code == 1 and "wrong: step" in said


def test_the_record_is_that_of_the_controller_in_a_run() -> None:
    """Sample after sample, what `Sampled` commands."""
    from eomc.building.recorded_steps import recorded_steps

    for law in ("pid", "pd", "computed_torque"):
        controller = noisy(LAWS[law]()).undisturbed()
        rows = recorded_steps(controller, controller.equation())
        assert len(rows["tau"]) == 8
        controller.begin(arm(), 0.0)
        for k, (q, u, tau) in enumerate(zip(rows["q"], rows["u"], rows["tau"], strict=True)):
            controller.act(k * 0.002, np.array(q), np.array(u))
            assert np.allclose(controller._coming[-1][1], tau, rtol=1e-12, atol=1e-12)
            controller.act(k * 0.002 + 0.001, np.array(q), np.array(u))  # the delay is over


def test_difference_equations_have_it_too(tmp_path: Path) -> None:
    mean = linear_equation([[0.5]], [[0.5]], [[1.0]], [[0.25]], {"x": ("a",)})
    folder = eomc.emit_controller(mean, tmp_path, name="mean", self_test=True)
    code, said = here(folder, "mean")
    assert code == 0 and "0 of" in said


def test_loops_for_simulation_keep_their_noise(tmp_path: Path) -> None:
    folder = eomc.emit_sampled_loop(ARM, noisy(LAWS["pid"]()), tmp_path, name="law")
    assert "law_normal" in (folder / "law.c").read_text()


def test_the_test_is_the_same_again(tmp_path: Path) -> None:
    texts = [
        (
            eomc.emit_controller(
                noisy(LAWS["pd"]()), tmp_path / name, model=ARM, name="law", self_test=True
            )
            / "test/law_test.c"
        ).read_bytes()
        for name in ("one", "two")
    ]
    assert texts[0] == texts[1]
