"""The linear quadratic regulator of x' = A x + B v."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.control.controllability import (
    Controllability,
    ControllabilityError,
    controllability,
)
from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.linearization.discretization import checked_system

UNSEEN = (
    "the Riccati equation has no stabilizing solution; does Q see every mode that does not decay "
    "by itself?"
)


@dataclass(frozen=True)
class Regulator:
    """v = -K x, and how it was found.

    Attributes
    ----------
    gain : (m, n)
        K = R^-1 B^T P.
    riccati : (n, n)
        P; x^T P x / 2 is the cost that is left from x on.
    open_loop_poles, poles : (n,) complex [1/s]
        Eigenvalues of A, and of A - B K, by rising magnitude.
    controllability : Controllability
    """

    gain: Array
    riccati: Array
    open_loop_poles: NDArray[np.complex128]
    poles: NDArray[np.complex128]
    controllability: Controllability


def regulator(
    a: ArrayLike,
    b: ArrayLike,
    q: ArrayLike,
    r: ArrayLike,
    *,
    states: Sequence[str] = (),
    stabilizable: bool = False,
) -> Regulator:
    """The feedback that makes the cost J = 1/2 int (x^T Q x + v^T R v) dt smallest.

        P A + A^T P - P B R^-1 B^T P + Q = 0,   K = R^-1 B^T P

    Parameters
    ----------
    a, b : (n, n), (n, m)
    q, r : number, row or matrix
        Weights of the states and inputs; r is positive definite.
    states : names of x, optional
        For messages.
    stabilizable : bool
        Accept modes that no input moves if they decay by themselves.

    Raises ControllabilityError, with the rank and the modes, if the inputs do not reach all of
    them; ValueError for other shapes, weights that are not positive, or a Q that leaves a mode
    without damping unseen.

    Reference: Anderson and Moore, *Optimal Control: Linear Quadratic Methods* (1990), ch. 2 and 3.

    >>> regulator([[0, 1], [0, 0]], [[0], [1]], [1, 0], 1).gain.round(6)
    array([[1.      , 1.414214]])
    """
    import scipy.linalg

    system, inputs = checked_system(a, b)
    penalty, costs = weights(q, r, *inputs.shape)
    report = controllability(system, inputs, states)
    if not (report.is_controllable or (stabilizable and report.is_stabilizable)):
        raise ControllabilityError(f"no regulator: {report}")
    try:
        riccati = scipy.linalg.solve_continuous_are(system, inputs, penalty, costs)
    except np.linalg.LinAlgError as error:
        raise ValueError(f"no regulator: {UNSEEN}") from error
    gain = np.linalg.solve(costs, inputs.T @ riccati)
    poles = sorted_poles(system - inputs @ gain)
    if not (poles.real < 0).all():
        stays = poles[int(np.argmax(poles.real))]
        raise ValueError(f"no regulator: a pole stays at {stays:.6g} 1/s; {UNSEEN}")
    return Regulator(gain, riccati, sorted_poles(system), poles, report)


def weights(q: ArrayLike, r: ArrayLike, n: int, m: int) -> tuple[Array, Array]:
    """Q (n, n) and R (m, m), checked: ValueError for others than positive ones."""
    penalty = gain_matrix("Q", q, n, "weight some states negatively")
    costs = gain_matrix("R", r, m, "weight some inputs negatively")
    if not (np.linalg.eigvalsh((costs + costs.T) / 2) > 0).all():
        raise ValueError("R is not positive definite: an input would cost nothing")
    return penalty, costs


def sorted_poles(a: Array) -> NDArray[np.complex128]:
    """Eigenvalues by rising magnitude."""
    values = np.linalg.eigvals(a).astype(np.complex128)
    return values[np.lexsort((values.imag, np.abs(values).round(9)))]
