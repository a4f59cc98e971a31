"""Cases of attitudes under model-based laws: 27 and 28."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime import Trajectory, simulate
from eomc.runtime.control.task_space import (
    Attitude,
    Coordinates,
    EulerAngles,
    Position,
    ResolvedAcceleration,
    SingularJacobianError,
    Task,
)
from eomc.runtime.control.task_space.attitude import attitude_error
from eomc.runtime.control.task_space.output import TaskOutput
from eomc.runtime.model.errors import SimulationError
from eomc.runtime.trajectories import Quintic
from eomc.systems.free_flyer import SPATIAL
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.moosavian.capture import SPATIAL_CAPTURE, Actuators, heavier, limited
from eomc_published.moosavian.capture.run import compiled
from eomc_published.moosavian.formulations import largest

Motion = Callable[[float], tuple[Array, Array, Array]]

_JOINTS = Coordinates(*SPATIAL.joint_names)
_HOME = np.radians(SPATIAL_CAPTURE.home)


@dataclass(frozen=True)
class AttitudeTurn:
    """A turn about an axis that is fixed in space and in the body, by an angle [rad] in time."""

    axis: Array
    angle: Quintic

    def attitude(self, t: float) -> tuple[Array, Array, Array]:
        """Quaternion (w, x, y, z), omega and omega' in body axes."""
        phi, rate, acceleration = self.angle(t)
        half = phi / 2
        return (
            np.concatenate([[np.cos(half)], np.sin(half) * self.axis]),
            rate * self.axis,
            acceleration * self.axis,
        )

    def pitch(self, t: float) -> tuple[Array, Array, Array]:
        """(alpha, beta, gamma) of a turn about y, planned by a profile of beta alone."""
        phi, rate, acceleration = self.angle(t)
        y = np.array([0.0, 1.0, 0.0])
        return phi * y, rate * y, acceleration * y


def _law(
    turn: TaskOutput, motion: Motion, kp: float, kd: float, off: float
) -> ResolvedAcceleration:
    """Base held in place and turned, arms held at home; masses off by a part."""
    known = heavier(SPATIAL, off) if off else SPATIAL
    task = Task(compiled(known), [Position("base"), turn, _JOINTS], actuators="all")
    return ResolvedAcceleration(task, [np.zeros(3), motion, _HOME], kp, kd)


# -- case 28 --------------------------------------------------------------------------------------

_KP, _KD = 4.0, 2.4
_SLOW = Quintic(0.2, 1.5, 6.0)


def _linear_errors() -> Iterator[CaseCheck]:
    axis = np.array([0.48, -0.6, 0.64])
    turn = AttitudeTurn(axis, _SLOW)
    law = _law(Attitude("base"), turn.attitude, _KP, _KD, 0.0)
    model = compiled(SPATIAL)
    for degrees in (10, 90, 170):
        away = np.radians(degrees) / 2
        first = np.concatenate([[np.cos(away)], np.sin(away) * np.array([0.6, 0.0, 0.8])])
        q = np.concatenate([np.zeros(3), _product(turn.attitude(0.0)[0], first), _HOME])
        run = simulate(
            model,
            q,
            {},
            np.linspace(0, 6, 61),
            controller=law,
            rtol=1e-10,
            atol=1e-12,
            progress=False,
        )
        errors = np.array(
            [
                attitude_error(row[3:7], turn.attitude(t)[0])[0]
                for t, row in zip(run.t, run.q, strict=True)
            ]
        )
        expected = _decay(errors[0], run.t)
        yield at_most(
            f"e_epsilon from {degrees} deg, against its linear equation",
            largest(errors - expected),
            1e-6,
        )
    yield from _half_a_turn()


def _product(a: Array, b: Array) -> Array:
    """Of quaternions (w, x, y, z)."""
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.concatenate([[w], v])


def _decay(start: Array, t: Array) -> Array:
    """e'' + kd e' + kp e = 0 from `start` at relative rest."""
    damping = _KD / 2
    frequency = np.sqrt(_KP - damping**2)
    shape = np.cos(frequency * t) + damping / frequency * np.sin(frequency * t)
    return np.outer(np.exp(-damping * t) * shape, start)


