"""A capture flown under a law of control.

Until t_r the joints of the arms are held (a brake), while the base flies and turns; then the ends
of the arms follow quintics from where they are, with their velocity and acceleration, to the object
and its velocity at t_f. Appendages keep where they point throughout.

Moosavian 1996, section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime import CompiledModel, Trajectory, simulate
from eomc.runtime.control.task_space import Attitude, Coordinates, EulerAngles, Position, Task
from eomc.runtime.control.task_space.output import TaskOutput
from eomc.runtime.control.task_space.task import OutputMotion
from eomc.runtime.control.task_space.task_law import TaskLaw
from eomc.runtime.trajectories import Quintic
from eomc.systems.free_flyer.topology import FreeFlyer, Link, Manipulator
from eomc.systems.free_flyer.tree_model import tree_model
from eomc_published.moosavian.capture.actuators import Actuators, limited
from eomc_published.moosavian.capture.maneuver import Capture, rotation

LawOf = Callable[[Task, Sequence[OutputMotion]], TaskLaw]
"""A law for a task and the motions of its outputs."""
Turning = Literal["angles", "parameters"]
"""Variables in which the base's attitude is controlled: Euler angles or Euler parameters."""


@dataclass(frozen=True)
class CapturePhase:
    """One of the two phases: its run, and at its times errors and what the actuators gave.

    errors : (n, m), of the rows `names` of the task
    forces : (n, N), (f_s, n_s, tau), of the actuators `actuators`
    """

    run: Trajectory
    names: tuple[str, ...]
    errors: Array
    actuators: tuple[str, ...]
    forces: Array

    def error(self, *names: str) -> Array:
        """Columns of the errors, (n, number of names)."""
        return self.errors[:, [self.names.index(name) for name in names]]

    def force(self, *names: str) -> Array:
        """Columns of the actuators' forces."""
        return self.forces[:, [self.actuators.index(name) for name in names]]


@dataclass(frozen=True)
class CaptureRun:
    """The chase, 0 < t < t_r, and the capture, t_r < t < t_f."""

    chase: CapturePhase
    capture: CapturePhase


@cache
def compiled(flyer: FreeFlyer) -> CompiledModel:
    """The tree of a free-flyer with what laws of control ask of it; base in Euler parameters."""
    tips = [f"{arm.name}_tip" for arm in flyer.manipulators]
    return build(tree_model(flyer), functions=_FUNCTIONS, frames=["base", *tips])


