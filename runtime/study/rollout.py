"""A run of a study: Runge-Kutta steps of a compiled model, many runs at once on vector lanes."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.latches.measures import refuse_latches
from eomc.runtime.model.arguments import whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import entries, initial_state
from eomc.runtime.study.runs import Runs, Sizes
from eomc.runtime.study.starts import STARTS, Starts

Measure = Callable[[Array, Array, Array, Mapping[str, Array]], Mapping[str, ArrayLike]]
"""(t (times,), q (runs, times, nq), u (runs, times, nu), what the runs vary) to results by name,
each with the runs in front."""

FAILED = "failed"
"""Name of the result that says which runs came to no end."""

_OWN_RESULTS = (FAILED, *STARTS.values())
_GIVEN = ("q", "u", "h", "steps", "every", "threads", "parameters", "t")


@dataclass(frozen=True, eq=False)
class Rollout:
    """Settings that all runs of a study share; see `eomc.runtime.study.run`."""

    step: float
    steps: int
    every: int
    q: Array
    u: Array
    tau: Array
    p: Mapping[str, float]
    start: float
    held: Mapping[str, Any]
    measure: Measure | None
    takes: frozenset[str]
    starts: Starts

    @classmethod
    def of(cls, model: CompiledModel, t: float, step: float, **given: Any) -> Rollout:
        """Checked against a model; raises ValueError, or AttributeError for one without lanes."""
        if not isinstance(model, CompiledModel):
            raise ValueError(f"model: give a compiled one (eomc.build), not {type(model).__name__}")
        refuse_latches(model, "a rollout")
        for name, value in (("t_span", t), ("step", step)):
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not 0 < value < np.inf
            ):
                raise ValueError(f"{name} is {value!r}; give a positive number of seconds")
        steps = round(t / step)
        if steps < 1 or abs(steps * step - t) > 1e-9 * t:
            raise ValueError(f"t_span = {t:g} s is no whole number of steps of {step:g} s")
        every = steps if given["every"] is None else whole("every", given["every"], 1)
        if steps % every:
            raise ValueError(f"every is {every}, which does not divide {steps} steps")
        if model.element_states:
            raise ValueError(
                f"model {model.name!r}: elements have states of their own, which studies do not "
                "take along"
            )
        known = inspect.signature(model.rk4_rollouts).parameters
        held = dict(given["arguments"] or {})
        for name in held:
            if name not in known or name in (*_GIVEN, "tau"):
                free = [n for n in known if n not in (*_GIVEN, "tau")]
                raise ValueError(f"arguments: no {name!r} among {', '.join(free) or 'none'}")
        for name, size in (("r", len(model.inputs)), ("s", len(model.prescribed))):
            if size and name not in held:
                raise ValueError(
                    f"arguments: model {model.name!r} needs {name!r}, ({size},) numbers"
                )
        state = initial_state(model, given["q"], given["u"])
        q, u = (tuple(x) if isinstance(x, Mapping) else () for x in (given["q"], given["u"]))
        model.prepare(*model.constraint_functions)
        parameters = dict(given["parameters"] or {})
        for name in parameters:
            if name not in model.parameters:
                raise ValueError(f"parameters: model {model.name!r} has no tunable {name!r}")
        tau = entries("tau", given["tau"], model.speeds)
        measure = given["measure"]
        if measure is not None and not callable(measure):
            raise ValueError(f"measure: give a function of (t, q, u, runs), not {measure!r}")
        return cls(
            float(step),
            steps,
            every,
            state.q,
            state.u,
            tau,
            parameters,
            float(given["start"]),
            held,
            measure,
            frozenset(known),
            Starts(bool(given["assemble"]), q, u, float(given["start"]), held),
        )

    @property
    def times(self) -> Array:
        """Of the record."""
        steps = np.arange(0, self.steps + 1, self.every, dtype=np.float64)
        found: Array = self.start + self.step * steps
        return found

    def to_plain(self) -> dict[str, Any]:
        """All that results depend on but code, as plain values."""
        measure = self.measure and code_of(self.measure)
        told = {name: np.asarray(value).tolist() for name, value in self.held.items()}
        return {
            "step": self.step,
            "steps": self.steps,
            "every": self.every,
            "q": self.q.tolist(),
            "u": self.u.tolist(),
            "tau": self.tau.tolist(),
            "p": dict(self.p),
            "start": self.start,
            "held": told,
            "measure": measure,
            **({"assemble": [self.starts.q, self.starts.u]} if self.starts.assemble else {}),
        }

    def results(self, model: CompiledModel, runs: Runs, first: int, last: int) -> dict[str, Array]:
        """Of runs first ... last - 1, each array with the runs in front."""
        varied = runs.values(np.arange(first, last), sizes(model))
        state = {
            name: self._filled(name, getattr(self, name), varied, names, last - first)
            for name, names in arrays(model).items()
        }
        p = {name[2:]: value for name, value in varied.items() if name.startswith("p.")}
        if model.is_constrained:
            values = [
                {**self.p, **{name: float(value[k]) for name, value in p.items()}}
                for k in range(last - first)
            ]
            state |= self.starts.closed(model, state, values, tuple(varied), first)
        q, u, failed = self._all(model, state, p)
        if self.measure is None:
            whole = self.every < self.steps
            found: dict[str, Array] = {"q": q, "u": u} if whole else {"q": q[:, -1], "u": u[:, -1]}
        else:
            found = measured(self.measure(self.times, q, u, varied), last - first)
        if self.starts.assemble and model.is_constrained:
            found |= {name: state[array] for array, name in STARTS.items()}
        return {**found, FAILED: failed}

    def _filled(
        self, name: str, common: Array, varied: Mapping[str, Array], names: tuple[str, ...], n: int
    ) -> Array:
        """(n, size) of an array, whole or some of its entries varied."""
        array = np.array(np.broadcast_to(varied.get(name, common), (n, len(common))), order="C")
        for place, entry in enumerate(names):
            if (value := varied.get(f"{name}.{entry}")) is not None:
                array[:, place] = value
        return array

    def _all(
        self, model: CompiledModel, state: Mapping[str, Array], p: Mapping[str, Array]
    ) -> tuple[Array, Array, Array]:
        """Histories, and which runs failed; runs of the same parameters are made at once."""
        if not p:
            return self._surely(model, state, dict(self.p))
        rows = np.column_stack([*p.values()])
        kinds, which = np.unique(rows, axis=0, return_inverse=True)
        which = which.reshape(-1)
        n, count = len(rows), len(self.times)
        q, u = np.empty((n, count, model.nq)), np.empty((n, count, model.nu))
        failed = np.zeros(n)
        for k, kind in enumerate(kinds):
            chosen = np.flatnonzero(which == k)
            some = {name: array[chosen] for name, array in state.items()}
            values = {**self.p, **dict(zip(p, kind.tolist(), strict=True))}
            q[chosen], u[chosen], failed[chosen] = self._surely(model, some, values)
        return q, u, failed

    def _surely(
        self, model: CompiledModel, state: Mapping[str, Array], p: dict[str, float]
    ) -> tuple[Array, Array, Array]:
        """As the model, halved where a run fails until those that fail stand alone."""
        n = len(state["q"])
        try:
            q, u = self._rolled(model, state, p)
            return q, u, np.zeros(n)
        except FloatingPointError:
            if n == 1:
                count = len(self.times)
                nothing = (np.full((1, count, k), np.nan) for k in (model.nq, model.nu))
                return *nothing, np.ones(1)  # type: ignore[return-value]
        halves = [
            self._surely(model, {name: array[part] for name, array in state.items()}, p)
            for part in (slice(None, n // 2), slice(n // 2, None))
        ]
        q, u, failed = (np.concatenate(pair) for pair in zip(*halves, strict=True))
        return q, u, failed

    def _rolled(
        self, model: CompiledModel, state: Mapping[str, Array], p: dict[str, float]
    ) -> tuple[Array, Array]:
        function = model.rk4_rollouts
        given: dict[str, Any] = {"tau": state["tau"][:, None, :], **self.held, "t": self.start}
        given = {name: value for name, value in given.items() if name in self.takes}
        if p:
            given["parameters"] = p
        q, u = function(
            q=state["q"],
            u=state["u"],
            h=self.step,
            steps=self.steps,
            every=self.every,
            threads=1,
            **given,
        )[:2]
        return q, u


def code_of(measure: Callable[..., Any]) -> str:
    """Text that tells one measure from others: its name and, where known, a digest of its code."""
    inner = getattr(measure, "cost", measure)
    name = getattr(inner, "__qualname__", type(inner).__name__)
    code = getattr(inner, "__code__", None)
    constants = [] if code is None else [c for c in code.co_consts if not hasattr(c, "co_code")]
    told = b"" if code is None else code.co_code + repr((constants, code.co_names)).encode()
    return f"{name} {hashlib.sha256(told).hexdigest()[:16]}"


def arrays(model: CompiledModel) -> dict[str, tuple[str, ...]]:
    """Arrays that runs may vary, with the names of their entries."""
    return {"q": model.coordinates, "u": model.speeds, "tau": model.speeds}


def sizes(model: CompiledModel) -> Sizes:
    """All names that runs may vary, with the sizes of arrays."""
    found: dict[str, int] = {}
    for array, names in arrays(model).items():
        found |= {array: len(names), **{f"{array}.{name}": 0 for name in names}}
    return found | {f"p.{name}": 0 for name in model.parameters}


def measured(found: Any, n: int) -> dict[str, Array]:
    """Checked results of a measure, by name, with the n runs in front."""
    if not isinstance(found, Mapping) or not found:
        raise ValueError(
            f"measure gave {type(found).__name__}; return a mapping of names to arrays"
        )
    told = {}
    for name, value in found.items():
        array = np.asarray(value)
        if not isinstance(name, str) or name in _OWN_RESULTS or not name.isidentifier():
            raise ValueError(f"measure: {name!r} names no result; give an identifier")
        if not array.ndim or len(array) != n:
            raise ValueError(f"measure: {name!r} has shape {array.shape}, expected ({n}, ...)")
        told[name] = array
    return told
