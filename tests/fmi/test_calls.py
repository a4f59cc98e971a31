"""What an importer calls that stands in no run: derivatives of every kind of variable against
differences, calls of either standard for continuous states, messages."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest

import eomc
from eomc_published.fmi.unit import Instance, instance, refuses, unpacked

pytestmark = pytest.mark.variants

fmpy = pytest.importorskip("fmpy")
VERSIONS = ("2", "3")
STATES = ["q.arm", "q.slide", "u.arm", "u.slide", "z.motor_effort"]
RATES = [f"der({name})" for name in STATES]
GIVEN = [*STATES, "tau.slide", "r.command", "r.gust"]


@cache
def crane(version: str) -> Path:
    """A slide on an arm, a motor that lags, and a stop: as many states as no other array has."""
    model = eomc.Model("crane", gravity=(0, 0, -9.81))
    model.input("command")
    model.input("gust")
    model.body("arm", mass=2, com=(0.3, 0, -0.5), inertia=(0.1, 0.2, 0.1))
    model.joint("arm", "revolute", parent="world", child="arm", axis=(0, 1, 0), damping=0.1)
    model.body("load", mass=1, com=(0, 0.1, 0))
    model.joint("slide", "prismatic", parent="arm", child="load", axis=(1, 0, 0))
    model.generalized_force("wind", "slide", "2*gust*slide")  # its slope is that of an input
    model.lag("motor", speed="arm", command="command", time_constant=0.2)
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "load", "radius": 0.02},
        surface={"kind": "plane", "at": eomc.Point("world", (0, 0, -2)), "normal": (0, 0, 1)},
        normal={"kind": "kelvin_voigt", "stiffness": 1e4, "damping": 3.0},
    )
    file = Path(mkdtemp()) / f"crane_{version}.fmu"
    state = {"q": [0.4, 0.7], "u": [0.5, -0.3], "z": {"motor_effort": 0.6}}
    return eomc.fmu(
        model, file, version=version, platforms="host", inputs={"command": 1.5}, **state
    )


def sensitivities(one: Instance, found: list[str]) -> np.ndarray[Any, Any]:
    """d found / d GIVEN by central differences."""
    columns = []
    for name in GIVEN:
        (at,), h = one.get([name]), 1e-6
        ends = []
        for step in (h, -h):
            one.set([name], [at + step])
            ends.append(one.get(found))
        one.set([name], [at])
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.array(columns).T


@pytest.mark.parametrize("version", VERSIONS)
def test_derivatives_of_every_kind_of_variable(version: str) -> None:
    found = [*RATES[::-1], "potential_energy", "u.slide"]
    known = GIVEN[::-1]
    with instance(crane(version)) as one:
        if version == "2":
            found = found[:-1]  # of rates and outputs alone
        expected = sensitivities(one, found)[:, ::-1]
        assert np.abs(expected).max(axis=0).min() > 0.1
        seeds = np.eye(len(known))
        forward = [one.directional(found, known, seed.tolist()) for seed in seeds]
        assert pytest.approx(expected, rel=1e-7, abs=1e-7) == np.array(forward).T
        assert one.directional(found, ["step"], [1.0]).tolist() == [0.0] * len(found)
        rate, places = one.places(RATES[:1]), one.places(found)
        assert refuses(one.unit.getDirectionalDerivative, places, rate, [1.0])
        if version == "3":
            back = [one.adjoint(found, known, seed.tolist()) for seed in np.eye(len(found))]
            assert np.array(back) == pytest.approx(np.array(forward).T, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("version", VERSIONS)
def test_continuous_states_and_indicators(version: str) -> None:
    """The calls of a solver tell what the variables do."""
    count = len(STATES)
    with instance(crane(version)) as one:
        unit = one.unit
        asked = {
            "2": (unit.getContinuousStates, "getDerivatives"),
            "3": (unit.getContinuousStates, "getContinuousStateDerivatives"),
        }[version]
        calls = [asked[0], getattr(unit, asked[1])]
        x, rates = ((ctypes.c_double * count)() for _ in range(2))
        indicators = (ctypes.c_double * 1)()
        for call, array in zip(calls, (x, rates), strict=True):
            call(array, count)
        assert list(x) == one.get(STATES).tolist() == [0.4, 0.7, 0.5, -0.3, 0.6]
        assert list(rates) == one.get(RATES).tolist()
        unit.getEventIndicators(indicators, 1)
        before = indicators[0]
        moved = (ctypes.c_double * count)(0.9, *list(x)[1:])
        unit.setContinuousStates(moved, count)
        unit.getEventIndicators(indicators, 1)
        assert one.get(["q.arm"]) == [0.9] and indicators[0] != before
        gap = one.get(["element_outputs.floor.gap"])[0]
        assert abs(indicators[0]) == pytest.approx(abs(gap), rel=1e-12)
        events = unit.newDiscreteStates if version == "2" else unit.updateDiscreteStates
        unit.enterEventMode()
        assert list(events())[:5] == [False] * 5
        if version == "2":  # whatever stood there
            info = import_module("fmpy.fmi2").fmi2EventInfo(*[1] * 5, 1.0)
            unit.fmi2NewDiscreteStates(unit.component, ctypes.byref(info))
            assert [getattr(info, name) for name, _ in info._fields_[:5]] == [0] * 5
        unit.reset()
        assert one.get(["q.arm"]) == [0.4]
        failure = import_module("fmpy.fmi1").FMICallException
        with pytest.raises(failure):
            unit.setContinuousStates(moved, count - 1)


def silent(version: str, said: list[Any], logs: bool) -> Any:
    """An instance that tells `said` what it logs: its name or None, the status, category."""
    library, file = import_module(f"fmpy.fmi{version}"), crane(version)
    about = fmpy.read_model_description(str(file))
    unit = getattr(library, f"FMU{version}Model")(
        guid=about.guid,
        unzipDirectory=str(unpacked(file)),
        instanceName="my crane",
        modelIdentifier=about.modelExchange.modelIdentifier,
    )
    if version == "2":
        callbacks = library.fmi2CallbackFunctions()
        callbacks.logger = library.fmi2CallbackLoggerTYPE(
            lambda _, name, status, category, *__: said.append((name, status, category))
        )
        unit.instantiate(callbacks=callbacks, loggingOn=logs)
        unit.setupExperiment()
    else:
        unit.instantiate(
            loggingOn=logs, logMessage=lambda _, *told: said.append((b"my crane", *told[:2]))
        )
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    return unit


@pytest.mark.parametrize("logs", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_errors_are_logged(version: str, logs: bool) -> None:
    """Always, of version 2 with the name of the instance; wherever the reference stands."""
    said: list[Any] = []
    unit = silent(version, said, logs)
    read = unit.getReal if version == "2" else unit.getFloat64
    try:
        assert read([1])[0] == 0.4 and not said
        for places in ([10**6, 1], [1, 10**6]):
            with pytest.raises(Exception, match="fmi"):
                read(places)
        assert said == [(b"my crane", 3, b"logStatusError")] * 2
    finally:
        unit.freeInstance()


def test_a_state_takes_its_room() -> None:
    with instance(crane("2")) as one:
        unit, state, whole = one.unit, one.unit.getFMUState(), one.saved()
        for size in (len(whole), len(whole) + 8, len(whole) - 1):
            room = (ctypes.c_char * (len(whole) + 8))()
            call = (unit.fmi2SerializeFMUstate, unit.component, state, room, size)
            assert refuses(*call) is (size < len(whole))
            assert bytes(room)[: len(whole)] == (whole if size >= len(whole) else bytes(len(whole)))
        unit.freeFMUState(state)


def test_output_derivatives_are_refused() -> None:
    with instance(crane("3"), stepping=True) as one:
        call, component = one.unit.fmi3GetOutputDerivatives, one.unit.component
        place, order, value = ctypes.c_uint32(1), ctypes.c_int32(1), ctypes.c_double()
        for count in (0, 1):
            given = ctypes.byref(place), count, ctypes.byref(order), ctypes.byref(value), count
            assert refuses(call, component, *given) is (count > 0)