_FUNCTIONS = (
    *("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "coordinate_rates"),
    *("normalize", "neutral"),
)


def heavier(flyer: FreeFlyer, part: float) -> FreeFlyer:
    """The same with masses and inertias larger by a part, as a controller may take it to be.

    >>> from eomc.systems.free_flyer import PLANAR
    >>> round(heavier(PLANAR, 0.1).total_mass, 12)
    75.9
    """
    scale = 1 + part

    def inertia(of: FreeFlyer | Link) -> dict[str, Any]:
        x, y, z = (scale * entry for entry in of.inertia)
        return {"mass": scale * of.mass, "inertia": (x, y, z)}

    arms = tuple(
        replace(arm, links=tuple(replace(link, **inertia(link)) for link in arm.links))
        for arm in flyer.manipulators
    )
    return replace(flyer, manipulators=arms, **inertia(flyer))


def fly(
    plan: Capture,
    law: LawOf,
    *,
    known: FreeFlyer | None = None,
    turning: Turning = "angles",
    begin: float = 0.0,
    until: float | None = None,
    step: float = 0.05,
    **settings: Any,
) -> CaptureRun:
    """Fly a maneuver: simulate chase and capture.

    Parameters
    ----------
    plan : Capture
    law : function of (task, motions)
        Makes the law of each phase, such as ``lambda task, motions: TransposeJacobian(task,
        motions, kp, kd)``.
    known : FreeFlyer, optional
        What the law takes the free-flyer to be; by default it knows.
    turning : "angles" or "parameters"
        How the base's attitude is controlled.
    begin : float
        Start [s], on the plan and with the arms at home.
    until : float, optional
        End [s], by default when the object is met.
    step : float
        Interval of the record [s].
    settings : further arguments of `simulate`
    """
    flight = Flight(plan, law, known or plan.flyer, turning, begin, {"step": step} | settings)
    q, u = flight.start()
    chase = flight.phase(begin, plan.switch, q, u, arms_move=False)
    end = plan.duration if until is None else until
    final = chase.run.final
    return CaptureRun(chase, flight.phase(plan.switch, end, final.q, final.u, arms_move=True))


@dataclass(frozen=True)
class Flight:
    """A maneuver with what flies it; see `fly`."""

    plan: Capture
    law: LawOf
    known: FreeFlyer
    turning: Turning
    begin: float
    settings: dict[str, Any]

    def start(self) -> tuple[Array, Array]:
        """(q, u) of the plant at the start, on the plan."""
        plan, joints = self.plan, np.radians(self.plan.home)
        x, v, _ = plan.base_position(self.begin)
        if plan.flyer.planar:
            attitude, omega, _ = plan.base_angles(self.begin)
        else:
            attitude, omega, _ = plan.base_attitude(self.begin)
            v = rotation(plan.turn(self.begin).position).T @ v
        q = np.concatenate([x, attitude, joints])
        u = np.concatenate([v, omega, np.zeros(len(joints))])
        return np.asarray(compiled(plan.flyer).function("normalize")(q)), u

    def phase(
        self, begin: float, end: float, q: Array, u: Array, *, arms_move: bool
    ) -> CapturePhase:
        """The run of a phase from the state (q, u)."""
        plant, law = compiled(self.plan.flyer), self.led(begin, q, u, arms_move=arms_move)
        actuators = Actuators(self.plan.flyer, plant)
        run = simulate(
            plant,
            q,
            u,
            (begin, end),
            controller=limited(law, actuators),
            **({"rtol": 1e-7, "atol": 1e-9, "progress": False} | self.settings),
        )
        rows = list(zip(run.t, run.q, run.u, run.tau, strict=True))
        return CapturePhase(
            run,
            law.task.names,
            np.array([law.error(t, q, u) for t, q, u, _ in rows]),
            actuators.names,
            np.array([actuators.forces(q, tau) for _, q, _, tau in rows]),
        )

    def led(self, begin: float, q: Array, u: Array, *, arms_move: bool) -> TaskLaw:
        """The law of a phase from the state (q, u)."""
        plant = compiled(self.plan.flyer)
        outputs, motions = self._base()
        for m, arm in enumerate(self.plan.flyer.manipulators):
            if arm.controlled == "axis":
                outputs.append(_pointing(self.plan.flyer, arm))
                motions.append(self._where_it_points(outputs[-1]))
            elif arms_move:
                outputs.append(Position(f"{arm.name}_tip", self._axes))
                motions.append(self._reaching(m, begin, q, u))
            else:
                names = _joints(arm)
                outputs.append(Coordinates(*names))
                motions.append(q[[plant.coordinates.index(name) for name in names]])
        return self.law(Task(compiled(self.known), outputs, actuators="all"), motions)

    @property
    def _axes(self) -> str:
        return "xy" if self.plan.flyer.planar else "xyz"

    def _base(self) -> tuple[list[TaskOutput], list[OutputMotion]]:
        plan = self.plan
        if plan.flyer.planar:
            turn: TaskOutput = EulerAngles("base", ("gamma",))
        else:
            turn = EulerAngles("base") if self.turning == "angles" else Attitude("base")
        by_parameters = isinstance(turn, Attitude)
        motion = plan.base_attitude if by_parameters else plan.base_angles
        return [Position("base", self._axes), turn], [plan.base_position, motion]

    def _where_it_points(self, output: TaskOutput) -> Array:
        """The angles of an appendage at the start."""
        q, u = self.start()
        return Task(compiled(self.plan.flyer), [output]).at(self.begin, q, u).seen[0].y

    def _reaching(self, m: int, begin: float, q: Array, u: Array) -> Quintic:
        """The quintic of the end of an arm, from the state (q, u) to the object."""
        plan, arm = self.plan, self.plan.flyer.manipulators[m]
        model = compiled(plan.flyer)
        end = Task(model, [Position(f"{arm.name}_tip", self._axes)]).at(begin, q, u)
        # The acceleration that the planned one of the base gives it, while no joint accelerates.
        outputs, motions = self._base()
        joints = Coordinates(*plan.flyer.joint_names)
        task = Task(model, [*outputs, joints], actuators="all")
        state = task.at(begin, q, u)
        wanted = task.wanted([*motions, np.zeros(joints.size)])(begin)
        a = task.inverse(state.jacobian) @ (
            np.concatenate([part.acceleration for part in wanted]) - state.drift
        )
        n = len(self._axes)
        return Quintic(
            end.seen[0].y,
            plan.object_at(plan.duration)[:n],
            plan.duration - begin,
            start_rate=end.rate,
            end_rate=plan.object_rate[:n],
            start_acceleration=end.jacobian @ a + end.drift,
            start_time=begin,
        )


def _pointing(flyer: FreeFlyer, arm: Manipulator) -> EulerAngles:
    """Direction of the x axis of an appendage: in the plane its angle, in space elevation and
    azimuth."""
    return EulerAngles(f"{arm.name}_tip", ("gamma",) if flyer.planar else ("beta", "gamma"))


def _joints(arm: Manipulator) -> list[str]:
    return [f"{arm.name}_theta{i}" for i in range(1, len(arm.links) + 1)]


__all__ = ["CapturePhase", "CaptureRun", "Flight", "compiled", "fly", "heavier"]
