"""Implicit steps that a model has, and those that it cannot take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.runtime.model.needed_functions import IMPLICIT_STEPS_NEED

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel


def without(model: CompiledModel, method: str) -> str:
    """Message about a model that has no implicit integrator."""
    unavailable = model.manifest.get("metadata", {}).get("unavailable", {})
    why: list[str] = [unavailable[need] for need in IMPLICIT_STEPS_NEED if need in unavailable]
    text = f"model {model.name!r} has no {method!r}: "
    if why:
        return text + why[0]
    return text + f"build it with the functions {', '.join(IMPLICIT_STEPS_NEED)}"


def refuse_kinks(model: CompiledModel, method: str) -> None:
    """Raise ValueError for steps of higher order over contacts: each may create energy."""
    record = model.integrator_record(method) or {}
    if record["order"] > 1 and model.has_function("element_switches"):
        name = method.removesuffix("_adaptive")
        raise ValueError(
            f"method {name!r}: forces of model {model.name!r} have kinks, as where contacts close "
            "or cables slacken, and stiff ones would gain energy in steps of higher order; take "
            "'linear_euler', or 'Radau', whose steps end at the kinks"
        )
