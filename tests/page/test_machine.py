"""The clock of the page in Node, without a browser: which steps it takes, and what stops it."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no node (apt install nodejs)")
_RUN = """
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync("data.json"));
const { manifest, start, step, setStep, steps, watched, pull, method } = given;
const model = await loadModel(readFileSync("model.wasm"), manifest);
const machine = new Machine(model, { scene: manifest.metadata.picture, start, step, method });
const chosen = machine.h;
if (setStep) machine.h = setStep;
machine.watched = watched ?? machine.watched;
if (pull) machine.pulls.push((forces) => pull.forEach((force, k) => (forces[k] += force)));
machine.advance(steps);
const { failure } = machine;
const said = failure?.code ?? failure?.words(model.t, machine.h) ?? null;
const [q, u] = [model.input("q"), model.input("u")].map((values) => Array.from(values));
const told = { chosen, said, t: model.t, work: machine.work, q, u, pulled: machine.pulled };
if (!failure) {
  told.energy = machine.energy();
  told.gained = told.energy - machine.begin;
  told.middle = machine.middle();
  told.residual = machine.residual();
}
if (model.solver("independent_speeds")) told.free = model.independent();
machine.reset();
console.log(JSON.stringify({ ...told, again: machine.failure }));
"""


@cache
def on_a_line(potential: str) -> eomc.CompiledModel:
    """10 g on a line, with a potential energy."""
    model = eomc.Model("bead", gravity=(0, 0, 0))
    model.body("tip", mass=0.01)
    model.joint("slide", "prismatic", parent="world", child="tip", axis=(0, 0, 1))
    model.potential("field", potential)
    return eomc.build(model)


@cache
def live_on_a_line(potential: str) -> Any:
    return on_a_line(potential).live()


def bead(potential: str, at: float) -> dict[str, Any]:
    """The module for a page, and where it starts."""
    return {"live": live_on_a_line(potential), "start": {"q": [at], "u": [0.0]}}


def told(tmp_path: Path, live: Any, **data: Any) -> Any:
    """What the page's own scripts say of a run."""
    page = resources.files("eomc.runtime.page") / "app"
    names = ("start", "step", "machine")
    scripts = [live.glue, *((page / f"{name}.js").read_text("utf-8") for name in names)]
    (tmp_path / "model.wasm").write_bytes(live.wasm)
    data = {"manifest": dict(live.manifest), "step": None, "setStep": None, **data}
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    return spoken(tmp_path, [*scripts, _RUN])


