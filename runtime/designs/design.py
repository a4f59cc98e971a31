"""One trial of a design: its parameters, and what objectives and conditions read of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.designs.closure import DesignClosure, DesignError
from eomc.runtime.designs.dual import DualArray, dual, stacked
from eomc.runtime.designs.equilibria import DesignEquilibrium, equilibrium_slopes
from eomc.runtime.designs.states import DesignFunctions, DesignStates
from eomc.runtime.equilibria.equilibrium import equilibrium
from eomc.runtime.fit.recording import Recording
from eomc.runtime.fit.rollout import SensitiveRollout
from eomc.runtime.model.errors import EquilibriumError
from eomc.runtime.model.state import initial_state
from eomc.runtime.names.near_names import near_names

Law = float | Callable[[Array], Array]


class Design:
    """A trial of free values, with derivatives of everything by them.

    ``design["length"]`` is a parameter or variable. `closed`, `equilibrium` and `run` evaluate the
    model; what they return are `DualArray` numbers, which NumPy's functions take.
    """

    def __init__(
        self, functions: DesignFunctions, values: Mapping[str, DualArray], warm: Mapping[int, Any]
    ) -> None:
        self.functions, self.values = functions, dict(values)
        self.n = next(iter(values.values())).slopes.shape[-1]
        known = functions.model.parameters
        p = [dual(values.get(name, value), self.n) for name, value in known.items()]
        self.p = stacked(p) if p else DualArray(np.zeros(0), np.zeros((0, self.n)))
        # Solutions of the trial before, by the number of the call: guesses of this one.
        self._warm, self._calls = warm, 0
        self.solutions: dict[int, Any] = {}

    def __getitem__(self, name: str) -> DualArray:
        model = self.functions.model
        if name in self.values:
            return self.values[name]
        if name not in model.parameters:
            raise KeyError(
                f"no {name!r} in this design; {near_names(name, (*self.values, *model.parameters))}"
            )
        return self.p[list(model.parameters).index(name)]

    def closed(
        self, q: Mapping[str, Any], *, guess: Mapping[str, float] | None = None
    ) -> DesignStates:
        """Configurations with closed loops, by given coordinates.

        Parameters
        ----------
        q : mapping of names to numbers or (samples,)
            Coordinates that are given, also as `DualArray`: a sweep of the drive.
        guess : mapping
            Coordinates that follow, near the first sample; it chooses among the assemblies.

        Raises `DesignError`, by which the optimizer rejects a trial, where loops do not close.
        """
        model = self.functions.model
        given = {name: dual(value, self.n) for name, value in q.items()}
        shapes = {value.shape for value in given.values()} - {()}
        if len(shapes) > 1 or any(len(shape) > 1 for shape in shapes):
            raise ValueError(f"q: give numbers or rows of one length, not of {sorted(shapes)}")
        count = next(iter(shapes), (1,))[0]
        start = initial_state(model, {**(guess or {}), **dict.fromkeys(given, 0.0)}, None).q
        rows, slopes = np.tile(start, (count, 1)), np.zeros((count, model.nq, self.n))
        places = np.zeros(model.nq, dtype=bool)
        for name, value in given.items():
            place = model.coordinates.index(name)
            places[place] = True
            rows[:, place], slopes[:, place] = value.value, value.slopes
        if model.is_constrained:
            closure, call = DesignClosure(self.functions, places), self._next()
            found = closure.sweep(rows, slopes, self.p, self._warm.get(call))
            self.solutions[call] = found.value
        else:
            found = DualArray(rows, slopes)
        arrays = {"q": found, "p": self.p}
        return DesignStates(self.functions, arrays, count, not shapes)

    def equilibrium(
        self, q: Mapping[str, float] | None = None, **options: Any
    ) -> DesignEquilibrium:
        """The equilibrium near a guess, which moves with the design; options as of
        `eomc.equilibrium`."""
        model, call = self.functions.model, self._next()
        values = dict(zip(model.parameters, self.p.value.tolist(), strict=True))
        start = self._warm.get(call)
        try:
            if start is None:
                found = equilibrium(model, q, parameters=values, **options)
            else:
                guess = options | {"z": start.z if model.element_states else None}
                found = equilibrium(model, start.q, start.u, parameters=values, **guess)
        except EquilibriumError as error:
            raise DesignError(str(error)) from error
        self.solutions[call] = found
        wanted = options.get("targets")
        arrays = equilibrium_slopes(found, wanted, self.p)
        return DesignEquilibrium(self.functions, arrays | {"p": self.p}, 1, True, found)

    def run(
        self,
        t_span: float,
        step: float,
        *,
        q: Mapping[str, Any] | None = None,
        u: Mapping[str, Any] | None = None,
        start: DesignStates | None = None,
        inputs: Mapping[str, Law] | None = None,
        substeps: int = 1,
    ) -> DesignStates:
        """A run by Runge-Kutta steps, every sample with its derivatives.

        Parameters
        ----------
        t_span, step : float [s]
            Duration, and time between samples.
        q, u : mappings of names to numbers or `DualArray`
            Initial coordinates and speeds.
        start : states, optional
            A closed configuration or an equilibrium to start from.
        inputs : mapping of inputs and ``tau(name)`` to numbers or functions of the times
        substeps : int
            Steps of the integration between two samples.

        Raises `DesignError` where the motion diverges.
        """
        from eomc.runtime.fit.errors import FitError

        rollout = self.functions.rollout(substeps)
        x, s = self._state(rollout, start, q or {}, u or {})
        t = np.linspace(0.0, t_span, round(t_span / step) + 1)
        run = Recording(
            "the run", t, _laws(self.functions.model, inputs or {}), t[:, None], None, None
        )
        try:
            motion = rollout(run, x, s, self.p.value, self.p.slopes, (0.0, None))
        except FitError as error:
            raise DesignError(str(error)) from error
        arrays = {"p": self.p, "t": DualArray(t[:, None], np.zeros((len(t), 1, self.n)))}
        for a in rollout.library.state:
            part = slice(first := rollout.offsets[a.name], first + a.size)
            arrays[a.name] = DualArray(motion.x[:, part], motion.s[:, part])
        for a in rollout.library.held:
            held = run.input(a.name, a.size, t, False, None)
            arrays[a.name] = DualArray(held, np.zeros((*held.shape, self.n)))
        return DesignStates(self.functions, arrays, len(t), False)

    def _state(
        self,
        rollout: SensitiveRollout,
        start: DesignStates | None,
        q: Mapping[str, Any],
        u: Mapping[str, Any],
    ) -> tuple[Array, Array]:
        """(x, dx/dtheta) at the beginning of a run."""
        model = self.functions.model
        state = initial_state(model, None, None)
        z = np.array(list(model.element_states.values()))
        x = np.concatenate([state.q, state.u, z])
        s = np.zeros((len(x), self.n))
        offsets = rollout.offsets
        arrays: Mapping[str, DualArray] = {} if start is None else start.arrays
        for name, own in arrays.items():
            if name in offsets:
                part = slice(offsets[name], offsets[name] + own.shape[1])
                x[part], s[part] = own.value[0], own.slopes[0]
        for given, names, array in ((q, model.coordinates, "q"), (u, model.speeds, "u")):
            for name, value in given.items():
                if name not in names:
                    raise ValueError(f"{array}: no {name!r}; {near_names(name, names)}")
                place, number = offsets[array] + names.index(name), dual(value, self.n)
                x[place], s[place] = number.value, number.slopes
        return x, s

    def _next(self) -> int:
        self._calls += 1
        return self._calls


def _laws(model: Any, given: Mapping[str, Law]) -> Any:
    """Inputs by array and place, as a recording has them."""
    groups = {"r": tuple(model.inputs), "tau": tuple(f"tau({name})" for name in model.speeds)}
    found: dict[str, dict[int, Any]] = {}
    for name, law in given.items():
        array = next((a for a, names in groups.items() if name in names), None)
        if array is None:
            valid = (*groups["r"], *groups["tau"])
            raise ValueError(f"inputs: no {name!r}; {near_names(name, valid)}")

        def value(t: Array, rate: bool, sample: Any, law: Law = law) -> Array:
            return np.broadcast_to(law(t) if callable(law) else law, t.shape)

        found.setdefault(array, {})[groups[array].index(name)] = value
    return found
