"""Latches of a page in Node: the same motion through a capture as in Python."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page.test_machine import NODE, spoken

import eomc

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="no node (apt install nodejs)"),
    pytest.mark.slow,
]
_RUN = """
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
globalThis.unpacked = async (text) => new Uint8Array(gunzipSync(Buffer.from(text, "base64")));
const given = JSON.parse(readFileSync("data.json"));
const { manifest, start, steps, configurations, toggled } = given;
const model = await loadModel(readFileSync("model.wasm"), manifest);
const machine = new Machine(model, { scene: manifest.metadata.picture, start, step: 1e-3 });
machine.latches = await latchesOf(machine, configurations);
let said = null;
try {
  for (const name of toggled) machine.latches.toggle(name);
} catch (error) {
  said = error.reason;
}
machine.advance(steps);
said ??= machine.failure?.words(model.t, machine.h) ?? null;
const [q, u] = [model.input("q"), model.input("u")].map((values) => Array.from(values));
const { closed } = machine.latches;
const told = { said, t: model.t, q, u, closed, residual: machine.residual() };
machine.reset();
const back = Array.from(model.input("q"));
console.log(JSON.stringify({ ...told, first: machine.latches.closed, back }));
"""


@cache
def docking() -> eomc.CompiledModel:
    """Two bodies in a plane that latch, and part again at 0.9 s."""
    model = eomc.Model("docking", gravity=(0, 0, 0))
    for name in ("a", "b"):
        model.body(name, mass=1 if name == "a" else 2, inertia=(1, 1, 0.5))
        model.joint(name, "planar", parent="world", child=name, axis=(0, 0, 1))
    model.latch(
        "dock",
        joint="fixed",
        parent="a",
        child="b",
        placement=(0.5, 0, 0),
        child_placement=(-0.5, 0, 0),
        gap=0.01,
        speed=1,
        angle=0.2,
        angular_speed=1,
        opens="t - 0.9",
    )
    return eomc.build(model)


START = {"b_x": 1.2, "b_y": 0.002}
SPEEDS = {"a_x": 0.5, "b_theta": 0.02}


def recorded(tmp_path: Path, steps: int, q: Any, u: Any, toggled: tuple[str, ...] = ()) -> Any:
    """What the scripts of the page say after so many steps of a millisecond."""
    model, live = docking(), docking().live()
    state = {name: [0.0] * 6 for name in ("q", "u")}
    for name, values in (("q", q), ("u", u)):
        for key, value in values.items():
            state[name][model.coordinates.index(key)] = value
    page = resources.files("eomc.runtime.page") / "app"
    names = ("start", "step", "machine", "latches")
    scripts = [live.glue, *((page / f"{name}.js").read_text("utf-8") for name in names)]
    scripts[1] = scripts[1].replace("async function unpacked", "async function inBrowsers")
    (tmp_path / "model.wasm").write_bytes(live.wasm)
    others = [
        {
            "closed": list(closed),
            "manifest": dict(other.manifest),
            "wasm": base64.b64encode(gzip.compress(other.wasm)).decode(),
        }
        for closed, other in live.configurations.items()
    ]
    data = {"manifest": dict(live.manifest), "start": state, "steps": steps, "toggled": toggled}
    (tmp_path / "data.json").write_text(json.dumps({**data, "configurations": others}))
    return spoken(tmp_path, [*scripts, _RUN])


def test_a_capture_and_a_release(tmp_path: Path) -> None:
    run = eomc.simulate(docking(), START, SPEEDS, t_span=1.2, method="rk4", step=1e-3)
    assert [event.what for event in run.latches.events] == ["close", "open"]
    found = recorded(tmp_path, 800, START, SPEEDS)
    assert found["closed"] == ["dock"] and found["said"] is None and found["residual"] < 1e-12
    there = run.at(0.8)
    assert np.allclose(found["u"], there.u, atol=2e-3)  # events are known to a step
    momentum = np.asarray(docking().momentum(np.array(found["q"]), np.array(found["u"])))
    assert np.abs(momentum - run.evaluate("momentum")[0]).max() < 1e-12
    found = recorded(tmp_path, 1200, START, SPEEDS)
    assert found["closed"] == [] and found["first"] == [] and found["back"][3] == START["b_x"]


def test_by_hand_within_the_limits_alone(tmp_path: Path) -> None:
    assert recorded(tmp_path, 10, {"b_x": 1.005}, {"a_x": 0.2}, ("dock",))["closed"] == ["dock"]
    found = recorded(tmp_path, 10, {"b_x": 1.3}, {}, ("dock",))
    assert found["closed"] == []
    assert (
        found["said"]
        == "latch dock cannot close: its gap is 0.3 m, more than the 0.01 m that it allows"
    )


def test_pages_carry_the_module_of_each_set() -> None:
    run = eomc.simulate(docking(), START, SPEEDS, t_span=1.0, step=0.1)
    html = run.view().html
    assert '"configurations":[{"closed":["dock"]' in html and '"stretches":[[0.0,[],{}],' in html


def test_in_a_browser(tmp_path: Path) -> None:
    """The recording goes on with the latches as they are there, and a button opens them."""
    from page.browser import CHROMIUM, DRIVER, browser

    if not (CHROMIUM and DRIVER):
        pytest.skip("no chromium and chromedriver (apt install chromium-driver)")
    run = eomc.simulate(docking(), START, SPEEDS, t_span=0.8, step=0.01)
    run.view(tmp_path / "docking.html")
    with browser() as window:
        window.open(tmp_path / "docking.html", size=(900, 600))
        window.live("replayTo", 0.6)
        assert window.live("closed") == []
        window.script("document.querySelector('[title^=\"Integrate from\"]').click()")
        assert window.live("closed") == ["dock"]
        window.live("steps", 100)
        assert np.allclose(window.live("state")["q"], run.at(0.7).q, atol=1e-6)
        window.live("toggleLatch", "dock")
        assert window.live("closed") == [] and window.live("message") == ""
        assert window.console() == []
