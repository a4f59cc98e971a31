"""The live page in a real browser: it starts, moves and obeys, with the same numbers as Python."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page.browser import Browser, browser, needs_browser

import eomc
from eomc.cli import main
from eomc.runtime import CompiledModel, simulate
from eomc.runtime.model.errors import ViewError
from eomc.runtime.picture.placed import placed

pytestmark = needs_browser
MODELS = Path("examples/models")
AT = {"double_pendulum": {"shoulder": 2.2, "elbow": 0.6}, "four_bar": {}, "panda": {}}


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@cache
def compiled(name: str) -> CompiledModel:
    model = name if name.endswith(".toml") else str(MODELS / f"{name}.toml")
    return eomc.build(model)


def page(folder: Path, name: str) -> Path:
    """Written once."""
    path = folder / f"{name}.html"
    if not path.exists():
        compiled(name).view(path, q=AT[name])
    return path


@cache
def frictionless() -> CompiledModel:
    model = eomc.Model("free_double_pendulum")
    for k, parent in enumerate(("world", "upper")):
        name = ("upper", "lower")[k]
        model.body(name, mass=1.0, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.001))
        place = (0, 0, 0) if k == 0 else (0, 0, -1)
        model.joint(f"j{k}", "revolute", parent=parent, child=name, axis=(0, 1, 0), placement=place)
    return eomc.build(model)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["double_pendulum", "panda"])
def test_case_07_a_run_is_pythons(window: Browser, folder: Path, name: str) -> None:
    window.open(page(folder, name))
    start = window.live("state")
    window.live("steps", 2000)
    end = window.live("state")
    run = simulate(compiled(name), start["q"], start["u"], 2.0, method="rk4", step=1e-3)
    assert end["q"] == run.final.q.tolist()
    assert end["u"] == run.final.u.tolist()


@pytest.mark.slow
def test_case_07_of_a_loop(window: Browser, folder: Path) -> None:
    """Steps are projected in the page as in Python."""
    window.open(page(folder, "four_bar"))
    start = window.live("state")
    window.live("steps", 2000)
    end = window.live("state")
    run = simulate(compiled("four_bar"), start["q"], start["u"], 2.0, method="rk4", step=1e-3)
    assert np.max(np.abs(np.array(end["q"]) - run.final.q)) <= 1e-12
    assert np.max(np.abs(np.array(end["u"]) - run.final.u)) <= 1e-12


def test_case_08_size(folder: Path) -> None:
    text = page(folder, "double_pendulum").read_bytes()
    assert len(text) <= 450_000


@pytest.mark.slow
def test_case_11_loads_clean(window: Browser, folder: Path) -> None:
    path = page(folder, "double_pendulum")
    window.open(path)
    events = [json.loads(e["message"])["message"] for e in window.driver.get_log("performance")]
    asked = [
        e["params"]["request"]["url"]
        for e in events
        if e["method"] == "Network.requestWillBeSent"
        and e["params"]["request"]["url"] != "about:blank"
    ]
    assert [url.split("#")[0] for url in asked] == [path.as_uri()]
    assert window.console() == []
    assert window.driver.title == "double_pendulum"


@pytest.mark.slow
def test_case_12_moves(window: Browser, folder: Path) -> None:
    window.open(page(folder, "double_pendulum"))
    before, first = np.array(window.live("poses")), window.picture()
    window.live("steps", 500)
    after, second = np.array(window.live("poses")), window.picture()
    places = (before - after).reshape(-1, 3, 4)[:, :, 3]
    assert np.max(np.linalg.norm(places, axis=1)) > 0.01
    assert np.mean(np.any(first != second, axis=2)) > 0.01
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 200
    assert np.mean(np.max(np.abs(first - first[2, 2]), axis=2) > 12) > 0.02


@pytest.mark.slow
@pytest.mark.parametrize("played", ["equations", "recording"])
def test_case_12_plays_before_the_eye(window: Browser, folder: Path, played: str) -> None:
    """Whoever presses play sees it move; no call of the hook draws anything here."""
    path = page(folder, "double_pendulum")
    if played == "recording":
        path = folder / "played.html"
        simulate(compiled("double_pendulum"), [2.2, 0.6], t_span=60.0, step=0.05).view(path)
    window.open(path)
    before = window.screen()
    window.script("document.querySelector('#bar button.main').click()")
    window.wait("parseFloat(document.querySelector('#bar .clock').textContent) > 0.1")
    assert np.mean(np.any(window.screen() != before, axis=2)) > 0.01
    pace = window.script("return document.getElementById('pace').textContent")
    # A slow or busy machine cannot keep the pace, and the page says so.
    assert re.fullmatch(r"[\d.e]+\xd7 real time(, slower than asked for)?", pace)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "panda"])
def test_case_13_markers(window: Browser, folder: Path, name: str) -> None:
    """Poses by compiled.frame in Python, projected with the page's matrices, meet its own pixels;
    and the picture has dots there."""
    model = compiled(name)
    window.open(page(folder, name))
    rng = np.random.default_rng(13)
    for k in range(5):
        q = model.random_configuration(rng)
        window.live("set", {"q": q.tolist()})
        places = [np.array(model.frame(f).pose(q))[:3, 3] for f in model.frames]
        camera = window.live("camera")
        expected = np.array([pixels(camera, place) for place in places])
        shown = np.array([window.live("project", place.tolist()) for place in places])
        rows = np.array(window.live("poses")).reshape(-1, 3, 4)[:, :, 3]
        assert (
            np.max(np.min(np.linalg.norm(rows[:, None] - np.array(places), axis=2), axis=0)) < 1e-12
        )
        assert np.max(np.abs(expected - shown)) <= 1e-9
        if k:
            continue
        assert_dot(window, places[-1], expected[-1])


def assert_dot(window: Browser, place: Any, at: Any) -> None:
    """A dot that is drawn at a place of the world is found in the picture where it belongs."""
    window.live("dots", [place.tolist()])
    picture = window.picture()
    dot = (picture[:, :, 0] > 230) & (picture[:, :, 1] < 25) & (picture[:, :, 2] > 230)
    assert dot.any()
    rows, columns = np.nonzero(dot)
    assert np.hypot(columns.mean() + 0.5 - at[0], rows.mean() + 0.5 - at[1]) <= 1.5
    window.live("dots", [])


def pixels(camera: dict[str, Any], place: Any) -> tuple[float, float]:
    """By the matrices of OpenGL, column-major."""
    view, projection = (np.array(camera[m]).reshape(4, 4).T for m in ("view", "projection"))
    x, y, _, w = projection @ view @ np.array([*place, 1.0])
    return (x / w + 1) / 2 * camera["width"], (1 - y / w) / 2 * camera["height"]


@pytest.mark.slow
def test_case_15_energy(window: Browser, folder: Path) -> None:
    path = folder / "free.html"
    frictionless().view(path, q={"j0": 2.0, "j1": 0.5})
    window.open(path)
    start = window.live("state")
    window.live("steps", 10_000)
    energy = window.live("energy")
    model = frictionless()
    q, u = model.rk4(start["q"], start["u"], [0.0, 0.0], 1e-3, 10_000)
    kinetic = model.kinetic_energy(q, u)
    python = kinetic + model.potential_energy(q)
    assert energy["now"] == python[-1] and energy["start"] == python[0]
    assert abs(python[-1] - python[0]) < 1e-6 * np.max(kinetic)


@pytest.mark.slow
def test_case_16_a_loop_stays_closed(window: Browser, folder: Path) -> None:
    window.open(page(folder, "four_bar"))
    window.live("steps", 10_000)
    assert window.live("residual") <= 1e-12
    for value in (0.3, 1.0, -0.8, 2.5):
        window.live("setCoordinate", "drive", value)
        assert window.live("residual") <= 1e-12


@pytest.mark.slow
def test_case_17_sliders(window: Browser, folder: Path) -> None:
    window.open(page(folder, "four_bar"))
    first = window.picture()
    assert window.live("setCoordinate", "drive", 1.0)
    state = window.live("state")
    assert abs(state["q"][0] - 1.0) <= 1e-9 and window.live("residual") <= 1e-12
    assert np.any(window.picture() != first)
    shown = window.script(
        "return [...document.querySelectorAll('#panel output')].map(o => o.textContent)"
    )
    assert "1 rad" in shown
    # What no closed loop has is refused, in words, and nothing moves.
    before = window.live("state")["q"]
    assert not window.live("setCoordinate", "pivot", 1.57)
    assert "do not close" in window.live("message")
    assert np.allclose(window.live("state")["q"], before, atol=1e-12)
    window.live("reset")
    window.live("setParameter", "k", 7.5)
    start = window.live("state")
    window.live("steps", 1000)
    run = simulate(
        compiled("four_bar"),
        start["q"],
        start["u"],
        1.0,
        method="rk4",
        step=1e-3,
        parameters={"k": 7.5},
    )
    other = simulate(compiled("four_bar"), start["q"], start["u"], 1.0, method="rk4", step=1e-3)
    end = np.array(window.live("state")["q"])
    assert np.max(np.abs(end - run.final.q)) <= 1e-12
    assert np.max(np.abs(end - other.final.q)) > 1e-3


@pytest.mark.slow
def test_case_18_drag(window: Browser, folder: Path) -> None:
    """A spring with a damper draws link 7 of the arm, which hangs at rest, 0.1 m aside."""
    window.open(page(folder, "panda"))
    q = np.array([0.0, np.pi, 0.0, 0.0, 0.0, 0.0, 0.0])
    window.live("set", {"q": q.tolist(), "u": [0.0] * 7})
    at = [0.0, 0.0, 0.05]
    start = np.array(window.live("place", "link7", at))
    target = start + np.array([0.0, 0.1, 0.0])
    before = window.live("energy")
    spring = {"stiffness": 1000.0, "damping": 20.0}
    window.live("drag", {"body": "link7", "at": at, "target": target.tolist(), **spring})
    window.live("steps", 2000)
    after = window.live("energy")
    assert np.linalg.norm(np.array(window.live("place", "link7", at)) - target) < 0.05
    balance = (after["now"] - after["start"]) - after["work"]
    assert 0 < abs(balance) <= 0.01 * abs(after["pulled"])
    assert after["start"] == before["start"]
    window.live("release")
    assert window.live("state")["tau"] == [0.0] * 7


@pytest.mark.slow
def test_case_21_replay(window: Browser, folder: Path) -> None:
    model = compiled("panda")
    run = simulate(model, [0.1, 0.2, 0.3, -1.0, 0.1, 1.0, 0.2], t_span=1.0, step=0.01)
    path = run.view(folder / "replay.html") and folder / "replay.html"
    window.open(path)
    for k in (0, 7, 50, 100):
        window.live("replayTo", float(run.t[k]))
        assert window.live("state")["q"] == run.q[k].tolist()
        poses = np.array(window.live("poses"))
        assert poses.tolist() == np.array(model.poses(run.q[k])).ravel().tolist()
    window.live("replayTo", float(run.t[-1]))
    assert window.live("state")["u"] == run.u[-1].tolist()


@pytest.mark.slow
def test_forces_are_arrows_where_they_are_asked_for(window: Browser, folder: Path) -> None:
    """Of a loop, whose reactions take its multipliers: the same rows as in Python."""
    model = compiled("four_bar")
    model.view(folder / "forces.html", tau={"drive": 0.7}, forces=True)
    window.open(folder / "forces.html")
    window.live("steps", 200)
    state = window.live("state")
    tau = np.array([0.7, 0.0, 0.0])
    a, multipliers = model.constrained_dynamics(state["q"], state["u"], tau, [0.0])
    expected = model.joint_forces(state["q"], state["u"], a, multipliers)
    assert np.allclose(np.reshape(window.live("forces", "joints"), (-1, 9)), expected, rtol=1e-9)
    acting = np.reshape(window.live("forces", "acting"), (-1, 9))
    assert np.array_equal(acting, model.acting_forces(state["q"], state["u"], tau))
    assert np.max(np.abs(acting[:, 6:])) == 0.7
    with_arrows = window.picture()
    window.live("toggleForces", None)
    without = window.picture()
    assert np.mean(np.any(with_arrows != without, axis=2)) > 0.001
    told = window.script("return document.querySelector('#panel').textContent")
    assert "The longest arrows so far" in told and window.console() == []
    assert "force on drive0.7 N m" in told


@pytest.mark.slow
def test_case_22_modes(folder: Path, window: Browser) -> None:
    model = eomc.build(str(MODELS / "flexible_arm.toml"))
    modes = eomc.linearize(model).modes()
    model.view(folder / "modes.html", modes=modes)
    window.open(folder / "modes.html")
    names = window.script(
        "return [...document.querySelectorAll('#panel summary')].map(s => s.textContent)"
    )
    assert "Modes" in names
    before = window.live("poses")
    window.live("mode", 0, True)
    window.script("window.still = JSON.stringify(window.live.poses())")
    window.wait("JSON.stringify(window.live.poses()) !== window.still")
    window.live("mode", 0, False)
    assert window.live("poses") == before

    # Markers move by the mode's shape: at a small size by the Jacobians of the frames.
    q, small = np.array(modes.model.point.q), 1e-5
    still = np.array(window.live("modePoses", 0, 0.0, 0.0)["poses"]).reshape(-1, 3, 4)
    for phase in (0.0, np.pi / 2):
        shown = np.array(window.live("modePoses", 0, phase, small)["poses"]).reshape(-1, 3, 4)
        turned = (modes.shapes[:, 0] * np.exp(1j * phase)).real
        for name, rate in zip(
            window.script("return window.live.frames"), shown - still, strict=True
        ):
            expected = np.array(model.frame(name).jacobian(q))[:3] @ turned
            assert np.max(np.abs(rate[:, 3] / small - expected)) < 1e-3


@pytest.mark.slow
def test_modes_of_a_recorded_run_are_about_their_own_state(folder: Path, window: Browser) -> None:
    model = compiled("double_pendulum")
    modes = eomc.linearize(model).modes()
    run = simulate(model, [1.0, 0.0], t_span=0.1, step=0.01)
    model.view(folder / "both.html", modes=modes, run=run)
    window.open(folder / "both.html")
    shown = window.live("modePoses", 0, 0.0)
    turned = shown["scale"] * modes.shapes[:, 0].real
    expected = np.array(model.poses(np.array(modes.model.point.q) + turned))
    assert np.max(np.abs(np.array(shown["poses"]) - expected.ravel())) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (900, 600)])
def test_case_23_theme_and_phone(window: Browser, folder: Path, size: tuple[int, int]) -> None:
    window.open(page(folder, "panda"), size=size)
    assert window.script("return document.documentElement.scrollWidth") == size[0]
    buttons = window.script(
        "return [...document.querySelectorAll('#bar button, #bar select')].map(b => {"
        "const r = b.getBoundingClientRect(); return [r.left, r.right, r.top, r.bottom]})"
    )
    assert buttons
    for left, right, top, bottom in buttons:
        assert left >= 0 and right <= size[0] and top >= 0 and bottom <= size[1]
    corners, free = np.array(window.live("bounds")), window.live("free")
    assert corners[:, 0].min() >= 0 and corners[:, 0].max() <= free["width"]
    assert corners[:, 1].min() >= 0 and corners[:, 1].max() <= free["height"]
    light = window.picture()[3, 3].sum()
    window.live("setTheme", "dark")
    assert window.picture()[3, 3].sum() < light / 3


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["WebGL 2", "WebAssembly", "DecompressionStream"])
def test_case_24_lacking(folder: Path, missing: str) -> None:
    path = folder / f"without_{missing.split()[0]}.html"
    text = page(folder, "double_pendulum").read_text(encoding="utf-8")
    taken = {
        "WebGL 2": "const all = HTMLCanvasElement.prototype; const own = all.getContext; "
        "all.getContext = function (kind) { return kind === '2d' ? own.call(this, kind) : null; };",
        "WebAssembly": "delete globalThis.WebAssembly;",
        "DecompressionStream": "delete globalThis.DecompressionStream;",
    }
    path.write_text(
        text.replace("<head>", f"<head><script>{taken[missing]}</script>"), encoding="utf-8"
    )
    with browser() as own:
        own.open(path)
        said = own.script("return document.getElementById('lacking').textContent")
        assert f"needs {missing}," in said
        if missing == "WebGL 2":
            assert_drawn_in_outlines(own)
            assert own.script("return document.getElementById('still').hidden")
        else:
            assert_still(own)
        assert own.console() == []


def assert_still(window: Browser) -> None:
    """What stands there instead of the model in motion: its parts, seen where the page begins."""
    model, screen = compiled("double_pendulum"), window.screen()
    drawn = np.max(np.abs(screen - screen[2, 2]), axis=2) > 24
    rows, columns = np.nonzero(drawn[60:210])
    assert rows.size > 400 and columns.min() > 20 and columns.max() < screen.shape[1] - 20
    shapes = {shape["id"] for shape in model.picture()["shapes"]}
    told = "return document.querySelectorAll('#still polygon').length"
    assert window.script(told) == len(shapes)


def assert_drawn_in_outlines(window: Browser) -> None:
    """Without WebGL the model moves all the same, in plain colours on the background."""
    before = window.picture()
    colors = np.unique(before.reshape(-1, before.shape[-1]), axis=0)
    assert len(colors) > 20
    assert 0.005 < (before != before[3, 3]).any(axis=2).mean() < 0.5
    window.live("steps", 500)
    assert (window.picture() != before).any(axis=2).mean() > 0.005


@pytest.mark.slow
def test_case_25_failure_in_the_page(window: Browser, folder: Path) -> None:
    model = eomc.Model("massless")
    model.parameter("m", 1.0, tunable=True)
    model.body("bob", mass="m", com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    eomc.build(model).view(folder / "massless.html", q={"hinge": 0.5})
    window.open(folder / "massless.html")
    window.live("setParameter", "m", 0.0)
    window.live("steps", 10)
    assert "singular_mass_matrix" in window.live("message")
    assert not window.live("playing")
    window.live("setParameter", "m", 1.0)
    window.live("reset")
    assert window.live("message") == ""
    window.live("steps", 10)
    assert window.live("state")["t"] == pytest.approx(0.01)


@cache
def orbiting() -> CompiledModel:
    """A station with a swinging boom, on a circle of 6800 km about the world's origin."""
    model = eomc.Model("orbiting", gravity=(0, 0, 0))
    model.body("station", mass=1000, inertia=(500, 500, 800))
    model.body("boom", mass=10, com=(2, 0, 0), inertia=(0.1, 15, 15))
    model.joint("orbit", "orbit_polar", parent="world", child="station")
    model.joint("hinge", "revolute", parent="station", child="boom", axis=(0, 0, 1))
    model.central_gravity("earth", mu=398600.4418e9)
    model.initial_guess("orbit_r", 6.8e6)
    return eomc.build(model)


