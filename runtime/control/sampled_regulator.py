"""The linear quadratic regulator whose inputs are held from sample to sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.control.controllability import ControllabilityError, controllability
from eomc.runtime.control.regulator import UNSEEN, Regulator, sorted_poles, weights
from eomc.runtime.linearization.discretization import checked_system, gathered, zero_order_hold


def sampled_regulator(
    a: ArrayLike,
    b: ArrayLike,
    q: ArrayLike,
    r: ArrayLike,
    period: float,
    *,
    states: Sequence[str] = (),
) -> Regulator:
    """The feedback v_k = -K x_k that makes the cost 1/2 int (x^T Q x + v^T R v) dt smallest.

    The cost is that between the samples too, so that a short period gives the gain of `regulator`:
    with F = [A, B; 0, 0],

        int_0^T e^(F^T s) diag(Q, R) e^(F s) ds = [Q_d, N; N^T, R_d]
        P = A_d^T P A_d + Q_d - (A_d^T P B_d + N) K
        K = (R_d + B_d^T P B_d)^-1 (B_d^T P A_d + N^T)

    Parameters
    ----------
    a, b : (n, n), (n, m), of x' = A x + B v
    q, r : number, row or matrix
        Weights of the states and inputs; r is positive definite.
    period : T [s]
    states : names of x, optional
        For messages.

    Returns the gain, P, and the poles as s = ln(z)/T of those of the sampled system.

    Raises ControllabilityError if the samples do not let the inputs reach every mode, as where the
    period is that of a vibration; ValueError as `regulator`.

    Reference: Franklin, Powell and Workman, *Digital Control of Dynamic Systems* (1998), ch. 9.

    >>> slow = sampled_regulator([[0, 1], [0, 0]], [[0], [1]], [1, 0], 1, 1e-4)
    >>> slow.gain.round(3)
    array([[1.   , 1.414]])
    """
    import scipy.linalg

    system, inputs = checked_system(a, b)
    n, m = inputs.shape
    costs = scipy.linalg.block_diag(*weights(q, r, n, m))
    whole = np.block([[system, inputs], [np.zeros((m, n + m))]])
    cost = gathered(whole.T, costs, period)
    step, effect = zero_order_hold(system, inputs, period)
    report = controllability(step, effect, states)
    if not report.is_controllable:
        raise ControllabilityError(f"no regulator at a period of {period:g} s: {report}")
    try:
        p = scipy.linalg.solve_discrete_are(
            step, effect, cost[:n, :n], cost[n:, n:], s=cost[:n, n:]
        )
    except np.linalg.LinAlgError as error:
        raise ValueError(f"no regulator: {UNSEEN}") from error
    gain = np.linalg.solve(cost[n:, n:] + effect.T @ p @ effect, effect.T @ p @ step + cost[n:, :n])
    poles: NDArray[np.complex128] = np.linalg.eigvals(step - effect @ gain).astype(np.complex128)
    moved = np.asarray(np.log(poles) / period, dtype=np.complex128)
    if not (moved.real < 0).all():
        stays = moved[int(np.argmax(moved.real))]
        raise ValueError(f"no regulator: a pole stays at {stays:.6g} 1/s; {UNSEEN}")
    order = np.lexsort((moved.imag, np.abs(moved).round(9)))
    return Regulator(gain, p, sorted_poles(system), moved[order], report)
