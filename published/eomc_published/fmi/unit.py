"""Units of examples, made once, and an instance of one that is called by names."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from eomc.building import build, fmu
from eomc.derive.formats import load
from eomc.runtime import assemble
from eomc_published.work import model_file

WITHOUT = "" if find_spec("fmpy") else "FMPy is not installed, which reads and runs the units"
STANDARD = "FMI 2.0.4 and 3.0.1"
VERSIONS = ("2", "3")
_FOLDER = tempfile.TemporaryDirectory(prefix="eomc-fmi-")


@dataclass(frozen=True)
class Example:
    """A model, how it starts, and how long it runs [s]."""

    model: Any
    time: float = 1.0
    state: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, float] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """Of `eomc.fmu`."""
        return {**self.state, "inputs": self.inputs}


@cache
def example(name: str) -> Example:
    """One of the four whose motion is compared."""
    if name == "pendulum":
        return Example(model_file(name), 2.0, {"q": {"hinge": 1.0}})
    if name == "quadcopter":
        state = {
            "q": {"rope_end_1": 0.2},
            "u": {"flight_wx": 1, "flight_wy": 0.7, "flight_wz": 2, "flight_vx": 0.3},
        }
        return Example(model_file(name), 2.0, state, {"f1": 4, "f2": 4.1, "f3": 4, "f4": 4.2})
    if name == "panda":
        count = len(load(model_file(name)).coordinates)
        return Example(model_file(name), 0.5, {"q": [0.3 * i * (-1) ** i for i in range(count)]})
    found = assemble(build(model_file(name)), [1.2, -0.8, 1.0])
    return Example(model_file(name), 1.0, {"q": found.q, "u": found.u})


EXAMPLES = ("pendulum", "quadcopter", "panda", "four_bar")


@cache
def unit(name: str, version: str) -> Path:
    """The archive of an example, with a binary for this machine."""
    given = example(name)
    # A folder of its own each time: a binary that is loaded must not be written over.
    file = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / f"{name}_{version}.fmu"
    return fmu(given.model, file, version=version, platforms="host", **given.options)


@cache
def unpacked(file: Path) -> Path:
    """Its folder."""
    folder = file.with_suffix("")
    import_module("fmpy").extract(str(file), str(folder))
    return folder


class Instance:
    """An instance by FMPy's bindings, ready to be read."""

    def __init__(self, file: Path, *, stepping: bool = False, token: str = "") -> None:
        fmpy = import_module("fmpy")
        self.about = fmpy.read_model_description(str(file))
        self.is_3 = self.about.fmiVersion.startswith("3")
        library = import_module("fmpy.fmi3" if self.is_3 else "fmpy.fmi2")
        kind = ("FMU3" if self.is_3 else "FMU2") + ("Slave" if stepping else "Model")
        self.reference = {v.name: v.valueReference for v in self.about.modelVariables}
        self.unit = getattr(library, kind)(
            guid=token or self.about.guid,
            unzipDirectory=str(unpacked(file)),
            modelIdentifier=(self.about.coSimulation or self.about.modelExchange).modelIdentifier,
            instanceName="one",
        )
        self.unit.instantiate()
        if not self.is_3:
            self.unit.setupExperiment()
        self.unit.enterInitializationMode()
        self.unit.exitInitializationMode()
        if not stepping:
            self.unit.enterContinuousTimeMode()

    def names(self, prefix: str) -> list[str]:
        """Of variables that begin so."""
        return [name for name in self.reference if name.startswith(prefix)]

    def places(self, names: Sequence[str]) -> list[int]:
        return [self.reference[name] for name in names]

    def get(self, names: Sequence[str]) -> np.ndarray[Any, Any]:
        read = self.unit.getFloat64 if self.is_3 else self.unit.getReal
        return np.array(read(self.places(names)))

    def set(self, names: Sequence[str], values: Iterable[float]) -> None:
        self.put(self.places(names), values)

    def put(self, places: Sequence[int], values: Iterable[float]) -> None:
        """The same by references."""
        write = self.unit.setFloat64 if self.is_3 else self.unit.setReal
        write(list(places), [float(value) for value in values])

    def step(self, t: float, h: float) -> None:
        self.unit.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def directional(
        self, unknowns: Sequence[str], knowns: Sequence[str], seed: Sequence[float]
    ) -> np.ndarray[Any, Any]:
        """J seed"""
        found = self.unit.getDirectionalDerivative(
            self.places(unknowns), self.places(knowns), [float(s) for s in seed]
        )
        return np.array(found)

    def adjoint(
        self, unknowns: Sequence[str], knowns: Sequence[str], seed: Sequence[float]
    ) -> np.ndarray[Any, Any]:
        """J^T seed"""
        found = self.unit.getAdjointDerivative(
            self.places(unknowns), self.places(knowns), [float(s) for s in seed], len(knowns)
        )
        return np.array(found)

    def saved(self) -> bytes:
        """Its state as bytes."""
        state = self.unit.getFMUState()
        found: bytes = self.unit.serializeFMUState(state)
        self.unit.freeFMUState(state)
        return found

    def resume(self, content: bytes) -> None:
        state = self.unit.deserializeFMUState(content)
        self.unit.setFMUState(state)
        self.unit.freeFMUState(state)

    def close(self) -> None:
        self.unit.terminate()
        self.unit.freeInstance()


@contextmanager
def instance(file: Path, *, stepping: bool = False) -> Iterator[Instance]:
    """Ended at the end."""
    opened = Instance(file, stepping=stepping)
    try:
        yield opened
    finally:
        opened.close()


def refuses(call: Any, *arguments: Any) -> bool:
    """True if the importer is told of an error."""
    failure = import_module("fmpy.fmi1").FMICallException
    try:
        call(*arguments)
    except failure as error:
        return "error" in str(error).lower()
    return False
