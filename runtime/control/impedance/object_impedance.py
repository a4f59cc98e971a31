"""Object impedance control of elements in a row."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.impedance.row_of_elements import RowOfElements


class ObjectImpedance(RowOfElements):
    """F = sum_i (M a + c)_i - F_c,   a_i = x_des'' + M_des^-1 (k_d e' + k_p e + F_c)

    with e of the object for all i: all elements are accelerated as the object is to be. Motion of
    the elements before it is not fed back, so that flexible couplings are left to their own
    damping, which the law may spend.

    Reference: Schneider and Cannon, Object impedance control for cooperative manipulation: theory
    and experimental results, IEEE Trans. Robotics and Automation 8 (1992); Moosavian (1996), (B.6)
    and (B.7).

    Arguments as of `RowOfElements`.
    """

    def accelerations(self, wanted: Array, x: Array, rate: Array, contact: Array) -> Array:
        """All elements by the object's error."""
        command = self.impedance.acceleration(wanted[-1], x[-1], rate[-1], contact)
        return np.repeat(command[None], len(x), axis=0)
