"""Named numbers of a model, and its inputs."""

from __future__ import annotations

from dataclasses import field

from eomc.derive.fields.field import Fields, number, record, truth, words
from eomc.derive.language.errors import Source
from eomc.derive.language.scalar import Scalar

__all__ = ["Input", "Parameter"]


@record
class Parameter(Fields):
    """A named number with its default value; a `tunable` one stays adjustable at run time."""

    name: str
    value: Scalar = number("", "default value")
    units: str = words("of the value", default="")
    tunable: bool = truth("adjustable at run time", default=False)
    description: str = words(default="")
    source: Source | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.read_fields()


@record
class Input(Fields):
    """A signal given from outside at every instant: a force, a motor torque, a wind speed."""

    name: str
    units: str = words("of the signal", default="")
    description: str = words(default="")
    source: Source | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.read_fields()