@pytest.mark.slow
def test_a_model_in_orbit_is_seen_from_its_middle(window: Browser, folder: Path) -> None:
    """Single precision holds half a metre there; what is drawn is held to a pixel all the same."""
    model, rate = orbiting(), (398600.4418e9 / 6.8e6**3) ** 0.5
    model.view(folder / "orbit.html", u={"orbit_theta": rate, "hinge": 0.3})
    window.open(folder / "orbit.html")
    for steps in (0, 2000):
        window.live("steps", steps)
        q, camera = window.live("state")["q"], window.live("camera")
        poses = np.array(model.poses(q)).reshape(-1, 3, 4)
        assert np.allclose(window.live("poses"), poses.ravel(), rtol=1e-14, atol=0)
        place = poses[-1] @ (4, 0, 0, 1)
        at = pixels(camera, place - np.array(camera["origin"]))
        assert np.allclose(camera["origin"], poses[:, :, 3].mean(axis=0), rtol=1e-15)
        assert np.allclose(window.live("project", place.tolist()), at, atol=1e-6)
        assert_dot(window, place, at)
        corners, free = np.array(window.live("bounds")), window.live("free")
        assert np.ptp(corners[:, 0]) > 60 and np.ptp(corners[:, 1]) > 20
        assert corners[:, 0].min() >= 0 and corners[:, 0].max() <= free["width"]
    # A hand holds on to it, while all of it flies at 7.7 km/s.
    target = (place + np.array([0, 0.5, 0])).tolist()
    window.live("drag", {"body": "boom", "at": [4, 0, 0], "target": target})
    window.live("steps", 2000)
    assert abs(window.live("energy")["pulled"]) > 0 and window.live("message") == ""
    assert np.abs(window.live("state")["u"][2]) < 5.0