def _half_a_turn() -> Iterator[CaseCheck]:
    """e_eta vanishes at 180 degrees only."""
    axis = np.array([0.6, 0.0, 0.8])
    rest = np.array([1.0, 0.0, 0.0, 0.0])
    least = min(
        attitude_error(np.concatenate([[np.cos(half)], np.sin(half) * axis]), rest)[1]
        for half in np.radians(np.linspace(0, 179.9, 1800)) / 2
    )
    yield holds("e_eta up to 179.9 deg", "> 0", f">= {least:.3g}", least > 0)
    try:
        attitude_error(np.array([0.0, *axis]), rest)
    except ValueError as error:
        yield holds("at 180 deg", "refused", str(error), "half a turn" in str(error))
    else:
        yield holds("at 180 deg", "refused", "a number", passed=False)


# -- case 27 --------------------------------------------------------------------------------------

_OFF = 0.3
_GAINS = (80.0, 150.0)
"""Section 4.4.3, of the base."""
_AROUND = 0.1
"""Time about the singular attitude [s]."""
_THROUGH = AttitudeTurn(np.array([0.0, 1.0, 0.0]), Quintic(np.radians(60), np.radians(120), 12.0))


@cache
def through_the_singularity(turning: str) -> Trajectory | SimulationError:
    """The turn whose pitch passes 90 degrees half way, under MB1 or MB2; or why it ended."""
    by_angles = turning == "angles"
    turn = EulerAngles("base") if by_angles else Attitude("base")
    motion = _THROUGH.pitch if by_angles else _THROUGH.attitude
    model = compiled(SPATIAL)
    law = limited(_law(turn, motion, *_GAINS, _OFF), Actuators(SPATIAL, model))
    q = np.concatenate([np.zeros(3), _THROUGH.attitude(0.0)[0], _HOME])
    # Law 1 chatters once it has failed; a second of that will do.
    method = "RK23" if by_angles else "LSODA"
    t = np.linspace(0, 7, 71) if by_angles else np.linspace(0, 12, 121)
    try:
        return simulate(
            model, q, {}, t, controller=law, method=method, rtol=1e-5, atol=1e-8, progress=False
        )
    except SimulationError as error:
        return error


def _errors(run: Trajectory) -> Array:
    """Angle between the base's attitude and the one wanted [rad]."""
    rows = zip(run.t, run.q, strict=True)
    e_eta = np.array([attitude_error(q[3:7], _THROUGH.attitude(t)[0])[1] for t, q in rows])
    return np.asarray(2 * np.arccos(np.clip(e_eta, 0, 1)))


def _singular_path() -> Iterator[CaseCheck]:
    run = through_the_singularity("parameters")
    worst = np.inf if isinstance(run, SimulationError) else largest(_errors(run))
    yield at_most("MB2: largest error of the attitude [rad]", worst, 0.01)
    run, singular = through_the_singularity("angles"), _THROUGH.angle.duration / 2
    if isinstance(run, SimulationError):
        # Only the loss of J at the singularity counts, no other error.
        lost = isinstance(run.__cause__, SingularJacobianError)
        yield holds(
            "MB1",
            "has no inverse of J near 90 deg",
            str(run),
            lost and abs(run.time - singular) < _AROUND,
        )
        return
    errors = _errors(run)
    before, after = errors[run.t <= singular - _AROUND], errors[run.t > singular + _AROUND]
    yield at_most("MB1: largest error until 0.1 s before 90 deg [rad]", largest(before), 0.01)
    yield holds(
        "MB1: errors from 0.1 s after 90 deg on [rad]",
        "grow beyond 0.1",
        f"{after[0]:.3g} to {after[-1]:.3g}",
        bool((np.diff(after) > 0).all()) and after[-1] > 0.1,
    )


CASES = (
    Case(
        27,
        "Through the singularity of the Euler angles: law 1 fails, law 2 does not",
        "section 4.4.3, figure 4.8",
        "spatial system, masses off by 30 %, limited actuators: the pitch turns from 60 to 120 "
        "degrees",
        _singular_path,
        note="Law 1 measures angles within half a turn of roll and a quarter of pitch, as an "
        "attitude has them; beyond 90 degrees its plan goes where no measured angle can.",
    ),
    Case(
        28,
        "Euler parameters: the error is linear at any size",
        "equations 4.25 to 4.32",
        "spatial system, MB2, scalar gains: errors of 10, 90 and 170 degrees of a turning base",
        _linear_errors,
        note="(4.25) is exact for gains that are multiples of the identity.",
    ),
)
