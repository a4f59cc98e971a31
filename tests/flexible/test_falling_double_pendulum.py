"""A flexible double pendulum falls: assumed modes with foreshortening against finite elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flexible.inextensible_elements import PinnedChain
from scipy.integrate import solve_ivp

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.model import Model

L, MU, EI, G = 1.0, 0.5, 8.0, 9.81
TIMES = np.linspace(0, 1.0, 41)


def elements(count: int) -> Any:
    """Places of the tip by finite elements."""
    chain = PinnedChain(2, L, MU, EI, G, count)
    size = chain.shape.shape[1]

    def right(_: float, state: Any) -> Any:
        q, rate = state[:size], state[size:]
        return np.concatenate([rate, chain.accelerations(q, rate)])

    start = np.zeros(2 * size)
    # tighter tolerances move the places by 1e-6
    solved = solve_ivp(right, (0, 1), start, "Radau", t_eval=TIMES, rtol=1e-4, atol=1e-6)
    return chain.ends(solved.y[:size].T)


def modes(count: int, stiffening: bool) -> Any:
    """Places of the tip by two bodies of the model, and the run."""
    model = Model("pendulum", gravity=(0, -G, 0))
    for name in ("upper", "lower"):
        form = Beam(length=L, mass_per_length=MU, EI=EI, modes=(count, 0), stiffening=stiffening)
        model.deformable(name, form)
    model.joint("hip", "revolute", parent="world", child="upper", axis=(0, 0, 1))
    model.attachment("elbow", body="upper", at="tip")
    model.joint("knee", "revolute", parent="elbow", child="lower", axis=(0, 0, 1))
    model.attachment("hand", body="lower", at="tip")
    model.frame("tip", body="hand")
    compiled = eomc.build(
        model, functions=("forward_dynamics", "kinetic_energy", "potential_energy"), frames=["tip"]
    )
    run = eomc.simulate(compiled, t_span=TIMES, rtol=1e-9, atol=1e-11)
    return np.array([compiled.frame_tip_pose(q)[:2, 3] for q in run.q]), run


@pytest.mark.slow
def test_falling_double_pendulum() -> None:
    coarse, fine = elements(6), elements(12)
    exact = fine + (fine - coarse) / 3  # errors fall with the square of the mesh
    got, run = modes(4, stiffening=True)
    assert np.ptp(run.energy) < 1e-9 * MU * L * G
    # the beams bend by a fortieth of their length; what is left out is of third order
    assert np.max(np.abs(run.q[:, [1, 6]])) * 2 > 0.02
    error = np.max(np.abs(got - exact))
    assert error < 2e-4 * L
    # without foreshortening it is of second order
    without, _ = modes(3, stiffening=False)
    assert np.max(np.abs(without - exact)) > 0.02 * L