def test_a_film_of_an_orbit_is_seen_from_the_middle_too() -> None:
    model = orbiting()
    run = simulate(model, u={"orbit_theta": 1.126e-3, "hinge": 0.3}, t_span=1.0, step=0.1)
    shown = placed(run, forces=True)
    assert shown.origin is not None and shown.origin.shape == (run.count, 3)
    assert np.linalg.norm(shown.origin, axis=1) == pytest.approx(6.8e6, rel=1e-5)
    assert np.abs(shown.skeleton).max() < 20
    poses = np.array(model.poses(run.q)).reshape(run.count, -1, 3, 4)
    boom = shown.description["poses"]["rows"].index("boom")
    back = shown.poses["boom"][:, :3, 3] + shown.origin
    assert np.allclose(back, poses[:, boom, :, 3], rtol=1e-15)


@cache
def stiff() -> CompiledModel:
    """A mass of 10 g on a spring whose period is 0.6 ms."""
    model = eomc.Model("stiff", gravity=(0, 0, 0))
    model.body("tip", mass=0.01)
    model.joint("slide", "prismatic", parent="world", child="tip", axis=(0, 0, 1))
    ends = {"a": eomc.Point("world", (0, 0, -1)), "b": eomc.Point("tip")}
    model.spring("spring", **ends, stiffness=1e6, free_length=1.0)
    return eomc.build(model)


