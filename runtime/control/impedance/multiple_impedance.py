"""Multiple impedance control of elements in a row."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.impedance.row_of_elements import RowOfElements


class MultipleImpedance(RowOfElements):
    """F = sum_i (M a + c)_i - F_c,   a_i = x_i,des'' + M_des^-1 (k_d e_i' + k_p e_i + F_c)

    The same impedance for the object and for every element before it, which follows the object's
    trajectory at its distance: all move in accordance. What the springs between them do is fed
    back, so that the law damps them. With exact masses and rigid couplings each error obeys
    M_des e'' + k_d e' + k_p e = -F_c.

    Reference: Moosavian, *Dynamics and Control of Free-Flying Manipulators Capturing Space Objects*
    (1996), sec. 6.3, (B.1) to (B.5).

    Arguments as of `RowOfElements`.
    """

    def accelerations(self, wanted: Array, x: Array, rate: Array, contact: Array) -> Array:
        """Each element by its own error."""
        of = self.impedance.acceleration
        states = zip(wanted, x, rate, strict=True)
        return np.array([of(goal, place, speed, contact) for goal, place, speed in states])
