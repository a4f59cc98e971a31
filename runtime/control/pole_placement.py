"""Feedback that puts poles where one wants them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.controllability import ControllabilityError, controllability
from eomc.runtime.linearization.discretization import checked_system


def pole_placement(
    a: ArrayLike, b: ArrayLike, poles: ArrayLike, *, states: Sequence[str] = ()
) -> Array:
    """K (m, n) of v = -K x, such that A - B K has these poles, as robustly as the inputs allow.

    Parameters
    ----------
    a, b : (n, n), (n, m); of a sampled system also, whose poles lie within the unit circle
    poles : (n,), complex ones in conjugate pairs; none more often than there are inputs
    states : names of x, optional
        For messages.

    Raises ControllabilityError, with the rank and the modes, if the inputs do not reach all of
    them; ValueError for poles that no real gain has.

    Reference: Tits and Yang, Globally convergent algorithms for robust pole assignment by state
    feedback, IEEE Trans. Automatic Control 41 (1996) 1432; the algorithm is SciPy's.

    >>> pole_placement([[0, 1], [0, 0]], [[0], [1]], [-2 + 1j, -2 - 1j]).round(9).tolist()
    [[5.0, 4.0]]
    """
    from scipy.signal import place_poles

    system, inputs = checked_system(a, b)
    wanted = np.atleast_1d(np.asarray(poles, dtype=np.complex128))
    if wanted.shape != (len(system),) or not np.isfinite(wanted).all():
        raise ValueError(f"poles: give {len(system)} numbers")
    if not np.allclose(np.sort_complex(wanted), np.sort_complex(wanted.conj())):
        raise ValueError("poles: complex ones come in conjugate pairs")
    report = controllability(system, inputs, states)
    if not report.is_controllable:
        raise ControllabilityError(f"no feedback: {report}")
    try:
        gain: Array = place_poles(system, inputs, wanted).gain_matrix
    except ValueError as error:
        raise ValueError(f"poles: {error}") from error
    return gain
