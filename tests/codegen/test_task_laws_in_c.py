"""Laws of task space, of impedance, and filters in C, step by step and in compiled loops."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from small_programs.controller_in_c import step_in_c

import eomc
from eomc.runtime.control import ComputedTorque, Sampled, StateMap
from eomc.runtime.control.impedance import (
    Admittance,
    Impedance,
    MultipleImpedance,
    ObjectImpedance,
)
from eomc.runtime.control.signal import Noise, Saturation
from eomc.runtime.control.task_space import (
    Attitude,
    Coordinates,
    EulerAngles,
    ModifiedTransposeJacobian,
    OperationalSpace,
    Position,
    ResolvedAcceleration,
    ResolvedRate,
    Task,
    TransposeJacobian,
)
from eomc.runtime.difference import NotEmittableError
from eomc.runtime.trajectories import Quintic

T = 0.01
Row = NDArray[np.float64]


def two_links() -> eomc.Model:
    """Two links of 1 m that hang; the second one's mass can be tuned."""
    model = eomc.Model("two_links", gravity=(0, -9.81, 0))
    model.parameter("load", 3.0, tunable=True)
    parent, at = "world", (0, 0, 0)
    for k, mass in enumerate((4.0, "load"), 1):
        model.body(f"link{k}", mass=mass, com=(0.5, 0, 0), inertia=(0, 0.3, 0.3))
        model.joint(
            f"q{k}", "revolute", parent=parent, child=f"link{k}", axis=(0, 0, 1),
            placement=eomc.Placement(xyz=at),
        )  # fmt: skip
        parent, at = f"link{k}", (1, 0, 0)
    model.frame("tip", body="link2", placement=eomc.Placement(xyz=(1, 0, 0)))
    return model


def satellite() -> eomc.Model:
    """A floating body with a jointed panel."""
    model = eomc.Model("satellite", gravity=(0, 0, 0))
    model.body("hub", mass=3.0, com=(0.1, 0, 0.05), inertia=(1.0, 1.3, 0.9))
    model.joint("base", "floating", parent="world", child="hub")
    model.body("panel", mass=0.5, com=(0, 0.6, 0), inertia=(0.1, 0.02, 0.1))
    place = eomc.Placement(xyz=(0, 0.4, 0))
    model.joint("hinge", "revolute", parent="hub", child="panel", axis=(1, 0, 0), placement=place)
    return model


@pytest.fixture(scope="module")
def arm() -> eomc.CompiledModel:
    return eomc.build(two_links())


@pytest.fixture(scope="module")
def floating() -> eomc.CompiledModel:
    return eomc.build(satellite())


PATH = Quintic([1.0, 0.9], [0.8, 1.2], 0.6)


def on_the_arm(model: eomc.CompiledModel) -> dict[str, Any]:
    task = Task(model, [Position("tip", "xy")], parameters={"load": 2.5})
    height = Task(model, [Position("tip", "y")])
    modified: dict[str, Any] = {"rate_max": 2.0, "period": T}
    posture = {"q1": 0.4, "q2": 1.0}
    return {
        "transpose": TransposeJacobian(task, [PATH], 400.0, 60.0),
        "modified": ModifiedTransposeJacobian(task, [PATH], 90.0, 12.0, e_max=0.5, **modified),
        "modified by row": ModifiedTransposeJacobian(
            task, [PATH], 90.0, 12.0, e_max=[0.5, 0.4], **modified),
        "resolved rate": ResolvedRate(task, [PATH], 4.0, [30.0, 20.0], gravity=True),
        "resolved rate of one row": ResolvedRate(
            height, [lambda t: [row[1:] for row in PATH(t)]], 4.0, 30.0, damping=0.05),
        "resolved acceleration": ResolvedAcceleration(task, [PATH], 64.0, 16.0),
        "damped": ResolvedAcceleration(task, [PATH], 64.0, 16.0, damping=0.02),
        "operational space": OperationalSpace(
            height, [0.9], 64.0, 16.0, posture=posture, posture_kp=9.0),
        "operational space, damped": OperationalSpace(task, [PATH], 64.0, 16.0, damping=0.01),
    }  # fmt: skip


def on_the_satellite(model: eomc.CompiledModel) -> dict[str, Any]:
    turned = np.array([4.0, 1.0, -2.0, 1.0]) / 22**0.5
    free = Task(model, [Position("hub"), Attitude("hub"), Coordinates("hinge")])
    angles = Task(model, [Position("panel", relative_to="hub"), EulerAngles("panel")])
    return {
        "attitude": ResolvedAcceleration(free, [[0.1, 0, 0], turned, [0.3]], 4.0, 4.0),
        "angles": TransposeJacobian(angles, [[0.0, 0.5, 0.1], [0.1, 0.2, -0.3]], 4.0, 4.0),
    }


ON_THE_ARM = (
    "transpose", "modified", "modified by row", "resolved rate", "resolved rate of one row",
    "resolved acceleration", "damped", "operational space", "operational space, damped",
)  # fmt: skip


def law_in_python(law: Any) -> Callable[[float, Row, Row], Row]:
    remembers = getattr(law, "at_samples", None)
    found: Callable[[float, Row, Row], Row] = law.torque if remembers is None else remembers(T)
    return found


def told(controller: Sampled, t: float) -> list[Row]:
    law: Any = controller.law
    rows = law.reference(t)
    return [rows[name] for name in controller.equation().inputs if name in rows]


@pytest.mark.parametrize("kind", ON_THE_ARM)
def test_a_law_of_task_space_in_c_is_the_law(
    arm: eomc.CompiledModel, tmp_path: Path, kind: str
) -> None:
    """From sample to sample, at states that the law did not make."""
    rng = np.random.default_rng(5)
    law = on_the_arm(arm)[kind]
    controller = Sampled(law, T)
    step, expected = step_in_c(tmp_path, controller, two_links()), law_in_python(law)
    for k in range(40):
        q, u = rng.uniform(0.2, 1.5, 2), rng.normal(size=2)
        assert step(q, u, *told(controller, k * T)) == pytest.approx(
            expected(k * T, q, u), rel=1e-11, abs=1e-11
        )


@pytest.mark.parametrize("kind", ["attitude", "angles"])
def test_attitudes_in_c(floating: eomc.CompiledModel, tmp_path: Path, kind: str) -> None:
    """At any attitude, and of either sign of the quaternion."""
    rng = np.random.default_rng(7)
    law = on_the_satellite(floating)[kind]
    controller = Sampled(law, T)
    step = step_in_c(tmp_path, controller, satellite())
    for _ in range(60):
        q, u = floating.random_configuration(rng), rng.normal(size=floating.nu)
        assert step(q, u, *told(controller, 0.0)) == pytest.approx(
            law.torque(0.0, q, u), rel=1e-9, abs=1e-9
        )
