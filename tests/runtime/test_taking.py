"""The front door: what is a model, what is a state, and what is hardly meant."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.derive.model.plausible import ImplausibleModelWarning, implausible
from eomc.runtime.model.validity import ImplausibleStateWarning

MODELS = Path(__file__).parents[2] / "examples" / "models"
PENDULUM = MODELS / "pendulum.toml"


def test_paths_models_and_compiled_models_alike() -> None:
    compiled = eomc.build(PENDULUM)
    given = (PENDULUM, str(PENDULUM), eomc.load(PENDULUM), eomc.equations(eomc.load(PENDULUM)))
    expected = eomc.simulate(compiled, {"hinge": 0.3}, t_span=0.1)
    for model in given:
        assert eomc.simulate(model, {"hinge": 0.3}, t_span=0.1).q.tolist() == expected.q.tolist()
    assert eomc.linearize(PENDULUM).A.tolist() == eomc.linearize(compiled).A.tolist()
    assert eomc.equilibrium(model=PENDULUM).q.tolist() == eomc.equilibrium(compiled).q.tolist()
    closed = eomc.assemble(MODELS / "four_bar.toml", {"drive": 0.3})
    assert np.abs(closed.residual).max() < 1e-12
    with pytest.raises(TypeError, match="returned or takes"):
        eomc.simulate(3)
    with pytest.raises(TypeError, match="model"):
        eomc.simulate()


def test_one_way_to_give_a_state() -> None:
    model = eomc.build(MODELS / "double_pendulum.toml")
    q, u = np.array([0.3, -0.2]), np.array([0.1, 0.0])
    state = eomc.runtime.State(q, u)
    named = {"shoulder": 0.3, "elbow": -0.2}
    run = eomc.simulate(model, q, u, 0.1)
    assert eomc.simulate(model, state, t_span=0.1).q.tolist() == run.q.tolist()
    assert eomc.simulate(model, run.final, t_span=0.1).q[0].tolist() == run.final.q.tolist()
    about = eomc.linearize(model, q=q).A.tolist()
    for given in (q, q.tolist(), named, (q, 0 * u)):
        assert eomc.linearize(model, given).A.tolist() == about
    assert eomc.linearize(model, state).A.tolist() == eomc.linearize(model, q=q, u=u).A.tolist()
    rest = eomc.equilibrium(model, named)
    assert eomc.equilibrium(model, rest).q.tolist() == pytest.approx(rest.q.tolist(), abs=1e-12)
    still = eomc.simulate(model, rest, t_span=0.1)
    assert np.abs(still.q - rest.q).max() < 1e-9
    with pytest.raises(ValueError, match="either a state, or q, u and z"):
        eomc.simulate(model, state, u)
    with pytest.raises(ValueError, match="give the coordinates once"):
        eomc.linearize(model, q, q=q)
    with pytest.raises(ValueError, match=r"state: give q, \(q, u\)"):
        eomc.linearize(model, "rest")


def test_degrees_are_noticed_once_and_can_be_quieted() -> None:
    model = eomc.build(MODELS / "double_pendulum.toml")
    with pytest.warns(ImplausibleStateWarning, match=r"elbow is 45 rad.*radians\(45\) = 0\.7854"):
        eomc.simulate(model, {"elbow": 45}, t_span=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eomc.simulate(model, {"elbow": 7.3}, t_span=0.01)  # more than a turn, but no round number
        eomc.simulate(model, {"elbow": 6}, t_span=0.01)
        warnings.simplefilter("ignore", ImplausibleStateWarning)
        eomc.simulate(model, {"elbow": 90}, t_span=0.01)
    with pytest.raises(ValueError, match="entry 1 is not finite"):
        eomc.simulate(model, [0.0, float("nan")])


def odd() -> eomc.Model:
    model = eomc.Model("odd")
    model.parameter("k", 1.0, units="Nm/rad")
    model.input("thrust", units="newtons")
    model.body("bob", mass=1, com=(0, 0, -0.5), inertia=(83333, 83333, 100))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return model


def test_what_a_model_hardly_means_is_told() -> None:
    units, input_units, inertia = implausible(odd())
    assert "parameter 'k': 'Nm' is no unit; did you mean 'N m'?" in units
    assert "'newtons' is no unit" in input_units
    assert "body 'bob': its inertia of 8.33e+04 kg m^2" in inertia
    with pytest.warns(ImplausibleModelWarning, match="are these kg m"):
        odd().validate()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        odd().validate(inertia="ignore")


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
def test_examples_mean_what_they_say(path: Path) -> None:
    assert list(implausible(eomc.load(path))) == []


def test_type_checkers_see_a_misspelt_function(tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    from eomc.derive.functions.registry import KINDS
    from eomc.runtime.model.functions import ModelFunctions

    assert issubclass(eomc.runtime.CompiledModel, ModelFunctions)
    known = ModelFunctions.__annotations__
    assert set(KINDS) <= set(known)
    source = Path(sys.modules["eomc.runtime.model.functions"].__file__ or "").read_text()
    (tmp_path / "functions.py").write_text(source)
    (tmp_path / "user.py").write_text(
        "from functions import ModelFunctions\n"
        "def use(m: ModelFunctions) -> None:\n    m.mass_matrix([0.0])\n    m.mas_matrix([0.0])\n"
    )
    said, _, code = mypy.run(["--no-incremental", "--cache-dir", "/dev/null", str(tmp_path)])
    assert code == 1 and "mas_matrix" in said and said.count("error:") == 1


def test_the_front_door_opens_without_a_compiler() -> None:
    program = (
        "import sys, eomc; eomc.simulate; assert 'sympy' not in sys.modules, 'sympy'; "
        "assert 'eomc.derive' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
