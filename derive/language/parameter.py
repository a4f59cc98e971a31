"""Named numbers of a model, and its inputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from eomc.derive.language.errors import Source
from eomc.derive.language.scalar import Scalar

__all__ = ["Input", "Parameter"]


@dataclass(frozen=True)
class Parameter:
    """A named number with its default value; a `tunable` one stays adjustable at run time."""

    name: str
    value: Scalar
    units: str = ""
    tunable: bool = False
    description: str = ""
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Input:
    """A signal given from outside at every instant: a force, a motor torque, a wind speed."""

    name: str
    units: str = ""
    description: str = ""
    source: Source | None = field(default=None, compare=False, repr=False)
