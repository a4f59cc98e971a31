"""Cases of one unit: free vibration, maneuvers of unit length (20 to 26, 29, 31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from eomc.building import build
from eomc.systems.flexible_manipulator.scenario import RADIUS, RATE, compiled, peak
from eomc_published.caron.checks import between, peaks, recomputed, within
from eomc_published.caron.scenarios import FIGURES, ONE, response
from eomc_published.case import CaseCheck, agrees, holds


def _platform_excited() -> Iterator[CaseCheck]:
    run = response("4-2")
    yield from (*peaks(run, 0.05, beta2=3.03), *peaks(run, 0.10, e3=0.022))


def equilibrium_pitch() -> float:
    """Pitch at which nothing accelerates the pitch in steady orbital motion, deformations at
    rest [rad]."""
    model = compiled(ONE)
    names = model.coordinates
    motion = ONE.specified
    held = np.array(
        [{"d2": 30.0, "alpha2": np.radians(50), "unit2_length": 10.0}[n] for n in motion]
    )
    rest = np.zeros(len(motion))
    u = np.zeros(model.nu)
    u[model.speeds.index("orbit_theta")] = RATE

    def moment(psi: float) -> float:
        q = np.zeros(model.nq)
        q[names.index("orbit_r")], q[names.index("orbit_psi")] = RADIUS, psi
        a = model.forward_dynamics(q, u, np.zeros(model.nu), held, rest, rest)
        force = model.mass_matrix(q, held) @ a  # deformations blocked, forces left on the pitch
        return float(force[names.index("orbit_psi")])

    return float(brentq(moment, -0.01, 0.01, xtol=1e-14))


def _static_pitch() -> Iterator[CaseCheck]:
    yield within("equilibrium pitch [deg]", -0.081, float(np.degrees(equilibrium_pitch())), 0.02)


def _link_excited() -> Iterator[CaseCheck]:
    yield from peaks(response("4-3"), 0.10, beta2=1.05, e2=1.3e-4)
    yield agrees("figure 4-4: damping ratio of the clamped unit", 1e-3, damping_ratio(), 1e-9)


def damping_ratio() -> float:
    """c / (2 sqrt(k m)) of the unit's mode in the model of figure 4-4, all else held."""
    arm = FIGURES["4-4"].manipulator
    model = replace(arm, gravity=False).model()
    model.prescribed("orbit")
    compiled = build(model, functions=("inverse_dynamics_derivatives",))
    places = {"orbit_r": RADIUS, "d2": 30.0, "alpha2": np.radians(50), "unit2_length": 10.0}
    s = np.array([places.get(name, 0.0) for name in compiled.prescribed])
    still, rest = np.zeros(compiled.nu), np.zeros(len(s))
    found = compiled.inverse_dynamics_derivatives(still, still, still, s, rest, rest)
    k, c, m = (part[-1, -1] for part in found)
    return float(c / (2 * np.sqrt(k * m)))


def _joint_excited() -> Iterator[CaseCheck]:
    run, link = response("4-5"), response("4-3")
    yield from peaks(run, 0.15, e3=0.070)
    for what, ratio in (
        ("platform", peak(run.e(2)) / peak(link.e(2))),
        ("pitch", peak(run.pitch) / peak(link.pitch)),
    ):
        yield between(f"{what}: amplitude by that of figure 4-3", 5, ratio, 15)


def _resonance() -> Iterator[CaseCheck]:
    soft, stiff = response("4-6a"), response("4-6b")
    ratio = peak(stiff.e(2)) / peak(soft.e(2))
    yield between("platform amplitude, stiff joint by soft joint", 16.5, ratio, 20.5)
    swings = _swings(stiff.e(2))
    high = np.flatnonzero(swings > 0.9 * swings.max())
    between_peaks = swings[high[0] : high[-1] + 1].min() / swings.max()
    yield holds(
        "stiff joint: the platform beats",
        "between two swings near the largest one below half of it",
        f"{between_peaks:.3f} of it",
        between_peaks < 0.5,
    )