def stiff_page(folder: Path) -> Path:
    path = folder / "stiff.html"
    if not path.exists():
        stiff().view(path, q={"slide": 1e-3})
    return path


@pytest.mark.slow
def test_steps_are_such_as_the_fastest_motion_bears(window: Browser, folder: Path) -> None:
    """omega = 1e4 rad/s takes steps of 0.1 ms; nobody has to know that beforehand."""
    window.open(stiff_page(folder))
    assert window.live("step") == 1e-4
    assert "steps of 100 µs" in window.script("return document.getElementById('pace').textContent")
    window.live("steps", 200)
    run = simulate(stiff(), {"slide": 1e-3}, t_span=0.02, method="rk4", step=1e-4)
    assert window.live("state")["q"] == run.final.q.tolist()
    assert 0.0 < abs(run.final.q[0]) < 1e-3 and window.live("message") == ""


@pytest.mark.slow
def test_a_state_that_is_no_number_is_told(window: Browser, folder: Path) -> None:
    """The clock stops at the last state that is one, which is still there to be looked at."""
    window.open(stiff_page(folder))
    window.live("setStep", 1e-2)
    window.live("steps", 1000)
    said, state = window.live("message"), window.live("state")
    assert "slide is not a number any more. Reset and take smaller steps than 10 ms" in said
    assert 0.0 < state["t"] < 2.0 and np.isfinite(state["q"]).all() and not window.live("playing")
    assert f"stopped at {state['t']:.4g} s" in said
    window.live("steps", 5)
    assert window.live("state") == state
    window.live("reset")
    window.live("setStep", 1e-4)
    window.live("steps", 50)
    assert window.live("message") == "" and window.live("state")["t"] == pytest.approx(5e-3)
    assert window.console() == []


