"""A mechanism under a sampled controller, compiled together: no Python between the samples."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.building.compilation import build
from eomc.building.equations import derived
from eomc.building.loop_sources import law_of, loop_sources, mechanism_of
from eomc.codegen import EmissionError
from eomc.codegen.c.contact_step import SETTINGS
from eomc.codegen.c.sampled_loop import held_inputs, width_of
from eomc.codegen.integrators.known import FIRST
from eomc.codegen.library import compiled_library
from eomc.codegen.plan.interface import interface, own_prefix
from eomc.codegen.plan.real import REALS
from eomc.derive.graph import Program
from eomc.runtime.control import Sampled
from eomc.runtime.control.emitted_law import wanted
from eomc.runtime.control.signal.signal import channels
from eomc.runtime.impacts.contact_steps import contact_settings
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import stopped
from eomc.runtime.model.needed_functions import CONTACT_METHODS
from eomc.runtime.model.state import Values, entries, initial_state
from eomc.runtime.record.trajectory import Trajectory

_ADAPTIVE = "dopri"
_MOST_STEPS = 1_000_000
_NOT_FINITE, _FAILED = 1002, 2000
_DIVERGES = "the state is no longer finite: the motion diverges, or the step is too long"


def sampled_loop(
    plant: Any,
    controller: Sampled,
    *,
    model: Any = None,
    name: str = "controller",
    method: str = FIRST,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> SampledLoop:
    """A mechanism and a sampled controller, compiled into one loop.

    Parameters
    ----------
    plant : Model, path or equations
        What is simulated.
    controller : Sampled
        Of a law that has a difference equation: PID, PD, ComputedTorque, StateFeedback, LQR,
        CompositeControl with its tables,
        ObservedRegulator, laws of task space, OutputFeedback of these, or one of your own.
    model : as plant, optional
        The controller's model; the plant by default.
    name : of the controller in C
    method : of steps of equal length, "rk4" or for stiff mechanisms an implicit one as "ros34pw2";
        with rigid contacts "moreau" or "stewart_trinkle"
    compiler, flags, cache_dir : as of `eomc.build`

    Raises NotEmittableError, ModelError, EmissionError, BuildError.
    """
    plant = derived(plant)
    sources, program, wanted_names = loop_sources(plant, controller, model, name, method)
    call = f"{sources.name}_call.c"
    options: dict[str, Any] = {"compiler": compiler, "flags": flags, "cache_dir": cache_dir}
    with compiled_library(sources, call, **options) as library:
        loaded = ctypes.CDLL(str(library))
    return SampledLoop(loaded.eomc_loop, controller, program, wanted_names, plant, method)


@dataclass(frozen=True, eq=False)
class LoopRuns(Sequence[Trajectory]):
    """Times, states and forces of many runs of a compiled loop; ``runs[k]`` is one `Trajectory`.

    Attributes
    ----------
    t : (rows,) [s]
    q, u, tau : (runs, rows, nq), (runs, rows, nu), (runs, rows, nu)
        tau are the forces that begin to act at each time.
    z : (runs, rows, nz)
        States of elements.
    impulses : (runs, rows, n)
        With rigid contacts those of the step that ends at each time, in the order of the emitted
        step, with the residual of the solve, its contact, and 1 where friction jams.
    """

    t: Array
    q: Array
    u: Array
    z: Array
    tau: Array
    recorded: Callable[..., Trajectory] = field(repr=False)
    impulses: Array = field(default_factory=lambda: np.zeros((0, 0, 0)), repr=False)

    def __len__(self) -> int:
        return len(self.q)

    @overload
    def __getitem__(self, k: int) -> Trajectory: ...
    @overload
    def __getitem__(self, k: slice) -> list[Trajectory]: ...
    def __getitem__(self, k: int | slice) -> Trajectory | list[Trajectory]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        return self.recorded(self.t, self.q[k], self.u[k], self.z[k], self.tau[k])


class SampledLoop:
    """A mechanism under its sampled controller; made by `sampled_loop`."""

    def __init__(
        self,
        call: Any,
        controller: Sampled,
        plant: Program,
        controlling: Program,
        equations: Any,
        method: str = FIRST,
    ) -> None:
        self._call = call
        call.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_ulonglong] + [ctypes.c_void_p] * 8
        self.controller, self._plant, self._controlling = controller, plant, controlling
        self._equations, self._method = equations, method
        face = interface(plant, own_prefix(plant.name), REALS["double"])
        self._held, self._width = held_inputs(face, method), width_of(face, method)
        self._statuses = {status.value: status.code for status in face.statuses}
        of_controller = interface(controlling, own_prefix(controlling.name), REALS["double"])
        self._codes = {status.value: status.code for status in of_controller.statuses}
        law = law_of(controller)
        self.model, self._reference = mechanism_of(law), law.reference
        self._equation = controller.equation()

    def run(
        self,
        q: Values = None,
        u: Values = None,
        *,
        t_span: ArrayLike,
        method: str | None = None,
        step: float | None = None,
        rtol: float = 1e-8,
        atol: float = 1e-10,
        z: Values = None,
        inputs: Any = None,
        parameters: Mapping[str, float] | None = None,
        contacts: Mapping[str, Any] | None = None,
        seed: int | None = None,
        max_steps: int = _MOST_STEPS,
    ) -> Trajectory:
        """One run, as `simulate(plant, q, u, t_span, controller=controller, method=method)`.

        Parameters
        ----------
        q, u, z : the start, as of `simulate`
        t_span : times of the record [s], or the duration, of which 101 times are then recorded
        method : "dopri", steps by the tolerances; by default the loop's, of equal length
        step : the longest step [s]; with a lag also what dopri holds forces for
        inputs, parameters : of the mechanism, constant
        contacts : settings of the solve of steps with rigid contacts, as of `simulate`
        seed : instead of the controller's

        Raises SimulationError with the time where the run fails; ValueError for wrong arguments.
        """
        state, method = initial_state(self.model, q, u, z), method or self._method
        start = np.zeros(self._width)
        start[: state.u.size + state.z.size] = np.concatenate([state.u, state.z])
        recorded = partial(self._recorded, method, inputs, parameters)
        found = self._runs(
            state.q[None],
            start[None],
            _times(t_span),
            (method, step, rtol, atol, max_steps),
            self._given(inputs, parameters, contacts),
            [self._seed(seed)],
            1,
            recorded,
        )
        return found[0]

    def rollouts(
        self,
        q: ArrayLike,
        u: ArrayLike,
        *,
        t_span: ArrayLike,
        method: str | None = None,
        step: float | None = None,
        rtol: float = 1e-8,
        atol: float = 1e-10,
        inputs: Any = None,
        parameters: Mapping[str, float] | None = None,
        contacts: Mapping[str, Any] | None = None,
        seeds: Sequence[int] | None = None,
        threads: int = 1,
        max_steps: int = _MOST_STEPS,
    ) -> LoopRuns:
        """Many runs at once, (n, nq) and (n, nu) being their starts; run k has the k-th of `seeds`,
        by default the controller's seed and k more. Other arguments as of `run`."""
        method = method or self._method
        starts = np.atleast_2d(np.asarray(q, dtype=np.float64))
        speeds = np.atleast_2d(np.asarray(u, dtype=np.float64))
        n = max(len(starts), len(speeds))
        if starts.shape[1:] != (self.model.nq,) or speeds.shape[1:] != (self.model.nu,):
            raise ValueError(
                f"q has shape {starts.shape} and u {speeds.shape}, expected (n, {self.model.nq}) "
                f"and (n, {self.model.nu})"
            )
        rest = np.broadcast_to([*self.model.element_states.values()], (n, self._nz))
        u_rows = np.zeros((n, self._width))
        u_rows[:, : self.model.nu] = speeds
        u_rows[:, self.model.nu : self.model.nu + self._nz] = rest
        first = self.controller.seed
        drawn = [self._seed(first + k) for k in range(n)] if seeds is None else list(seeds)
        if len(drawn) != n:
            raise ValueError(f"seeds: {len(drawn)} given for {n} runs")
        found = self._runs(
            np.broadcast_to(starts, (n, self.model.nq)),
            u_rows,
            _times(t_span),
            (method, step, rtol, atol, max_steps),
            self._given(inputs, parameters, contacts),
            drawn,
            threads,
            partial(self._recorded, method, inputs, parameters),
        )
        return found

    @cached_property
    def plant(self) -> CompiledModel:
        """The mechanism, for what its records compute on demand, such as energies."""
        return build(self._equations)

    def _recorded(
        self,
        method: str,
        inputs: Any,
        parameters: Mapping[str, float] | None,
        t: Array,
        q: Array,
        u: Array,
        z: Array,
        tau: Array,
    ) -> Trajectory:
        """Rows of a run as `simulate` records them."""
        model = self.model
        r = np.tile(entries("inputs", inputs, model.inputs), (len(t), 1))
        nothing = np.zeros((len(t), 0))
        known = {p.name: p.default for p in self._plant.parameters} | dict(parameters or {})
        return Trajectory(
            self._plant.name,
            method,
            t,
            q,
            u,
            tau,
            r,
            nothing,
            nothing,
            nothing,
            coordinates=model.coordinates,
            speeds=model.speeds,
            inputs=model.inputs,
            parameters=known,
            model=self.plant,
            z=z,
            element_states=tuple(model.element_states),
        )

    @property
    def _nz(self) -> int:
        return len(self.model.element_states)

    def _seed(self, seed: int | None) -> int:
        chosen = self.controller.seed if seed is None else seed
        if not 0 <= chosen < 2**64:
            raise ValueError(f"seed is {chosen!r}; give a whole number from 0 to below 2**64")
        return chosen

    def _given(
        self,
        inputs: Any,
        parameters: Mapping[str, float] | None,
        contacts: Mapping[str, Any] | None,
    ) -> list[Array]:
        """Arguments that stay over a run: inputs, and parameters of mechanism and controller."""
        rows = []
        if contacts is not None and SETTINGS not in self._held:
            raise ValueError(f"contacts: method {self._method!r} solves none")
        for name in self._held:
            if name == SETTINGS:
                rows.append(np.array(contact_settings(contacts)))
                continue
            if name != "r":
                raise EmissionError(f"a compiled loop has no {name!r} for the mechanism")
            rows.append(entries("inputs", inputs, self.model.inputs))
        if inputs is not None and "r" not in self._held:
            raise ValueError(f"inputs: model {self._plant.name!r} declares none")
        known = {p.name: p.default for p in self._plant.parameters}
        for name in parameters or {}:
            if name not in known:
                raise ValueError(
                    f"parameters: the mechanism has no tunable parameter {name!r}; valid: "
                    f"{', '.join(known) or 'none'}"
                )
        known |= parameters or {}
        if known:
            rows.append(np.array([*known.values()], dtype=np.float64))
        if self._controlling.parameters:
            rows.append(np.array([p.default for p in self._controlling.parameters]))
        return rows

    def _references(self, times: Array) -> Array:
        """A row for each sample that a run can take."""
        period, start = self.controller.period, float(times[0])
        count = int(np.floor((times[-1] - start) / period + 1e-9)) + 1
        rows = [
            np.concatenate(
                [np.zeros(0), *wanted(self._equation, self._reference(start + k * period)).values()]
            )
            for k in range(count)
        ]
        return np.ascontiguousarray(rows)

    def _runs(
        self,
        q: Array,
        u: Array,
        times: Array,
        how: tuple[Any, ...],
        given: list[Array],
        seeds: Sequence[int],
        threads: int,
        recorded: Callable[..., Trajectory],
    ) -> LoopRuns:
        n, rows = len(q), len(times)
        q_rows, u_rows = np.zeros((n, rows, q.shape[1])), np.zeros((n, rows, u.shape[1]))
        nu, tau = self.model.nu, np.zeros((n, rows, self.model.nu))
        q_rows[:, 0], u_rows[:, 0] = q, u
        references = self._references(times)
        numbers, counts = self._settings(times, len(references), *how)
        table = (ctypes.c_void_p * (len(given) + 1))(*(row.ctypes.data for row in given))

        def one(k: int) -> None:
            coming, done = np.zeros((counts[3], self.model.nu + 1)), ctypes.c_int()
            status = self._call(
                numbers.ctypes.data,
                counts.ctypes.data,
                seeds[k],
                times.ctypes.data,
                references.ctypes.data,
                table,
                coming.ctypes.data,
                q_rows[k].ctypes.data,
                u_rows[k].ctypes.data,
                tau[k].ctypes.data,
                ctypes.byref(done),
            )
            if status:
                t = float(times[done.value])
                name = self._plant.name + ("" if n == 1 else f", run {k}")
                error, rows = stopped(name, t, self._why(status)), done.value + 1
                if rows > 1:
                    u_all = u_rows[k, :rows]
                    error.again = partial(
                        recorded,
                        times[:rows],
                        q_rows[k, :rows],
                        u_all[:, :nu],
                        u_all[:, nu : nu + self._nz],
                        tau[k, :rows],
                    )
                raise error
            finite = np.isfinite(q_rows[k]).all(axis=1) & np.isfinite(u_rows[k]).all(axis=1)
            if not finite.all():
                t = float(times[int(np.argmin(finite)) - 1])
                raise stopped(self._plant.name, t, _DIVERGES)

        if threads > 1:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(one, range(n)))
        else:
            for k in range(n):
                one(k)
        z, behind = u_rows[..., nu : nu + self._nz], u_rows[..., nu + self._nz :]
        return LoopRuns(times, q_rows, u_rows[..., :nu], z, tau, recorded, behind)

    def _why(self, status: int) -> str:
        law = type(self.controller.law).__name__
        if status == _NOT_FINITE:
            return f"the controller's forces are not finite ({law})"
        if status > _FAILED:
            code = self._codes.get(status - _FAILED, f"code {status - _FAILED}")
            return f"the controller failed: {law}: {code}"
        return self._statuses.get(status, f"code {status}")

    def _settings(
        self,
        times: Array,
        samples: int,
        method: str,
        step: float | None,
        rtol: float,
        atol: float,
        max_steps: int,
    ) -> tuple[Array, NDArray[np.int32]]:
        known = (self._method, *(() if self._method in CONTACT_METHODS else (_ADAPTIVE,)))
        if method not in known:
            raise ValueError(f"method is {method!r}; this compiled loop has {', '.join(known)}")
        if step is not None and not (np.isfinite(step) and step > 0):
            raise ValueError(f"step is {step!r}; give a positive time [s]")
        controller = self.controller
        lag = channels("lag", controller.lag, self.model.speeds, 0.0)
        head = [times[0], controller.period, controller.delay, step or np.inf, rtol, atol]
        room = int(np.ceil(controller.delay / controller.period)) + 2
        counts = [int(method == _ADAPTIVE), max_steps, samples, room, len(times)]
        return np.array([*head, *lag]), np.array(counts, dtype=np.int32)


def _times(t: ArrayLike) -> Array:
    times = np.asarray(t, dtype=np.float64)
    if times.ndim == 0:
        times = np.linspace(0.0, float(times), 101)
    if times.ndim != 1 or len(times) < 2 or not (np.diff(times) > 0).all():
        raise ValueError("t: give a positive duration, or times that increase")
    return np.ascontiguousarray(times)
