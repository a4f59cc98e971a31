"""Cases of the trucks: 31 to 34."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.linearization import linearize
from eomc.runtime.linearization.modes import (
    Modes,
    damped_frequency,
    damping_ratio,
    natural_frequency,
)
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.trom.models import Complex, five_axles, five_axles_turning, truck, truck_turning

_TRAVELLING = ("tractor_x", "tractor_y", "tractor_a1")

FROZEN = [(-0.002960562, 0.082157555), (-1.666063239, 1.572122831), (-4.5711505, 4.596627489)]
BODY_FRAME = [(-0.010407386, 0.0), (-1.663873864, 1.576500833), (-4.571096744, 4.595973677)]
# The thesis's order of the 19 coordinates.
COORDINATES = (
    *("tractor_x", "tractor_y", "tractor_z", "tractor_a3", "tractor_a2", "tractor_a1"),
    *("hitch_a3", "hitch_a2", "hitch_a1", "front_z", "front_roll", "drive1_z", "drive1_roll"),
    *("drive2_z", "drive2_roll", "trailer1_z", "trailer1_roll", "trailer2_z", "trailer2_roll"),
)
# Table 5.2: Re, |Im|, damped f, undamped f, damping ratio of modes 7 to 38, one of each pair.
TABLE = (
    (-0.020, 0.121, 0.019, 0.019, 0.161),
    (-5.838, 3.949, 0.629, 1.122, 0.828),
    (-2.161, 4.689, 0.746, 0.822, 0.419),
    (-0.567, 15.881, 2.528, 2.529, 0.036),
    (-1.395, 20.294, 3.230, 3.237, 0.069),
    (-4.585, 29.126, 4.636, 4.693, 0.156),
    (-13.067, 57.888, 9.213, 9.445, 0.220),
    (-13.126, 58.143, 9.254, 9.487, 0.220),
    (-18.779, 65.115, 10.363, 10.786, 0.277),
    (-18.928, 71.090, 11.314, 11.708, 0.257),
    (-18.860, 71.501, 11.380, 11.769, 0.255),
    (-14.331, 92.384, 14.703, 14.879, 0.153),
    (-15.418, 97.420, 15.505, 15.698, 0.156),
    (-18.318, 116.175, 18.490, 18.718, 0.156),
    (-20.186, 119.821, 19.070, 19.339, 0.166),
    (-20.497, 122.560, 19.506, 19.777, 0.165),
)


def _upper(modes: Modes, floor: float) -> list[list[float]]:
    values = modes.eigenvalues
    kept = values[(values.imag >= 0) & (np.abs(values) > floor)]
    return [[float(v.real), float(v.imag)] for v in kept]


def _frozen() -> Iterator[CaseCheck]:
    state = truck_turning("inertial")
    found = [state["speed(base_y)"], state["steer"], state["gamma"], state["drive"]]
    for name, wanted, got in zip(
        ("v [m/s]", "steer [rad]", "gamma [rad]", "drive [N]"),
        (-0.47831346, 0.035016073, -0.034231986, 3203.271568),
        found,
        strict=True,
    ):
        yield agrees(name, wanted, got, 1e-7, relative=True)
    linear = linearize(truck("inertial"), state)
    modes = linear.modes()
    yield agrees("|zero roots| of X, Y", [0, 0], np.abs(modes.eigenvalues[:2]), 1e-6)
    yield agrees("frozen eigenvalues (Re, Im)", FROZEN, _upper(modes, 1e-6), 1e-6)
    still = linearize(truck("inertial"), q=state.q, u=state.u, a=np.zeros(4), inputs=state.inputs)
    share = linear.stiffness - still.stiffness
    expected = np.zeros((4, 4))
    expected[2, 2] = -2098.969037
    expected[2, 3] = expected[3, 2] = expected[3, 3] = -4723.037938
    yield agrees("share of the accelerations in K_l", expected, share, 1e-8, relative=True)
    without = still.modes().eigenvalues
    slow = without[np.argmin(np.abs(without - (0.002884014 + 0.081935718j)))]
    yield agrees(
        "slow pair without it, wrongly unstable",
        [0.002884014, 0.081935718],
        [slow.real, slow.imag],
        1e-6,
    )


def _body_frame() -> Iterator[CaseCheck]:
    state = truck_turning("body")
    linear = linearize(truck("body"), state)
    yield agrees("accelerations along the body's axes", np.zeros(4), state.a, 0.0)
    place = [name for name in linear.coordinates if name != "gamma"]
    moving = linear.without(*place).modes()
    yield agrees("body-frame eigenvalues (Re, Im)", BODY_FRAME, _upper(moving, 1e-9), 1e-6)
    every = linear.modes().eigenvalues
    rate = state["speed(base_wz)"]
    turning = sorted(every[np.abs(every.real) < 1e-9].imag)
    yield agrees("with the place, that turns: 0, +-i yaw rate", [-rate, 0, rate], turning, 1e-9)
    frozen = linearize(truck("inertial"), truck_turning("inertial")).modes()
    real = [v for v in _upper(moving, 1e-9) if v[1] == 0]
    slow = _upper(frozen, 1e-6)[0]
    yield holds(
        "slowest mode",
        "frozen: a pair; body frame: one real root",
        f"frozen {slow[0]:.5f} +- {slow[1]:.4f}i; body frame {real[0][0]:.5f}",
        slow[1] > 0.08 and len(real) == 1,
    )


def _columns(values: Complex) -> Array:
    return np.column_stack(
        [damped_frequency(values), natural_frequency(values), damping_ratio(values)]
    )


def _table() -> Iterator[CaseCheck]:
    printed = np.array(TABLE)
    values = printed[:, 0] + 1j * printed[:, 1]
    got = _columns(values)
    yield agrees("damped frequencies [Hz]", printed[:, 2], got[:, 0], 1e-3)
    yield agrees("undamped frequencies [Hz]", printed[:, 3], got[:, 1], 1e-3)
    yield agrees("damping ratios but of modes 7, 8", printed[1:, 4], got[1:, 2], 1e-3)
    yield agrees("damping ratio of modes 7, 8", printed[0, 4], got[0, 2], 3e-3)
    rows = linearize(five_axles(), five_axles_turning()).modes().table()
    columns = ("damped_frequency", "natural_frequency", "damping_ratio")
    complete = bool(np.isfinite([[row[name] for name in columns] for row in rows]).all())
    yield holds("columns of the own table", "finite", str(len(rows)), complete and len(rows) == 38)


def _semitrailer() -> Iterator[CaseCheck]:
    model, state = five_axles(), five_axles_turning()
    yield from _turns_steadily()
    linear = linearize(model, state)
    modes = linear.modes()
    zeros = int((np.abs(modes.eigenvalues) < 1e-6).sum())
    yield holds("eigenvalues", "38", str(len(modes)), len(modes) == 38)
    yield holds("zeros", "exactly 2, X and Y", str(zeros), zeros == 2)
    for k in range(2):
        shape = modes.magnitude[:, k]
        moving = [n for n, x in zip(modes.coordinates, shape, strict=True) if x > 1e-6]
        yield holds(
            f"zero mode {k + 1}",
            "X and Y only",
            ", ".join(moving),
            set(moving) <= {"tractor_x", "tractor_y"},
        )
    exact = linearize(model, state, method="central")
    scale = np.abs(linear.stiffness).max()
    yield at_most(
        "K_l against differences, relative",
        np.abs(linear.stiffness - exact.stiffness).max() / scale,
        1e-5,
    )
    yield from _bands(modes)


def _turns_steadily() -> Iterator[CaseCheck]:
    """A run with steer and drive of the equilibrium held: a circle, at 50 mph and 0.25 g."""
    model, state = five_axles(), five_axles_turning()
    t = np.linspace(0, 4.0, 401)
    run = simulate(model, state.q, state.u, t, inputs=state.inputs, rtol=1e-9, progress=False)
    place = np.stack([run["tractor_x"], run["tractor_y"]], axis=1)
    # Of a circle the second differences point to its centre, (2 sin(h w/2)/h)^2 of the radius.
    speed = np.linalg.norm(np.diff(place, axis=0), axis=1) / 0.01
    acceleration = np.linalg.norm(np.diff(place, 2, axis=0), axis=1) / 0.01**2
    yield agrees("speed [m/s]", [22.352] * 2, [speed.min(), speed.max()], 2e-2)
    lateral = acceleration / 9.81
    yield agrees("acceleration [g]", [0.25] * 2, [lateral.min(), lateral.max()], 2e-3)
    rest = [model.coordinates.index(n) for n in model.coordinates if n not in _TRAVELLING]
    drift = float(np.ptp(run.q[:, rest], axis=0).max())
    yield at_most("what rides and leans in the turn, change over 4 s [m, rad]", drift, 1e-5)


def _bands(modes: Modes) -> Iterator[CaseCheck]:
    """Of the thesis's kind: slow handling, ride below 5 Hz, axle hop at 9 to 20 Hz."""
    oscillating = [k for k in modes.first_of_pairs if modes.eigenvalues[k].imag > 1e-6]
    slow = modes.eigenvalues[oscillating[0]]
    near = 0.05 < abs(slow.imag) < 0.2 and slow.real < 0
    yield holds("slowest pair", "near the yaw rate 0.11 rad/s, stable", f"{slow:.4f}", near)
    frequency = modes.damped_frequency
    ride = [k for k in oscillating if 0.5 <= frequency[k] <= 5.0]
    hop = [k for k in oscillating if 9.0 <= frequency[k] <= 20.0]
    yield holds("ride, 0.5 to 5 Hz", "5 pairs or more", str(len(ride)), len(ride) >= 5)
    yield holds("axle hop and tramp, 9 to 20 Hz", "10 pairs", str(len(hop)), len(hop) == 10)
    ratios = modes.damping_ratio[[*ride, *hop]]
    inside = bool(((ratios >= 0.03) & (ratios <= 0.85)).all())
    text = f"{ratios.min():.3f} to {ratios.max():.3f}"
    yield holds("their damping ratios", "0.03 to 0.85", text, inside)
    shapes = np.isfinite(modes.magnitude).all() and np.isfinite(modes.phase).all()
    yield holds("magnitudes and phases", "19 x 38", str(modes.shapes.shape), bool(shapes))


