"""External wrenches on bodies and frames, in runs and in forward dynamics."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import PD, Sampled


@functools.cache
def arm() -> Any:
    model = eomc.Model("arm", gravity=(0, 0, 0))
    for k, (name, parent) in enumerate((("upper", "world"), ("lower", "upper"))):
        model.body(name, mass=1 + k, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
        place = (1, 0, 0) if k else (0, 0, 0)
        model.joint(f"j{k}", "revolute", parent=parent, child=name, axis=(0, 1, 0), placement=place)
    model.frame("tip", body="lower", placement=(0.8, 0, 0))
    return eomc.build(model)


def test_a_force_at_the_tip_in_forward_dynamics() -> None:
    """Against the plane arm by hand: z(tip) = -(sin a + 0.8 sin(a + b)), and a moment about y."""
    q, force, moment = np.array([0.3, 0.5]), 7.0, 2.0
    wrench = np.array([0, 0, force, 0, moment, 0])
    tau = arm().frame("tip").jacobian(q).T @ wrench
    a, ab = q[0], q.sum()
    lever = np.array([-(np.cos(a) + 0.8 * np.cos(ab)), -0.8 * np.cos(ab)])
    assert np.allclose(tau, lever * force + moment, rtol=1e-14)
    # The emitted function takes one wrench for each body, at its origin: the tip is 0.8 m out.
    out = arm().frame("tip").pose(q)[:3, 3] - arm().frame("lower").pose(q)[:3, 3]
    bodies = np.zeros((2, 6))
    bodies[1] = [*wrench[:3], *(wrench[3:] + np.cross(out, wrench[:3]))]
    assert np.allclose(arm().pull(q, bodies), tau, rtol=1e-13)


def test_a_run_under_wrenches() -> None:
    """A follower force does the work that the energy tells; a constant one has a potential."""
    pushed = {"tip": [0, 0, 3.0, 0, 0, 0]}
    run = eomc.simulate(arm(), {"j0": 0.2}, t_span=1.0, external_wrenches=pushed, rtol=1e-10)
    height = np.array([arm().frame("tip").pose(q)[2, 3] for q in run.q])
    assert np.ptp(height) > 0.1
    assert np.allclose(run["kinetic_energy"], 3.0 * (height - height[0]), atol=1e-7)
    same = eomc.simulate(
        arm(),
        {"j0": 0.2},
        t_span=1.0,
        rtol=1e-10,
        external_wrenches={"tip": lambda t, q, u: [0, 0, 3.0, 0, 0, 0]},
    )
    assert np.allclose(same.q, run.q, atol=1e-9)


def test_beside_a_controller_and_tau() -> None:
    law = PD(arm(), [0.0, 0.0], 50.0, 10.0)
    pushed: dict[str, Any] = {"external_wrenches": {"tip": [0, 0, 3.0, 0, 0, 0]}}
    run = eomc.simulate(arm(), t_span=20.0, controller=law, rtol=1e-6, **pushed)
    lever = arm().frame("tip").jacobian(run.q[-1])[2]
    assert np.allclose(50.0 * run.q[-1], 3.0 * lever, atol=1e-4)  # at rest
    sampled = eomc.simulate(arm(), t_span=0.5, controller=Sampled(law, 0.002), **pushed)
    assert np.allclose(sampled.q[-1], run.at(0.5).q, atol=2e-3) and abs(sampled.q[-1, 0]) > 0.05


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(KeyError, match=r"no frame 'tipp'.*'tip'"):
        eomc.simulate(arm(), t_span=0.1, external_wrenches={"tipp": np.zeros(6)})
    with pytest.raises(ValueError, match=r"external_wrenches of 'tip'.*expected \(6,\)"):
        eomc.simulate(arm(), t_span=0.1, external_wrenches={"tip": [1, 2, 3]})
