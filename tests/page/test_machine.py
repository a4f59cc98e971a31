"""The clock of the page in Node, without a browser: which steps it takes, and what stops it."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import eomc

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no node (apt install nodejs)")
_RUN = """
import { readFileSync } from "node:fs";
const { manifest, start, step, setStep, steps, watched } = JSON.parse(readFileSync("data.json"));
const model = await loadModel(readFileSync("model.wasm"), manifest);
const machine = new Machine(model, { scene: manifest.metadata.picture, start, step });
const chosen = machine.h;
if (setStep) machine.h = setStep;
machine.watched = watched ?? machine.watched;
machine.advance(steps);
const { failure } = machine;
const said = failure?.code ?? failure?.words(model.t, machine.h) ?? null;
const told = { chosen, said, t: model.t, work: machine.work, q: Array.from(model.input("q")) };
machine.reset();
console.log(JSON.stringify({ ...told, again: machine.failure }));
"""


def bead(potential: str, at: float) -> dict[str, Any]:
    """10 g on a line, with a potential energy, and where it starts."""
    model = eomc.Model("bead", gravity=(0, 0, 0))
    model.body("tip", mass=0.01)
    model.joint("slide", "prismatic", parent="world", child="tip", axis=(0, 0, 1))
    model.potential("field", potential)
    return {"live": eomc.build(model).live(), "start": {"q": [at], "u": [0.0]}}


def told(tmp_path: Path, live: Any, **data: Any) -> Any:
    """What the page's own scripts say of a run."""
    page = files("eomc.runtime.page") / "app"
    names = ("start", "step", "machine")
    scripts = [live.glue, *((page / f"{name}.js").read_text("utf-8") for name in names)]
    (tmp_path / "run.mjs").write_text("\n".join([*scripts, _RUN]), encoding="utf-8")
    (tmp_path / "model.wasm").write_bytes(live.wasm)
    data = {"manifest": dict(live.manifest), "step": None, "setStep": None, **data}
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    command = [str(NODE), "run.mjs"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_spring_that_hardens_asks_for_smaller_steps(tmp_path: Path) -> None:
    """Too large ones stop before the state is lost, and name what would have been."""
    given = bead("1e6 * slide**4", at=0.5)
    small = told(tmp_path, **given, steps=200)
    assert small["chosen"] < 1e-3 and small["said"] is None and abs(small["q"][0]) < 0.51
    found = told(tmp_path, **given, setStep=0.01, steps=2000)
    assert found["said"].startswith("The clock has stopped at ")
    assert "slide is not a number any more. Reset and take smaller steps" in found["said"]
    assert found["q"][0] is not None and found["again"] is None


def test_where_no_step_is_small_enough(tmp_path: Path) -> None:
    """A root has no slope at zero: the equations have no acceleration there."""
    found = told(tmp_path, **bead("sqrt(slide)", at=0.0), steps=10)
    assert found["said"] == "no_derivative_of_field" and found["t"] == 0
    assert found["q"] == [0.0] and found["chosen"] == 1e-3


@pytest.mark.slow
def test_a_quaternion_of_any_length_starts_the_same_run(tmp_path: Path) -> None:
    """And one of length zero stops the clock with the code's name."""
    model = eomc.Model("top", gravity=(0, 0, -9.81))
    model.body("top", mass=1, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.02, 0, 0, 0))
    model.joint("tip", "spherical", parent="world", child="top")
    live = eomc.build(model).live()
    long = {"q": [0.5, 0.1, 0.3, 0.2], "u": [0.0, 0.0, 1.0]}
    length = math.hypot(*long["q"])
    unit = {"q": [x / length for x in long["q"]], "u": long["u"]}
    ends = [told(tmp_path, live, start=start, setStep=1e-3, steps=20) for start in (long, unit)]
    assert ends[0]["q"] == pytest.approx(ends[1]["q"], abs=1e-14) and ends[0]["said"] is None
    none = {"q": [0.0] * 4, "u": [0.0] * 3}
    assert told(tmp_path, live, start=none, setStep=1e-3, steps=2)["said"] == "no_rotation"


def test_work_of_losses_is_that_of_the_closed_form(tmp_path: Path) -> None:
    """m v' = -c v from v = 1 loses m (1 - exp(-2 c t/m)) / 2; the clock counts every step."""
    mass, damping = 0.01, 0.05
    model = eomc.Model("damped", gravity=(0, 0, 0))
    model.body("tip", mass=mass)
    model.joint("slide", "prismatic", parent="world", child="tip", axis=(0, 0, 1), damping=damping)
    live = eomc.build(model).live(["power"])
    data = {"live": live, "start": {"q": [0.0], "u": [1.0]}, "setStep": 1e-3}
    watched = told(tmp_path, **data, steps=40, watched=True)
    loss = mass / 2 * (1 - math.exp(-2 * damping * 0.04 / mass))
    assert watched["work"] == pytest.approx(-loss, rel=1e-8)
    free = told(tmp_path, **data, steps=40, watched=False)
    assert free["t"] == pytest.approx(0.04, rel=1e-12) == watched["t"]
    assert free["q"] == pytest.approx([mass / damping * (1 - math.exp(-0.2))], rel=1e-9)
