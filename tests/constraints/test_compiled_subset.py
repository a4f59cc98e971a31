"""Modules of a constrained model that were built with some of its functions only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import eomc

STEP = ("forward_dynamics", "coordinate_rates", "normalize", "neutral")
METHODS = ("DOP853", "rk4", "dopri")


def rod() -> eomc.Model:
    """A particle at the end of a massless rod of 2 m, told by a distance and three slides."""
    model = eomc.Model("rod", gravity=(0, 0, -9.81))
    model.body("b1")
    model.body("b2")
    model.body("p", mass=1)
    model.joint("x", "prismatic", parent="world", child="b1", axis=(1, 0, 0))
    model.joint("y", "prismatic", parent="b1", child="b2", axis=(0, 1, 0))
    model.joint("z", "prismatic", parent="b2", child="p", axis=(0, 0, 1))
    model.constraint("rod", "distance", a=eomc.Point("p"), b=eomc.Point("world"), length=2.0)
    return model


@pytest.fixture(scope="module")
def subset() -> Path:
    return eomc.build(rod(), functions=STEP).library


@pytest.mark.parametrize("method", METHODS)
def test_a_subset_that_lacks_constraints_is_not_simulated(subset: Path, method: str) -> None:
    """The start is off the rod: neither that nor the motion is passed over."""
    loaded = eomc.runtime.load(subset)
    assert loaded.is_constrained
    needed = r"'constraint_residual', 'constraint_jacobian'.*'position_correction'"
    with pytest.raises(AttributeError, match=needed):
        eomc.runtime.simulate(loaded, q={"z": -1.0}, t_span=1.0, method=method)


def test_a_method_that_cannot_project_is_not_offered(subset: Path) -> None:
    loaded = eomc.runtime.load(subset)
    assert loaded.integrator("rk4") is None
    with pytest.raises(AttributeError, match=r"'rk4' .* does not project.*'position_correction'"):
        loaded.rk4([0, 0, -2.0], [0, 0, 0], [0, 0, 0], 1e-3, 10)


@pytest.mark.parametrize("method", METHODS)
def test_what_a_subset_lacks_is_compiled_where_that_is_possible(method: str) -> None:
    """The method of the first module does not project; that of the further one does."""
    model = eomc.build(rod(), functions=STEP)
    start = model.forward_dynamics([0.0, 0, -2.0], [1.0, 0, 0], [0, 0, 0])
    assert np.isfinite(start).all()
    run = eomc.simulate(model, {"z": -2.0}, {"x": 1.0}, t_span=0.5, step=1e-2, method=method)
    assert np.abs(np.linalg.norm(run.q, axis=1) - 2.0).max() < 1e-14
    with pytest.raises(eomc.runtime.errors.ConstraintError, match=r"violates constraint 'rod"):
        eomc.simulate(model, {"z": -1.0}, t_span=0.5, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_projections_are_counted(method: str) -> None:
    """Every step ends on the constraints, and the start."""
    model = eomc.build(rod())
    run = eomc.simulate(model, {"z": -2.0}, {"x": 1.0}, t_span=0.5, step=1e-2, method=method)
    assert run.statistics["projections"] > run.statistics["steps"] > 2


def test_header_and_manifest_tell_which_steps_leave_the_constraints(
    tmp_path: Path, subset: Path
) -> None:
    eomc.emit(rod(), tmp_path / "some", functions=STEP)
    header = (tmp_path / "some" / "rod.h").read_text()
    assert header.count("Steps do NOT end on the constraints") == 2  # of rk4 and of dopri
    assert "position_correction" in header
    for method in eomc.runtime.load(subset).manifest["integrators"]:
        assert "position_correction" in method["off_constraints"]
    eomc.emit(rod(), tmp_path / "all")
    assert "do NOT end" not in (tmp_path / "all" / "rod.h").read_text()
    pendulum = eomc.Model("pendulum")
    pendulum.body("bob", mass=1, com=(0, 0, -1))
    pendulum.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    eomc.emit(pendulum, tmp_path / "free", functions=STEP)
    assert "do NOT end" not in (tmp_path / "free" / "pendulum.h").read_text()
