"""Speeds whose acceleration is given from outside, by a force that is found as a multiplier."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.near_names import near_names

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["Drive", "check_drive", "driven_speeds"]


@dataclass(frozen=True)
class Drive:
    """The acceleration of a joint, or of one speed, is given; both stay in the state.

    Where `prescribe` takes a coordinate out of the equations, a drive keeps it and adds the force
    that makes it accelerate as wanted, a Lagrange multiplier: see the function `driven_dynamics`.
    """

    name: str
    source: Source | None = field(default=None, compare=False, repr=False)


def driven_speeds(model: Model) -> tuple[str, ...]:
    """Names of the driven speeds, in order of declaration."""
    names: list[str] = []
    for drive in model.drives.values():
        joint = model.joints.get(drive.name)
        names += joint.speeds if joint is not None else (drive.name,)
    return tuple(names)


def check_drive(drive: Drive, model: Model) -> None:
    """Raise `ModelError` unless the drive names speeds that move freely, and none twice."""
    joint = model.joints.get(drive.name)
    names = joint.speeds if joint is not None else (drive.name,)
    free = model.speeds
    for name in names:
        if name not in free:
            known = near_names(name, [*free, *model.joints])
            raise ModelError(f"{name!r} is no speed that is free to be driven; {known}")
    if not names:
        raise ModelError(f"joint {drive.name!r} is fixed; there is nothing to drive")
    every = driven_speeds(model)
    for name in names:
        if every.count(name) > 1:
            raise ModelError(f"speed {name!r} is driven twice; leave one of the drives out")
