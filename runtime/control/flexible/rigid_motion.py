"""A motion of the joints with its forces, found before the run and looked up in it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.flexible.slow_fast import SlowFast
from eomc.runtime.control.given_motion import GivenMotion, Profile
from eomc.runtime.difference import Numeric
from eomc.runtime.difference.lookup import looked_up
from eomc.runtime.names.renamed import current_arguments


class RigidMotion:
    """theta_d(t) with the forces tau-(t) and the bending b-(t) = K^-1 f-(t) that it takes.

    Inverse dynamics of the mechanism that does not bend is evaluated at the times of a table, once;
    between them tau- and b- are interpolated, beyond its ends they stay.

    Parameters
    ----------
    system : SlowFast
    target : mapping of all slow names to functions t -> (s, s', s''), or numbers
    times : (k,) rising [s]
    order : 1 or 3
        Linear interpolation, as tables on small controllers have it, or cubic splines.

    Attributes
    ----------
    forces, bending, deflection : (k, n), (k, m), (k, m): tau-, f-, b- at the times
    q : (k, nq) of the model that does not bend
    stiffness : (m, m), K at the first time
    target : theta_d

    Raises ValueError for missing and unknown names, and times that do not rise; ConstraintError at
    a time where the loops do not close.
    """

    @current_arguments
    def __init__(
        self,
        system: SlowFast,
        target: Mapping[str, Profile | float],
        times: ArrayLike,
        *,
        order: int = 3,
    ) -> None:
        self.system = system
        for name in (*target, *system.slow):
            if name not in system.slow:
                raise ValueError(f"target: {name!r} is none of {', '.join(system.slow)}")
            if name not in target:
                raise ValueError(f"target of {name!r} is missing")
        self.motion = GivenMotion({name: target[name] for name in system.slow})
        self.times = np.array(times, dtype=np.float64)
        if self.times.ndim != 1 or len(self.times) < 2 or not (np.diff(self.times) > 0).all():
            raise ValueError("times: give at least two, rising")
        if order not in (1, 3):
            raise ValueError(f"order is {order!r}; give 1 or 3")
        self.order = order
        self._fill()

    def _fill(self) -> None:
        near, found = self.system.near, []
        for t in self.times:
            place, rate, acceleration = self.motion(t).T
            at = self.system.rigid(t, place, rate, acceleration, near)
            near = at.q
            found.append(at)
        self.forces = np.array([at.forces for at in found])
        self.bending = np.array([at.bending for at in found])
        self.q = np.array([at.q for at in found])
        start = float(self.times[0])
        self.stiffness = self.system.at(self.motion(start)[:, 0], t=start).stiffness
        self.deflection = np.linalg.solve(self.stiffness, self.bending.T).T
        self._table = np.hstack([self.forces, self.deflection])
        self._spline = None
        if self.order == 3:
            from scipy.interpolate import CubicSpline

            self._spline = CubicSpline(self.times, self._table)

    def looked_up(self, t: float) -> tuple[Array, Array]:
        """tau- (n,) and b- (m,) at time t."""
        if self._spline is not None:
            row = np.asarray(self._spline(min(max(t, self.times[0]), self.times[-1])))
        else:
            row = looked_up(Numeric(), self.times, self._table, t)
        n = len(self.system.slow)
        return row[:n], row[n:]
