"""Laws of impedance: what they refuse, and what they promise on small systems."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import Sampled
from eomc.runtime.control.impedance import (
    ContactEstimate,
    CooperativeImpedance,
    Grasp,
    GraspedObject,
    HeldObject,
    Impedance,
    MultipleImpedance,
    ObjectImpedance,
    grasp_matrix,
)
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space import (
    ModifiedTransposeJacobian,
    OperationalSpace,
    Position,
    Task,
    TransposeJacobian,
)

SOFT = Impedance(2.0, 12.0, 18.0)
FORCE = np.array([-1.5, 0.5])


@pytest.fixture(scope="module")
def gantry() -> tuple[eomc.CompiledModel, eomc.CompiledModel]:
    """A slide in x and y that carries an object of 3 kg; and the slide alone."""
    models = []
    for loaded in (True, False):
        model = eomc.Model("gantry", gravity=(0, 0, 0))
        model.body("bridge", mass=5)
        model.joint("x", "prismatic", parent="world", child="bridge", axis=(1, 0, 0))
        model.body("trolley", mass=2)
        model.joint("y", "prismatic", parent="bridge", child="trolley", axis=(0, 1, 0))
        model.frame("hook", body="trolley")
        if loaded:
            model.body("load", mass=3)
            model.joint("hold", "fixed", parent="trolley", child="load")
            model.frame("center", body="load")
            for k, axis in enumerate("xy"):
                push = model.input(f"f_{axis}", units="N")
                direction = tuple(float(i == k) for i in range(3))
                model.force(f"push_{axis}", at="load", direction=direction, magnitude=push)
        models.append(eomc.build(model))
    return models[0], models[1]


def law(gantry: tuple[eomc.CompiledModel, eomc.CompiledModel], **more: Any) -> CooperativeImpedance:
    plant, known = gantry
    held = HeldObject(plant, "center", GraspedObject(3.0, [1, 1, 1]), [[0.5, 0.2]], axes="xy")
    given = {"contact": lambda t, q, u: FORCE, "plant": StateMap(plant, known)} | more
    task = given.pop("task", None) or Task(known, [Position("hook", "xy")])
    wanted = given.pop("impedance", SOFT)
    return CooperativeImpedance(task, [[0.5, 0.2]], held, wanted, ["hook"], **given)


def test_error_obeys_the_impedance(gantry: tuple[eomc.CompiledModel, eomc.CompiledModel]) -> None:
    plant, _ = gantry
    run = eomc.simulate(
        plant,
        t_span=2.0,
        controller=law(gantry),
        inputs=lambda t, q, u: FORCE,
        rtol=1e-10,
        atol=1e-12,
    )
    # 2 e'' + 12 e' + 18 e = -F: double root -3 about -F/18.
    rest = -FORCE / 18
    first = np.array([0.5, 0.2]) - rest
    t = run.t[:, None]
    expected = rest + np.exp(-3 * t) * (first + 3 * first * t)
    assert np.abs([0.5, 0.2] - run.q - expected).max() < 1e-8


def test_estimate_finds_a_constant_force(
    gantry: tuple[eomc.CompiledModel, eomc.CompiledModel],
) -> None:
    plant, _ = gantry

    def sensor(t: float, q: np.ndarray, u: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return 3.0 * plant.forward_dynamics(q, u, tau, FORCE) - FORCE

    estimating = law(gantry, contact=ContactEstimate(sensor, window=0.005))
    controller = Sampled(estimating, period=0.005)
    eomc.simulate(
        plant,
        t_span=1.0,
        controller=controller,
        inputs=lambda t, q, u: FORCE,
        method="rk4",
        step=0.005,
    )
    found = np.array([force for _, force in estimating.estimates])
    # Over a held torque the difference is the acceleration itself, that of the sample before.
    assert np.abs(found[-20:] - FORCE).max() < 0.05
    with pytest.raises(RuntimeError, match="needs Sampled"):
        estimating.torque(0.0, np.zeros(2), np.zeros(2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Impedance(0.0, 1.0, 1.0).matrices(1), "mass is not positive definite"),
        (lambda: Impedance(1.0, -1.0, 1.0).matrices(1), "impedance: damping"),
        (lambda: Impedance(1.0, 1.0, [1.0, 2.0]).matrices(3), "impedance: stiffness has shape"),
        (lambda: grasp_matrix([[0.0]]), "points: give finite positions"),
        (lambda: grasp_matrix([[0.0, 1.0]], np.eye(3)), "in the plane there is one angle"),
        (lambda: Grasp([[1.0, 0.0], [2.0, 0.0]]), "does not reach all directions"),
        (lambda: Grasp([[1.0, 1.0]], weights=[1.0, -1.0]), "not positive definite"),
        (lambda: Grasp([[1.0, 1.0]], weights=np.eye(3)), "weights: give a number, 2 numbers"),
        (lambda: ContactEstimate(lambda *_: [0.0], 0.0), "window is 0.0"),
        (lambda: GraspedObject(1.0, [1.0, 2.0]).dynamics(np.eye(3), np.zeros(3)), "inertia has"),
    ],
)
def test_refusals(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_requests_to_the_laws(gantry: tuple[eomc.CompiledModel, eomc.CompiledModel]) -> None:
    plant, known = gantry
    body = GraspedObject(3.0, [1, 1, 1])
    with pytest.raises(ValueError, match="with attitude control all three"):
        HeldObject(plant, "center", body, [[0.0, 0.0]], axes="xy", attitude=True)
    held = HeldObject(plant, "center", body, [[0.0, 0.0]], axes="xy")
    task = Task(known, [Position("hook", "xy")])
    maps = StateMap(plant, known)
    with pytest.raises(ValueError, match="name the frames that hold"):
        CooperativeImpedance(task, [[0.0, 0.0]], held, SOFT, [], plant=maps)
    with pytest.raises(ValueError, match="the task has 1 rows; give 2"):
        CooperativeImpedance(
            Task(known, [Position("hook", "x")]), [[0.0]], held, SOFT, ["hook"], plant=maps
        )
    for kind in (MultipleImpedance, ObjectImpedance):
        with pytest.raises(ValueError, match="name at least the one that is driven"):
            kind(known, {"y": 0.0}, SOFT, [])
        with pytest.raises(ValueError, match="no speed 'z'"):
            kind(known, {"y": 0.0}, SOFT, ["z"])
        with pytest.raises(ValueError, match="offsets"):
            kind(known, {"y": 0.0}, SOFT, ["x"], offsets=[1.0])


# -- laws that are not alike for all --------------------------------------------------------------


def hanging(loaded: bool, mass: float) -> eomc.CompiledModel:
    """A slide of `mass` [kg] under its weight, which carries an object of 3 kg that floats."""
    model = eomc.Model("hanging", gravity=(0, 0, 0))
    model.body("slide", mass=mass)
    model.joint("z", "prismatic", parent="world", child="slide", axis=(0, 0, 1))
    model.force("weight", at="slide", direction=(0, 0, -1), magnitude=9.81 * mass)
    model.frame("hook", body="slide")
    if loaded:
        model.body("load", mass=3)
        model.joint("hold", "fixed", parent="slide", child="load")
        model.frame("center", body="load")
    return eomc.build(model)


@pytest.mark.slow
def test_memory_stands_for_what_the_law_does_not_know() -> None:
    plant, known = hanging(True, 8.0), hanging(False, 2.0)
    task = Task(known, [Position("hook", "z")])
    held = HeldObject(plant, "center", GraspedObject(3.0, [1, 1, 1]), [[0.3]], axes="z")
    sags = {}
    for name, e_max in (("remembered", 0.3), ("forgotten", 1e-9)):
        memory = ModifiedTransposeJacobian(
            task, [[0.3]], 400.0, 80.0, e_max=e_max, rate_max=e_max, period=0.005
        )
        cooperative = CooperativeImpedance(
            task, [[0.3]], held, SOFT, ["hook"], motion=memory, plant=StateMap(plant, known)
        )
        run = eomc.simulate(
            plant,
            t_span=[0.0, 4.0, 4.5, 5.0, 5.5, 6.0],
            controller=Sampled(cooperative, 0.005),
            method="rk4",
            step=0.005,
            progress=False,
        )
        sags[name] = np.abs(0.3 - run.q[1:, 0]).max()
        with pytest.raises(RuntimeError, match="a law that remembers forces"):
            cooperative.torque(0.0, run.q[-1], run.u[-1])
    # (Kp + M_o k_p/M_des) e is the weight; the memory holds most of it.
    assert sags["forgotten"] == pytest.approx(8 * 9.81 / (400 + 3 / 2 * 18), rel=1e-3)
    assert sags["remembered"] < sags["forgotten"] / 6


def test_requests_to_impedances_and_motions(
    gantry: tuple[eomc.CompiledModel, eomc.CompiledModel],
) -> None:
    _, known = gantry
    task = Task(known, [Position("hook", "xy")])
    with pytest.raises(ValueError, match="impedance: 3 of them; give one, or 2: for each body"):
        law(gantry, impedance=[SOFT] * 3)
    goal = [[0.5, 0.2]]
    for motion, message in (
        (TransposeJacobian(task, goal, 1.0, 1.0), "its gains are those of the impedance"),
        (OperationalSpace(Task(known, task.outputs), goal, 0.0, 0.0), "a law of another task"),
    ):
        with pytest.raises(ValueError, match=message):
            law(gantry, task=task, motion=motion)
