"""Lateral buckling and bending in two planes, against closed forms and the theory of rods."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from bodies.test_beam_second_order import cross
from scipy.integrate import solve_ivp
from scipy.optimize import root

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.model import Model

SHAPES = "clamped-free polynomials"
FUNCTIONS = ("inverse_dynamics", "inverse_dynamics_derivatives")


@lru_cache(maxsize=1)
def blade() -> Any:
    """A deep cantilever, stiff along z, under a load at its tip."""
    model = Model("blade", gravity=(0, 0, 0))
    model.parameter("load", 1.0)
    form = Beam(
        length=1,
        mass_per_length=1,
        EI=(1, 1e4),
        GJ=1,
        modes=(4, 2, 0, 4),
        shapes=SHAPES,
        section_inertia=(1, 0, 0),
        stiffening=True,
    )
    model.deformable("blade", form)
    model.joint("clamp", "fixed", parent="world", child="blade")
    model.attachment("tip", body="blade", at="tip")
    model.force("load", at="tip", direction=(0, 0, 1), magnitude="load")
    return eomc.build(model, functions=[*FUNCTIONS, "mass_matrix"], tunable=["load"])


def settled(compiled: Any, **parameters: Any) -> Any:
    """(q, K) in equilibrium, from rest."""
    q = zero = np.zeros(len(compiled.coordinates))
    for _ in range(20):
        stiffness = compiled.inverse_dynamics_derivatives(q, zero, zero, **parameters)[0]
        q = q - np.linalg.solve(stiffness, compiled.inverse_dynamics(q, zero, zero, **parameters))
    return q, stiffness


def lowest(load: float) -> float:
    """Frequency squared of the lowest mode, in equilibrium."""
    q, stiffness = settled(blade(), parameters=np.array([load]))
    assert q[:4] == pytest.approx(0, abs=1e-9), "the beam bends in the plane of the load alone"
    mass = blade().mass_matrix(q)
    return float(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.min())


@pytest.mark.slow
def test_a_deep_cantilever_buckles_sideways() -> None:
    """At P l^2 / sqrt(EI GJ) = 4.0126: Timoshenko and Gere, *Theory of Elastic Stability*, 6.3."""
    assert lowest(4.0126 * 0.999) > 0 > lowest(4.0126 * 1.001)


STIFFNESS, LOAD = np.array([1.0, 3.0, 1.0]), np.array([0.0, 1.4, 1.4])
"""GJ, EI of bending along z (about y), EI of bending along y (about z); the force at the tip."""


def rod_tip() -> Any:
    """Where the tip of the rod comes to, by shooting: R' = R [k]x, k = R^T ((r(1) - r) x F) / EI"""

    def reached(tip: Any) -> Any:
        def rate(_: float, state: Any) -> Any:
            turned = state[3:].reshape(3, 3)
            k = turned.T @ np.cross(tip - state[:3], LOAD) / STIFFNESS
            return np.concatenate([turned[:, 0], (turned @ cross(k)).ravel()])

        start = np.concatenate([np.zeros(3), np.eye(3).ravel()])
        return solve_ivp(rate, (0, 1), start, rtol=1e-9, atol=1e-10).y[:3, -1]

    return root(lambda tip: reached(tip) - tip, [0.8, 0.4, 0.2], tol=1e-9).x


def beams_tip(count: int) -> Any:
    """The same by so many beams in a row."""
    model = Model("row", gravity=(0, 0, 0))
    form = Beam(
        length=1 / count,
        mass_per_length=1,
        EI=(1, 3),
        GJ=1,
        modes=(2, 2, 0, 2),
        shapes=SHAPES,
        section_inertia=(1, 0, 0),
        stiffening=True,
    )
    names = [f"b{k}" for k in range(count)]
    for before, name in zip([None, *names], names, strict=False):
        model.deformable(name, form)
        if before is None:
            model.joint(name, "fixed", parent="world", child=name)
        else:
            model.joint(name, "attachment", parent=before, child=name, at="tip")
    model.attachment("tip", body=names[-1], at="tip")
    model.force("pull", at="tip", direction=tuple(LOAD), magnitude=1)
    compiled = eomc.build(model, functions=[*FUNCTIONS, "frame_tip_pose"])
    return compiled.frame_tip_pose(settled(compiled)[0])[:3, 3]


@pytest.mark.slow
def test_beams_in_a_row_are_a_rod_bent_in_two_planes() -> None:
    """Each beam is exact to second order, so that errors fall by more than the square of their
    number."""
    exact = rod_tip()
    assert np.hypot(*exact[1:]) > 0.4, "beyond small deflections"
    errors = [np.linalg.norm(beams_tip(count) - exact) for count in (2, 4)]
    assert errors[0] < 0.02
    assert errors[1] < errors[0] / 4
