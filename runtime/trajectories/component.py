"""One coordinate of a motion of several."""

from __future__ import annotations

from eomc.binding.arrays import Array
from eomc.runtime.trajectories.profile import Profile, ProfileSample


class Component(Profile):
    """Entry `index` of a profile of vectors (n,), for a single prescribed coordinate.

    Raises ValueError for a profile of another shape, or one that has no such entry.

    >>> from eomc.runtime.trajectories import SineRamp
    >>> Component(SineRamp([0.0, 1.0], [2.0, 5.0], duration=1.0), 1)(1.0).position
    array(5.)
    """

    def __init__(self, profile: Profile, index: int) -> None:
        if not isinstance(profile, Profile):
            raise ValueError(f"profile: give one, not {type(profile).__name__}")
        super().__init__(profile.start_time, profile.end_time)
        shape = profile(profile.start_time).position.shape
        if len(shape) != 1 or index not in range(shape[0]):
            raise ValueError(f"the profile has positions of shape {shape}: no entry {index!r}")
        self.profile, self.index = profile, index

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        position, rate, acceleration = self.profile.inside(t)
        k = self.index
        return ProfileSample(position[:, k], rate[:, k], acceleration[:, k])
