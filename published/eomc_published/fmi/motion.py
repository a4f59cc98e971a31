"""Motion in importers against `eomc.simulate`: Model Exchange, Co-Simulation, quaternions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from eomc.building import build
from eomc.runtime import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.fmi.unit import EXAMPLES, STANDARD, VERSIONS, WITHOUT, example, instance, unit

_BOUNDS = {"pendulum": 1e-6, "quadcopter": 1e-6, "panda": 5e-6, "four_bar": 2e-6}


@cache
def reference_run(name: str) -> dict[str, float]:
    """Coordinates at the end, by the names of a unit's variables."""
    given = example(name)
    compiled = build(given.model)
    run = simulate(
        compiled,
        given.state.get("q"),
        given.state.get("u"),
        given.time,
        inputs=given.inputs,
        rtol=1e-11,
        atol=1e-12,
    )
    return {f"q.{n}": float(v) for n, v in zip(compiled.coordinates, run.q[-1], strict=True)}


def simulated(name: str, version: str, kind: str, **options: Any) -> Any:
    """Record of FMPy's simulation of an example."""
    fmpy = import_module("fmpy")
    given = example(name)
    return fmpy.simulate_fmu(
        str(unit(name, version)),
        stop_time=given.time,
        fmi_type=kind,
        output_interval=0.01,
        **options,
    )


def _ends(kind: str, bounds: dict[str, float], **options: Any) -> Iterator[CaseCheck]:
    for name in EXAMPLES:
        wanted = reference_run(name)
        for version in VERSIONS:
            record = simulated(name, version, kind, **options)
            got = [float(record[key][-1]) for key in wanted]
            yield agrees(
                f"{name}, FMI {version}.0: coordinates at {example(name).time} s",
                list(wanted.values()),
                got,
                bounds[name],
            )


def case_2() -> Iterator[CaseCheck]:
    yield from _ends("ModelExchange", _BOUNDS, relative_tolerance=1e-9)


def case_3() -> Iterator[CaseCheck]:
    yield from _ends("CoSimulation", dict.fromkeys(EXAMPLES, 1e-7))
    for version in VERSIONS:
        ends = [
            _stepped("quadcopter", version, steps) for steps in ((0.01,), (0.003,), (0.01, 0.003))
        ]
        for end, label in zip(ends[1:], ("0.003 s", "0.01 s and 0.003 s in turn"), strict=True):
            yield agrees(f"FMI {version}.0, steps of {label} against 0.01 s", ends[0], end, 1e-7)


def _stepped(name: str, version: str, steps: tuple[float, ...]) -> list[float]:
    """The end after communication steps in turn, the last one as long as is left."""
    given = example(name)
    with instance(unit(name, version), stepping=True) as one:
        t, count = 0.0, 0
        while t < given.time - 1e-12:
            h = min(steps[count % len(steps)], given.time - t)
            one.step(t, h)
            t, count = t + h, count + 1
        return [float(value) for value in one.get(one.names("q."))]


def case_4() -> Iterator[CaseCheck]:
    """A tumbling body whose importer knows of no quaternion."""
    quaternion = [f"q.flight_q{axis}" for axis in "wxyz"]
    for version in VERSIONS:
        run = simulated("quadcopter", version, "ModelExchange", relative_tolerance=1e-9)
        q = np.array([run[name] for name in quaternion]).T
        drift = float(np.abs((q**2).sum(axis=1) - 1).max())
        yield at_most(f"FMI {version}.0: largest | |q|^2 - 1 | of a run", drift, 1e-7)
        turned = np.array([np.cos(0.4), 0.6 * np.sin(0.4), 0, 0.8 * np.sin(0.4)])
        ends = []
        for size in (1.0, 1.01):
            starts = dict(zip(quaternion, size * turned, strict=True))
            run = simulated(
                "quadcopter", version, "ModelExchange", relative_tolerance=1e-9, start_values=starts
            )
            end = np.array([run[name][-1] for name in quaternion])
            place = [run[f"q.flight_{axis}"][-1] for axis in "xyz"]
            ends.append([*(end / np.linalg.norm(end)), *place])
        label = "attitude and place from 1.01 q against those from q"
        yield agrees(f"FMI {version}.0: {label}", ends[0], ends[1], 1e-6)


CASES = (
    Case(
        2,
        "Model Exchange with CVode",
        STANDARD,
        "the end of runs in FMPy against eomc.simulate with rtol 1e-11",
        case_2,
        unavailable=WITHOUT,
        slow=True,
    ),
    Case(
        3,
        "Co-Simulation with communication steps of any length",
        STANDARD,
        "the end of runs in FMPy against eomc.simulate, and against one another",
        case_3,
        unavailable=WITHOUT,
        slow=True,
    ),
    Case(
        4,
        "quaternions that nobody normalizes",
        "q' = q (0, omega)/2 keeps |q|",
        "length along a run of 2 s; attitude and place from a quaternion that is too long",
        case_4,
        provenance="reconstructed",
        unavailable=WITHOUT,
        slow=True,
    ),
)
