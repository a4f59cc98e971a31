"""The runs behind the figures of the thesis (Caron 1996, ch. 3 and 4), simulated once each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import radians

import numpy as np

from eomc.runtime.trajectories import Component, SineRamp, SlewAndExtend, TwoLinks
from eomc.runtime.trajectories.profile import Profile, ProfileSample
from eomc.systems.flexible_manipulator.data import LARGE, PLATFORM, SMALL
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import ORBIT, Motion, Response, Scenario, ramp, turn

PAYLOAD = 400.0
"""Mass of one unit [kg]: payload ratio 1."""

ONE = FlexibleManipulator(1, PAYLOAD)
RIGID_LINK = replace(ONE, flexible_units=False)
STIFF_JOINT = replace(LARGE, joint_stiffness=9.9e4)
SOFT_LINKS = replace(LARGE, slewing_EI=5.5e4, deployable_EI=5.5e4)
TWO = FlexibleManipulator(2, PAYLOAD)
SETTLED = 0.02
"""Duration of runs with a maneuver of 0.01 orbit, in orbits."""


class InTurn(Profile):
    """Profiles one after the other, each from its start time on."""

    def __init__(self, *parts: Profile) -> None:
        super().__init__(parts[0].start_time, parts[-1].end_time)
        self.parts = parts

    def inside(self, t: np.ndarray) -> ProfileSample:
        """The last part that has started."""
        starts = [part.start_time for part in self.parts]
        chosen = np.clip(np.searchsorted(starts, t, side="right") - 1, 0, None)
        samples = [part(t) for part in self.parts]
        rows = (
            np.stack(entries)[chosen, np.arange(t.size)] for entries in zip(*samples, strict=True)
        )
        return ProfileSample(*rows)


def one(base: Motion, angle: Motion, length: Motion = 10.0) -> dict[str, Motion]:
    """Motion of a manipulator of one unit; a number for the angle is in degrees."""
    turned = radians(angle) if isinstance(angle, (int, float)) else angle
    return {"d2": base, "alpha2": turned, "unit2_length": length}


def several(
    base: Motion, angles: tuple[Motion, ...], lengths: Motion | tuple[Motion, ...]
) -> dict[str, Motion]:
    """Motion of a manipulator of several units; numbers for angles are in degrees."""
    motion: dict[str, Motion] = {"d2": base}
    each = lengths if isinstance(lengths, tuple) else (lengths,) * len(angles)
    for i, (angle, length) in enumerate(zip(angles, each, strict=True), 2):
        motion[f"alpha{i}"] = radians(angle) if isinstance(angle, (int, float)) else angle
        motion[f"unit{i}_length"] = length
    return motion


def slew(base: float, payload: float, modes: int = 1) -> Scenario:
    """Figures 4-7 to 4-9: half a turn of the unit in 0.01 orbit."""
    return Scenario(FlexibleManipulator(1, payload, modes=modes), one(base, turn(0, 180)), SETTLED)


def slew_and_deploy(base: float, payload: float, modes: int = 1) -> Scenario:
    """Figures 4-11 and 4-12: a quarter turn while the unit grows from 10 to 15 m."""
    motion = one(base, turn(180, 90), ramp(10, 15, 0.01))
    return Scenario(FlexibleManipulator(1, payload, modes=modes), motion, SETTLED)


def line(orbits: float) -> SineRamp:
    """5 m along the line of (4.3), in the frame of the platform."""
    start, part = np.array([5.0, 10.16]), 5 * np.sqrt(0.5)
    return SineRamp(start, start + np.array([part, -part]), orbits * ORBIT)


_MOUNT = (0.0, PLATFORM.offset)


def one_on_line(orbits: float) -> SlewAndExtend:
    """(alpha_2, l_2) along the line (4.5)."""
    return SlewAndExtend(line(orbits), _MOUNT)


def two_on_line(orbits: float) -> TwoLinks:
    """(alpha_2, alpha_3) along the line with units of 7.5 m (4.6)."""
    return TwoLinks(line(orbits), 7.5, _MOUNT)


def _components(motion: Profile) -> tuple[Component, Component]:
    return Component(motion, 0), Component(motion, 1)


def _small(units: int) -> FlexibleManipulator:
    return FlexibleManipulator(units, 100.0, unit=SMALL)


_BENT = several(60.0, (50, 30, 30, 10, -15), 10.0)
_FOLDED = several(60.0, (90, 50), 10.0)
_TWIST = {"alpha2_twist": radians(5)}
_TIP = {"unit2": 0.1}
_SHAKEN = {"platform": 1.0}
_THERE_AND_BACK = InTurn(ramp(10, 15, 0.005), ramp(15, 10, 0.005, after=0.005))
_HELD_BETWEEN = InTurn(ramp(10, 15, 0.005, after=0.005), ramp(15, 10, 0.005, after=0.015))
_STRAIGHTEN = (turn(180, 90), turn(-180, 0))

FIGURES: Mapping[str, Scenario] = {
    "3-3": Scenario(FlexibleManipulator(5, PAYLOAD), _BENT, deflections=_SHAKEN, rtol=1e-12),
    "4-2": Scenario(ONE, one(30.0, 50), deflections=_SHAKEN),
    "4-2 floating": Scenario(
        replace(ONE, gravity=False), one(30.0, 50), deflections=_SHAKEN, rtol=1e-12
    ),
    "4-3": Scenario(ONE, one(30.0, 50), deflections=_TIP),
    "4-4": Scenario(replace(ONE, damping=1e-3), one(30.0, 50), deflections=_TIP),
    "4-5": Scenario(ONE, one(30.0, 50), start=_TWIST),
    "4-6a": Scenario(RIGID_LINK, one(30.0, 50), start=_TWIST),
    "4-6b": Scenario(replace(RIGID_LINK, unit=STIFF_JOINT), one(30.0, 50), start=_TWIST),
    **{f"4-7 d2={d:.0f}": slew(d, PAYLOAD) for d in (0.0, 30.0, 60.0)},
    **{f"4-8 ratio={k}": slew(60.0, k * PAYLOAD) for k in (1, 2, 5)},
    **{f"4-9 d2={d:.0f} modes={n}": slew(d, 2000.0, n) for d in (60.0, 30.0) for n in (1, 2, 3)},
    "4-10": Scenario(
        replace(ONE, unit=SOFT_LINKS), one(60.0, 90, _HELD_BETWEEN), 0.025, deflections=_TIP
    ),
    **{f"4-11 ratio={k}": slew_and_deploy(60.0, k * PAYLOAD) for k in (1, 2, 5)},
    **{
        f"4-12 d2={d:.0f} modes={n}": slew_and_deploy(d, 2000.0, n)
        for d in (60.0, 30.0)
        for n in (1, 2)
    },
    "4-13": Scenario(ONE, one(ramp(10, 40, 0.01), turn(180, 0), _THERE_AND_BACK), SETTLED),
    "4-14": Scenario(ONE, one(0.0, *_components(one_on_line(0.01))), SETTLED),
    "4-15": Scenario(TWO, _FOLDED, deflections=_SHAKEN),
    "4-16": Scenario(replace(TWO, tip_mass_shapes=False), _FOLDED, deflections=_SHAKEN),
    "4-17": Scenario(TWO, several(0.0, _STRAIGHTEN, 10.0), SETTLED),
    "4-18": Scenario(TWO, several(0.0, _STRAIGHTEN, ramp(10, 15, 0.01)), SETTLED),
    "4-19": Scenario(
        TWO, several(ramp(10, 40, 0.01), (turn(132, 48), turn(96, -96)), 7.5), SETTLED
    ),
    "4-20": Scenario(TWO, several(0.0, _components(two_on_line(0.005)), 7.5), 0.01),
    "4-21": Scenario(
        _small(3), several(60.0, (*_STRAIGHTEN, turn(180, 0)), ramp(3.5, 5, 0.01)), SETTLED
    ),
    "4-22": Scenario(_small(4), several(0.0, (90, 0, 0, turn(-90, 90)), 5.0), SETTLED),
    "4-23": Scenario(_small(4), several(60.0, (30, 120, -120, 120), ramp(2.5, 5, 0.01)), SETTLED),
    "4-24": Scenario(_small(5), several(ramp(30, 40, 0.01), (90, 0, 0, 0, 0), 2.5), SETTLED),
}
"""By the number of the figure."""


@cache
def response(figure: str) -> Response:
    """The run of a figure."""
    return FIGURES[figure].run()
