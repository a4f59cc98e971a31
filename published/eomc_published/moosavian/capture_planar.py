"""Cases of the planar capture: 21 to 26."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.task_space import ResolvedAcceleration, Task, TransposeJacobian
from eomc.runtime.control.task_space.task import OutputMotion
from eomc.runtime.control.task_space.task_law import TaskLaw
from eomc.systems.free_flyer import PLANAR
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.moosavian.capture import PLANAR_CAPTURE, CaptureRun, fly, heavier
from eomc_published.moosavian.capture.run import compiled
from eomc_published.moosavian.formulations import largest
from eomc_published.moosavian.states import SEED

# Section 4.4.2: gains in the order (x_0, y_0, theta_0, x_E(1), y_E(1), x_E(2), y_E(2), delta_E(3)).
# Of K_d of the transpose Jacobian seven entries are printed; the eighth is as the last.
_MODEL_BASED = ([70.0, 70, 100, 100, 100, 100, 100, 70], 15.0)
_TRANSPOSE = ([100.0, 100, 80, 80, 80, 80, 80, 80], [150.0, 150, 100, 100, 100, 100, 100, 100])

_TIPS = ("arm1_tip_x", "arm1_tip_y", "arm2_tip_x", "arm2_tip_y")
_AFTER = 10.0
"""Time that a run goes on beside the object, to see errors decay [s]."""


def model_based(task: Task, motions: Sequence[OutputMotion]) -> TaskLaw:
    """MB1 with the gains of section 4.4.2."""
    return ResolvedAcceleration(task, motions, *_MODEL_BASED)


def transpose(task: Task, motions: Sequence[OutputMotion]) -> TaskLaw:
    """TJ with the gains of section 4.4.2."""
    return TransposeJacobian(task, motions, *_TRANSPOSE)


@cache
def exact() -> CaptureRun:
    """MB1 that knows the masses."""
    return fly(PLANAR_CAPTURE, model_based, rtol=1e-10, atol=1e-13)


@cache
def perturbed(misalignment: float = 0.0, deceleration: float = 0.04) -> CaptureRun:
    """MB1 that takes all masses and inertias for a tenth larger."""
    plan = replace(PLANAR_CAPTURE, misalignment=misalignment, deceleration=deceleration)
    until = PLANAR_CAPTURE.duration + (_AFTER if plan == PLANAR_CAPTURE else 0.0)
    return fly(plan, model_based, known=heavier(PLANAR, 0.1), until=until, method="LSODA")


@cache
def with_transpose() -> CaptureRun:
    """TJ, which knows no masses."""
    until = PLANAR_CAPTURE.duration + _AFTER
    return fly(PLANAR_CAPTURE, transpose, until=until, method="LSODA")


# -- cases 21, 22 and 26 --------------------------------------------------------------------------


def _tips(run: CaptureRun) -> tuple[Array, Array]:
    """Positions and velocities (arms, 2) of the ends at t_f, by the model's frames."""
    model, last = compiled(PLANAR), run.capture.run.final
    frames = [model.frame(f"arm{m}_tip") for m in (1, 2)]
    return (
        np.array([frame.pose(last.q)[:2, 3] for frame in frames]),
        np.array([frame.velocity(last.q, last.u)[:2] for frame in frames]),
    )


def _quintics() -> Iterator[CaseCheck]:
    run, plan = exact(), PLANAR_CAPTURE
    before, after = run.chase.run, run.capture.run
    model = compiled(PLANAR)
    for m in (1, 2):
        frame = model.frame(f"arm{m}_tip")
        accelerations = []
        for t, state, tau in (
            (before.t[-1], (before.q[-1], before.u[-1]), before.tau[-1]),
            (after.t[0], (after.q[0], after.u[0]), after.tau[0]),
        ):
            a = model.forward_dynamics(*state, tau)
            accelerations.append(frame.acceleration(*state, a)[:2])
            assert t == plan.switch
        jump = largest(accelerations[1] - accelerations[0])
        yield at_most(f"arm {m}: jump of the acceleration of its end at t_r [m/s^2]", jump, 1e-6)
    places, rates = _tips(run)
    for m in (0, 1):
        goal = plan.object_at(plan.duration)[:2]
        yield agrees(f"arm {m + 1}: its end at t_f, the object [m]", goal, places[m], 1e-6)
        yield agrees(
            f"arm {m + 1}: its velocity there, the object's [m/s]",
            plan.object_rate[:2],
            rates[m],
            1e-6,
        )


