"""Grasps of one object by several end-effectors: their forces on it, and forces shared out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference import Numeric, Operations


def cross_matrix(r: ArrayLike) -> Array:
    """[r]x (3, 3): [r]x f = r x f.

    >>> cross_matrix([1, 2, 3])[0].tolist()
    [0.0, -3.0, 2.0]
    """
    x, y, z = np.asarray(r)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def grasp_matrix(
    points: ArrayLike, rates: ArrayLike | None = None, *, moments: bool = True
) -> Array:
    """G of what forces F_e at points do to the object: its generalized forces are G F_e.

        G = [ 1            0     ...  1            0    ]
            [ S^T [r_1]x   S^T   ...  S^T [r_n]x   S^T  ]

    Parameters
    ----------
    points : (n, 3), or (n, 2) in the plane
        r_i from the object's centre of mass, in world axes [m].
    rates : (3, 3), optional
        S, omega = S delta' in world axes, of the coordinates in which the object's rotation is
        written. By default moments are those of the world axes.
    moments : bool
        Whether the end-effectors transmit moments; pivots do not.

    Returns (6, 6 n), (6, 3 n) without moments; in the plane (3, 3 n) and (3, 2 n). Entries of F_e
    are f_1, n_1, f_2, n_2, ... in world axes.

    Reference: Moosavian 1996, equation 6.13b.

    >>> grasp_matrix([[-0.3, 0], [0.3, 0]], moments=False).tolist()
    [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [0.0, -0.3, 0.0, 0.3]]
    """
    at = np.atleast_2d(np.asarray(points, dtype=np.float64))
    if at.ndim != 2 or at.shape[1] not in (2, 3) or not len(at) or not np.isfinite(at).all():
        raise ValueError("points: give finite positions of shape (n, 3) or (n, 2)")
    if at.shape[1] == 2 and rates is not None:
        raise ValueError("rates: in the plane there is one angle; leave them out")
    return grasp_of(at, rates, moments=moments)


def grasp_of(at: Array, rates: ArrayLike | None = None, *, moments: bool = True) -> Array:
    """`grasp_matrix` of points that were looked at, of numbers or of expressions."""
    planar = at.shape[1] == 2
    turn = np.eye(3) if rates is None else np.asarray(rates).T
    blocks = []
    for point in at:
        lever = cross_matrix([*point, 0.0] if planar else point)
        whole = np.block([[np.eye(3), np.zeros((3, 3))], [turn @ lever, turn]])
        kept = [0, 1, 5] if planar else list(range(6))
        columns = kept if moments else [k for k in kept if k < 3]
        blocks.append(whole[np.ix_(kept, columns)])
    return np.hstack(blocks)


class Grasp:
    """Forces of end-effectors that together do what is wanted, shared out by least weighted norm.

        G# = W^-1 G^T (G W^-1 G^T)^-1,   F_e = G# w + (1 - G# G) F_int

    F_int squeezes and twists the object without moving it.

    Parameters
    ----------
    matrix : (k, m)
        G, see `grasp_matrix`.
    weights : number, (m,) or (m, m)
        W; a number or a row stands for a diagonal. Forces with large weights are kept small.

    Raises ValueError for other shapes, weights that are not positive definite, and a grasp that
    does not reach all directions of the object.

    Reference: Walker, Freeman and Marcus, Internal object loading for multiple cooperating robot
    manipulators, IEEE Int. Conf. Robotics and Automation (1989); Moosavian 1996, equations 6.16 to
    6.18.

    >>> pair = Grasp([[1.0, 1.0]], weights=[1.0, 3.0])
    >>> pair.forces([4.0]), pair.forces([4.0], internal=[1.0, -1.0])
    (array([3., 1.]), array([4., 0.]))
    """

    def __init__(self, matrix: ArrayLike, weights: ArrayLike = 1.0) -> None:
        self.matrix = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
        size = self.matrix.shape[1]
        self.weights = grasp_weights(weights, size)
        self._spread: Array = np.asarray(np.linalg.inv(self.weights))
        self.forces(np.zeros(len(self.matrix)))

    def forces(self, wanted: ArrayLike, internal: ArrayLike | None = None) -> Array:
        """F_e (m,) whose generalized force on the object is `wanted` (k,)."""
        w = np.asarray(wanted, dtype=np.float64)
        squeeze = np.zeros(len(self.weights)) if internal is None else np.asarray(internal)
        return np.asarray(shared_forces(Numeric(), self.matrix, self._spread, w, squeeze))


def grasp_weights(weights: ArrayLike, size: int) -> Array:
    """W (size, size); ValueError of another shape, or not positive definite."""
    given = np.asarray(weights, dtype=np.float64)
    if given.ndim < 2:
        try:
            given = np.diag(np.broadcast_to(given, size))
        except ValueError:
            given = np.zeros((0, 0))
    if given.shape != (size, size) or not np.isfinite(given).all():
        raise ValueError(f"weights: give a number, {size} numbers or a matrix of them")
    if np.linalg.eigvalsh((given + given.T) / 2)[0] <= 0:
        raise ValueError("weights are not positive definite")
    return given


def shared_forces(by: Operations, matrix: Any, spread: Array, wanted: Any, internal: Any) -> Any:
    """F_e (m,) of a `Grasp`, in the operations of a difference equation.

        F_e = F_int + W^-1 G^T (G W^-1 G^T)^-1 (w - G F_int)

    spread : (m, m) W^-1
    """
    found = by.solve(
        matrix @ spread @ matrix.T,
        wanted - matrix @ internal,
        "grasp_misses_directions",
        lambda reach: ValueError("the grasp does not reach all directions of the object"),
    )
    return internal + spread @ (matrix.T @ found)