def spoken(tmp_path: Path, scripts: list[str]) -> Any:
    """What Node prints of one script after the other."""
    (tmp_path / "run.mjs").write_text("\n".join(scripts), encoding="utf-8")
    command = [str(NODE), "run.mjs"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_spring_that_hardens_asks_for_smaller_steps(tmp_path: Path) -> None:
    """Too large ones stop before the state is lost, and name what would have been."""
    given = bead("1e6 * slide**4", at=0.5)
    small = told(tmp_path, **given, steps=200)
    # sqrt(12e6 x^2/m) h is 1.7 at 1e-4 s, of 1.4 that are borne.
    assert small["chosen"] == 5e-5 and small["said"] is None and abs(small["q"][0]) < 0.51
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


def test_a_run_that_diverges_stops_before_the_step_that_no_number_survives(tmp_path: Path) -> None:
    compiled = on_a_line("1e6 * slide**4")
    h, q, u, last = 3e-4, np.array([0.5]), np.zeros(1), 0
    while np.isfinite(q).all() and np.isfinite(u).all():
        last, kept = last + 1, q
        rows = compiled.rk4(q, u, [0.0], h=h, steps=1)
        q, u = rows[0][-1], rows[1][-1]
    assert last > 3
    given = bead("1e6 * slide**4", at=0.5)
    found = told(tmp_path, **given, setStep=h, steps=100)
    assert found["q"] == pytest.approx(kept, rel=1e-12)
    assert found["t"] == pytest.approx((last - 1) * h, rel=1e-12)
    assert "smaller steps than 300 µs" in found["said"]


def test_what_has_run_away_is_no_place_without_accelerations(tmp_path: Path) -> None:
    """The third power of 1e110 is no number: a start like that comes from steps too large."""
    found = told(tmp_path, **bead("1e6 * slide**4", at=1e110), setStep=1e-3, steps=1)
    assert "Reset and take smaller steps" in found["said"]


def test_pulls_work_and_energies_are_those_of_the_c(tmp_path: Path) -> None:
    """A trolley with a damped pendulum that is pulled by constant forces, against the same steps of
    the module for Python and what the pull gives to the speeds that these have."""
    model = eomc.Model("crane", gravity=(0, 0, -9.81))
    model.body("trolley", mass=2.0)
    model.joint("rail", "prismatic", parent="world", child="trolley", axis=(1, 0, 0), damping=0.7)
    model.body("load", mass=1.0, com=(0, 0, -0.8), inertia=(0.02, 0.02, 0.02))
    model.joint("pin", "revolute", parent="trolley", child="load", axis=(0, 1, 0))
    compiled, pull, h, steps = eomc.build(model), [3.0, -0.5], 2e-3, 21
    start = {"q": [0.1, 0.4], "u": [0.3, -1.0]}
    live = compiled.live(["power", "poses"])
    found = told(tmp_path, live, start=start, setStep=h, steps=steps, watched=True, pull=pull)
    q, u = compiled.rk4(start["q"], start["u"], pull, h=h, steps=steps)
    assert found["q"] == pytest.approx(q[-1], rel=1e-12)
    assert found["u"] == pytest.approx(u[-1], rel=1e-12)
    power = u @ pull
    assert found["pulled"] == pytest.approx(h * (power[:-1] + power[1:]).sum() / 2, rel=1e-12)
    energy = [
        float(compiled.kinetic_energy(q[k], u[k])) + float(compiled.potential_energy(q[k]))
        for k in (0, -1)
    ]
    assert found["energy"] == pytest.approx(energy[1], rel=1e-12)
    assert found["gained"] == pytest.approx(energy[1] - energy[0], rel=1e-9)
    # Of the pull, by trapezoids, the work errs as h^2.
    assert found["work"] == pytest.approx(found["gained"], rel=1e-4)
    places = compiled.poses(q[-1]).reshape(-1, 3, 4)[:, :, 3]
    assert found["middle"] == pytest.approx(places.mean(axis=0), rel=1e-12)


@pytest.mark.slow
def test_a_loop_is_closed_before_it_starts(tmp_path: Path) -> None:
    """A rod of 1 m whose ends slide along two lines: sqrt(1 - 0.6^2) is 0.8."""
    model = eomc.Model("ladder", gravity=(0, 0, -9.81))
    for name, axis in (("foot", (1, 0, 0)), ("head", (0, 0, 1))):
        model.body(name, mass=1.0)
        model.joint(f"{name}_slide", "prismatic", parent="world", child=name, axis=axis)
    model.constraint("rod", "expression", expression="foot_slide**2 + head_slide**2 - 1")
    live = eomc.build(model).live()
    found = told(tmp_path, live, start={"q": [0.6, 0.79], "u": [0.0, 0.0]}, setStep=1e-4, steps=0)
    assert found["residual"] < 1e-12 and found["free"] == 1
    assert np.hypot(*found["q"]) == pytest.approx(1.0, abs=1e-12)


_CHOOSES = """
const oscillators = (nu, rate) => {
  const state = { q: new Float64Array(nu), u: new Float64Array(nu) };
  const forces = () => state.q.map((x) => -rate * rate * x);
  const rates = { coordinate_rates: () => state.u, forward_dynamics: forces };
  const model = { has: (name) => name in rates, input: (name) => state[name] };
  return { nu, model: { ...model, call: (name) => ({ found: Float64Array.from(rates[name]()) }) } };
};
const large = [[100, 40], [100, 80], [100, 200], [100, 0.5], [99, 40]];
const asked = [[2, 40], [2, 2e3], [2, 1e8], ...large];
console.log(JSON.stringify(asked.map(([nu, rate]) => steadyStep(oscillators(nu, rate), 1e-3))));
"""


def test_steps_by_the_rate_of_oscillators(tmp_path: Path) -> None:
    """Of two at most 1.4/rate, of a hundred the largest below 0.25/rate and 5 ms."""
    page = resources.files("eomc.runtime.page") / "app"
    texts = [(page / f"{name}.js").read_text("utf-8") for name in ("start", "step")]
    assert spoken(tmp_path, [*texts, _CHOOSES]) == [1e-3, 5e-4, 1e-6, 5e-3, 2e-3, 1e-3, 5e-3, 1e-3]


_LAYS_OUT = """
const memory = new WebAssembly.Memory({ initial: 1 });
const port = (name, ...shape) => ({ name, shape });
const inputs = [port("q", 3), port("u", 3), port("z", 1)];
const manifest = {
  functions: { twice: { inputs, outputs: [port("x", 20000)], symbol: "twice" } },
  solvers: [{ name: "independent_speeds", symbol: "sorted", inputs: ["q"] }],
  return_codes: { no_rotation: 7 },
  parameters: [{ name: "k", default: 4 }, { name: "c", default: 5 }],
  metadata: { element_states: [{ initial: 6 }] },
};
const reals = (place, length) => new Float64Array(memory.buffer, place, length);
const whole = (place, length) => new Int32Array(memory.buffer, place, length);
const twice = (q, u, z, p, x) => {
  const more = reals(u, 4)[3] + reals(p, 2)[1] + z - u;
  for (let k = 0; k < 3; k++) reals(x, 20000)[k] = 2 * reals(q, 3)[k] + more;
  return reals(q, 3)[0] < 0 ? 7 : 0;
};
const sorted = (q, p, order, count) => {
  whole(order, 3).set([2, 0, 1]);
  whole(count, 1)[0] = 1;
  return 0;
};
const model = new Model({ memory, __heap_base: { value: 1024 }, twice, sorted }, manifest);
model.input("q").set([1, 2, 3]);
const x = Array.from(model.call("twice").x.subarray(0, 4));
const free = model.independent();
model.input("q")[0] = -1;
let said;
try {
  model.call("twice");
} catch (failure) {
  said = failure.message;
}
console.log(JSON.stringify([x, free, Array.from(model.order), said]));
"""


def test_arrays_of_a_module_do_not_overlap(tmp_path: Path) -> None:
    """Of two parameters, an element's state behind the speeds, an order of speeds, and an output
    beyond the memory that the module begins with."""
    script = resources.files("eomc.codegen.wasm") / "model.js"
    assert spoken(tmp_path, [script.read_text("utf-8"), _LAYS_OUT]) == [
        [2 + 6 + 5 + 24, 39, 41, 0],
        2,
        [2, 0, 1],
        "no_rotation in twice",
    ]


@pytest.mark.slow
def test_a_stiff_page_takes_implicit_steps_of_a_millisecond(tmp_path: Path) -> None:
    """A spring of 1e8 N/m, by the method that the page was asked for: the bits of the C."""
    model = eomc.Model("sprung", gravity=(0, 0, -9.81))
    model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    model.body("bob", mass=1)
    model.joint("slide", "prismatic", parent="rod", child="bob", axis=(0, 0, -1))
    model.joint_spring("spring", joint="slide", stiffness=1e8)
    compiled, start = eomc.build(model), {"q": [0.5, 0.0], "u": [0.0, 0.0]}
    live = compiled.live(["integrate", "displacement_rates", "step_matrix"])
    found = told(tmp_path, live, start=start, steps=50, method="ros34pw2")
    assert found["chosen"] == 1e-3 and found["said"] is None
    q, u = compiled.ros34pw2(start["q"], start["u"], [0.0, 0.0], 1e-3, 50)
    assert found["q"] == q[-1].tolist() and found["u"] == u[-1].tolist()
    with pytest.raises(ValueError, match="unknown method 'ros34' of a page; did you mean"):
        compiled.view(method="ros34")
    page = compiled.view(q={"hinge": 0.5}, method="ros34pw2")
    assert '"method":"ros34pw2"' in page.html


@pytest.mark.slow
def test_contacts_hold_and_slide_under_the_mouse(tmp_path: Path) -> None:
    """A box of 2 kg falls on two corners and stands; 15 N drag it against friction of 0.5."""
    model = eomc.Model("box", gravity=(0, 0, -9.81))
    ways = (("x", (1, 0, 0)), ("z", (0, 0, 1)))
    model.body("slide")
    model.body("box", mass=2)
    for (name, axis), parent, child in zip(ways, ("world", "slide"), ("slide", "box"), strict=True):
        model.joint(name, "prismatic", parent=parent, child=child, axis=axis)
    for k, x in enumerate((-0.1, 0.1)):
        model.contact(
            f"corner{k}",
            shape={"kind": "point", "at": {"body": "box", "xyz": (x, 0, 0)}},
            surface={"kind": "plane", "at": "world"},
            normal={"kind": "rigid", "restitution": 0.0},
            friction={"kind": "dry", "kinetic": 0.5},
        )
    made = eomc.build(model)
    assert '"method":"stewart_trinkle"' in made.view().html
    live = made.live(["contact_equations", "integrate"])
    given = {"live": live, "method": "stewart_trinkle", "steps": 400}
    stands = told(tmp_path, **given, start={"q": [0.0, 0.05], "u": [0.2, 0.0]})
    same = {"method": "stewart_trinkle", "step": 1e-3, "contacts": {"tolerance": 1e-9}}
    run = eomc.simulate(made, [0, 0.05], [0.2, 0], t_span=0.4, **same)
    assert stands["chosen"] == 1e-3 and stands["said"] is None
    assert stands["q"] == run.q[-1].tolist()
    assert stands["u"] == [0.0, 0.0]
    rest = {"q": [0.0, 0.0], "u": [0.0, 0.0]}
    pulled = told(tmp_path, **given, start=rest, pull=[15.0, 0.0])
    rate = (15 - 0.5 * 2 * 9.81) / 2
    assert pulled["u"] == pytest.approx([rate * 0.4, 0], abs=1e-9)
    stuck = told(tmp_path, **given, start=rest, pull=[9.0, 0.0])
    assert stuck["q"] == pytest.approx([0, 0], abs=1e-15)
    with pytest.raises(ValueError, match="take moreau or stewart_trinkle"):
        made.view(method="rk4")
