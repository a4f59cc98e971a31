"""Cases of free-floating control: 49 to 52."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.building import build, sampled_loop
from eomc.runtime import CompiledModel, Trajectory, simulate
from eomc.runtime.control import Sampled
from eomc.runtime.control.free_floating import FreeBase, FreeFloatingTask, LeastReactionPath
from eomc.runtime.control.task_space import (
    Attitude,
    Coordinates,
    EulerAngles,
    OperationalSpace,
    Position,
    ResolvedAcceleration,
    ResolvedRate,
    TaskOutput,
    TransposeJacobian,
)
from eomc.runtime.control.task_space.task_law import TaskLaw
from eomc.runtime.trajectories import Quintic
from eomc.systems.free_flyer import spatial, tree_model
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.moosavian.formulations import largest
from eomc_published.moosavian.planar_arm_in_space import (
    FLYER,
    arm_in_space,
    coupling,
    null_direction,
    robot,
    tip_jacobian,
)
from eomc_published.moosavian.states import SEED

BENT = np.array([0.7, -0.9])
"""Joints of the planar arm at the start [rad]."""
START = np.array([0.0, 0.0, 0.0, *BENT])
HOME_JOINTS = np.array([0.3, 1.0, 1.6, 2.8, -1.0, -1.6, 0.2, 0.9])
_GOAL = np.array([1.1, 0.4, 1.0, 2.2, -0.5, -0.9, -0.4, 0.3])
"""Joints of the spatial free-flyer, and those to which a posture draws them [rad]."""
GAINS = 16.0, 8.0
STILL = [1.0, 0.0, 0.0, 0.0]


@cache
def flyer() -> FreeBase:
    """The spatial free-flyer, compiled."""
    functions = (*eomc.CORE, "momentum", "center_of_mass")
    return FreeBase(build(spatial(), functions=functions, frames=("base", "arm1_tip", "arm2_tip")))


def run_under(
    model: CompiledModel, law: Any, q: Array, duration: float, u: Any = None
) -> Trajectory:
    """81 records of a run under a law."""
    t = np.linspace(0.0, duration, 81)
    more: Any = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-11, "progress": False}
    return simulate(model, q, u, t_span=t, controller=law, **more)


def _moved(free: FreeBase, path: Any, joints: Array) -> Trajectory:
    """All joints along a path, the base where it goes."""
    task = FreeFloatingTask(free.model, [Coordinates(*free.joint_speeds)])
    law = ResolvedAcceleration(task, [path], *GAINS)
    return run_under(free.model, law, free.configuration(joints), path.end_time)


def base_turn(run: Trajectory) -> float:
    """Largest turn of the spatial base, small [rad]."""
    return 2 * largest(run.q[:, 4:7])


def _errors(law: Any, run: Trajectory) -> Array:
    """Largest error of the outputs at each time."""
    rows = zip(run.t, run.q, run.u, strict=True)
    return np.array([np.abs(law.error(t, q, u)).max() for t, q, u in rows])


def _tip(model: CompiledModel, q: Array, frame: str = "arm1_tip") -> Array:
    return np.asarray(model.frame(frame).pose(q)[..., :3, 3])


# -- case 49 --------------------------------------------------------------------------------------


def _generalized_jacobian() -> Iterator[CaseCheck]:
    free, rng = arm_in_space(), np.random.default_rng(SEED)
    q = np.hstack([rng.uniform(-3, 3, (20, 3)), rng.uniform(-2, 2, (20, 2))])
    J = free.generalized_jacobian(q, "arm1_tip")[:, :2]
    exact = np.array([tip_jacobian(row[2], row[3:]) for row in q])
    yield agrees("planar arm: J* of the tip, 20 random states", exact, J, 1e-12)
    turning = np.array([coupling(row[3:]) for row in q])
    yield agrees("planar arm: rate of the base", turning, free.coupling(q)[:, 2], 1e-12)
    null = np.array([free.reaction_null_space(row)[:, 0] for row in q])
    along = [abs(a @ null_direction(row[3:])) for a, row in zip(null, q, strict=True)]
    yield agrees("planar arm: null space along (-H_2, H_1)", np.ones(20), along, 1e-12)
    yield from _inertia(rng)
    fixed = FreeBase(eomc.build(tree_model(FLYER), tunable=["m_0", "I_0_zz"]), parameters=_HEAVY)
    angles = np.cumsum(q[:, 2:], axis=1)[:, 1:]
    second = np.array([-np.sin(angles[:, 1]), np.cos(angles[:, 1])]).T
    first = second + np.array([-np.sin(angles[:, 0]), np.cos(angles[:, 0])]).T
    found = fixed.generalized_jacobian(q, "arm1_tip")[:, :2]
    yield agrees("heavy base: Jacobian of the fixed arm", np.stack([first, second], 2), found, 1e-8)


_HEAVY = {"m_0": 1e12, "I_0_zz": 1e12}


def _inertia(rng: np.random.Generator) -> Iterator[CaseCheck]:
    """The spatial free-flyer: velocities and energy of random motions without momentum."""
    free = flyer()
    model = free.model
    q = np.asarray(model.random_configuration(rng, 5))
    rates = rng.uniform(-1, 1, (5, 8))
    u = np.array([free.speeds(*row) for row in zip(q, rates, strict=True)])
    yield at_most("spatial: momentum of these motions", largest(model.momentum(q, u)), 1e-12)
    velocity = np.asarray(model.frame("arm2_tip").velocity(q, u))
    by_joints = (free.generalized_jacobian(q, "arm2_tip") @ rates[..., None])[..., 0]
    yield agrees("spatial: velocity of a tip, J* u_j", velocity, by_joints, 1e-12)
    energy = np.einsum("ki,kij,kj->k", rates, free.generalized_inertia(q), rates) / 2
    yield agrees("spatial: energy, u_j M* u_j / 2", model.kinetic_energy(q, u), energy, 1e-11)


# -- case 50 --------------------------------------------------------------------------------------


@cache
def tracked(name: str) -> tuple[Trajectory, Array]:
    """The planar arm's tip on a straight line in inertial space, and its errors [m]."""
    law = _laws()[name]
    run = run_under(robot(), law, START, 4.0)
    return run, _errors(law, run)


