"""Gains of the vibration control along a motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.flexible.fast_regulator import FastRegulator, fast_regulator
from eomc.runtime.control.flexible.rigid_motion import RigidMotion
from eomc.runtime.difference import Numeric, Operations, lookup


class GainSchedule:
    """Gains in physical coordinates, tau_f = -G_p (b - b-) - G_d b', linear between times.

    Before the first time and after the last the gains there hold; a schedule of one regulator is
    constant. `CompositeControl.equation` writes their table in C.

    Reference: Rugh and Shamma, Research on gain scheduling, Automatica 36 (2000) 1401.

    Parameters
    ----------
    times : (k,) rising [s]
    regulators : k of FastRegulator
    begin : float
        Time from which on there is control [s]; none before.

    Raises ValueError for other counts, times that do not rise, regulators of different amplitudes.
    """

    def __init__(
        self, times: ArrayLike, regulators: Sequence[FastRegulator], begin: float = -np.inf
    ) -> None:
        self.times = np.array(times, dtype=np.float64)
        self.regulators = tuple(regulators)
        self.begin = float(begin)
        if self.times.shape != (len(self.regulators),) or not self.regulators:
            raise ValueError(
                f"{len(self.regulators)} regulators for times of shape {self.times.shape}; give a "
                "time for each"
            )
        if not (np.diff(self.times) > 0).all():
            raise ValueError("times: they must rise")
        first = self.regulators[0].subsystems
        self.fast, self.actuators = first.fast, first.actuators
        for other in self.regulators:
            if (other.subsystems.fast, other.subsystems.actuators) != (self.fast, self.actuators):
                raise ValueError("regulators: they are of different amplitudes or actuators")
        self._table = np.array(
            [np.hstack([one.amplitude_gain, one.rate_gain]) for one in self.regulators]
        )

    @classmethod
    def constant(cls, regulator: FastRegulator, begin: float = -np.inf) -> GainSchedule:
        """The gains of one configuration, held."""
        return cls([0.0], [regulator], begin)

    @classmethod
    def along(
        cls,
        rigid: RigidMotion,
        times: ArrayLike,
        q: ArrayLike = 1.0,
        r: ArrayLike = 1.0,
        *,
        begin: float = -np.inf,
    ) -> GainSchedule:
        """Regulators at the configurations that a motion has at `times`, weights as of
        `fast_regulator`."""
        instants = np.atleast_1d(np.array(times, dtype=np.float64))
        designs = [
            fast_regulator(rigid.system.at(rigid.motion(float(t))[:, 0], t=float(t)), q, r)
            for t in instants
        ]
        return cls(instants, designs, begin)

    def __call__(self, t: float) -> tuple[Array, Array]:
        """G_p, G_d (number of actuators, m) at time t."""
        by_amplitude, by_rate = self.looked_up(Numeric(), np.array([t]))
        return by_amplitude, by_rate

    def looked_up(self, by: Operations, t: Any) -> tuple[Any, Any]:
        """The same at time t (1,), in the operations of a difference equation."""
        m, shape = len(self.fast), self._table.shape[1:]
        row = lookup.looked_up(by, self.times, self._table.reshape(len(self.times), -1), t)
        if self.begin == np.inf:
            row = np.zeros(row.shape)
        elif self.begin > -np.inf:
            row = by.less(t, self.begin, np.zeros(row.shape), row)
        gains = row.reshape(shape)
        return gains[:, :m], gains[:, m:]
