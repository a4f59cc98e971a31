"""Does any expression of a model hold the time t?"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import sympy

from eomc.derive.model.model import Model

_TIME = sympy.Symbol("t")


def uses_time(model: Model) -> bool:
    """True if a force element or a constraint of the model depends on time explicitly."""
    tables = (
        model.springs,
        model.joint_springs,
        model.forces,
        model.torques,
        model.potentials,
        model.generalized_forces,
        model.constraints,
    )
    return any(_holds_time(element) for table in tables for element in table.values())


def _holds_time(value: object) -> bool:
    if isinstance(value, sympy.Basic):
        return _TIME in value.free_symbols
    if isinstance(value, (tuple, list)):
        return any(_holds_time(entry) for entry in value)
    if is_dataclass(value) and not isinstance(value, type):
        return any(_holds_time(getattr(value, field.name)) for field in fields(value))
    return False