@pytest.mark.slow
def test_case_26_jupyter(window: Browser, folder: Path) -> None:
    made = compiled("double_pendulum").view()
    html = made._repr_html_()
    assert len(html) <= 450_000
    outside = f"<!doctype html><title>notebook</title><script>window.live = 1</script>{html}"
    (folder / "notebook.html").write_text(outside, encoding="utf-8")
    window.open(folder / "notebook.html")
    window.driver.switch_to.frame(window.driver.find_element("tag name", "iframe"))
    window.wait("window.live && window.live.steps")
    window.live("steps", 5)
    window.driver.switch_to.default_content()


@pytest.mark.slow
def test_case_27_names_are_text(window: Browser, folder: Path) -> None:
    bad = '</script><script>window.broken=1//"><img src=x onerror="window.broken=1">'
    live = compiled("double_pendulum").live()
    manifest = json.loads(json.dumps(live.manifest).replace("upper", json.dumps(bad)[1:-1]))
    manifest["metadata"]["model"] = bad
    from eomc.runtime.page import LiveModel
    from eomc.runtime.page import page as make

    scene = manifest["metadata"]["picture"]
    made = make(LiveModel(manifest, live.wasm, live.glue), scene, {"q": [0.1, 0.2], "u": [0, 0]})
    made.write(folder / "bad.html")
    window.open(folder / "bad.html")
    assert window.script("return window.broken") is None
    assert window.script("return document.querySelector('h1').textContent") == bad


