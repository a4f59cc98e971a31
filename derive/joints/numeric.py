"""Joints with numbers in the places of their expressions, and coordinates to try them at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eomc.derive.joints.joint import Joint
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Placement

__all__ = ["generic", "numeric_joint"]


def generic(count: int, trial: float = 0.0) -> tuple[float, ...]:
    """Coordinates with no symmetry; others at each trial."""
    return tuple(0.37 + 0.41 * math.sin(1.0 + 2.3 * i + 1.9 * trial) for i in range(count))


def _numeric(value: Any, values: Mapping[str, float]) -> Any:
    if isinstance(value, tuple):
        return tuple(_numeric(entry, values) for entry in value)
    return value if value is None or isinstance(value, int | str) else value_of(value, values)


def _numeric_placement(place: Placement, values: Mapping[str, float]) -> Placement:
    xyz, rpy, rotation, quaternion = (
        _numeric(field, values)
        for field in (place.xyz, place.rpy, place.rotation, place.quaternion)
    )
    return Placement(xyz, rpy, rotation, quaternion)


def numeric_joint(joint: Joint, values: Mapping[str, float]) -> Joint:
    """The joint with its numbers at the `values` of parameters."""
    return replace(
        joint,
        axis=_numeric(joint.axis, values),
        axis_2=_numeric(joint.axis_2, values),
        pitch=_numeric(joint.pitch, values),
        own=_numeric(joint.own, values),
        placement=_numeric_placement(joint.placement, values),
        child_placement=_numeric_placement(joint.child_placement, values),
    )
