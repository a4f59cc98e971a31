"""Sources of a mechanism under a sampled controller, and of the loop around both."""

from __future__ import annotations

from typing import Any

from eomc.building.contact_functions import contact_functions
from eomc.building.controller_program import controller_program
from eomc.building.equations import derived
from eomc.building.measurements import measured_plant, plant_map
from eomc.codegen import EmissionError, Sources
from eomc.codegen.emit import emit_loop
from eomc.codegen.integrators import implicit_methods
from eomc.codegen.plan.interface import implicit_needs
from eomc.derive.graph import Program
from eomc.runtime.control import Sampled
from eomc.runtime.control.emitted_law import EmittedLaw
from eomc.runtime.difference import NotEmittableError
from eomc.runtime.model.compiled import CompiledModel


def loop_sources(
    plant: Any, controller: Sampled, model: Any, name: str, method: str
) -> tuple[Sources, Program, Program]:
    """Of the loop, with the programs of mechanism and controller; `method` of its steps.

    Raises NotEmittableError, ModelError, EmissionError.
    """
    if not isinstance(controller, Sampled):
        raise NotEmittableError(
            f"{type(controller).__name__} is no sampled controller; give Sampled(law, period)"
        )
    equation, law = controller.equation(), law_of(controller)
    if model is None and plant_map(law) is not None:
        raise NotEmittableError(
            f"{type(law).__name__} has a model that is not the mechanism's; give it (model=)"
        )
    equations = derived(plant)
    if "latches" in getattr(equations, "function_names", ()):
        raise EmissionError(
            f"{equations.name!r} has latches, which a compiled loop does not open or close; give "
            "Model.latched(..., keep=False), or simulate with the controller"
        )
    program = measured_plant(equations, law, equation, _steps(method, equations))
    made = controller_program(controller, plant if model is None else model, name)
    mechanism = mechanism_of(law)
    own = {"q": mechanism.coordinates, "u": mechanism.speeds}
    for array, names in own.items():
        there = tuple(program.index_names.get(array, names))
        if there != tuple(names):
            raise EmissionError(
                f"the controller measures {array} = {', '.join(names)}; the mechanism has "
                f"{', '.join(there)}"
            )
    return emit_loop(program, made, method=method), program, made


def _steps(method: str, equations: Any) -> tuple[str, ...]:
    """Functions that the steps take beside those of every mechanism."""
    if found := contact_functions(equations, method):
        return found
    implicit = [record for record in implicit_methods() if record.name == method]
    return implicit_needs(implicit[0]) if implicit else ()


def law_of(controller: Sampled) -> EmittedLaw:
    """One that has an equation, which was asked for before."""
    law: Any = controller.law
    found: EmittedLaw = law
    return found


def mechanism_of(law: EmittedLaw) -> CompiledModel:
    """The mechanism that a law controls, of which the law's own model may know less."""
    knows = plant_map(law)
    return law.model if knows is None else knows.plant
