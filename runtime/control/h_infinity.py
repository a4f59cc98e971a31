"""H-infinity regulators for plants that are known up to modes left out.

For x' = a x + b (v + d w_1), y = c x + w_2, the regulator K makes the largest singular value, over
all frequencies, of the transfer from (w_1, w_2) to

    z_1 = E x  (performance),   z_2 = W(s) v  (effort)

less than gamma, a little more than the smallest one there is, at which K has a pole at infinity. A
plant with the transfer G + D is stable under K if gamma < 1 and
|D(i w)| <= |W(i w)|: the transfer from w_2 to z_2 is W K/(1 - G K). The synthesis is
slycot's.

References: Doyle, Glover, Khargonekar and Francis, State-space solutions to standard H2 and Hinf
control problems, IEEE Trans. Automatic Control 34 (1989) 831; Zhou and Doyle, *Essentials of Robust
Control* (1998), sec. 8.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.controllability import ControllabilityError, controllability
from eomc.runtime.control.output_regulator import OutputRegulator
from eomc.runtime.linearization.discretization import checked_system

__all__ = ["HInfinityDesign", "h_infinity"]

_SUBOPTIMAL = 4
"""The job of slycot's routine that takes gamma as it is."""


@dataclass(frozen=True)
class HInfinityDesign:
    """The regulator, gamma, and (A, B, C, D) from (w_1, w_2) to (z_1, z_2)."""

    regulator: OutputRegulator
    gamma: float
    closed_loop: tuple[Array, Array, Array, Array]


def h_infinity(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    *,
    performance: ArrayLike,
    effort: Any,
    disturbance: float = 1.0,
    margin: float = 1.05,
) -> HInfinityDesign:
    """The regulator of a plant under a weight on the effort.

    Parameters
    ----------
    a, b, c : (n, n), (n, m), (k, n)
    performance : (p, n)
        E.
    effort : state space or transfer function of python-control, m inputs
        W, with a direct part of full rank, as a bound of what the plant's model leaves out.
    disturbance : number
        d [units of v].
    margin : number
        gamma by the smallest one.

    Raises ImportError without python-control and slycot; ValueError for a W of other inputs or
    without a direct part, a margin that is not above 1, and if no regulator is found;
    ControllabilityError if inputs or outputs miss a mode that does not decay.
    """
    try:
        import control
        import slycot
    except ImportError:
        raise ImportError("h_infinity needs slycot: pip install 'eomc[control]'") from None
    system, inputs = checked_system(a, b)
    outputs, watched = np.atleast_2d(c).astype(float), np.atleast_2d(performance).astype(float)
    weight = control.ss(effort)
    m, k, p = inputs.shape[1], len(outputs), len(watched)
    for which, matrix, other in (("inputs", system, inputs), ("outputs", system.T, outputs.T)):
        if not (report := controllability(matrix, other)).is_stabilizable:
            raise ControllabilityError(f"no regulator: {which}: {report}")
    if not margin > 1:
        raise ValueError(f"margin is {margin:g}; give a number above 1")
    if weight.ninputs != m or np.linalg.matrix_rank(weight.D) < m:
        raise ValueError(
            f"effort takes {weight.ninputs} inputs, of which {np.linalg.matrix_rank(weight.D)} act "
            f"directly; give a weight of {m} inputs that all do"
        )
    r, e = weight.nstates, weight.noutputs
    n, ends = len(system) + r, (m + k + m, p + e + k)
    plant = (
        scipy.linalg.block_diag(system, weight.A),
        np.block([[disturbance * inputs, np.zeros((n - r, k)), inputs],
                  [np.zeros((r, m + k)), weight.B]]),
        np.block([[watched, np.zeros((p, r))],
                  [np.zeros((e, n - r)), weight.C],
                  [outputs, np.zeros((k, r))]]),
        np.block([[np.zeros((p, 2 * m + k))],
                  [np.zeros((e, m + k)), weight.D],
                  [np.zeros((k, m)), np.eye(k), np.zeros((k, m))]]),
    )  # fmt: skip
    try:
        least = slycot.sb10ad(n, *ends, m, k, 1e100, *plant)[0]
        gamma = margin * float(least)
        found = slycot.sb10ad(n, *ends, m, k, gamma, *plant, job=_SUBOPTIMAL)
    except slycot.exceptions.SlycotArithmeticError as error:
        raise ValueError(f"no regulator: {error}") from None
    matrices = [np.asarray(part, dtype=float) for part in found[1:9]]
    own, (a_loop, b_loop, c_loop, d_loop) = OutputRegulator(*matrices[:3]), matrices[4:]
    return HInfinityDesign(own, gamma, (a_loop, b_loop, c_loop, d_loop))
