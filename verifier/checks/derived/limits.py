"""Limits in the emitted C against what joints declare."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building.emitted_limits import emitted_limits
from eomc.verifier.subject.check import Absent, Comparison, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.witness.numbers import Numbers

ALLOWED = 1e-14


@check(
    "limits",
    compares="the limits of coordinates, speeds and forces that stand in the emitted C",
    reference="those that the joints of the tree declare, in numbers by SymPy",
    tolerance=f"{ALLOWED:.0e} of each: both round the same numbers",
)
def limits(subject: DerivedSubject) -> Iterator[Comparison]:
    """One array after the other."""
    model = subject.declared
    if model is None:
        raise Absent("joints")
    declared = declared_limits(subject)
    found = emitted_limits(subject.program, subject.options.get("compiler"))
    if not (declared or found):
        raise Absent("limits")
    for array in sorted({*declared, *found}):
        wanted, got = declared.get(array, {}), found.get(array)
        names = subject.model.coordinates if array.startswith("q_") else subject.model.speeds
        for k, name in enumerate(names):
            none = -np.inf if array.endswith("_lower") else np.inf
            expected = wanted.get(name, none)
            value = np.nan if got is None else got[k]
            same = value == expected or largest(value, expected, abs(expected)) <= ALLOWED
            error = 0.0 if same else np.inf
            yield Comparison(f"{array} of {name}", "as declared", error, 0.0, f"limit {array}")


def declared_limits(subject: DerivedSubject) -> dict[str, dict[str, float]]:
    """Numbers by array and by name of a coordinate or speed."""
    found: dict[str, dict[str, float]] = {}
    model = subject.declared
    if model is None:
        return found
    numbers = Numbers(model)
    for joint in model.tree():
        for array, names, values in (
            ("q_lower", joint.coordinates, joint.lower),
            ("q_upper", joint.coordinates, joint.upper),
            ("u_limit", joint.speeds, joint.velocity_limit),
            ("tau_limit", joint.speeds, joint.effort_limit),
        ):
            for name, value in zip(names, values or (), strict=False):
                if value is not None:
                    found.setdefault(array, {})[name] = numbers(value)
    return found
