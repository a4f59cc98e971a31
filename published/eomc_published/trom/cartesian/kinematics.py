"""Positions, velocities, B and its rate, axis by axis (thesis, chapter 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Real or complex numbers."""

GROUND = -1


@dataclass(frozen=True)
class Axis:
    """A turn about, or a slide along, the unit vector (3,) of the frame that precedes it."""

    kind: Literal["turn", "slide"]
    direction: tuple[float, float, float]


@dataclass(frozen=True)
class CartesianBody:
    """A body on its joint, a row of axes.

    `to_joint` from the mass centre of the parent (of the origin for `GROUND`) to the joint, parent
    axes; `from_joint` from the joint to the own mass centre, own axes [m]; `inertia` central, own
    axes.
    """

    parent: int
    axes: tuple[Axis, ...]
    to_joint: tuple[float, float, float]
    from_joint: tuple[float, float, float]
    mass: float
    inertia: tuple[tuple[float, ...], ...]


def cross_matrix(v: Array) -> Array:
    """a~ with a~ b = a x b."""
    zero = v[0] * 0
    return np.array([[zero, -v[2], v[1]], [v[2], zero, -v[0]], [-v[1], v[0], zero]])


def rotation_of_parameters(p: Array) -> Array:
    """(2.3): the rotation matrix of Euler parameters (e0, e1, e2, e3)."""
    e0, e1, e2, e3 = p
    return 2 * np.array(
        [
            [e0 * e0 + e1 * e1 - 0.5, e1 * e2 - e0 * e3, e1 * e3 + e0 * e2],
            [e1 * e2 + e0 * e3, e0 * e0 + e2 * e2 - 0.5, e2 * e3 - e0 * e1],
            [e1 * e3 - e0 * e2, e2 * e3 + e0 * e1, e0 * e0 + e3 * e3 - 0.5],
        ]
    )


def parameters(axis: Array, angle: Any) -> Array:
    """(2.1): Euler parameters of a turn."""
    return np.array([np.cos(angle / 2), *(np.asarray(axis) * np.sin(angle / 2))])


