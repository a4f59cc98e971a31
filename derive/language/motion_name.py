"""Names of motions in expressions: velocities of points and angular velocities of bodies.

    velocity(tip, x)                of the origin of the frame or body `tip`, along x of the world
    angular_velocity(hub, z, cart)  of `hub` about z of the frame `cart`

Components of the velocity against the world, in the axes of the world or of the frame named last.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

__all__ = ["MOTIONS", "MotionName", "MotionNames", "motion_name"]

#: Words of such names.
MOTIONS = ("velocity", "angular_velocity")
_AXES = "xyz"
_FORM = re.compile(rf"({'|'.join(MOTIONS)})\((.*), ([{_AXES}])(?:, (.*))?\)\Z")


class MotionName(NamedTuple):
    """Word, frame and axis of a name; `seen_in` is the frame whose axes count, "" for the world."""

    word: str
    frame: str
    axis: int
    seen_in: str = ""

    @property
    def turns(self) -> bool:
        """True for an angular velocity."""
        return self.word == MOTIONS[1]

    def __str__(self) -> str:
        last = f", {self.seen_in}" if self.seen_in else ""
        return f"{self.word}({self.frame}, {_AXES[self.axis]}{last})"


def motion_name(name: str) -> MotionName | None:
    """The motion that a symbol of this name means; None for other names.

    >>> motion_name("velocity(tip, y)")
    MotionName(word='velocity', frame='tip', axis=1, seen_in='')
    >>> motion_name("speed(tip)") is None
    True
    """
    found = _FORM.match(name)
    if found is None:
        return None
    word, frame, axis, seen_in = found.groups()
    return MotionName(word, frame, _AXES.index(axis), seen_in or "")


class MotionNames(Mapping[str, None]):
    """All such names over some frames; iterated, those in the axes of the world."""

    def __init__(self, frames: Collection[str]) -> None:
        self._frames = frames

    def __getitem__(self, name: str) -> None:
        found = motion_name(name)
        known = found is not None and found.frame in self._frames
        if found is None or not known or found.seen_in not in ("", *self._frames):
            raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for word in MOTIONS:
            for frame in self._frames:
                yield from (str(MotionName(word, frame, axis)) for axis in range(3))

    def __len__(self) -> int:
        return len(MOTIONS) * len(self._frames) * len(_AXES)
