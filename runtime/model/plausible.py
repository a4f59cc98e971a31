"""Warnings of states that are hardly meant: angles in degrees."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.output.warning_level import outside

__all__ = ["ImplausibleStateWarning", "degrees_likely", "warn_of_degrees"]


class ImplausibleStateWarning(UserWarning):
    """A state is possible, but hardly meant; ``warnings.simplefilter("ignore", ...)`` quiets it."""


def degrees_likely(
    joints: Sequence[Mapping[str, Any]], coordinates: Sequence[str], q: NDArray[np.float64]
) -> dict[str, float]:
    """Angles beyond a turn that are whole numbers, as degrees are and radians are not.

    >>> joint = {"coordinates": ["hinge"], "units": ["rad"]}
    >>> degrees_likely([joint], ["hinge"], np.array([90.0]))
    {'hinge': 90.0}
    >>> degrees_likely([joint], ["hinge"], np.array([7.3]))
    {}
    """
    if all(abs(value) <= 2 * math.pi for value in q.tolist()):
        return {}
    values = dict(zip(coordinates, q.tolist(), strict=True))
    found = {}
    for joint in joints:
        for k, (name, unit) in enumerate(zip(joint["coordinates"], joint["units"], strict=True)):
            upper = (joint.get("upper") or ())[k : k + 1]
            wide = bool(upper) and float(upper[0]) > 2 * math.pi
            value = values.get(name, 0.0)
            if unit == "rad" and not wide and abs(value) > 2 * math.pi and value == round(value):
                found[name] = value
    return found


def warn_of_degrees(
    joints: Sequence[Mapping[str, Any]], coordinates: Sequence[str], q: NDArray[np.float64]
) -> None:
    """Warn of the first such angle."""
    for name, value in degrees_likely(joints, coordinates, q).items():
        warnings.warn(
            f"q: {name} is {value:g} rad, {abs(value) / (2 * math.pi):.2g} turns; if degrees are "
            f"meant, give math.radians({value:g}) = {math.radians(value):.4g}",
            ImplausibleStateWarning,
            stacklevel=outside(),
        )
        return
