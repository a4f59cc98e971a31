"""Integrators of a user's own, where Python takes their stages, and where nothing can."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

import eomc
from eomc.codegen.integrators import Tableau, known, tableaus

HEUN = Tableau(
    "heun3", 3, a=((), (F(1, 3),), (F(0), F(2, 3))), b=(F(1, 4), F(0), F(3, 4)), stability_limit=0.5
)
BOGACKI_SHAMPINE = Tableau(
    "bs23",
    3,
    a=((), (F(1, 2),), (F(0), F(3, 4)), (F(2, 9), F(1, 3), F(4, 9))),
    b=(F(2, 9), F(1, 3), F(4, 9), F(0)),
    embedded=(F(7, 24), F(1, 4), F(1, 3), F(1, 8)),
    interpolant=(
        (F(1), F(-4, 3), F(5, 9)),
        (F(0), F(1), F(-2, 3)),
        (F(0), F(4, 3), F(-8, 9)),
        (F(0), F(-1), F(1)),
    ),
    stability_limit=2.0,
)


@pytest.fixture
def driven(monkeypatch: pytest.MonkeyPatch) -> eomc.CompiledModel:
    """A pendulum on a table that moves as prescribed, with both methods."""
    for method in (HEUN, BOGACKI_SHAMPINE):
        monkeypatch.setitem(known._METHODS, method.name, method)
    assert [method.name for method in tableaus()] == ["rk4", "dopri", "bs23", "heun3"]
    model = eomc.Model("own_steps", gravity=(0, 0, -9.81))
    model.body("table")
    model.joint("x", "prismatic", parent="world", child="table", axis=(1, 0, 0))
    model.body("bob", mass=1, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    model.joint("hinge", "revolute", parent="table", child="bob", axis=(0, 1, 0))
    model.prescribed("x")
    return eomc.build(model)


def test_stages_see_the_prescribed_motion_and_the_rest_is_refused(
    driven: eomc.CompiledModel,
) -> None:
    def shaken(t: float) -> tuple[float, float, float]:
        return np.sin(3 * t), 3 * np.cos(3 * t), -9 * np.sin(3 * t)

    exact = eomc.simulate(driven, t_span=1.0, prescribed={"x": shaken}, rtol=1e-12, atol=1e-12)
    errors = []
    for step in (0.02, 0.01):
        run = eomc.simulate(driven, t_span=1.0, prescribed={"x": shaken}, method="heun3", step=step)
        errors.append(abs(float(run.q[-1, 0] - exact.q[-1, 0])))
    assert 7 < errors[0] / errors[1] < 9  # third order, as the stages see the motion
    still = {"x": 0.0}
    plain = eomc.simulate(driven, {"hinge": 0.3}, t_span=1.0, prescribed=still, method="bs23")
    exact = eomc.simulate(driven, {"hinge": 0.3}, t_span=1.0, prescribed=still, rtol=1e-12)
    assert plain.q[-1] == pytest.approx(exact.q[-1], abs=1e-6)
    with pytest.raises(ValueError, match="'bs23' holds what is prescribed over a step"):
        eomc.simulate(driven, t_span=1.0, prescribed={"x": shaken}, method="bs23")
    with pytest.warns(
        UserWarning, match="'heun3': the speed 'hinge' has a rate of 2.99 .* give step=0.2"
    ):
        eomc.simulate(driven, t_span=10.0, prescribed=still, method="heun3", step=0.5)
