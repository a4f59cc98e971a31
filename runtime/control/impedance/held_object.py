"""An object that end-effectors hold: where it is, where it should be, how it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.impedance.grasp import grasp_of
from eomc.runtime.control.impedance.grasped_object import GraspedObject
from eomc.runtime.control.sensor import Sensor
from eomc.runtime.control.task_space import EulerAngles, Position, Task
from eomc.runtime.control.task_space.euler_angles import angle_rates, euler_angles
from eomc.runtime.control.task_space.frame import frame_functions
from eomc.runtime.control.task_space.output import NUMERIC, OutputState
from eomc.runtime.control.task_space.task import OutputMotion, TaskState
from eomc.runtime.difference import Operations
from eomc.runtime.model.compiled import CompiledModel

FOLLOWED = ("x_d", "x_d_rate", "x_d_acceleration")


class HeldState(NamedTuple):
    """The object in a state: its motion, what is wanted, and M x'' + F_w = F_c + F_o + G F_e.

    place : (3,) x_G in world axes; rate : (k,) x'; e, e_rate, acceleration : (k,), the last wanted;
    mass : (k, k) M; bias : (k,) F_w; rates : (3, 3) of omega = rates delta' in world axes, or None
    """

    place: Array
    rate: Array
    e: Array
    e_rate: Array
    acceleration: Array
    mass: Array
    bias: Array
    rates: Array | None


class HeldObject:
    """A rigid object of the plant, controlled in place, or in place and attitude.

    Parameters
    ----------
    plant : CompiledModel
        With a frame at the object's centre of mass, in whose axes its inertia is given.
    frame : str
    body : GraspedObject
        The object as the controller knows it.
    motions : sequence
        Where it should be: for its place, and with attitude for its Euler angles (alpha, beta,
        gamma) of R = Rot_z(gamma) Rot_y(beta) Rot_x(alpha); as of `TransposeJacobian`.
    axes : str
        World axes in which its place is controlled. With attitude all three.
    attitude : bool
        Whether its attitude is controlled; pivoted grasps cannot.

    Attributes
    ----------
    sensors : mapping
        ``object``: x_G (3,), with attitude its Euler angles behind; ``object_rate``: x' (k,).

    Raises ValueError for motions of another number or shape, other axes, and an attitude without
    all three axes; UnknownFrameError for a frame that the plant has not.
    """

    def __init__(
        self,
        plant: CompiledModel,
        frame: str,
        body: GraspedObject,
        motions: Sequence[OutputMotion],
        *,
        axes: str = "xyz",
        attitude: bool = False,
    ) -> None:
        if attitude and axes != "xyz":
            raise ValueError(f"axes are {axes!r}; with attitude control all three, 'xyz'")
        at = Position(frame, axes)
        self.body, self.attitude = body, attitude
        self.task = Task(plant, [at, EulerAngles(frame)] if attitude else [at])
        self._wanted = self.task.wanted(motions)
        self._rows = ["xyz".index(axis) for axis in axes]
        place, rate = (
            _ObjectPlace(plant, frame, attitude),
            _Rate(plant, frame, self._rows, attitude),
        )
        self.sensors: dict[str, Sensor] = {"object": place, "object_rate": rate}

    @property
    def size(self) -> int:
        """k, of x."""
        return self.task.size

    @property
    def force_rows(self) -> list[int]:
        """Rows of force and moment, in world axes, that each end-effector gives the object."""
        return list(range(6)) if self.attitude else self._rows

    @property
    def followed(self) -> dict[str, tuple[str, ...]]:
        """Names of what `reference` tells, with those of the entries."""
        return dict.fromkeys(FOLLOWED, self.task.names)

    def reference(self, t: float) -> dict[str, Array]:
        """Wanted place, rate and acceleration (k,) of the object at time t."""
        rows = [np.concatenate(part) for part in zip(*self._wanted(t), strict=True)]
        return dict(zip(FOLLOWED, rows, strict=True))

    def at(self, t: float, q: Array, u: Array) -> HeldState:
        """The object at time t in the plant's state."""
        seen = (sensor(t, q, u) for sensor in self.sensors.values())
        return self.seen(NUMERIC, *seen, *self.reference(t).values())

    def seen(
        self, by: Operations, place: Any, rate: Any, wanted: Any, wanted_rate: Any, coming: Any
    ) -> HeldState:
        """The object by what its `sensors` tell and where it should be, in the operations of a
        difference equation."""
        y = place if self.attitude else place[self._rows]
        parts = zip(self.task.outputs, self._split(y), self._split(rate), strict=True)
        told = tuple(OutputState(at, moving, at, at) for _, at, moving in parts)
        goal = self.task.parted(wanted, wanted_rate, coming)
        deviation = self.task.deviation(TaskState(told, y, y), goal, by)
        if not self.attitude:
            mass = (self.body.mass + self.body.source.mass) * np.eye(self.size)
            return HeldState(place, rate, *deviation, mass, np.zeros(self.size), None)
        R, S, S_rate = euler_matrices(place[3:], rate[3:], by)
        mass, bias = self.body.dynamics(R, S @ rate[3:], S, S_rate @ rate[3:])
        return HeldState(place[:3], rate, *deviation, mass, bias, R @ S)

    def _split(self, row: Any) -> list[Any]:
        return [row[:3], row[3:]] if self.attitude else [row]

    def grasp(self, state: HeldState, points: Any) -> Any:
        """G (k, m) of end-effectors at points (n, 3) in world axes."""
        G = grasp_of(points - state.place, state.rates, moments=self.attitude)
        if self.attitude:
            return G
        count = len(points)
        columns = [3 * i + row for i in range(count) for row in self._rows]
        return G[np.ix_(self._rows, columns)]


