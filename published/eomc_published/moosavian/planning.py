"""Cases of planning: 19 and 20."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.trajectories import ParabolicBlend
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.moosavian.capture import PLANAR_CAPTURE
from eomc_published.moosavian.states import SEED

_DRAWN = 200
_DURATION = 15.0


def _blends() -> tuple[ParabolicBlend, Array, Array]:
    """Blends between ends that are drawn as (4.3) with drawn t1 < t2 reaches them: x_f and v_f."""
    rng = np.random.default_rng(SEED)
    a1, a2 = rng.uniform(0.05, 0.5, (2, _DRAWN))
    t1, t2 = np.sort(rng.uniform(0.0, _DURATION, (2, _DRAWN)), axis=0)
    x0, v0 = rng.uniform(-1, 1, (2, _DRAWN))
    s = rng.choice([-1.0, 1.0], _DRAWN)
    braking = _DURATION - t2
    v_f = v0 + s * (a1 * t1 - a2 * braking)
    x_f = x0 + v0 * _DURATION + s * (a1 * t1 * (_DURATION - t1 / 2) - a2 * braking**2 / 2)
    blend = ParabolicBlend(x0, x_f, _DURATION, a1, a2, start_rate=v0, end_rate=v_f)
    return blend, x_f, v_f


def _meets_its_ends() -> Iterator[CaseCheck]:
    blend, x_f, v_f = _blends()
    end = blend(_DURATION)
    yield agrees("x(t_f) [m]", x_f, end.position, 1e-12)
    yield agrees("x'(t_f) [m/s]", v_f, end.rate, 1e-12)
    for name, instants in (("t1", blend.on), ("t2", blend.off)):
        rows = np.arange(instants.size)
        before, after = (blend(np.nextafter(instants, to)) for to in (-np.inf, np.inf))
        for what, k in (("x", 0), ("x'", 1)):
            jump = (after[k] - before[k])[rows, rows]
            yield at_most(f"jump of {what} at {name}", float(np.abs(jump).max()), 1e-12)
    yield from _smaller_root(blend, x_f, v_f)


def _smaller_root(blend: ParabolicBlend, x_f: Array, v_f: Array) -> Iterator[CaseCheck]:
    """(4.4c) by the roots of a polynomial."""
    ordered, two = True, 0
    start = blend(0.0)
    for k in range(_DRAWN):
        s = np.sign(blend.acceleration[k])
        a1, a2 = abs(blend.acceleration[k]), abs(blend.deceleration[k])
        V, D = s * (v_f - start.rate)[k], s * (x_f - start.position - start.rate * _DURATION)[k]
        c = D + V**2 / (2 * a2)
        roots = np.roots([(a1 + a1**2 / a2) / 2, -a1 * (_DURATION + V / a2), c]).real
        fitting = [t1 for t1 in roots if t1 >= 0 and t1 <= (V - a1 * t1) / a2 + _DURATION]
        positive = [t1 for t1 in roots if t1 > 0]
        two += len(positive) == 2
        ordered &= bool(np.isclose(blend.on[k], min(fitting), rtol=1e-6, atol=1e-6))
    yield holds("t1 is the smaller root that fits", "200 of 200", f"{ordered}", ordered)
    yield holds("among them with two positive roots", "some", str(two), two > 10)


def _planar_plan() -> Iterator[CaseCheck]:
    plan = PLANAR_CAPTURE
    yield agrees(
        "t1, t2 along x [s]", [1.30, 9.74], [plan.approach.on[0], plan.approach.off[0]], 0.005
    )
    yield agrees(
        "t1, t2 along y [s]", [2.21, 6.46], [plan.approach.on[1], plan.approach.off[1]], 0.005
    )
    last = np.degrees(plan.final_attitude[2])
    yield agrees("final attitude [deg]", -58.61, last, 0.005)
    yield agrees("t1, t2 of the turn [s]", [1.16, 8.22], [plan.turn.on[2], plan.turn.off[2]], 0.005)
    yield agrees("entry into the workspaces [s]", [10.85, 11.20], plan.entries, 0.01)
    yield agrees("start of the capture [s]", 11.0, plan.switch, 0.25)


CASES = (
    Case(
        19,
        "Acceleration, coasting, deceleration meet both ends",
        "equations 4.3 and 4.4",
        "ends drawn as 200 drawn pairs t1 < t2 reach them; the roots of (4.4c) by NumPy",
        _meets_its_ends,
        note="(4.4) holds for travel in the direction of a1; for the other both accelerations "
        "change sign.",
    ),
    Case(
        20,
        "The plan of the planar capture",
        "section 4.4.2, equations 4.1 to 4.5",
        "switching times, final attitude and entry into the workspaces from the printed data, with "
        "a standoff of 1.0 m and a reach of 2.0 m",
        _planar_plan,
        provenance="reconstructed",
        note="(4.2) is printed with + r, (4.4c) needs - r; the standoff is not printed.",
    ),
)
