"""Matrices of a robot whose base is free: generalized Jacobian, reaction null space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.rank import numerical_rank
from eomc.runtime.control.law import ModelBased
from eomc.runtime.control.task_space.frame import chosen
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import initial_state, vector
from eomc.runtime.names.near_names import near_names

ATTITUDE = ("wx", "wy", "wz")
TWIST = ("vx", "vy", "vz", *ATTITUDE)
Indices = np.ndarray[tuple[Any, ...], np.dtype[np.intp]]
_FREE = 3
"""Freedoms from which on a joint on the world carries a base that is free."""


class FreeBase(ModelBased):
    """A robot whose base speeds u_b have no actuators, and its driven joint speeds u_j.

        M = [M_bb M_bj; M_jb M_jj],   p_b = M_bb u_b + M_bj u_j

    Without external force p_b is given by the momentum, which is conserved. Velocities of a frame,
    J_b u_b + J_j u_j, are then, without momentum,

        v = J* u_j,   J* = J_j - J_b M_bb^-1 M_bj     (generalized Jacobian)

    and the accelerations of the joints obey M* = M_jj - M_jb M_bb^-1 M_bj.

    References: Umetani and Yoshida, Resolved motion rate control of space manipulators with
    generalized Jacobian matrix, IEEE Trans. Robotics and Automation 5 (1989) 303; Nenchev, Umetani
    and Yoshida, Analysis of a redundant free-flying spacecraft/manipulator system, IEEE Trans.
    Robotics and Automation 8 (1992) 1.

    Parameters
    ----------
    model : CompiledModel
        Without constraints.
    base : name or names of joints, optional
        Joints of the free base; by default those of three freedoms or more on the world.
    inputs, prescribed, parameters : as of `simulate`

    Attributes
    ----------
    base_speeds, joint_speeds : tuples of names
    body : name of the base body, the child of its last joint

    Raises ValueError for an unknown joint, a model without free base or joints, and for one with
    constraints.

    >>> import eomc
    >>> from eomc.systems import free_flyer
    >>> robot = eomc.build(free_flyer.planar())
    >>> free = FreeBase(robot)
    >>> free.base_speeds
    ('base_x', 'base_y', 'base_theta')
    >>> free.reaction_null_space(robot.neutral()).shape  # five joints turn the base about one axis
    (5, 4)
    """

    def __init__(
        self,
        model: CompiledModel,
        base: Sequence[str] | str | None = None,
        *,
        inputs: ArrayLike | Mapping[str, float] | None = None,
        prescribed: ArrayLike | Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.base_speeds, self.body = base_of(model, base)
        self.joint_speeds = tuple(name for name in model.speeds if name not in self.base_speeds)
        self._b, self._j = places(model, self.base_speeds)

    def coupling(self, q: ArrayLike) -> Array:
        """-M_bb^-1 M_bj (..., nb, nj): base speeds for joint speeds, without momentum."""
        M = self._mass(q)
        b, j = self._b, self._j
        return np.asarray(-np.linalg.solve(M[..., b[:, None], b], M[..., b[:, None], j]))

    def generalized_jacobian(self, q: ArrayLike, frame: str) -> Array:
        """J* (..., 6, nj) of a frame or body, linear rows before angular ones, world axes.

        Raises UnknownFrameError for a frame that the model has not.
        """
        J = np.asarray(self.model.frame(frame).jacobian(*self._arguments(q)))
        found: Array = J[..., self._j] + J[..., self._b] @ self.coupling(q)
        return found

    def generalized_inertia(self, q: ArrayLike) -> Array:
        """M* (..., nj, nj)"""
        M, j = self._mass(q), self._j
        found: Array = M[..., j[:, None], j] + M[..., j[:, None], self._b] @ self.coupling(q)
        return found

    def momentum(self, q: ArrayLike, u: ArrayLike) -> Array:
        """p_b (..., nb), the momenta that belong to the base's speeds."""
        rows = self._mass(q)[..., self._b, :]
        return np.asarray((rows @ np.asarray(u, dtype=np.float64)[..., None])[..., 0])

    def speeds(self, q: ArrayLike, joint_speeds: ArrayLike, momentum: ArrayLike = 0.0) -> Array:
        """u (nu,) with the given joint speeds (nj,) and momentum p_b, by default none.

        Raises ValueError for another number of joint speeds.
        """
        u = np.zeros(self.model.nu)
        u[self._j] = vector("joint_speeds", joint_speeds, len(self._j))
        M = self._mass(q)[self._b]
        u[self._b] = np.linalg.solve(M[:, self._b], np.asarray(momentum, dtype=np.float64) - M @ u)
        return u

    def reaction_null_space(self, q: ArrayLike, rows: Sequence[str] = ATTITUDE) -> Array:
        """(nj, k), orthonormal: the joint speeds that leave the base body at rest.

        `rows` names the velocities of the base that are to vanish, of vx, vy, vz, wx, wy and wz; by
        default it keeps its attitude. Empty, (nj, 0), where every motion disturbs the base.

        Reference: Nenchev, Yoshida, Vichitkulsawat and Uchiyama, Reaction null-space control of
        flexible structure mounted manipulator systems, IEEE Trans. Robotics and Automation 15
        (1999) 1011.
        """
        J = self.generalized_jacobian(q, self.body)[chosen("rows", tuple(rows), TWIST)]
        found: Array = np.linalg.svd(J)[2][numerical_rank(J) :].T
        return found

    def configuration(self, joints: ArrayLike, q: ArrayLike | None = None) -> Array:
        """q (..., nq) with the given joint coordinates (..., nj), the others as in `q`.

        Raises ValueError for a joint whose speed is not the rate of a coordinate.
        """
        names = self.model.coordinates
        for name in self.joint_speeds:
            if name not in names:
                raise ValueError(f"joint speed {name!r} is not the rate of a coordinate")
        given = np.asarray(joints, dtype=np.float64)
        start = initial_state(self.model, q, None).q
        found = np.broadcast_to(start, (*given.shape[:-1], len(names))).copy()
        found[..., [names.index(name) for name in self.joint_speeds]] = given
        return found

    def _arguments(self, q: ArrayLike) -> list[Array]:
        """Of a function of q, the prescribed coordinates included."""
        state = np.asarray(q, dtype=np.float64)
        still = initial_state(self.model, None, None)
        others = self._excitation.others(0.0, still)
        return [state, *([others["s"]] if "s" in others else [])]

    def _mass(self, q: ArrayLike) -> Array:
        state = np.asarray(q, dtype=np.float64)
        return self.call("mass_matrix", 0.0, state, np.zeros(self.model.nu))


