"""A law as a digital controller runs it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.chance.normal import NormalStream
from eomc.runtime.control.emitted_law import EmittedLaw, WrittenLaw
from eomc.runtime.control.sensor import Feeling
from eomc.runtime.control.signal.signal import Equated, PerChannel, Signal, channels
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations, in_series
from eomc.runtime.difference.equation import Chance, Parts
from eomc.runtime.excitation.excitation import Controller, Law
from eomc.runtime.excitation.law_arguments import check_law_arguments
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector

_ROUNDING = 1e-9
"""The share of a period within which instants are one."""


@runtime_checkable
class Remembering(Protocol):
    """A law with states of its own, such as integrals of errors or what an observer estimates."""

    def at_samples(self, period: float) -> Callable[[float, Array, Array], ArrayLike]:
        """For one run, the function that is called at each sample: (t, q, u) to tau (nu,).

        What it remembers belongs to the run, so that every run begins alike.
        """
        ...


class Sampled:
    """Torques that are computed at instants t_k, k periods after the start, and held:

    tau(t) = c_k + (tau_0 - c_k) exp(-(t - t_k - delay)/lag),   c_k = actuators(law(sensors(q, u)))

    from t_k + delay on, tau_0 being the torque there; without `lag` it is c_k at once. A run is cut
    at these instants, so that its method never steps over one.

    Parameters
    ----------
    law : object with ``torque(t, q, u)`` or ``at_samples(period)``, or a function of (t, q, u)
        What computes the torques (nu,) from what is measured.
    period : float
        Time between samples [s].
    delay : float
        Time from a sample until its torques act [s]; until the first do, there are none.
    sensors : mapping of "q" and "u" to sequences of `Signal`
        What happens to the coordinates and speeds before the law sees them.
    actuators : sequence of `Signal`
        What happens to the torques of the law.
    lag : number, (nu,) or mapping by speeds
        Time constant of actuators of first order [s].
    seed : int
        Of all that is drawn by chance: runs with the same seed are the same.

    Raises ValueError for a period that is not positive, and what is negative or unknown.

    References: Franklin, Powell and Workman, *Digital Control of Dynamic Systems* (1998).
    """

    def __init__(
        self,
        law: Controller | Remembering | Law,
        period: float,
        *,
        delay: float = 0.0,
        sensors: Mapping[str, Sequence[Signal]] | None = None,
        actuators: Sequence[Signal] = (),
        lag: PerChannel = 0.0,
        seed: int = 0,
    ) -> None:
        self.law = law
        self.period = float(vector("period", period, 1)[0])
        self.delay = float(vector("delay", delay, 1)[0])
        if not self.period > 0:
            raise ValueError(f"period is {period!r}; give a positive time [s]")
        if self.delay < 0:
            raise ValueError(f"delay is {delay!r}; give 0 or a positive time [s]")
        predicted = getattr(law, "delay", 0.0)
        if predicted and abs(predicted - self.delay) > _ROUNDING * self.period:
            raise ValueError(
                f"delay is {self.delay:g} s, but {type(law).__name__} predicts over {predicted:g} "
                "s; give both the same delay"
            )
        self.sensors = {"q": (), "u": (), **(sensors or {})}
        if unknown := set(self.sensors) - {"q", "u"}:
            raise ValueError(f"sensors: {min(unknown)!r} is not measured; there are 'q' and 'u'")
        self.actuators = tuple(actuators)
        self.lag = lag
        self.seed = seed
        self._times: list[float] = []

    def begin(self, model: CompiledModel, t: float) -> None:
        """Start a run of the plant at time t; what was recorded of the last one is forgotten."""
        rng = NormalStream(self.seed)
        names = {"q": model.coordinates, "u": model.speeds}
        self._measure = {
            what: _chain(chain, names[what], self.period, rng)
            for what, chain in self.sensors.items()
        }
        self._actuate = _chain(self.actuators, model.speeds, self.period, rng)
        self._normalize = model.function("normalize")
        self._law = _sampled_law(self.law, self.period)
        self._lag = channels("lag", self.lag, model.speeds, 0.0)
        self._nu, self._speeds = model.nu, model.speeds
        self._first, self._samples = t, 0
        self._coming: list[tuple[float, Array]] = []
        zero = np.zeros(model.nu)
        self._times, self._commands, self._starts = [-np.inf], [zero], [zero]

    @property
    def holds(self) -> bool:
        """True if in this run torques stay from instant to instant, as they do without a lag."""
        return not self._lag.any()

    def following(self) -> float:
        """The next instant at which something happens: a sample, or torques that begin to act."""
        sample = self._first + self._samples * self.period
        return min([sample, *(t for t, _ in self._coming[:1])])

    def act(self, t: float, q: Array, u: Array) -> None:
        """Do what is due at time t in the state (q, u), a rounding later included."""
        now = t + _ROUNDING * self.period
        if now >= self._first + self._samples * self.period:
            self._samples += 1
            seen = np.asarray(self._normalize(self._measure["q"](q))), self._measure["u"](u)
            sizes, when = (self._nu, self._speeds), f"torque at t = {t:.6g} s"
            given = vector(f"controller: {when}", self._computed(t, q, u, *seen), *sizes)
            command = vector(f"actuators: {when}", self._actuate(given), *sizes)
            self._coming.append((t + self.delay, command))
        while self._coming and self._coming[0][0] <= now:
            start = self.torque(t, q, u)
            self._times.append(t)
            self._commands.append(self._coming.pop(0)[1])
            self._starts.append(start)

    def _computed(self, t: float, q: Array, u: Array, *seen: Array) -> ArrayLike:
        """Torques of the law for the samples `seen`, its sensors feeling the forces that act."""
        law: Any = self.law
        if not isinstance(law, Feeling):
            return self._law(t, *seen)
        law.acting(self.torque(t, q, u))
        try:
            return self._law(t, *seen)
        finally:
            law.acting(None)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """tau (nu,) at any time of the run until now [N m or N]."""
        if not self._times:
            raise RuntimeError(
                "a sampled controller has torques in a run only: simulate(controller=)"
            )
        k = bisect_right(self._times, t) - 1
        command, start = self._commands[k], self._starts[k]
        if not self._lag.any() or k == 0:
            return command
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.exp(-(t - self._times[k]) / self._lag)
        held: Array = np.where(self._lag > 0, command + (start - command) * left, command)
        return held

    def undisturbed(self) -> Sampled:
        """The controller without signals that disturb it in simulations, such as noise."""
        sensors = {
            what: [s for s in chain if not getattr(s, "disturbs", False)]
            for what, chain in self.sensors.items()
        }
        actuators = [s for s in self.actuators if not getattr(s, "disturbs", False)]
        return Sampled(
            self.law,
            self.period,
            delay=self.delay,
            sensors=sensors,
            actuators=actuators,
            lag=self.lag,
            seed=self.seed,
        )

    def equation(self) -> DifferenceEquation:
        """Sensors, law and actuators as one difference equation, for C; `delay` and `lag` are left
        to the mechanism.

        Raises NotEmittableError where the law or a signal has none.
        """
        law: Any = self.law
        if not isinstance(law, EmittedLaw):
            raise NotEmittableError(
                f"law: {type(law).__name__} has no difference equation; give a law with a method "
                "equation(period), such as PID or ComputedTorque"
            )
        names = {"q": law.model.coordinates, "u": law.model.speeds}
        own = law.equation(self.period)
        if isinstance(law, WrittenLaw):
            if any([*self.sensors.values(), self.actuators]):
                raise NotEmittableError(
                    f"law: the step of {type(law).__name__} stands alone in C; leave out sensors= "
                    "and actuators="
                )
            return own
        q, u = (_series(what, self.sensors[what], names[what], self.period) for what in ("q", "u"))
        out = _series("actuators", self.actuators, names["u"], self.period)
        parts = [part for part in (q, u, own, out) if part is not None]

        def step(by: Operations, state: Any, chance: Any, *inputs: Any) -> tuple[Any, Any]:
            before, after = Parts(state, chance), list[Any]()

            def passed(equation: DifferenceEquation | None, *given: Any) -> Any:
                if equation is None:
                    return given[0]
                now, found = equation.step(by, *before.of(equation), *given)
                after.append(now)
                return found

            seen = by.call("normalize", q=passed(q, inputs[0])), passed(u, inputs[1])
            tau = passed(out, passed(own, *seen, *inputs[2:]))
            return np.concatenate(after), tau

        return DifferenceEquation(
            start=np.concatenate([part.start for part in parts]),
            inputs=own.inputs,
            output="tau",
            rows=own.rows,
            step=step,
            draws=sum(part.draws for part in parts),
            functions=tuple(dict.fromkeys(("normalize", *own.functions))),
            parameters=own.parameters,
        )


def _series(
    what: str, signals: Sequence[Signal], names: Sequence[str], period: float
) -> DifferenceEquation | None:
    """The signals as one; None if there are none."""
    for signal in signals:
        if not isinstance(signal, Equated):
            raise NotEmittableError(
                f"{what}: {type(signal).__name__} has no difference equation; make it an `Equated`"
            )
    equations = [s.equation(names, period) for s in signals if isinstance(s, Equated)]
    return in_series(equations) if equations else None


def _sampled_law(
    law: Controller | Remembering | Law, period: float
) -> Callable[[float, Array, Array], ArrayLike]:
    if isinstance(law, Remembering):
        return law.at_samples(period)
    if isinstance(law, Controller):
        return law.torque
    if not callable(law):
        raise ValueError("law: give an object with torque(t, q, u), or a function of (t, q, u)")
    check_law_arguments("law", law, "t", "q", "u")
    return law


def _chain(
    signals: Sequence[Signal], names: Sequence[str], period: float, rng: Chance
) -> Callable[[Array], Array]:
    stages = [signal.begin(names, period, rng) for signal in signals]

    def passed(x: Array) -> Array:
        for stage in stages:
            x = stage(x)
        return x

    return passed