def _swings(values: np.ndarray) -> np.ndarray:
    """Amplitudes of the successive swings: the local maxima of the magnitude."""
    size = np.abs(values)
    inner = size[1:-1]
    return np.asarray(inner[(inner > size[:-2]) & (inner >= size[2:])])


def _slew_from_the_tip() -> Iterator[CaseCheck]:
    run = response("4-7 d2=60")
    yield within("pitch [deg]", -0.174, float(run.pitch.min()), 0.10)
    yield within("tip of the platform [mm]", 2.31, 1e3 * float(run.e(2).max()), 0.10)
    yield from peaks(run, 0.10, beta2=2.45, e3=0.018)
    yield from peaks(run, 0.10, run.after(0.01), beta2=0.64, e3=4.7e-3)


def _base_positions() -> Iterator[CaseCheck]:
    runs = {d: response(f"4-7 d2={d}") for d in (0, 30, 60)}
    platform = {d: peak(run.e(2)) for d, run in runs.items()}
    least = min(platform, key=platform.__getitem__)
    yield holds("base with the smallest platform vibration [m]", "30", str(least), least == 30)
    joints = [peak(run.beta(2)) for run in runs.values()]
    spread = max(joints) / min(joints) - 1
    yield between("joint peaks: largest by smallest, less 1", 0, spread, 0.05)


def _deployment_and_retrieval() -> Iterator[CaseCheck]:
    run = response("4-10")
    extended = (run.t > 0.01) & (run.t < 0.015)
    yield within("tip while extended [m]", 0.166, peak(run.e(3)[extended]), 0.10)
    yield within("tip after retrieval [m]", 0.098, peak(run.e(3)[run.after(0.02)]), 0.10)
    counts = [_crossings(run.e(3)[part]) for part in (extended, run.t < 0.005)]
    yield holds(
        "sign changes of the tip while extended, and before",
        "fewer when extended",
        f"{counts[0]}, {counts[1]}",
        counts[0] < counts[1],
    )


def _crossings(values: np.ndarray) -> int:
    return int((np.diff(np.sign(values)) != 0).sum())


def _base_in_motion() -> Iterator[CaseCheck]:
    run = response("4-13")
    yield from peaks(run, 0.10, e3=0.248, pitch=0.26)
    yield from peaks(run, 0.10, run.after(0.01), beta2=8.2)


CASES = (
    recomputed(
        20,
        "Platform excited",
        "fig. 4-2",
        "a joint amplitude of about 3 degrees",
        _platform_excited,
    ),
    recomputed(
        21,
        "Static equilibrium in pitch",
        "fig. 4-2",
        "-0.082 degrees",
        _static_pitch,
        "Zero of the moment on the pitch in steady orbital motion.",
    ),
    recomputed(
        22,
        "Link excited",
        "fig. 4-3, 4-4",
        "nearly no motion of the platform; a damping ratio of 0.001",
        _link_excited,
    ),
    recomputed(
        23,
        "Joint excited",
        "fig. 4-5",
        "a tip amplitude that approaches 8 cm, and "
        "libration and platform vibration an order of magnitude above fig. 4-3",
        _joint_excited,
        "The tip reaches 7.0 cm.",
    ),
    recomputed(
        24,
        "Joint frequency near that of the platform",
        "fig. 4-6",
        "nearly 20 times the amplitude, and beating",
        _resonance,
    ),
    recomputed(
        25,
        "Slew from the platform tip",
        "fig. 4-7",
        "-0.18 deg, 2.5 mm, 2.5 deg, 2.0 cm, residuals 0.7 deg and 5 mm",
        _slew_from_the_tip,
    ),
    recomputed(
        26,
        "Slews from three places",
        "fig. 4-7",
        "the smallest motion of the platform at 30 m, equal curves of the joint",
        _base_positions,
        slow=True,
    ),
    recomputed(
        29,
        "Deployment and retrieval",
        "fig. 4-10",
        "larger and slower oscillation when extended",
        _deployment_and_retrieval,
        slow=True,
    ),
    recomputed(
        31,
        "Base, slew and length at once",
        "fig. 4-13",
        "a significant vibration after the end",
        _base_in_motion,
        slow=True,
    ),
)
