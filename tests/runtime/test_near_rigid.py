"""Near-rigid control: least forces for wanted accelerations, strains being held."""

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.cables import Winch
from eomc.runtime.control import NearRigid
from eomc.runtime.control.least_effort import AllocationError
from eomc_published.tensegrity.control import single_solve
from eomc_published.tensegrity.single_strut import cables, state, strut

CORNERS = ((-2, -1.5), (2, -1.5), (2, 1.5), (-2, 1.5))
LEAST = 1e-3


@pytest.fixture(scope="module")
def platform() -> eomc.CompiledModel:
    """A platform with three freedoms in a plane, between four drums in blocks that swivel."""
    model = eomc.Model("platform", gravity=(0, 0, 0))
    model.body("platform", mass=10, inertia=(1, 1, 0.6))
    model.joint("at", "planar", parent="world", child="platform", axis=(0, 0, 1))
    for k, (x, y) in enumerate(CORNERS):
        model.body(f"drum{k}", mass=1, inertia=(0.01, 0.01, 0.01))
        model.joint(
            f"turn{k}",
            "revolute",
            parent="world",
            child=f"drum{k}",
            axis=(0, 0, 1),
            placement=(x, y, 0),
        )
        drum = Winch(
            eomc.Point("world", (x, y, 0)),
            radius=0.1,
            sense=-1,
            turn=f"turn{k}",
            axis=(0, 0, 1),
            zero=(-x, -y, 0),
        )
        corner = eomc.Point("platform", (0.15 * x, -0.15 * y, 0))
        model.cable(f"rope{k}", [drum, corner], length=2, modulus=1e9, area=1e-5, viscosity=3e7)
        model.input(f"m{k}")
        model.generalized_force(f"m{k}", speed=f"turn{k}", expression=f"m{k}")
    return eomc.build(model)


def taut(model: eomc.CompiledModel, strain: float = 2 * LEAST) -> np.ndarray:
    """Coordinates with that strain in every cable, found by the turns of the drums."""
    q = np.array([0.05, 0.1, 0.08, *np.zeros(4)])
    turns = np.array([name.startswith("turn") for name in model.speeds])
    for _ in range(10):
        strains, slopes, *_ = (
            np.asarray(part) for part in model.element_strains(q, 0 * q, np.zeros(4))
        )
        q += np.linalg.pinv(slopes * turns) @ (strain - strains)
    assert strains == pytest.approx(np.full(4, strain))
    return q


def test_one_state_of_the_strut() -> None:
    checks = list(single_solve())
    assert len(checks) == 7
    assert all(check.passed for check in checks), checks


def test_strains_do_not_accelerate(platform: eomc.CompiledModel) -> None:
    motion: dict[str, Any] = {name: (lambda t: (0, 0, 1.5)) for name in ("at_x", "at_y")}
    law = NearRigid(platform, motion, (LEAST, np.inf), (-500, 500))
    q, u = taut(platform), np.random.default_rng(1).normal(0, 0.1, 7)
    found, zero = law.solve(0.0, q, u), np.zeros(4)
    a = found.accelerations
    strains, slopes, drift, pulls = (np.asarray(x) for x in platform.element_strains(q, u, zero))
    assert slopes @ a + drift == pytest.approx(zero, abs=1e-9)
    assert a[:2] == pytest.approx([1.5, 1.5], rel=1e-9)
    taken = np.asarray(platform.inverse_dynamics(q, u, a, zero)) - pulls @ found.strain_changes
    assert taken == pytest.approx(found.tau, abs=1e-8)
    assert found.tau == pytest.approx(law.torque(0.0, q, u))
    final = strains + found.strain_changes
    assert final.min() == pytest.approx(LEAST, rel=1e-9)
    # More pretension is possible, and takes more.
    tighter = NearRigid(platform, motion, (1.5 * LEAST, np.inf)).solve(0.0, q, u)
    assert tighter.forces @ tighter.forces > found.forces @ found.forces


def test_free_accelerations_are_calmed(platform: eomc.CompiledModel) -> None:
    """A large weight lets the free motion, a turn that keeps all strains, decay at the rate."""
    q = taut(platform)
    slopes = np.asarray(platform.element_strains(q, 0 * q, np.zeros(4))[1])
    u = np.linalg.svd(np.vstack([np.eye(7)[:2], slopes]))[2][-1]
    motion = {"at_x": q[0], "at_y": q[1]}
    for weight, close in ((1e9, True), (0.0, False)):
        law = NearRigid(platform, motion, (0, np.inf), free_damping=(weight, 3.0))
        decay = law.solve(0.0, q, u).accelerations @ u
        assert (decay == pytest.approx(-3, rel=1e-3)) == close


def test_places_of_frames_and_gains(platform: eomc.CompiledModel) -> None:
    q, u = taut(platform), np.random.default_rng(2).normal(0, 0.1, 7)
    limits = (LEAST, np.inf)
    by_speeds = NearRigid(platform, {"at_x": 0.3, "at_y": 0.0}, limits, kp=4.0)
    by_frame = NearRigid(platform, {"platform.x": 0.3, "platform.y": 0.0}, limits, kp=4.0)
    found = by_speeds.solve(0.0, q, u)
    assert by_frame.solve(0.0, q, u).forces == pytest.approx(found.forces, rel=1e-8)
    wanted = 4 * (np.array([0.3, 0.0]) - q[:2]) - 4 * u[:2]
    assert found.accelerations[:2] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.slow
def test_gains_lead_errors_back(platform: eomc.CompiledModel) -> None:
    q = taut(platform, LEAST)
    motion = {"at_x": 0.06, "at_y": 0.1, "at_theta": 0.08}
    law = NearRigid(platform, motion, (LEAST, np.inf), kp=9.0)
    run = eomc.simulate(platform, q, t_span=1.0, controller=law, method="DOP853", rtol=1e-6)
    expected = 0.06 - 0.01 * (1 + 3 * run.t) * np.exp(-3 * run.t)
    assert np.abs(run["at_x"] - expected).max() < 0.03 * 0.01


def test_it_refuses() -> None:
    model = strut()
    free = (0.1, np.inf)
    for call, message in (
        (lambda: NearRigid(model, {"fi": 0.0}, free), "target of 'fi'"),
        (lambda: NearRigid(model, {"phi": 0.0}, {"rope": free}), "strains: no 'rope'"),
        (lambda: NearRigid(model, {"phi": 0.0}, free, {"u9": (0, 1)}), "limits: no 'u9'"),
        (lambda: NearRigid(model, {"phi": 0.0}, free, kp=-1.0), "kp"),
        (lambda: NearRigid(model, {"phi": 0.0}, free, actuators="u9"), "no input or speed"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    q, u = state(np.array([0.2, 0.1, 0.1, 0.1, 0.1]), np.zeros(5))
    at = eomc.assemble(model, q, u, parameters=cables(2e8))
    law = NearRigid(model, {"phi": 0.0, "psi": 0.0}, free, (0, 1e-3), parameters=cables(2e8))
    with pytest.raises(AllocationError, match=r"above its upper bound 0\.001"):
        law.torque(0.0, at.q, at.u)
    law = NearRigid(model, {"phi": 0.0, "beta1": 0.0, "psi": lambda t: (0, 0, 1)}, free)
    with pytest.raises(AllocationError, match="contradicts the constraints"):
        law.torque(0.0, at.q, at.u)
