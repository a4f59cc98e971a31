"""Forces and rates of elements with states of their own, as SymPy states them."""

from __future__ import annotations

from typing import Any

import sympy as sp

from eomc.derive.model import Model

STATED = ("state", "lag", "bristle")
"""Kinds that are stated here."""

Statement = tuple[list[tuple[str, Any]], list[Any]]
"""Forces on speeds by name, and rates of the states in their order."""


def stated(model: Model) -> Statement:
    """Of actuator lags, bristles and the user's own states."""
    forces: list[tuple[str, Any]] = []
    rates = [sp.sympify(state.rate) for state in model.states.values()]
    for lag in model.lags.values():
        effort = sp.Symbol(f"{lag.name}_effort")
        forces.append((lag.speed, effort))
        rates.append((sp.sympify(lag.command) - effort) / sp.sympify(lag.time_constant))
    for bristle in model.bristles.values():
        z, v = sp.Symbol(f"{bristle.name}_deflection"), sp.Symbol(f"speed({bristle.speed})")
        slip, hold = sp.sympify(bristle.coulomb), sp.sympify(bristle.static)
        limit = slip
        if hold is not None:
            limit += (hold - slip) * sp.exp(-((v / sp.sympify(bristle.stribeck_speed)) ** 2))
        rate = v - sp.sympify(bristle.stiffness) * sp.Abs(v) / limit * z
        parts = (bristle.stiffness * z, bristle.damping * rate, bristle.viscous * v)
        forces.append((bristle.speed, -sum(parts)))
        rates.append(rate)
    return forces, rates
