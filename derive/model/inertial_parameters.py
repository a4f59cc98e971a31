"""Models whose bodies have their ten inertial numbers as parameters."""

from __future__ import annotations

from collections.abc import Collection

import sympy

from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.dynamics.regressor import INERTIAL
from eomc.derive.fields.parameter import Parameter
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model


def body_of_number(name: str) -> str | None:
    """The body of an inertial number ``body.Jxx``; None of other names.

    >>> body_of_number("forearm.Jxx")
    'forearm'
    """
    body, _, number = name.rpartition(".")
    return body if body and number in INERTIAL else None


def with_inertial_parameters(model: Model, names: Collection[str]) -> Model:
    """A copy in which bodies have numbers about the origin of their frame, m, h = m c and J, that
    are the parameters ``body.m``, ``body.hx`` ... ``body.Jyz``, for all bodies of these names.

    Raises `ModelError` for an unknown body, and one that is massless or deformable.
    """
    bodies = [body for name in names if (body := body_of_number(name))]
    if not bodies:
        return model
    model = model.copy()
    defaults = model.defaults()
    for name in dict.fromkeys(bodies):
        known = model.bodies.get(name)
        if known is None:
            raise ModelError(f"no body {name!r}; {near_names(name, tuple(model.bodies))}")
        entries = (known.mass, *known.first_moment, *known.inertia_origin)
        values = [value_of(entry, defaults) for entry in entries]
        if not values[0] > 0:
            raise ModelError(f"body {name!r} has no mass, which a free inertia needs")
        m, *others = (sympy.Symbol(f"{name}.{number}") for number in INERTIAL)
        for number, value in zip(INERTIAL, values, strict=True):
            model.parameters[f"{name}.{number}"] = Parameter(f"{name}.{number}", float(value))
        com, inertia = tuple(h / m for h in others[:3]), tuple(others[3:])
        model.bodies[name] = MassProperties(name, m, com, inertia, "origin", known.source)
    return model
