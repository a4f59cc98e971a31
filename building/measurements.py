"""Measurements of a mechanism by a sampled controller, as one function of the mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eomc.building.graph_operations import GraphOperations, array
from eomc.codegen.c.sampled_loop import MEASURED, seen_name
from eomc.derive.graph import Argument, Expression, Function, Program
from eomc.runtime.control.sensor import Sensing, Sensor
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import DifferenceEquation, NotEmittableError

_DYNAMICS = "forward_dynamics"
_STATE = ("q", "u", "z", "tau")


def measured_plant(
    equations: Any, law: Any, equation: DifferenceEquation, more: Sequence[str] = ()
) -> Program:
    """The mechanism's program, with the function ``measured`` where its law needs one: where it
    has sensors, or a model that knows less than the mechanism; with `more` functions.

    Raises NotEmittableError for an input of the law that nothing gives, and for maps and sensors
    that are not written in the operations of difference equations.
    """
    sensors, knows = _sensors(law, equation), plant_map(law)
    if not sensors and knows is None:
        return equations if isinstance(equations, Program) else _program(equations, more)
    if knows is not None and equation.draws:
        raise NotEmittableError(
            f"{type(law).__name__} has a model with other coordinates than the mechanism, by whose "
            "number noise is drawn; leave Noise out, or give a law of the mechanism's own model"
        )
    read = list(dict.fromkeys(name for s in sensors.values() for name in s.functions()))
    if isinstance(equations, Program):
        whole = plain = equations
    else:
        plain = _program(equations, more)
        own = [function.name for function in plain.functions]
        whole = equations.program(functions=[*dict.fromkeys((*own, *read))])
    functions = {function.name: function for function in whole.functions}
    for name in (*read, _DYNAMICS):
        if name not in functions:
            raise NotEmittableError(f"the mechanism has no function {name!r}, which sensors read")
    by = _OnPlant(whole, functions)
    outputs = _outputs(by, sensors, knows, equation)
    inputs = [by.arguments[name] for name in by.used]
    made = Function(
        MEASURED,
        tuple(inputs),
        tuple(outputs),
        "What a controller measures.",
        tuple(dict.fromkeys(by.guards)),
    )
    kept = {function.name for function in plain.functions}
    return replace(whole, functions=(*(f for f in whole.functions if f.name in kept), made))


def _program(equations: Any, more: Sequence[str]) -> Program:
    """The usual functions, and more."""
    if not more:
        usual: Program = equations.program()
        return usual
    names = [function.name for function in equations.program().functions]
    whole: Program = equations.program(functions=[*dict.fromkeys((*names, *more))])
    return whole


def plant_map(law: Any) -> StateMap | None:
    """Map from the mechanism to the law's model; None where they are the same."""
    found = getattr(law, "plant", None)
    return found if isinstance(found, StateMap) and not found.is_identity else None


def _sensors(law: Any, equation: DifferenceEquation) -> dict[str, Sensor]:
    there = dict(law.sensors) if isinstance(law, Sensing) else {}
    followed = law.reference(0.0)
    told = followed if isinstance(followed, Mapping) else {"q_d": 0, "u_d": 0, "a_d": 0}
    needed = [name for name in equation.inputs if name not in ("q", "u") and name not in told]
    for name in needed:
        if name not in there:
            raise NotEmittableError(
                f"{type(law).__name__} takes a measured {name!r} from a function in Python, which "
                "a compiled loop cannot call; give a Sensor, such as ElementSensor(plant, rows), "
                "or take emit_controller, which makes it an argument of the step"
            )
    return {name: there[name] for name in needed}


def _outputs(
    by: _OnPlant,
    sensors: Mapping[str, Sensor],
    knows: StateMap | None,
    equation: DifferenceEquation,
) -> list[Argument]:
    q, u, tau = (by.symbols(name) for name in ("q", "u", "tau"))
    told: dict[str, Any] = {}
    try:
        if knows is not None:
            told["q"], told["u"] = knows.state(q, u)[:2]
        for name, sensor in sensors.items():
            told[name] = sensor.read(by, q, u, tau)
    except TypeError as error:
        raise NotEmittableError(
            f"what is measured is told by a function of numbers alone ({error}); write it in the "
            "operations of a difference equation"
        ) from None
    made = []
    for name, values in told.items():
        rows, entries = equation.inputs[name], tuple(by.nodes(values))
        if len(entries) != len(rows):
            raise NotEmittableError(
                f"{name}: {len(entries)} entries are measured, the law takes {len(rows)}"
            )
        told_by = f"{name}, as measured"
        made.append(Argument(seen_name(name), (len(rows),), entries, told_by, "", rows))
    return made


class _OnPlant(GraphOperations):
    """Operations on the mechanism's graph; what a function takes beside what it is given are the
    mechanism's own inputs."""

    def __init__(self, program: Program, functions: Mapping[str, Function]) -> None:
        super().__init__(program.graph, functions)
        dynamics = functions[_DYNAMICS]
        self.arguments = {entry.name: entry for entry in dynamics.inputs}
        self._used = dict.fromkeys(entry.name for entry in dynamics.inputs)

    @property
    def used(self) -> list[str]:
        """Names of the mechanism's inputs, the state first."""
        first = [name for name in _STATE if name in self._used]
        return first + [name for name in self._used if name not in _STATE]

    def symbols(self, name: str) -> Any:
        """An input of the mechanism."""
        entry = self.arguments[name]
        given = array([Expression(self.graph, node) for node in entry.entries])
        return given.reshape(entry.shape)

    def call(self, function: str, **values: Any) -> Any:
        """As of `Operations`."""
        for entry in self.functions[function].inputs:
            if entry.name not in values:
                self.arguments.setdefault(entry.name, entry)
                self._used[entry.name] = None
        own = {name: self.symbols(name) for name in self._used if name not in values}
        taken = {entry.name for entry in self.functions[function].inputs}
        return super().call(function, **values, **{k: v for k, v in own.items() if k in taken})