def test_case_28_whole_or_not_at_all(folder: Path) -> None:
    made = compiled("double_pendulum").view()
    with pytest.raises(OSError):
        made.write(folder / "no" / "such.html")
    with pytest.raises(IsADirectoryError):
        made.write(folder)
    assert not list(folder.glob(".*"))


def test_case_28_killed_while_writing(tmp_path: Path) -> None:
    """The old file stays as it was when the process ends with half of the new one written."""
    program = """
import os, pathlib, signal, sys
from eomc.runtime.page import Page

def half(self, text, **_):
    with open(self, "w") as file:
        file.write(text[: len(text) // 2])
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "killed":
    pathlib.Path.write_text = half
Page("page", sys.argv[3]).write(sys.argv[1])
"""
    path = tmp_path / "page.html"
    told = [sys.executable, "-c", program, str(path)]
    assert subprocess.run([*told, "killed", "never"]).returncode == -9
    assert not path.exists()
    subprocess.run([*told, "whole", "old"], check=True)
    assert subprocess.run([*told, "killed", "new"]).returncode == -9
    assert path.read_text() == "old"


def test_too_large_for_a_browser(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is too large is said, with what helps, and no file is written."""
    monkeypatch.setattr(import_module("eomc.runtime.page.page"), "MOST_BYTES", 100_000)
    model, path = compiled("double_pendulum"), folder / "large.html"
    with pytest.raises(ValueError, match=r"double_pendulum.*MB, more than 0: its equations.*fewer"):
        model.view(path)
    run = simulate(model, [1.0, 0.0], t_span=1.0, step=1e-3)
    with pytest.raises(ValueError, match="record the run with a larger step"):
        run.view(path)
    code = main(["view", str(MODELS / "double_pendulum.toml"), "-o", str(path)])
    said = capsys.readouterr().err
    assert code == 2 and said.startswith("eomc: the page of") and said.count("\n") == 1
    assert not path.exists()


@pytest.mark.slow
def test_a_missing_mesh_is_named_on_the_page(window: Browser, folder: Path) -> None:
    model = eomc.Model("bare")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    model.visual("skin", body="bob", shape={"kind": "mesh", "file": "lost.stl"})
    with pytest.warns(UserWarning, match="mesh 'lost.stl' is not there.*drawn by plain shapes"):
        eomc.build(model).view(folder / "bare.html")
    window.open(folder / "bare.html")
    assert "without lost.stl" in window.script("return document.getElementById('facts').innerText")
    assert window.console() == []


def test_bad_input(folder: Path) -> None:
    model = compiled("double_pendulum")
    with pytest.raises(ValueError, match="step"):
        model.view(step=0.0)
    with pytest.raises(ValueError, match="elbo"):
        model.view(q={"elbo": 1.0})
    loaded = eomc.runtime.load(model.library)
    with pytest.raises(ViewError, match=re.escape("was loaded, not built")):
        loaded.view()
