"""Unknowns that an equilibrium can be solved for, by name.

theta, displacement(base_wx)     a displacement of the configuration
speed(phi)                       a generalized speed
tau(x)                           a generalized force
steer                            an input of the model
stiffness                        a tunable parameter
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names

Kind = Literal["displacement", "speed", "tau", "input", "parameter", "multiplier", "state"]


@dataclass(frozen=True)
class UnknownEntry:
    """One entry of what is solved for: where it stands in its array."""

    name: str
    kind: Kind
    place: int


def known_unknowns(model: CompiledModel) -> dict[str, UnknownEntry]:
    """Everything that can be solved for, by name; a displacement comes before a parameter."""
    groups: tuple[tuple[Kind, Sequence[str]], ...] = (
        ("displacement", model.displacements),
        ("speed", [f"speed({name})" for name in model.speeds]),
        ("tau", [f"tau({name})" for name in model.speeds]),
        ("input", model.inputs),
        ("parameter", tuple(model.parameters)),
    )
    found: dict[str, UnknownEntry] = {}
    for kind, names in groups:
        for place, name in enumerate(names):
            found.setdefault(name, UnknownEntry(name, kind, place))
    return found


def unknowns(model: CompiledModel, names: Sequence[str]) -> tuple[UnknownEntry, ...]:
    """The named ones. Raises ValueError for unknown names and for one given twice."""
    known = known_unknowns(model)
    for place, name in enumerate(names):
        if name not in known:
            raise ValueError(f"solve_for: no {name!r}; {near_names(str(name), known)}")
        if name in names[:place]:
            raise ValueError(f"solve_for: {name!r} stands twice")
    return tuple(known[name] for name in names)


def multiplier_unknowns(count: int) -> tuple[UnknownEntry, ...]:
    """The forces of the constraints, unknown in every equilibrium."""
    return tuple(UnknownEntry(f"multiplier {k + 1}", "multiplier", k) for k in range(count))


def state_unknowns(model: CompiledModel) -> tuple[UnknownEntry, ...]:
    """The states of elements, unknown in every equilibrium, as their rates vanish."""
    return tuple(UnknownEntry(name, "state", k) for k, name in enumerate(model.element_states))