class _ObjectPlace(Sensor):
    """x_G (3,), and (alpha, beta, gamma) with attitude."""

    def __init__(self, plant: CompiledModel, frame: str, attitude: bool) -> None:
        more = EulerAngles(frame).names(plant) if attitude else ()
        super().__init__(plant, (*Position(frame).names(plant), *more))
        self._known, self._attitude = frame_functions(plant, frame), attitude

    def read(self, by: Operations, q: Any, u: Any, tau: Any) -> Any:
        """As of `Sensor`."""
        pose = by.call(self._known["pose"], q=q, u=u)
        place = pose[:3, 3]
        return np.concatenate([place, euler_angles(pose[:3, :3], by)]) if self._attitude else place


class _Rate(Sensor):
    """x' (k,)"""

    def __init__(self, plant: CompiledModel, frame: str, rows: list[int], attitude: bool) -> None:
        more = EulerAngles(frame).names(plant) if attitude else ()
        super().__init__(plant, (*(Position(frame).names(plant)[k] for k in rows), *more))
        self._known, self._rows, self._attitude = frame_functions(plant, frame), rows, attitude

    def read(self, by: Operations, q: Any, u: Any, tau: Any) -> Any:
        """As of `Sensor`."""
        velocity = by.call(self._known["velocity"], q=q, u=u)
        if not self._attitude:
            return velocity[self._rows]
        R = by.call(self._known["pose"], q=q, u=u)[:3, :3]
        omega = R.T @ velocity[3:]
        S_inverse, _ = angle_rates(euler_angles(R, by), omega, by)
        return np.concatenate([velocity[:3], S_inverse @ omega])


def euler_matrices(
    delta: Array, rate: Array, by: Operations = NUMERIC
) -> tuple[Array, Array, Array]:
    """R = Rot_z(gamma) Rot_y(beta) Rot_x(alpha), S of omega = S delta' in its own axes, and S'.

    >>> R, S, S_rate = euler_matrices(np.zeros(3), np.ones(3))
    >>> R.tolist() == S.tolist() == np.eye(3).tolist()
    True
    """
    (ca, cb, cc), (sa, sb, sc) = by.elementary("cos", delta), by.elementary("sin", delta)
    a, b, _ = rate
    R = np.array(
        [
            [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
            [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
            [-sb, cb * sa, cb * ca],
        ]
    )
    S = np.array([[1.0, 0.0, -sb], [0.0, ca, sa * cb], [0.0, -sa, ca * cb]])
    S_rate = np.array(
        [
            [0.0, 0.0, -cb * b],
            [0.0, -sa * a, ca * cb * a - sa * sb * b],
            [0.0, -ca * a, -sa * cb * a - ca * sb * b],
        ]
    )
    return R, S, S_rate