_FACTOR = (
    "The printed (5.1) doubles the share of the accelerations, which would give the slow pair "
    "-0.00882 +- 0.08196i."
)

CASES = (
    Case(
        31,
        "Planar truck in a steady turn, inertial coordinates",
        "sections 5.1 and 5.4",
        "operating point, frozen eigenvalues, share of the accelerations",
        _frozen,
        "reconstructed",
        note=_FACTOR,
    ),
    Case(
        32,
        "Planar truck in a steady turn, body axes",
        "section 5.4",
        "eigenvalues of constant coefficients beside the frozen ones",
        _body_frame,
        "reconstructed",
        note="Inertial coordinates of a turn are not constant: their eigenvalues are those of an "
        "instant and the slow mode is of another kind. Both are given, labelled.",
    ),
    Case(
        33,
        "Frequencies and damping ratios of complex eigenvalues",
        "table 5.2",
        "the 16 printed pairs fed in",
        _table,
        slow=True,
    ),
    Case(
        34,
        "Tractor semitrailer, nineteen coordinates, steady turn",
        "section 5.4, table 5.2",
        "0.25 g at 50 miles per hour: 38 eigenvalues",
        _semitrailer,
        note="The thesis prints no data; those here are round figures of such vehicles. Single "
        "eigenvalues are not comparable, their kinds are.",
        slow=True,
    ),
)
