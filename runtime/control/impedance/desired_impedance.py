"""The impedance that a controlled body is to show to what it touches."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.gains import gain_matrix


class Impedance:
    """M_des e'' + k_d e' + k_p e = -F_c,   e = x_des - x,   F_c the force of the contact.

    Far from contact the error decays; pushed back by F_c at rest, it is -F_c / k_p.

    Parameters
    ----------
    mass, damping, stiffness : number, (k,) or (k, k)
        M_des, k_d, k_p; a number or a row stands for a diagonal.

    Reference: Hogan, Impedance control, J. Dynamic Systems, Measurement and Control 107 (1985).

    >>> soft = Impedance(100.0, 300.0, 100.0)
    >>> soft.acceleration([[1.0, 0.0, 0.0]], [0.7], [0.0], [-30.0]).round(9)
    array([0.])
    """

    def __init__(self, mass: ArrayLike, damping: ArrayLike, stiffness: ArrayLike) -> None:
        self.mass, self.damping, self.stiffness = mass, damping, stiffness
        self._by_size: dict[int, tuple[Array, Array, Array]] = {}

    def acceleration(
        self, wanted: ArrayLike, x: ArrayLike, rate: ArrayLike, contact: ArrayLike
    ) -> Array:
        """x'' = x_des'' + M_des^-1 (k_d e' + k_p e + F_c), (k,).

        Parameters
        ----------
        wanted : (k, 3)
            x_des, x_des', x_des''.
        x, rate, contact : (k,)
            Place, rate, and the force F_c of what it touches.

        Raises ValueError for gains of another shape, not finite, or destabilizing.
        """
        place, speed, acceleration = np.asarray(wanted).T
        found: Array = acceleration + self.answer(place - x, speed - rate, np.asarray(contact))
        return found

    def answer(self, e: Array, rate: Array, contact: Array) -> Array:
        """M_des^-1 (k_d e' + k_p e + F_c), (k,), of an error, its rate and the force."""
        damping, stiffness, inverse = self._sized(np.size(e))
        found: Array = inverse @ (damping @ rate + stiffness @ e + contact)
        return found

    def matrices(self, size: int) -> tuple[Array, Array, Array]:
        """M_des, k_d, k_p as matrices (size, size); ValueError for unsound ones."""
        mass = gain_matrix("impedance: mass", self.mass, size, "answer forces backward")
        if size and np.linalg.eigvalsh((mass + mass.T) / 2)[0] <= 0:
            raise ValueError("impedance: mass is not positive definite")
        return (
            mass,
            gain_matrix("impedance: damping", self.damping, size),
            gain_matrix("impedance: stiffness", self.stiffness, size),
        )

    def _sized(self, size: int) -> tuple[Array, Array, Array]:
        """k_d, k_p and M_des^-1, checked once."""
        if size not in self._by_size:
            mass, damping, stiffness = self.matrices(size)
            self._by_size[size] = damping, stiffness, np.asarray(np.linalg.inv(mass))
        return self._by_size[size]
