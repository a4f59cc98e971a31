"""Kernels on a device against the functions of the processor; see `eomc.verify` with ``device``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building.kernels import kernels
from eomc.derive.graph import Program
from eomc.runtime.cuda.driver import CudaDriver
from eomc.runtime.cuda.kernels import CudaKernels
from eomc.verifier.checks.compiled.batches import apart
from eomc.verifier.subject.check import Check, Comparison
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

DEVICES = ("cuda",)
ALLOWED, STEPS = 1e-10, 4


def device_check(device: str) -> Check:
    """The check of all kernels on the first device of this kind.

    Raises ValueError for a kind that is not known, CudaError where there is no device.
    """
    if device not in DEVICES:
        raise ValueError(f"device is {device!r}; valid are {', '.join(DEVICES)}")
    driver = CudaDriver()
    return Check(
        "device",
        f"every function of all states at once on a {device} device, and runs of {STEPS} steps of "
        "the Runge-Kutta method",
        "the same functions on the processor",
        f"{ALLOWED:.0e} of the largest entry, times the condition number of M: a device fuses "
        "multiplications with additions",
        (),
        partial(on_device, lambda program: CudaKernels(*kernels(program, None), driver)),
    )


def on_device(
    make: Callable[[Program], CudaKernels], subject: DerivedSubject
) -> Iterator[Comparison]:
    """Compare what `make` gives for the program."""
    made = make(subject.program)
    for name in made.functions:
        if made.manifest["functions"][name]["inputs"]:
            yield from _function(made, subject, name)
    if "rk4_rollouts" in made.runs and (rk4 := subject.model.integrator("rk4")):
        yield from _runs(made, subject, *rk4)


def _stacked(made: CudaKernels, states: Sequence[TestState], name: str) -> Any:
    return made.to_device(np.stack([state[name] for state in states], axis=-1))


def _function(made: CudaKernels, subject: DerivedSubject, name: str) -> Iterator[Comparison]:
    states, expected = [], []
    for state in subject.regular:
        try:
            value = subject.call(name, state)
        except FloatingPointError:
            continue
        states.append(state)
        expected.append(value if isinstance(value, tuple) else (value,))
    if not states:
        return
    given = [_stacked(made, states, word) for word in subject.model.inputs_of(name)]
    found = getattr(made, name)(*given)
    arrays = [part.numpy() for part in (found if isinstance(found, tuple) else (found,))]
    for k, (state, values) in enumerate(zip(states, expected, strict=True)):
        error = max(apart(got[..., k], value) for got, value in zip(arrays, values, strict=True))
        yield Comparison(name, state.label, error, ALLOWED * _condition(subject, state))


def _runs(
    made: CudaKernels, subject: DerivedSubject, rk4: Any, names: Sequence[str]
) -> Iterator[Comparison]:
    """Each state alone on the processor, all together on the device, at the time of the first."""
    states = [state for state in subject.held if state.is_random]
    if not states or (h := subject.run_step(states)) is None:
        return
    states = [state.with_values(t=states[0]["t"]) for state in states]
    behind = ("u", "z") if "z" in names else ("u",)
    u = np.stack([np.concatenate([s[name] for name in behind]) for s in states], axis=-1)
    held = [name for name in names if name not in ("q", "u", "z", "t")]
    given = [_stacked(made, states, "q"), made.to_device(u)]
    given += [_stacked(made, states, name) for name in held]
    times = [float(states[0]["t"])] if "t" in names else []
    q_rows, u_rows = made.rk4_rollouts(*given, *times, h, STEPS, every=STEPS)
    ends: tuple[Array, Array] = q_rows.numpy()[-1], u_rows.numpy()[-1]
    for k, state in enumerate(states):
        q, *rest = rk4(*(state[name] for name in names), h, STEPS)
        expected = (q[-1], np.concatenate([part[-1] for part in rest]))
        error = max(apart(end[:, k], row) for end, row in zip(ends, expected, strict=True))
        yield Comparison("rk4_rollouts", state.label, error, ALLOWED * _condition(subject, state))


def _condition(subject: DerivedSubject, state: TestState) -> float:
    return subject.condition(state) if "mass_matrix" in subject.functions else 1.0
