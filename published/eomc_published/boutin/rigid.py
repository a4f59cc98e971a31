"""Cases of rigid dynamics: 10 to 12 and 14 to 17."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.truss_crane import maneuver
from eomc_published.boutin.compiled import (
    GAIN,
    JACKS,
    forces,
    instants,
    nominal,
    single,
    tables,
    two,
    whole,
)
from eomc_published.boutin.kinematics import column
from eomc_published.case import Case, CaseCheck, agrees, at_most

_DIVERGED = 0.05


def _inverse() -> Iterator[CaseCheck]:
    motion = nominal("two", instants(0.02))
    first, second = motion.force("jack1"), motion.force("jack2")
    share = np.abs(first - second).max() / np.abs(first).max()
    yield at_most("difference of the pair, share of the peak", share, 2e-4)
    yield agrees("peak [N]", 21575, first.max(), 0.005 * 21575)
    yield agrees("at [s]", 4.9, motion.t[first.argmax()], 0.05)
    yield agrees("least [N]", -25813, first.min(), 0.005 * 25813)
    yield agrees("at [s]", 15.48, motion.t[first.argmin()], 0.05)
    coarse = instants(0.5)
    crane, all_of = nominal("two", coarse), nominal("whole", coarse)
    for name in JACKS:
        difference = np.abs(all_of.force(name) - crane.force(name)).max()
        share = difference / np.abs(crane.force(name)).max()
        yield at_most(f"{name} of 19 links against 7, relative", share, 1e-6)


def _last_boom() -> Iterator[CaseCheck]:
    """Moments about the hinge of the last boom: of its inertia, and of the force of actuator 6."""
    times = instants(0.5)
    motion, model = nominal("whole", times), whole()
    balance = np.array(
        [_free_body(model, *row) for row in zip(motion.q, motion.u, motion.a, strict=True)]
    )
    found = motion.force("jack6")
    share = np.abs(found - balance).max() / np.abs(found).max()
    yield at_most("actuator 6 - free-body balance, relative", share, 1e-8)
    for first, second in (("jack3", "jack4"), ("jack5", "jack6")):
        pair = motion.force(first), motion.force(second)
        share = np.abs(pair[0] - pair[1]).max() / np.abs(pair[0]).max()
        yield at_most(f"{first} and {second}, share of the peak", share, 0.01)


def _free_body(model: CompiledModel, q: Array, u: Array, a: Array) -> float:
    """The force of actuator 6, by points of the plane.

    With all angles but those of the first joint at rest, boom, second and third joint turn about
    one hinge as one body by phi. Actuator 6 holds the last boom with its own cylinder against what
    moves it, moments about the hinge at x = 60 m: sum of r x a dm = h F + moments of its rod.
    """
    from eomc.derive.finite_elements.modal_reduction import from_structure
    from eomc.systems.truss_crane.boom import BAYS, DEPTH, LENGTH, OFFSET, bay_structure

    index = [model.coordinates.index(name) for name in ("turn1", "turn2")]
    spin, turning = float(u[index].sum()), float(a[index].sum())

    def accelerated(place: Array) -> Array:
        """Acceleration of a place, in axes of the booms."""
        return turning * np.array([-place[1], place[0]]) - spin**2 * place

    hinge = np.array([60.0, 0.0])
    boom = from_structure(bay_structure(BAYS[2]), 0)
    first = np.array(boom.first, float)[:2]
    moment = _cross(first, accelerated(hinge)) + float(boom.inertia[2][2]) * turning
    # The actuator lies along x at y = 5 from the triangle's corner to the boom's node 29. Its rod
    # and barrel are uniform: the force across them at the head by moments about the foot.
    foot, head = hinge + np.array([OFFSET, DEPTH]), hinge + np.array([DEPTH, DEPTH])
    masses = 4000 * LENGTH * np.array([2.3592e-4, 1.79091e-3])
    middle = (foot + head) / 2
    total = masses.sum()
    about_foot = _cross(middle - foot, accelerated(middle)) * total
    about_foot += total * LENGTH**2 / 12 * turning
    across = about_foot / LENGTH  # on the actuator by the boom, along y
    along = masses[1] * accelerated(middle)[0]  # of the rod: F + pull of the head
    # on the boom at the head: x: F - along, y: -across
    lever = head - hinge
    return float((moment + lever[0] * across) / -lever[1] + along)


def _cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _energy() -> Iterator[CaseCheck]:
    motion, model = nominal("two", instants(0.01)), two()
    kinetic = np.array(
        [model.kinetic_energy(q, u) for q, u in zip(motion.q, motion.u, strict=True)]
    )
    power = sum(motion.force(name) * column(model, motion.u, name) for name in JACKS)
    from scipy.interpolate import CubicSpline

    work = CubicSpline(motion.t, power).antiderivative()(motion.t)
    share = np.abs(kinetic - work).max() / kinetic.max()
    yield agrees("largest kinetic energy [kJ]", 55.18, kinetic.max() / 1e3, 0.01)
    yield agrees("at [s]", 10.28, motion.t[kinetic.argmax()], 0.011)
    yield at_most("energy - work, share of the largest energy", share, 1e-8)


@cache
def driven(name: str, step: float, gain: float, method: str, end: float) -> Trajectory:
    """A run of the rigid crane by a table of forces, from rest."""
    model = two() if name == "two" else single()
    stop = [] if gain or name != "two" else [_error(model)]
    # Open loop, errors of the integration would grow as those of the table do.
    close = 1.0 if gain or name != "two" else 0.01
    return simulate(
        model,
        t_span=(0.0, end),
        **forces(model, tables(name, step), gain),
        method=method,
        rtol=close * 1e-8,
        atol=close * 1e-10,
        events=stop,
        progress=False,
    )


def _error(model: CompiledModel) -> Any:
    goal, places = maneuver(), [model.coordinates.index(name) for name in JACKS]

    def event(t: float, q: Array, u: Array) -> float:
        return _DIVERGED - float(np.abs(np.asarray(q)[places] - goal(t).position).max())

    vars(event)["terminal"] = True
    return event


def _unstable() -> Iterator[CaseCheck]:
    found = {}
    for step, method in ((0.1, "DOP853"), (0.1, "BDF"), (0.1, "RK45"), (0.01, "DOP853")):
        run = driven("two", step, 0.0, method, 10.0)
        found[step, method] = run
        title = f"{method}, table of {step} s: error of 0.05 m before 10 s, at [s]"
        yield at_most(title, run.t[-1], 9.99)
        error = [run[name][-1] - float(maneuver()(run.t[-1]).position) for name in JACKS]
        yield agrees(f"{method}, {step} s: extension errors, 1 by 2", -1, error[0] / error[1], 0.05)
    yield agrees("time [s], table of 0.1 s", 4.15, found[0.1, "DOP853"].t[-1], 0.05)
    yield agrees("time [s], implicit method", 4.15, found[0.1, "BDF"].t[-1], 0.05)
    yield agrees("time [s], table of 0.01 s", 5.02, found[0.01, "DOP853"].t[-1], 0.05)


def growth(name: str, t: float) -> float:
    """The largest real part of eigenvalues about the nominal motion [1/s]."""
    times = (0.0, *np.linspace(t / 50, t, 50).tolist())
    motion = nominal(name, times)
    model = two() if name == "two" else single()
    forces = {f"{joint}_force": float(motion.force(joint)[-1]) for joint in motion.names}
    linear = linearize(
        model, (motion.q[-1], motion.u[-1]), inputs=forces, independent=list(motion.names)
    )
    return float(np.linalg.eigvals(linear.A).real.max())


def _one_actuator(t: float) -> float:
    """The same of J beta'^2 d''/2 with the angle beta(d) of the law of cosines alone: the roots of
    m s^2 + m' d' s + m' d'' + m'' d'^2 / 2, m = J (d beta / d d)^2."""
    from eomc_published.boutin.kinematics import opened

    sample, step = maneuver()(t), 1e-3
    d, rate, acceleration = (float(x) for x in (sample.position, sample.rate, sample.acceleration))
    places: Array = d + step * np.arange(-2.0, 3.0)
    slope = (opened(places + step) - opened(places - step)) / (2 * step)
    mass = slope**2
    first = (mass[3] - mass[1]) / (2 * step)
    second = (mass[3] - 2 * mass[2] + mass[1]) / step**2
    stiffness = first * acceleration + second * rate**2 / 2
    return float(np.roots([mass[2], first * rate, stiffness]).real.max())


def _growth() -> Iterator[CaseCheck]:
    yield agrees("two actuators at 5 s [1/s]", 4.8, growth("two", 5.0), 0.3)
    one = growth("single", 5.0)
    yield at_most("one actuator at 5 s [1/s]", one, 0.035)
    yield agrees(
        "one actuator at 5 s, closed form [1/s]", _one_actuator(5.0), one, 1e-3, relative=True
    )
    yield agrees(
        "two actuators at 1, 2.5, 11, 15 s [1/s]",
        [3.88, 5.63, 3.24, 9.27],
        [growth("two", t) for t in (1.0, 2.5, 11.0, 15.0)],
        0.02,
    )


def _feedback() -> Iterator[CaseCheck]:
    run = driven("two", 0.01, GAIN, "DOP853", 20.0)
    goal = np.array([float(maneuver()(t).position) for t in run.t])
    speed = np.array([float(maneuver()(t).rate) for t in run.t])
    error = max(np.abs(run[name] - goal).max() for name in JACKS)
    yield at_most("extension error [m]", error, 1e-5)
    model = two()
    added = max(
        np.abs(GAIN * (goal - run[name] + speed - run.u[:, model.speeds.index(name)])).max()
        for name in JACKS
    )
    peak = np.abs(nominal("two", instants(0.01)).forces).max()
    yield at_most("added force, share of the peak", added / peak, 1e-5)
    yield agrees(
        "boom at 20 s [deg]", -89.837, np.degrees(run["turn1"][-1] + run["turn2"][-1]), 0.01
    )


def _stable() -> Iterator[CaseCheck]:
    run = driven("single", 0.01, 0.0, "DOP853", 20.0)
    wanted = nominal("single", instants(0.1))
    turned = np.degrees(np.interp(wanted.t, run.t, run["turn2"]))
    off = np.abs(turned - np.degrees(column(single(), wanted.q, "turn2"))).max()
    yield at_most("boom off its nominal angle [deg]", off, 0.05)
    yield agrees("boom at 20 s [deg]", -44.9176, turned[-1], 0.001)


CASES = (
    Case(
        10,
        "Inverse dynamics",
        "figure 8.4",
        "forces of both loops, 7 and 19 links",
        _inverse,
        "reconstructed",
    ),
    Case(
        11,
        "Free-body balance of the last boom",
        "section 8.1",
        "moments about its hinge",
        _last_boom,
    ),
    Case(
        12,
        "Work and energy",
        "figure 8.6",
        "kinetic energy against the work of the forces",
        _energy,
        "reconstructed",
        note="The source's own error grows to 1e-4.",
    ),
    Case(
        14,
        "Open loop diverges",
        "figure 8.5",
        "forces from tables of 0.1 s and 0.01 s",
        _unstable,
        "reconstructed",
        note="The light triangle between two forces is a toggle: the physics is unstable, and "
        "errors of interpolation grow with its eigenvalue.",
    ),
    Case(
        15,
        "Eigenvalues of the toggle",
        "section 8.2.2",
        "linearized about the moving crane",
        _growth,
        "reconstructed",
        note="Of the single actuator the list says about 0.035; its closed form gives 0.0263.",
    ),
    Case(16, "PD about the table", "figure 8.7", "gains of 5000", _feedback, "reconstructed"),
    Case(
        17,
        "One actuator needs no feedback",
        "section 8.3",
        "table of 0.01 s",
        _stable,
        "reconstructed",
    ),
)