def _laws() -> dict[str, TaskLaw]:
    start = _tip(robot(), START)[:2]
    line = Quintic(start, start + np.array([-0.2, 0.3]), 3.0)
    task = FreeFloatingTask(robot(), [Position("arm1_tip", "xy")])
    return {
        "ResolvedRate": ResolvedRate(task, [line], 5.0, 200.0),
        "TransposeJacobian": TransposeJacobian(task, [line], 300.0, 150.0),
        "ResolvedAcceleration": ResolvedAcceleration(task, [line], *GAINS),
    }


def _resolved_motion() -> Iterator[CaseCheck]:
    bounds = {"ResolvedRate": 2e-3, "TransposeJacobian": 5e-3, "ResolvedAcceleration": 1e-9}
    for name, bound in bounds.items():
        run, errors = tracked(name)
        yield at_most(f"{name}: largest error of the tip [m]", errors.max(), bound)
        yield at_most(f"{name}: force on the base", largest(run.tau[:, :3]), 0.0)
        yield at_most(f"{name}: momentum", largest(robot().momentum(run.q, run.u)), 1e-9)
        turned = abs(float(run["base_theta"][-1]))
        yield holds(f"{name}: turn of the base [rad]", "> 0.1", f"{turned:.3g}", turned > 0.1)
    free = flyer()
    model, q = free.model, free.configuration(HOME_JOINTS)
    law = ResolvedAcceleration(FreeFloatingTask(model, _TIPS), _moves(model, q), *GAINS)
    u = free.speeds(q, np.full(8, 0.05), np.full(6, 0.05))
    run = run_under(model, law, q, 3.0, u)
    errors = _errors(law, run)
    yield at_most("spatial, with momentum: error of both tips, 3 s [m]", errors[-1], 1e-3)
    drift = largest(model.momentum(run.q, run.u) - model.momentum(q, u))
    yield at_most("spatial, with momentum: its change", drift, 1e-8)
    digital = Sampled(_laws()["ResolvedAcceleration"], 0.01)
    fast = sampled_loop(tree_model(FLYER), digital, model=tree_model(FLYER)).run(
        START, t_span=1.0, step=0.01
    )
    slow = simulate(
        robot(), START, t_span=fast.t, controller=digital, method="rk4", step=0.01, progress=False
    )
    yield at_most("law and robot in one compiled loop, off by", largest(fast.q - slow.q), 1e-9)


_TIPS: list[TaskOutput] = [
    Position("arm1_tip"),
    Position("arm2_tip"),
    Coordinates("antenna_theta1", "antenna_theta2"),
]


def _moves(model: CompiledModel, q: Array) -> list[Any]:
    first, second = (_tip(model, q, f"arm{k}_tip") for k in (1, 2))
    step = np.array([0.05, 0.05, -0.05])
    return [Quintic(first, first + step, 3.0), Quintic(second, second - step, 3.0), HOME_JOINTS[6:]]


# -- case 51 --------------------------------------------------------------------------------------


@cache
def undisturbed() -> Trajectory:
    """The planar arm's tip moves by 0.2 m along x, with the base's attitude as an output."""
    model = robot()
    x = _tip(model, START)[:1]
    task = FreeFloatingTask(model, [EulerAngles("base", ("gamma",)), Position("arm1_tip", "x")])
    law = ResolvedAcceleration(task, [[0.0], Quintic(x, x - 0.2, 3.0)], *GAINS)
    return run_under(model, law, START, 4.0)


