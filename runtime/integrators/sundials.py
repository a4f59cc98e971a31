"""CVODE of SUNDIALS as a solver like those of SciPy: backward differentiation for stiff problems.

Variable order 1 to 5, variable step, modified Newton iteration. Reference: Hindmarsh et al.,
SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM Transactions on
Mathematical Software 31 (2005).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

_ORDER = 5
_LEAST_RTOL = 1e-15


class Cvode:
    """Steps y' = fun(t, y) from t0 to t_bound; attributes as of `scipy.integrate.OdeSolver`.

    The package scikit-sundae is imported here and nowhere else.
    """

    def __init__(
        self,
        fun: Callable[[float, Array], Array],
        t0: float,
        y0: Array,
        t_bound: float,
        *,
        rtol: float,
        atol: float,
        jac: Callable[[float, Array], Array] | None = None,
        first_step: float = 0.0,
    ) -> None:
        self.t_old = self.t = t0
        self.y = np.array(y0)
        self.t_bound = t_bound
        self.status = "running"
        self._fault: BaseException | None = None

        def rates(t: float, y: Array, out: Array) -> None:
            out[:] = self._guarded(fun, t, y)

        options: dict[str, Any] = {}
        if jac is not None:

            def jacobian(t: float, y: Array, rate: Array, out: Array) -> None:
                out[:, :] = self._guarded(jac, t, y)

            options["jacfn"] = jacobian
        # A step that time does not resolve is a failure, as with SciPy's solvers.
        least = float(np.spacing(max(abs(t0), abs(t_bound))))
        self._solver = package().CVODE(
            rates,
            method="BDF",
            rtol=max(rtol, _LEAST_RTOL),
            atol=atol,
            min_step=least,
            max_step=t_bound - t0,
            first_step=max(first_step, least) if first_step else 0.0,
            **options,
        )
        self._solver.init_step(t0, self.y)

    def _guarded(self, function: Callable[[float, Array], Array], t: float, y: Array) -> Array:
        """Call a function for the C library; what it raises is kept, and comes out of `step`."""
        if self._fault is None:
            try:
                return function(t, np.array(y))
            except BaseException as fault:
                self._fault = fault
        return np.full(1, np.nan)

    def step(self) -> None:
        """One internal step, not beyond t_bound."""
        before = self.t
        # After a look back inside the last step the first call only returns to its end.
        while self.t <= before and self.status == "running":
            result = self._solver.step(self.t_bound, method="onestep", tstop=self.t_bound)
            if self._fault is not None:
                raise self._fault
            self.t, self.y = float(np.ravel(result.t)[-1]), np.ravel(result.y).copy()
            if not result.success:
                self.status = "failed"
        self.t_old = before
        if self.t >= self.t_bound:
            self.status = "finished"

    def dense_output(self) -> Callable[[Any], Array]:
        """The method's own polynomial over the last step, of degree at most 5."""
        from scipy.interpolate import BarycentricInterpolator

        nodes = np.cos(np.pi * np.arange(_ORDER + 1) / _ORDER)
        times = self.t_old + (self.t - self.t_old) * (1 - nodes) / 2
        values = [np.ravel(self._solver.step(float(t)).y).copy() for t in times[1:-1]]
        start = np.ravel(self._solver.step(self.t_old).y).copy()
        polynomial = BarycentricInterpolator(times, np.array([start, *values, self.y]))

        def state(t: Any) -> Array:
            return np.asarray(polynomial(t)).T

        return state


def package() -> Any:
    """The module of CVODE. Raises ImportError with what to install."""
    try:
        import sksundae.cvode
    except ImportError:
        raise ImportError(
            "method 'cvode' needs scikit-sundae: pip install 'eomc[sundials]'"
        ) from None
    return sksundae.cvode
