"""Elastic amplitudes and their rates, estimated from sensors of the joints and of the tip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.control.controllability import ControllabilityError, controllability
from eomc.runtime.control.flexible.composite_control import CompositeControl
from eomc.runtime.control.flexible.sensors import Sensors
from eomc.runtime.control.flexible.slow_fast import SlowFast
from eomc.runtime.control.regulator import sorted_poles
from eomc.runtime.difference import DifferenceEquation, linear_equation
from eomc.runtime.estimation.kalman_gain import kalman_gain
from eomc.runtime.linearization.discretization import zero_order_hold
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State


class ModalObserver:
    """The stationary Kalman filter of x = (theta, b, theta', b') less a nominal state:

        x^' = A x^ + B v + L (y - C x^)

    with A, B, C of the model linearized at rest in a configuration, exactly, and v the actuators'
    forces less the nominal ones.

    Parameters
    ----------
    system : SlowFast
        Of the controller's model.
    measured : sequence of str
        Coordinates, ``speed(name)`` and places of frames, ``tip.x``, ``tip.y``, ``tip.z``.
    process : number, (n + m,) or matrix
        Density of white noise on the accelerations.
    noise : number, row or matrix
        Density of white noise on the measurements.
    theta : (n,), optional
        Where the model is linearized.

    Attributes
    ----------
    A, B, C, L : the linear system and the gain
    states : names of x
    poles : of the observer [1/s]

    Raises ValueError for unknown names, matrices that are no covariances; ControllabilityError,
    with the mode, where the measurements do not see all. Elements with states of their own are
    refused.

    References: Luenberger, An introduction to observers, IEEE Trans. Automatic Control 16 (1971);
    Balas, Feedback control of flexible systems, ibid. 23 (1978) 673.
    """

    def __init__(
        self,
        system: SlowFast,
        measured: Sequence[str],
        process: ArrayLike,
        noise: ArrayLike,
        *,
        theta: ArrayLike | None = None,
    ) -> None:
        model = system.model
        if model.element_states:
            raise ValueError(f"model {model.name!r}: elements have states of their own")
        self.system, self.sensors = system, Sensors(model, measured)
        self.measured = self.sensors.names
        q = system.configuration(0.0, system.theta(system.near) if theta is None else theta)
        linear = system.linear(q, outputs=self.measured)
        order = [
            linear.coordinates.index(model.displacements[model.speeds.index(name)])
            for name in (*system.slow, *system.fast)
        ]
        size = len(order)
        places = [*order, *(len(linear.coordinates) + k for k in order)]
        rows = linear.A[np.ix_(places, places)]
        self.A, self.C = rows, linear.C[:, places]
        values = system.mechanism.arguments(0.0, State(q, np.zeros(model.nu)))
        acting = system.mechanism.forces(values)
        self.B = (linear.B[:, : model.nu] @ acting)[places]
        self.states = states = (
            *system.slow,
            *system.fast,
            *(f"speed({s})" for s in (*system.slow, *system.fast)),
        )
        weight = np.zeros((2 * size, 2 * size))
        weight[size:, size:] = _square(process, size)
        unseen = controllability(self.A.T, self.C.T, states).uncontrollable
        if unseen:
            raise ControllabilityError(f"the measurements do not see {'; '.join(map(str, unseen))}")
        self.L = kalman_gain(self.A, self.C, weight, noise, states=states)

    @property
    def poles(self) -> NDArray[np.complex128]:
        """(2 (n + m),) [1/s]"""
        return sorted_poles(self.A - self.L @ self.C)

    def step(self, period: float) -> tuple[Array, Array]:
        """F, G of x^_k+1 = F x^_k + G (v, y)_k, measurements and forces held over a period."""
        return zero_order_hold(self.A - self.L @ self.C, np.hstack([self.B, self.L]), period)

    def equation(self, period: float) -> DifferenceEquation:
        """The same for C: from the actuators' forces "v" and the measurements "y", both less the
        nominal ones, to the "estimate" x^_k before they count."""
        flow, effect = self.step(period)
        size = len(flow)
        inputs = {"v": tuple(self.system.actuators), "y": tuple(self.measured)}
        zero = np.zeros((size, effect.shape[1]))
        return linear_equation(flow, effect, np.eye(size), zero, inputs, "estimate", self.states)


class ObservedControl:
    """A composite law that is fed by a modal observer; for `Sampled`.

    Parameters
    ----------
    law : CompositeControl
    observer : ModalObserver
        Of the same system as the law.
    plant : CompiledModel, optional
        Where the sensors sit; the controller's model by default.

    Attributes
    ----------
    estimates : list of (t, theta and b (n + m,), theta' and b' (n + m,))
        Those of the last run.

    Raises ValueError for a law of another system, or sensors that the plant lacks.
    """

    def __init__(
        self, law: CompositeControl, observer: ModalObserver, plant: CompiledModel | None = None
    ) -> None:
        if law.system is not observer.system:
            raise ValueError("observer: it is of another system than the law")
        self.law, self.observer = law, observer
        model = law.system.model
        self._plant = Sensors(model if plant is None else plant, observer.measured)
        self._speeds = [model.speeds.index(n) for n in (*law.system.slow, *law.system.fast)]
        self.estimates: list[tuple[float, Array, Array]] = []

    def nominal(self, t: float) -> tuple[Array, Array, Array]:
        """(theta_d, b-), their rates (b-' left out) and tau-_0 at time t."""
        wanted, rate, _ = self.law.rigid.motion(t).T
        force, bent = self.law.rigid.looked_up(t)
        return np.append(wanted, bent), np.append(rate, np.zeros(len(bent))), force

    def at_samples(self, period: float) -> Callable[[float, Array, Array], ArrayLike]:
        """The law of one run, called at each sample with what is measured."""
        flow, effect = self.observer.step(period)
        system, size = self.law.system, len(self._speeds)
        self.estimates = []
        estimate = np.zeros(2 * size)
        near = system.near

        def step(t: float, q: Array, u: Array) -> ArrayLike:
            nonlocal estimate, near
            place, rate, force = self.nominal(t)
            n = len(system.slow)
            seen = place + estimate[:size]
            near = system.configuration(t, seen[:n], seen[n:], near=near)
            model_u = system.speeds(t, near, rate + estimate[size:])[1]
            self.estimates.append((t, seen, model_u[self._speeds]))
            slow, fast = self.law.forces(t, State(near, model_u))
            about = system.configuration(t, place[:n], place[n:], near=near)
            expected = self.observer.sensors(t, about, system.speeds(t, about, rate)[1])
            shown = self._plant(t, q, u) - expected
            estimate = flow @ estimate + effect @ np.concatenate([slow + fast - force, shown])
            acting = system.mechanism.forces(system.mechanism.arguments(t, State(near, model_u)))
            return self.law.plant.forces(acting @ (slow + fast))

        return step


def _square(weight: ArrayLike, size: int) -> Array:
    given = np.asarray(weight, dtype=np.float64)
    return given if given.ndim == 2 else np.diag(np.broadcast_to(given, (size,)))