def _no_error() -> Iterator[CaseCheck]:
    run = exact()
    yield at_most("largest error of the ends [m]", largest(run.capture.error(*_TIPS)), 1e-9)
    base = [largest(phase.error("base_x", "base_y")) for phase in (run.chase, run.capture)]
    yield at_most("largest error of the base [m]", max(base), 1e-9)
    coarse = fly(PLANAR_CAPTURE, model_based, rtol=1e-6, atol=1e-8)
    ratio = largest(coarse.capture.error(*_TIPS)) / largest(run.capture.error(*_TIPS))
    yield holds(
        "it is of the integration: with coarser steps it grows",
        "> 10 times",
        f"{ratio:.3g}",
        ratio > 10,
    )


def _brake() -> Iterator[CaseCheck]:
    chase = exact().chase.run
    moved = largest(chase.q[:, 3:7] - chase.q[0, 3:7])
    yield at_most("arm joints during the chase [rad]", moved, 1e-3)
    model = compiled(PLANAR)
    for name, phase in (("chase", exact().chase), ("capture", exact().capture)):
        R = np.array([model.frame("antenna_tip").pose(q)[:2, 0] for q in phase.run.q])
        angle = np.unwrap(np.arctan2(R[:, 1], R[:, 0]))
        yield at_most(f"antenna's inertial angle, {name} [rad]", largest(angle - angle[0]), 1e-3)
    turned = float(np.ptp(chase.q[:, 2]))
    yield holds("while the base turns [rad]", "> 0.4", f"{turned:.4g}", turned > 0.4)


# -- cases 23, 24 and 25 --------------------------------------------------------------------------


def _transpose_and_model() -> Iterator[CaseCheck]:
    yield _model_error()
    tj, mb = with_transpose(), perturbed()
    worst = {}
    for name, run in (("TJ", tj), ("MB1, 10 %", mb)):
        capture = run.capture
        errors = np.abs(capture.error(*_TIPS)).max(axis=1)
        worst[name] = float(errors[capture.run.t <= PLANAR_CAPTURE.duration].max())
        left = float(errors[-1]) / float(errors.max())
        yield at_most(f"{name}: part of the peak left {_AFTER:g} s after t_f", left, 0.1)
    ratio = worst["TJ"] / worst["MB1, 10 %"]
    yield _between("peak error of the ends: TJ / MB1 with masses off by 10 %", ratio, 15, 80)
    thrusts = [_largest_force(run, "f_x", "f_y") for run in (tj, mb)]
    apart = abs(thrusts[0] - thrusts[1]) / max(thrusts)
    yield at_most("thrust peaks differ by [part]", apart, 0.2)
    for name, run, wanted in (("TJ", tj, [15.5, 16.2]), ("MB1, 10 %", mb, [15.5, 15.2])):
        peaks = [_largest_force(run, axis) for axis in ("f_x", "f_y")]
        yield agrees(f"{name}: thrust peaks along x and y [N]", wanted, peaks, 0.05)
    yield at_most("largest thrust [N]", max(thrusts), 20 - 1e-9)


def _largest_force(run: CaptureRun, *names: str) -> float:
    return max(largest(phase.force(*names)) for phase in (run.chase, run.capture))


def _between(quantity: str, got: float, low: float, high: float) -> CaseCheck:
    return holds(quantity, f"{low:g} to {high:g}", f"{got:.4g}", low <= got <= high)


