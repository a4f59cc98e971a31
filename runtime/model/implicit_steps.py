"""Implicit steps that a model has, and those that it cannot take."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

from eomc.runtime.model.needed_functions import LEAST_RHO, needed_by_implicit

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel


def without(model: CompiledModel, method: str) -> str:
    """Message about a model that has no implicit integrator."""
    unavailable = model.manifest.get("metadata", {}).get("unavailable", {})
    needs = needed_by_implicit(method)
    why: list[str] = [unavailable[need] for need in needs if need in unavailable]
    text = f"model {model.name!r} has no {method!r}: "
    if why:
        return text + why[0]
    text += f"build it with the functions {', '.join(needs)}"
    if "midpoint_step" in needs:
        text += ", which equations lack where speeds carry no inertia"
    return text


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


_RHO = 0.8
"""Share of the fastest modes that a step leaves by default."""


def checked_rho(method: str, rho: Any) -> float:
    """rho, if a method with numerical damping by choice can take it; ValueError otherwise."""
    if rho is None:
        return _RHO
    if method not in LEAST_RHO:
        raise ValueError(f"rho: method {method!r} has none; {' and '.join(LEAST_RHO)} have")
    least = LEAST_RHO[method]
    if not isinstance(rho, Real) or not least <= float(rho) <= 1:
        raise ValueError(
            f"rho is {rho!r}: method {method!r} leaves a share from {least:g} to 1 of the fastest "
            "modes in a step"
        )
    return float(rho)