def rotation_derivative(u: Array, angle: Any) -> Array:
    """(3.12): dA/d(angle) of a turn about the unit vector u, entry by entry."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    cs, cc, ss = c * s, c * c, s * s
    u1, u2, u3 = u
    return np.array(
        [
            [
                2 * (u1 * u1 * cs - cs),
                2 * u1 * u2 * cs - u3 * cc + u3 * ss,
                2 * u1 * u3 * cs + u2 * cc - u2 * ss,
            ],
            [
                2 * u1 * u2 * cs + u3 * cc - u3 * ss,
                2 * (u2 * u2 * cs - cs),
                2 * u2 * u3 * cs - u1 * cc + u1 * ss,
            ],
            [
                2 * u1 * u3 * cs - u2 * cc + u2 * ss,
                2 * u2 * u3 * cs + u1 * cc - u1 * ss,
                2 * (u3 * u3 * cs - cs),
            ],
        ]
    )


@dataclass(frozen=True)
class CartesianMotion:
    """A mechanism in a state. Axes are numbered through; vectors in global components.

    `u` directions, `u_rate` their rates, `point` and `point_rate` places on the axes, `before` and
    `after` angular velocities of the frames before and behind each axis; `r`, `v`, `A`, `omega` of
    the bodies; `body_of` the body that each axis belongs to, `path` the axes inboard of each body,
    base first.
    """

    bodies: tuple[CartesianBody, ...]
    kinds: tuple[str, ...]
    body_of: tuple[int, ...]
    path: tuple[tuple[int, ...], ...]
    u: Array
    u_rate: Array
    point: Array
    point_rate: Array
    before: Array
    after: Array
    r: Array
    v: Array
    A: Array
    omega: Array

    @property
    def size(self) -> int:
        """Number of axes: of generalized coordinates."""
        return len(self.kinds)

    def d(self, i: int, j: int) -> Array:
        """From axis i to the mass centre of body j."""
        difference: Array = self.r[j] - self.point[i]
        return difference

    def d_rate(self, i: int, j: int) -> Array:
        """Its rate."""
        difference: Array = self.v[j] - self.point_rate[i]
        return difference

    def inertia(self, i: int) -> Array:
        """J of body i, global components."""
        turned: Array = self.A[i] @ np.asarray(self.bodies[i].inertia) @ self.A[i].T
        return turned

    @property
    def B(self) -> Array:
        """Table 2.2: (6 bodies, coordinates)."""
        b = np.zeros((6 * len(self.bodies), self.size), self.u.dtype)
        for i, path in enumerate(self.path):
            for j in path:
                b[6 * i : 6 * i + 6, j] = self.block(i, j)
        return b

    def block(self, i: int, j: int) -> Array:
        """Column of axis j in the rows of body i."""
        if self.kinds[j] == "slide":
            return np.concatenate([self.u[j], 0 * self.u[j]])
        return np.concatenate([np.cross(self.u[j], self.d(j, i)), self.u[j]])

    @property
    def B_rate(self) -> Array:
        """Table 2.3, each axis moving with the frame that carries it."""
        b = np.zeros((6 * len(self.bodies), self.size), self.u.dtype)
        for i, path in enumerate(self.path):
            for j in path:
                u, rate = self.u[j], self.u_rate[j]
                if self.kinds[j] == "slide":
                    column = np.concatenate([rate, 0 * rate])
                else:
                    moved = np.cross(rate, self.d(j, i)) + np.cross(u, self.d_rate(j, i))
                    column = np.concatenate([moved, rate])
                b[6 * i : 6 * i + 6, j] = column
        return b

    @property
    def M(self) -> Array:
        """(2.46)"""
        n = len(self.bodies)
        m = np.zeros((6 * n, 6 * n), self.u.dtype)
        for i, body in enumerate(self.bodies):
            m[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = body.mass * np.eye(3)
            m[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = self.inertia(i)
        return m

    @property
    def h(self) -> Array:
        """(2.47)"""
        parts = []
        for i in range(len(self.bodies)):
            gyroscopic = np.cross(self.omega[i], self.inertia(i) @ self.omega[i])
            parts.append(np.concatenate([0 * gyroscopic, gyroscopic]))
        return np.concatenate(parts)


def motion(bodies: Sequence[CartesianBody], q: Any, rates: Any) -> CartesianMotion:
    """Base to tip; `q`, `rates` one entry an axis, in the order of bodies."""
    q, rates = np.asarray(q), np.asarray(rates)
    number = np.result_type(q.dtype, rates.dtype, float)
    axes: dict[str, list[Any]] = {
        name: [] for name in ("u", "u_rate", "point", "point_rate", "before", "after")
    }
    kinds: list[str] = []
    body_of: list[int] = []
    paths: list[tuple[int, ...]] = []
    r: list[Array] = []
    v: list[Array] = []
    turned: list[Array] = []
    omega: list[Array] = []
    k = 0
    for index, body in enumerate(bodies):
        path: tuple[int, ...] = ()
        a, w = np.eye(3, dtype=number), np.zeros(3, number)
        if body.parent == GROUND:
            place, velocity = np.array(body.to_joint, number), np.zeros(3, number)
        else:
            a, w, path = turned[body.parent], omega[body.parent], paths[body.parent]
            arm = a @ np.asarray(body.to_joint)
            place, velocity = r[body.parent] + arm, v[body.parent] + np.cross(w, arm)
        for axis in body.axes:
            local = np.asarray(axis.direction)
            u = a @ local
            axes["u"].append(u)
            axes["u_rate"].append(np.cross(w, u))
            axes["before"].append(w)
            axes["point"].append(place)
            axes["point_rate"].append(velocity)
            if axis.kind == "turn":
                a, w = a @ rotation_of_parameters(parameters(local, q[k])), w + u * rates[k]
            else:
                velocity = velocity + u * rates[k] + q[k] * np.cross(w, u)
                place = place + u * q[k]
            axes["after"].append(w)
            kinds.append(axis.kind)
            body_of.append(index)
            path = (*path, k)
            k += 1
        arm = a @ np.asarray(body.from_joint)
        r.append(place + arm)
        v.append(velocity + np.cross(w, arm))
        turned.append(a)
        omega.append(w)
        paths.append(path)
    arrays = {name: np.array(rows, number) for name, rows in axes.items()}
    return CartesianMotion(
        tuple(bodies),
        tuple(kinds),
        tuple(body_of),
        tuple(paths),
        **arrays,
        r=np.array(r, number),
        v=np.array(v, number),
        A=np.array(turned, number),
        omega=np.array(omega, number),
    )