def _in_capture(run: CaptureRun, *names: str) -> float:
    """Largest force until t_f."""
    rows = run.capture.run.t <= PLANAR_CAPTURE.duration
    return largest(run.capture.force(*names)[rows])


def _model_error() -> CaseCheck:
    """Of all columns of H, by inverse dynamics: masses and inertias, each a tenth larger."""
    rng = np.random.default_rng(SEED)
    q = np.asarray(compiled(PLANAR).random_configuration(rng))
    true, taken = (
        np.array([model.inverse_dynamics(q, 0 * axis, axis) for axis in np.eye(model.nu)])
        for model in (compiled(PLANAR), compiled(heavier(PLANAR, 0.1)))
    )
    return agrees(
        "H that the law knows, at a random state", 1.1 * true, taken, 1e-12, relative=True
    )


def _misaligned() -> Iterator[CaseCheck]:
    yield _model_error()
    aligned, off, other = (
        _in_capture(perturbed(misalignment=angle), "n_z") for angle in (0.0, 5.0, -5.0)
    )
    yield _between("base torque peak in capture: aligned / off by 5 deg", aligned / off, 0.3, 0.7)
    yield holds(
        "base torque peak in capture, off by -5 deg and aligned [N m]",
        "lower",
        f"{other:.3g} < {aligned:.3g}",
        other < aligned,
    )


def _longer_deceleration() -> Iterator[CaseCheck]:
    slow, fast = perturbed(), perturbed(deceleration=PLANAR_CAPTURE.acceleration)
    rows = slow.capture.run.t <= PLANAR_CAPTURE.duration
    gain = 1 - largest(slow.capture.error(*_TIPS[:2])[rows]) / largest(
        fast.capture.error(*_TIPS[:2])
    )
    yield _between("end-effector 1: part of the peak error that is saved", gain, 0.35, 0.7)
    for what, names in (("thrust", ("f_x", "f_y")), ("base torque", ("n_z",))):
        low, high = (_in_capture(run, *names) for run in (slow, fast))
        yield holds(
            f"{what} peak in capture, a2 = 0.2 a1 and a2 = a1",
            "lower",
            f"{low:.3g} < {high:.3g}",
            low < high,
        )


CASES = (
    Case(
        21,
        "Quintics from where the arms are to the object",
        "section 4.2",
        "planar capture, MB1 with exact masses: acceleration of the ends at t_r on both sides, "
        "place and velocity at t_f",
        _quintics,
        slow=True,
    ),
    Case(
        22,
        "With exact masses the model-based law has no error",
        "section 4.4.2, figure 4.6",
        "planar capture, MB1: errors at a tolerance of 1e-10, and at 1e-6",
        _no_error,
        slow=True,
    ),
    Case(
        23,
        "Transpose Jacobian and model-based law with masses off by a tenth",
        "section 4.4.2, figure 4.6",
        "planar capture: peak errors of the ends until t_f (largest component, both arms), their "
        "decay beside the object, thrust",
        _transpose_and_model,
        provenance="reconstructed",
        note="The thesis tells a ratio of about 40, and what is not printed of the arms' plan "
        "matters: here it is 20. The thrust peaks are recomputed ones.",
        slow=True,
    ),
    Case(
        24,
        "An aligned base needs half the torque of one that is off by 5 degrees",
        "section 4.4.2, figure 4.4",
        "planar capture, MB1, masses off by 10 %: peaks of the base's torque from t_r to t_f",
        _misaligned,
        note="Off by 5 degrees to one side; to the other the line of approach is met and the "
        "torque is smaller.",
        slow=True,
    ),
    Case(
        25,
        "A longer deceleration halves the error",
        "section 4.4.2, figure 4.5",
        "planar capture, MB1, masses off by 10 %: a2 = 0.2 a1 against a2 = a1",
        _longer_deceleration,
        slow=True,
    ),
    Case(
        26,
        "During the chase arms stay, and the antenna points where it did",
        "section 4.4.2, figure 4.3",
        "planar capture, MB1 with exact masses: joint angles, inertial angle of the antenna",
        _brake,
    ),
)
