"""An object that end-effectors hold: where it is, where it should be, how it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.control.impedance.grasp import grasp_matrix
from eomc.runtime.control.impedance.grasped_object import GraspedObject
from eomc.runtime.control.task_space import EulerAngles, Position, Task
from eomc.runtime.control.task_space.task import OutputMotion
from eomc.runtime.model.compiled import CompiledModel

Array = NDArray[np.float64]


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
        place = Position(frame, axes)
        self.body, self.attitude = body, attitude
        self.task = Task(plant, [place, EulerAngles(frame)] if attitude else [place])
        self._whole = Task(plant, [Position(frame)])
        self._wanted = self.task.wanted(motions)
        self._rows = ["xyz".index(axis) for axis in axes]

    @property
    def size(self) -> int:
        """k, of x."""
        return self.task.size

    @property
    def force_rows(self) -> list[int]:
        """Which of force and moment, in world axes, each end-effector gives it."""
        return list(range(6)) if self.attitude else self._rows

    def at(self, t: float, q: Array, u: Array) -> HeldState:
        """The object at time t in the plant's state."""
        state = self.task.at(t, q, u)
        deviation = self.task.deviation(state, self._wanted(t))
        if not self.attitude:
            place = self._whole.at(t, q, u).seen[0].y
            mass = (self.body.mass + self.body.source.mass) * np.eye(self.size)
            return HeldState(place, state.rate, *deviation, mass, np.zeros(self.size), None)
        delta, rate = state.seen[1].y, state.seen[1].rate
        R, S, S_rate = euler_matrices(delta, rate)
        mass, bias = self.body.dynamics(R, S @ rate, S, S_rate @ rate)
        return HeldState(state.seen[0].y, state.rate, *deviation, mass, bias, R @ S)

    def grasp(self, state: HeldState, points: Array) -> Array:
        """G (k, m) of end-effectors at points (n, 3) in world axes."""
        G = grasp_matrix(points - state.place, state.rates, moments=self.attitude)
        if self.attitude:
            return G
        count = len(points)
        columns = [3 * i + row for i in range(count) for row in self._rows]
        return G[np.ix_(self._rows, columns)]


def euler_matrices(delta: Array, rate: Array) -> tuple[Array, Array, Array]:
    """R = Rot_z(gamma) Rot_y(beta) Rot_x(alpha), S of omega = S delta' in its own axes, and S'.

    >>> R, S, S_rate = euler_matrices(np.zeros(3), np.ones(3))
    >>> R.tolist() == S.tolist() == np.eye(3).tolist()
    True
    """
    (ca, cb, cc), (sa, sb, sc) = np.cos(delta), np.sin(delta)
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
