"""Laws that measure forces and objects, in C: step by step, and in compiled loops, as in Python."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from small_programs.c_library import WARNINGS
from small_programs.controller_in_c import step_in_c

import eomc
from eomc.runtime.control import (
    ElementSensor,
    FeedbackLinearization,
    GravityCompensation,
    JointForceSensor,
    Sampled,
    Sensor,
)
from eomc.runtime.control.impedance import (
    Admittance,
    ContactEstimate,
    CooperativeImpedance,
    GraspedObject,
    HeldObject,
    Impedance,
    MomentumSource,
    ObjectImpedance,
)
from eomc.runtime.control.signal import Noise, Saturation
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space import EulerAngles, Position, Task, TransposeJacobian
from eomc.runtime.difference import NotEmittableError, Numeric

pytestmark = pytest.mark.variants

T = 0.004
Row = NDArray[np.float64]
SOFT = Impedance(2.0, 40.0, 60.0)
FAR = np.array([0.5, 0.2])


def motion(t: float) -> tuple[Row, Row, Row]:
    left = np.exp(-t) * FAR
    return FAR - left, left, -left


def gantry(*, loaded: bool) -> eomc.Model:
    """A slide in x and y; loaded it carries an object that swivels, before a wall."""
    model = eomc.Model("gantry" if loaded else "slide", gravity=(0, 0, 0))
    model.parameter("mass", 2.0, tunable=True)
    model.body("bridge", mass=5)
    model.joint("x", "prismatic", parent="world", child="bridge", axis=(1, 0, 0))
    model.body("trolley", mass="mass")
    model.joint("y", "prismatic", parent="bridge", child="trolley", axis=(0, 1, 0))
    model.frame("hook", body="trolley")
    if loaded:
        model.body("load", mass=3, inertia=(1, 1, 1))
        model.joint("hold", "revolute", parent="trolley", child="load", axis=(0, 0, 1))
        model.frame("center", body="load")
        model.contact(
            "wall",
            shape={"kind": "point", "at": "load"},
            surface={
                "kind": "plane",
                "at": {"body": "world", "xyz": (0.3, 0, 0)},
                "normal": (-1, 0, 0),
            },
            normal={"kind": "kelvin_voigt", "stiffness": 300.0, "damping": 20.0},
        )
    return model


@pytest.fixture(scope="module")
def plant() -> eomc.CompiledModel:
    return eomc.build(gantry(loaded=True))


@pytest.fixture(scope="module")
def slide() -> eomc.CompiledModel:
    return eomc.build(gantry(loaded=False))


def cooperative(plant: eomc.CompiledModel, slide: eomc.CompiledModel, contact: Any) -> Any:
    held = HeldObject(plant, "center", GraspedObject(3.0, [1, 1, 1]), [motion], axes="xy")
    return CooperativeImpedance(
        Task(slide, [Position("hook", "xy")]),
        [motion],
        held,
        SOFT,
        ["hook"],
        contact=contact,
        internal=lambda force: force / 2,
        plant=StateMap(plant, slide),
    )


def pressing(plant: eomc.CompiledModel) -> ElementSensor:
    return ElementSensor(plant, "wall.normal_force", [[-1.0], [0.0]])


@pytest.mark.parametrize("what", ["measured", "estimated"])
def test_cooperative_impedance_in_the_compiled_loop_is_the_run_of_python(
    plant: eomc.CompiledModel, slide: eomc.CompiledModel, what: str
) -> None:
    """Its contact measured, and estimated from what the hook feels under the acting forces."""
    true = {"mass": 2.2}
    felt = JointForceSensor(plant, ["hold.force_x", "hold.force_y"], parameters=true)
    contact = pressing(plant) if what == "measured" else ContactEstimate(felt, 3 * T)
    law = cooperative(plant, slide, contact)
    controller = Sampled(law, T, delay=0.001, actuators=[Saturation(30.0)])
    loop = eomc.sampled_loop(
        gantry(loaded=True), controller, model=gantry(loaded=False), flags=(*WARNINGS, "-O0")
    )
    how: dict[str, Any] = {"t_span": np.linspace(0.0, 2.5, 51), "step": 0.002}
    how |= {"parameters": true}
    found = loop.run(**how)
    run = eomc.simulate(plant, controller=controller, method="rk4", **how)
    assert np.allclose(found.q, run.q, rtol=0, atol=1e-11)
    assert np.allclose(found.tau, run.tau, rtol=0, atol=1e-8)
    assert found.q[-1, 0] > 0.31  # in the wall


def test_an_attitude_is_held_in_c(tmp_path: Path) -> None:
    """A floating hand and what it holds, with a source of momentum, in any attitude."""
    models = []
    for loaded in (True, False):
        model = eomc.Model("hand", gravity=(0, 0, -9.81))
        model.body("hand", mass=4, com=(0.1, 0, 0), inertia=(0.3, 0.4, 0.5))
        model.joint("free", "floating", parent="world", child="hand")
        model.frame("grip", body="hand", placement=eomc.Placement(xyz=(0.2, 0.1, 0)))
        if loaded:
            model.body("thing", mass=2, inertia=(0.1, 0.2, 0.3))
            model.joint("hold", "fixed", parent="hand", child="thing", placement=(0.3, 0.1, 0.2))
            model.frame("center", body="thing")
        models.append(model)
    plant, known = (eomc.build(model) for model in models)
    source = MomentumSource(0.5, (0.05, -0.1, 0.08), (0.6, -0.4, 1.0))
    held = HeldObject(
        plant,
        "center",
        GraspedObject(2.0, (0.1, 0.2, 0.3), source),
        [[0.3, 0.2, 0.1], [0.1, 0.2, -0.3]],
        attitude=True,
    )
    push, weights = np.array([1.0, -2.0, 0.5, 0.2, 0.1, -0.3]), np.arange(1.0, 7.0)
    law = CooperativeImpedance(
        Task(known, [Position("grip"), EulerAngles("grip")]),
        [[0.1, 0, 0], [0.1, 0.2, 0.3]],
        held,
        SOFT,
        ["grip"],
        contact=lambda t, q, u: push,
        weights=weights,
        load=-push / 3,
    )
    controller = Sampled(law, T)
    step = step_in_c(tmp_path, controller, models[1])
    rng = np.random.default_rng(8)
    for _ in range(20):
        q, u = known.random_configuration(rng), rng.normal(size=6)
        seen = [sensor(0.0, q, u) for sensor in law.sensors.values()]
        found = step(q, u, *seen, push, *law.reference(0.0).values())
        assert found == pytest.approx(law.torque(0.0, q, u), rel=1e-9, abs=1e-8)


def test_forces_of_contacts_and_joints_feed_laws_in_compiled_loops(
    plant: eomc.CompiledModel, slide: eomc.CompiledModel
) -> None:
    """Admittance by what a wrist feels, and the impedance of a row by what a wall tells."""
    wrist = JointForceSensor(plant, ["hold.force_x", "hold.force_y"], -np.eye(2))
    yielding = Admittance(
        Task(plant, [Position("center", "xy")]),
        [motion],
        Impedance(2.0, 120.0, 400.0),
        wrist,
        lambda task, motions: TransposeJacobian(task, motions, 400.0, 60.0),
    )
    with pytest.raises(RuntimeError, match="measures under the forces that act"):
        wrist(0.0, np.zeros(3), np.zeros(3))
    row = ObjectImpedance(
        slide,
        {"x": lambda t: (1 - np.exp(-t), np.exp(-t), -np.exp(-t))},
        SOFT,
        ["y"],
        offsets=[[0.0]],
        contact=ElementSensor(plant, "wall.normal_force", [[-1.0]]),
        plant=StateMap(plant, slide),
    )
    for law, known in ((yielding, None), (row, gantry(loaded=False))):
        controller = Sampled(law, T)
        loop = eomc.sampled_loop(gantry(loaded=True), controller, model=known, flags=("-O0",))
        found = loop.run({"x": 0.2}, t_span=np.linspace(0.0, 0.4, 41), step=T)
        run = eomc.simulate(
            plant, {"x": 0.2}, t_span=found.t, controller=controller, method="rk4", step=T
        )
        assert np.allclose(found.q, run.q, rtol=0, atol=1e-11)
        assert np.ptp(found.tau[:, :2], axis=0).max() > 1.0


def test_feedback_linearization_in_the_compiled_loop(
    plant: eomc.CompiledModel, slide: eomc.CompiledModel
) -> None:
    """From a force beside the coordinate that it moves, and of a model that knows no load."""
    moved = {"hold": lambda t: (np.sin(t), np.cos(t), -np.sin(t))}
    turning = FeedbackLinearization(plant, moved, 9.0, specified={"x": 0.1})
    along = FeedbackLinearization(slide, {"x": 0.2, "y": 0.1}, 9.0, plant=StateMap(plant, slide))
    for law, known in ((turning, None), (along, gantry(loaded=False))):
        controller = Sampled(law, T)
        loop = eomc.sampled_loop(gantry(loaded=True), controller, model=known, flags=("-O0",))
        found = loop.run({"x": 0.1}, t_span=np.linspace(0.0, 0.4, 41), step=T)
        run = eomc.simulate(
            plant, {"x": 0.1}, t_span=found.t, controller=controller, method="rk4", step=T
        )
        assert np.allclose(found.q, run.q, rtol=0, atol=1e-11)
        assert np.ptp(found.q, axis=0).max() > 1e-3
    weight = GravityCompensation(plant)
    assert (
        weight.equation(T).begin(operations=Numeric(lambda *_, **__: np.ones(3)))(
            np.zeros(3), np.zeros(3)
        )
        == 1.0
    ).all()


def test_what_a_compiled_loop_cannot_measure_is_named(
    plant: eomc.CompiledModel, slide: eomc.CompiledModel
) -> None:
    def loop(law: Any, model: Any = None, **more: Any) -> None:
        eomc.sampled_loop(gantry(loaded=True), Sampled(law, T, **more), model=model)

    law, known = cooperative(plant, slide, lambda t, q, u: [0.0, 0.0]), gantry(loaded=False)
    with pytest.raises(NotEmittableError, match="takes a measured 'force' from a function in Py"):
        loop(law, known)
    with pytest.raises(NotEmittableError, match="not the mechanism's; give it"):
        loop(cooperative(plant, slide, None))
    with pytest.raises(NotEmittableError, match="by whose number noise is drawn"):
        loop(cooperative(plant, slide, None), known, sensors={"q": [Noise(0.1)]})
    law = cooperative(plant, slide, None)
    law.plant = StateMap(plant, slide, {"x": lambda q, u: float(q[0])})
    with pytest.raises(NotEmittableError, match="told by a function of numbers alone"):
        loop(law, known)

    class Twice(Sensor):
        def read(self, by: Any, q: Any, u: Any, tau: Any) -> Any:
            return np.concatenate([q, q])

    with pytest.raises(NotEmittableError, match="force: 6 entries are measured, the law takes 2"):
        loop(cooperative(plant, slide, Twice(plant, ["q"])), known)
    with pytest.raises(ValueError, match=r"element_outputs: no row 'wall\.force'"):
        ElementSensor(plant, "wall.force")
    with pytest.raises(ValueError, match="gain has shape"):
        ElementSensor(plant, "wall.gap", np.eye(2))
    with pytest.raises(ValueError, match="no element of it tells anything"):
        ElementSensor(slide, "wall.gap")