def base_of(model: CompiledModel, base: Sequence[str] | str | None) -> tuple[tuple[str, ...], str]:
    """Names of the speeds of the free base, and of its body; see `FreeBase`."""
    if model.is_constrained:
        raise ValueError(
            f"model {model.name!r} has constraints, whose forces free-floating control does not "
            "know; open its loops"
        )
    joints = {joint["name"]: joint for joint in model.manifest["metadata"].get("joints", ())}
    if base is None:
        base = [
            name
            for name, joint in joints.items()
            if joint["parent"] == "world" and len(joint["speeds"]) >= _FREE
        ]
        if not base:
            raise ValueError(
                f"model {model.name!r}: no joint on the world leaves a body three freedoms; name "
                "the joints of the free base (base=)"
            )
    names = [base] if isinstance(base, str) else list(base)
    for name in names:
        if name not in joints:
            raise ValueError(f"base: no joint {name!r}; {near_names(str(name), tuple(joints))}")
    speeds = tuple(speed for name in names for speed in joints[name]["speeds"])
    if not names or len(speeds) == model.nu:
        raise ValueError(f"base: {names!r} leaves no base, or no joint that is driven")
    return speeds, str(joints[names[-1]]["child"])


def places(model: CompiledModel, base: Sequence[str]) -> tuple[Indices, Indices]:
    """Places of the base's speeds, and of those of the joints."""
    is_base = np.array([name in base for name in model.speeds])
    return np.flatnonzero(is_base), np.flatnonzero(~is_base)
