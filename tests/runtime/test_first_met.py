"""What users meet first: looking at a model compiles nothing, a run is a mapping, names forgive."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Mapping

import numpy as np
import pytest

import eomc


@pytest.fixture(scope="module")
def pendulum() -> eomc.Model:
    model = eomc.Model("first_met")
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return model


def test_looking_at_members_compiles_nothing(pendulum: eomc.Model) -> None:
    compiled = eomc.build(pendulum, functions=["forward_dynamics"])
    inspect.getmembers(compiled)
    assert compiled.functions == ("forward_dynamics",)
    assert "compiled when called" in repr(compiled.mass_matrix)
    assert compiled.mass_matrix([0.0]) == pytest.approx(np.ones((1, 1)))
    assert "mass_matrix" in compiled.functions
    with pytest.raises(AttributeError, match="did you mean 'mass_matrix'"):
        _ = compiled.mass_matirx


def test_a_run_is_a_mapping_of_its_channels(pendulum: eomc.Model) -> None:
    run = eomc.simulate(eomc.build(pendulum), {"hinge": 0.5}, t_span=0.2, step=0.1)
    assert list(run) == list(run.keys()) == ["hinge", "speed(hinge)", "tau(hinge)"]
    assert "hinge" in run and "energy" in run and "elbow" not in run
    assert dict(run).keys() == dict(run.items()).keys()
    np.testing.assert_array_equal(dict(run)["hinge"], run["hinge"])
    assert len(run) == len(list(run.values())) == 3 and run.count == run.t.size == 3
    assert isinstance(run, Mapping) and run.get("elbow") is None
    np.testing.assert_array_equal(run.get("energy"), run.energy)
    assert "energy" not in list(run)  # computed, not recorded


def test_tables(pendulum: eomc.Model) -> None:
    run = eomc.simulate(eomc.build(pendulum), {"hinge": 0.5}, t_span=0.2, step=0.1)
    pytest.importorskip("pandas")
    table = run.to_pandas()
    assert table.index.name == "t"
    np.testing.assert_array_equal(table["hinge"], run["hinge"])


def test_data_sets(pendulum: eomc.Model) -> None:
    run = eomc.simulate(eomc.build(pendulum), {"hinge": 0.5}, t_span=0.2, step=0.1)
    pytest.importorskip("xarray")
    data = run.to_xarray()
    np.testing.assert_array_equal(data["speed(hinge)"], run["speed(hinge)"])
    np.testing.assert_array_equal(data["t"], run.t)


def test_methods_are_known_in_any_case(pendulum: eomc.Model) -> None:
    for method, known in (("rk45", "RK45"), ("dop853", "DOP853"), ("RADAU", "Radau")):
        with pytest.raises(ValueError, match=f"did you mean '{known}'"):
            eomc.simulate(eomc.build(pendulum), {"hinge": 0.5}, t_span=0.2, method=method)


def test_equations_pickle(pendulum: eomc.Model) -> None:
    equations = eomc.equations(pendulum)
    before = equations.mass_matrix.to_sympy()
    assert pickle.loads(pickle.dumps(equations)).mass_matrix.to_sympy() == before
