"""Actuators of laws: the speeds that their forces act on. One rule for all laws.

Nothing acts on a body that moves freely in the world, such as the floating base of a legged robot,
unless it is told: by default laws act on the other speeds. What has thrusters is told by
``actuators=``.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names
from eomc.runtime.output.warning_level import outside

Actuators = Sequence[str] | str | None
"""Names, "all" for all speeds, or None for the rule of this file."""

ALL = "all"
_FREE = 6


class UnactuatedBaseWarning(UserWarning):
    """A law leaves out the speeds of a free body; `actuators` says if that is meant."""


def actuators_of(
    model: CompiledModel, actuators: Actuators, law: str, inputs: Sequence[str] = ()
) -> tuple[str, ...]:
    """Names of the speeds that a law acts on, and of those of the declared `inputs` that are given.

    By default all speeds but those of joints that leave a body all its freedoms in the world, with
    a warning; all speeds where there are no others. Raises ValueError for a name that is unknown
    or comes twice.
    """
    if actuators is None:
        return _by_default(model, law)
    if isinstance(actuators, str):
        actuators = model.speeds if actuators == ALL else (actuators,)
    for name in actuators:
        if name not in (*model.speeds, *inputs):
            kinds = "input or speed" if inputs else "speed"
            known = near_names(str(name), (*inputs, *model.speeds, ALL))
            raise ValueError(f"actuators: no {kinds} {name!r}; {known}")
        if tuple(actuators).count(name) > 1:
            raise ValueError(f"actuators: {name!r} is named twice")
    return tuple(actuators)


class ActuatedSpeeds:
    """The speeds that a law acts on; `law` is its name, for the warning."""

    def __init__(self, model: CompiledModel, actuators: Actuators, law: str) -> None:
        self.names = actuators_of(model, actuators, law)
        self._places = [model.speeds.index(name) for name in self.names]
        self._is_all = len(self.names) == model.nu

    def only(self, tau: Any) -> Any:
        """Generalized forces (nu,) without those on other speeds; numbers or expressions."""
        if self._is_all:
            return tau
        given = np.asarray(tau)
        found = np.zeros(given.shape, dtype=given.dtype)
        found[self._places] = given[self._places]
        return found


def _by_default(model: CompiledModel, law: str) -> tuple[str, ...]:
    joints = model.manifest.get("metadata", {}).get("joints", ())
    free = {
        joint["name"]: joint["speeds"]
        for joint in joints
        if joint["parent"] == "world" and len(joint["speeds"]) == _FREE
    }
    left_out = {speed for speeds in free.values() for speed in speeds}
    others = tuple(name for name in model.speeds if name not in left_out)
    if not left_out or not others:
        return model.speeds
    bases = ", ".join(map(repr, free))
    warnings.warn(
        f"{law}: acts on nothing of {bases}, which moves freely in the world; actuators= names the "
        f"speeds that it acts on (actuators='{ALL}' for a base with thrusters), and quiets this",
        UnactuatedBaseWarning,
        stacklevel=outside(),
    )
    return others
