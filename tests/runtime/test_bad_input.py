"""Arguments of any type and value: a result, or one clear error that says which argument it is."""

import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eomc
from eomc.runtime.control import PD, ComputedTorque, GravityCompensation
from eomc.runtime.errors import SimulationError
from eomc.runtime.trajectories import (
    Cubic,
    CubicSpline,
    HermiteSpline,
    Quintic,
    SineRamp,
    UniformHermiteSpline,
)

fuzz = settings(max_examples=150)
_numbers = st.one_of(
    st.floats(), st.floats(-3, 3), st.integers(-3, 3), st.sampled_from([np.nan, np.inf, 0.0, 1e300])
)
_leaves = st.one_of(
    *(_numbers, st.none(), st.booleans(), st.text(max_size=6), st.complex_numbers()),
    st.sampled_from(["hinge", "m", "rk4", "dopri", "LSODA", b"hinge", object(), np.zeros(0)]),
)
_anything = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["hinge", "m", "x"]), inner, max_size=2),
        inner.map(lambda value: lambda *arguments: value),
    ),
    max_leaves=5,
)


def outcome(names: Any, call: Any, *arguments: Any, **keywords: Any) -> Any:
    """The result, or None after an error of one line that begins with one of the names."""
    try:
        return call(*arguments, **keywords)
    except SimulationError as error:
        assert "stopped at t = " in str(error)
    except ValueError as error:
        assert "\n" not in str(error)
        assert any(name in str(error) for name in names), str(error)
    return None


@fuzz
@given(data=st.data())
def test_simulate_refuses_or_runs(swing: eomc.CompiledModel, data: st.DataObject) -> None:
    names = [
        "q",
        "u",
        "controller",
        "tau",
        "inputs",
        "prescribed",
        "method",
        "step",
        "rtol",
        "atol",
        "parameters",
        "events",
        "max_steps",
    ]
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    arguments = {name: data.draw(_anything, label=name) for name in chosen}
    arguments = {"max_steps": 1000, **arguments}
    run = outcome(chosen, eomc.simulate, swing, t_span=(0.0, 0.02), **arguments)
    if run is not None:
        assert np.isfinite(run.q).all() and np.isfinite(run.u).all() and np.isfinite(run.tau).all()


@fuzz
@given(t=_anything, step=_numbers)
def test_times_are_refused_or_recorded(swing: eomc.CompiledModel, t: Any, step: Any) -> None:
    from eomc.runtime.simulation.record_times import record_times

    times = outcome(("t_span", "step"), record_times, t, step if abs(step) > 1e-3 else None)
    if times is not None:
        assert np.isfinite(times).all() and (np.diff(times) > 0).all()


@fuzz
@given(data=st.data())
def test_compiled_functions_refuse_or_return(
    swing: eomc.CompiledModel, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["forward_dynamics", "inverse_dynamics", "mass_matrix"]))
    arguments = [data.draw(_anything) for _ in swing.inputs_of(name)]
    keywords = data.draw(
        st.fixed_dictionaries({}, optional={"parameters": _anything, "out": _anything})
    )
    outcome_of_compiled(swing.function(name), *arguments, **keywords)


def outcome_of_compiled(call: Any, *arguments: Any, **keywords: Any) -> None:
    """An array, or an error of one line."""
    try:
        assert isinstance(call(*arguments, **keywords), np.ndarray)
    except (ValueError, TypeError, FloatingPointError, KeyError) as error:
        assert len(str(error)) > 5 and "\n" not in str(error)


@fuzz
@given(data=st.data())
@pytest.mark.parametrize(
    "kind", [Cubic, Quintic, SineRamp, HermiteSpline, UniformHermiteSpline, CubicSpline]
)
def test_profiles_refuse_or_move(kind: Any, data: st.DataObject) -> None:
    arguments = [data.draw(_anything) for _ in range(2 if "Spline" in kind.__name__ else 3)]
    names = inspect.signature(kind).parameters
    outcome(names, kind, *arguments)


@fuzz
@given(data=st.data())
@pytest.mark.parametrize("kind", [PD, ComputedTorque, GravityCompensation])
def test_controllers_refuse_or_act(
    swing: eomc.CompiledModel, kind: Any, data: st.DataObject
) -> None:
    keywords = (
        {}
        if kind is GravityCompensation
        else {"kp": data.draw(_anything), "kd": data.draw(_anything)}
    )
    arguments = [] if kind is GravityCompensation else [data.draw(_anything)]
    names = [*inspect.signature(kind).parameters, "reference", "controller"]
    law = outcome(names, kind, swing, *arguments, **keywords)
    if law is not None:
        outcome(names, eomc.simulate, swing, t_span=(0.0, 0.02), controller=law, max_steps=1000)


@pytest.mark.parametrize("word", ["q", "u", "tau", "t_span"])
def test_masked_entries_are_no_numbers(swing: eomc.CompiledModel, word: str) -> None:
    masked = np.ma.masked_array([0.0, 0.1] if word == "t_span" else [0.1], mask=True)
    with pytest.raises(ValueError, match=rf"^{word}.* has masked entries"):
        eomc.simulate(swing, **{"t_span": 0.1, word: masked})
    bare = np.ma.masked_array([0.1])
    assert eomc.simulate(swing, q=bare, t_span=0.1).q[0] == 0.1


@pytest.mark.parametrize("word", ["controller", "inputs", "events", "prescribed"])
def test_laws_of_other_arguments_are_refused(word: str) -> None:
    model = eomc.Model("cart")
    wind = model.input("wind")
    model.body("cart", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.force("push", at="cart", direction=(1, 0, 0), magnitude=wind)
    model.body("bob", mass=1.0, inertia=(1, 1, 1))
    model.joint("turn", "revolute", parent="cart", child="bob", axis=(0, 1, 0))
    model.prescribed("turn")
    cart = eomc.build(model)
    laws = {"prescribed": {"turn": 0.0}, word: lambda t, q: 0.0}
    called = r"\(t\)" if word == "prescribed" else r"\(t, q, u\)"
    with pytest.raises(ValueError, match=rf"^{word}: .*takes \(t, q\).*called with {called}"):
        eomc.simulate(cart, t_span=0.1, **laws)
    if word in ("inputs", "prescribed"):
        name = {"inputs": "wind", "prescribed": "turn"}[word]
        laws[word] = {name: laws[word]}
        with pytest.raises(ValueError, match=rf"^{word}.*{name}.*called with {called}"):
            eomc.simulate(cart, t_span=0.1, **laws)
