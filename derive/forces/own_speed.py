"""The speed that an element with states acts on: one that moves by itself."""

from __future__ import annotations

from eomc.derive.elements.element import Mechanism
from eomc.derive.language.errors import ModelError


def check_own_speed(model: Mechanism, speed: str) -> None:
    """Raise `ModelError` for a speed that is locked or follows another one by a mimic rule."""
    for joint in model.joints.values():
        if speed in joint.speeds and joint.is_fixed:
            raise ModelError(f"speed {speed!r} of joint {joint.name!r} is locked and cannot move")
        if speed in joint.speeds and joint.mimic is not None:
            raise ModelError(
                f"joint {joint.name!r} follows {joint.mimic.joint!r}; name the speed of the joint "
                "that it follows"
            )