def _reaction_null_space() -> Iterator[CaseCheck]:
    run = undisturbed()
    yield at_most("planar: turn of the base [rad]", largest(run["base_theta"]), 1e-10)
    x = _tip(robot(), run.q)[:, 0]
    yield agrees("planar: way of the tip [m]", -0.2, x[-1] - x[0], 1e-6)
    moving = run.u[np.linalg.norm(run.u, axis=1) > 1e-2]
    along = np.array([null_direction(q[3:]) for q in run.q])
    across = run.u[:, 3] * along[:, 1] - run.u[:, 4] * along[:, 0]
    yield at_most("planar: joint rates across (-H_2, H_1) [rad/s]", largest(across), 1e-9)
    yield holds("planar: times of motion", "> 40", str(len(moving)), len(moving) > 40)
    free = flyer()
    model, q = free.model, free.configuration(HOME_JOINTS)
    task, goal = FreeFloatingTask(model, [Attitude("base")]), free.configuration(_GOAL)
    run = run_under(model, OperationalSpace(task, [STILL], 4.0, 4.0, posture=goal), q, 8.0)
    yield at_most("spatial: turn of the base [rad]", base_turn(run), 1e-10)
    moved = np.abs(run.q[-1] - q)[7:].max()
    yield holds("spatial: largest way of a joint [rad]", "> 0.5", f"{moved:.3g}", moved > 0.5)
    turned = base_turn(_moved(free, Quintic(HOME_JOINTS, run.q[-1, 7:], 8.0), HOME_JOINTS))
    yield holds("same ends, straight: turn of the base", "> 1e-3", f"{turned:.3g}", turned > 1e-3)


# -- case 52 --------------------------------------------------------------------------------------


@cache
def null_curve() -> Array:
    """Joints (101, 2) along the planar arm's null directions by the closed form, 2 rad long."""
    from scipy.integrate import solve_ivp

    found = solve_ivp(
        lambda s, x: null_direction(x),
        (0.0, 2.0),
        BENT,
        rtol=1e-11,
        atol=1e-12,
        t_eval=np.linspace(0.0, 2.0, 101),
    )
    curve: Array = found.y.T
    return curve


@cache
def followed_path(kind: str) -> Trajectory:
    """A run between the ends of the null curve along "least" reaction or a "straight" line."""
    free, end = arm_in_space(), null_curve()[-1]
    path: Any = Quintic(BENT, end, 4.0)
    if kind == "least":
        path = LeastReactionPath(free, BENT, end, 4.0, effort=1e-3)
    return _moved(free, path, BENT)


def _least_reaction() -> Iterator[CaseCheck]:
    run, curve = followed_path("least"), null_curve()[::-1]
    apart = run.q[:, 4] - np.interp(run.q[:, 3], *curve.T)
    yield at_most("ends on one null curve: off the curve [rad]", largest(apart), 1e-3)
    yield at_most("turn of the base [rad]", largest(run["base_theta"]), 1e-5)
    straight = largest(followed_path("straight")["base_theta"])
    yield holds("straight: turn of the base [rad]", "> 5e-3", f"{straight:.3g}", straight > 5e-3)
    free, end = arm_in_space(), np.array([1.2, -1.5])
    paths: list[Any] = [LeastReactionPath(free, BENT, end, 4.0), Quintic(BENT, end, 4.0)]
    turns = [_moved(free, path, BENT)["base_theta"] for path in paths]
    ways = [float(np.abs(np.diff(turn)).sum()) for turn in turns]
    yield agrees(
        "elsewhere: way of the base, as the path says [rad]", paths[0].reaction, ways[0], 1e-3
    )
    yield at_most("elsewhere: way of the base over that of a straight line", ways[0] / ways[1], 0.8)
    free = flyer()
    least = LeastReactionPath(free, HOME_JOINTS, _GOAL, 8.0, effort=0.02, segments=6)
    ratio = base_turn(_moved(free, least, HOME_JOINTS)) / base_turn(
        _moved(free, Quintic(HOME_JOINTS, _GOAL, 8.0), HOME_JOINTS)
    )
    yield at_most("spatial: turn of the base over that of a straight line", ratio, 1 / 3)


CASES = (
    Case(
        49,
        "Generalized Jacobian, inertia and reaction null space of a free-floating robot",
        "Umetani and Yoshida (1989); Nenchev et al. (1992); thesis, section 2.3",
        "FreeBase of the planar arm against its closed form, of the spatial free-flyer against "
        "random motions without momentum",
        _generalized_jacobian,
    ),
    Case(
        50,
        "Resolved motion by the generalized Jacobian, the base uncontrolled",
        "Umetani and Yoshida (1989); Masutani, Miyazaki and Arimoto (1989)",
        "three laws with a FreeFloatingTask on an inertial line; the spatial one with momentum; "
        "a compiled loop",
        _resolved_motion,
        slow=True,
    ),
    Case(
        51,
        "Motion in the reaction null space: the attitude of the base stays",
        "Nenchev, Yoshida, Vichitkulsawat and Uchiyama (1999)",
        "the attitude of the base as an output of FreeFloatingTask; joint rates of the planar arm "
        "against (-H_2, H_1)",
        _reaction_null_space,
        slow=True,
    ),
    Case(
        52,
        "Paths of least reaction on the base",
        "Dubowsky and Torres (1991); Yoshida, Hashizume and Abiko (2001)",
        "LeastReactionPath between two points of a null curve, which is integrated in closed form, "
        "and of the spatial free-flyer, against straight lines",
        _least_reaction,
        slow=True,
    ),
)
