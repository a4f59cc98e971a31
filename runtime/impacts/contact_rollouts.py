"""Many runs at once in steps with rigid contacts, on lanes and threads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contact_steps import ContactSteps
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel


@dataclass(frozen=True, eq=False)
class ContactRollouts:
    """States of all runs, and of the steps before them impulses and residuals.

    Attributes
    ----------
    q, u : (runs, rows, nq), (runs, rows, nu)
        Not a number behind the step that failed.
    impulses : (runs, rows, impulses)
        Of the step that ends there [N s].
    residual : (runs, rows)
    failed : mapping of runs to reasons
    """

    q: Array
    u: Array
    impulses: Array
    residual: Array
    failed: dict[int, str]


def contact_rollouts(
    model: CompiledModel,
    q: ArrayLike,
    u: ArrayLike,
    tau: ArrayLike = 0.0,
    *,
    step: float,
    steps: int,
    method: str = "moreau",
    every: int = 1,
    threads: int | None = None,
    contacts: Mapping[str, Any] | None = None,
    inputs: Mapping[str, float] | ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
) -> ContactRollouts:
    """Run a model with rigid contacts from many states at once.

    Models built with lanes (`eomc.build`) evaluate their equations for several states at once; the
    states then differ from those of single runs by rounding and by the tolerance of the solves.

    Parameters
    ----------
    q, u : (runs, nq) and (runs, nu) arrays
    tau : array that broadcasts to (runs, steps, nu)
        Generalized forces, held over each step.
    step, steps, every : length of a step [s], their number, and of how many one is kept
    method, contacts, inputs, parameters : as of `eomc.simulate`
    threads : int, optional
        By default as many as there are processors.

    Raises ValueError as `eomc.simulate` does; a run that fails leaves the others alone.
    """
    model = taken(model)
    excitation = Excitation(model, inputs=inputs, parameters=parameters)
    stepper = ContactSteps(model, excitation, method, step, contacts)
    starts = np.atleast_2d(np.asarray(q, float)), np.atleast_2d(np.asarray(u, float))
    given = np.asarray(tau, float)
    runs = max(*(len(part) for part in starts), len(given) if given.ndim == 3 else 1)
    q0 = np.broadcast_to(starts[0], (runs, model.nq))
    u0 = np.broadcast_to(starts[1], (runs, model.nu))
    forces = np.broadcast_to(given, (runs, steps, model.nu))
    rows = 1 + steps // every
    kept = ContactRollouts(
        np.full((runs, rows, model.nq), np.nan),
        np.full((runs, rows, model.nu), np.nan),
        np.full((runs, rows, len(stepper.entry["rows"])), np.nan),
        np.full((runs, rows), np.nan),
        {},
    )

    def one(run: int) -> None:
        try:
            found = stepper.steps_from(q0[run], u0[run], forces[run], step, steps)
        except FloatingPointError as error:
            kept.failed[run] = str(error)
            done = int(str(error).rpartition(" ")[2])
            found = stepper.steps_from(q0[run], u0[run], forces[run, :done], step, done)
        parts = found[0], found[1], found[2][:, : kept.impulses.shape[2]]
        count = len(found[0][::every])
        for array, part in zip((kept.q, kept.u, kept.impulses), parts, strict=True):
            array[run, :count] = part[::every]
        kept.residual[run, :count] = found[2][::every, kept.impulses.shape[2]]

    left = list(range(runs))
    if found := stepper.rollouts(q0, u0, given, step, steps - steps % every, every, threads):
        for array, part in zip((kept.q, kept.u, kept.impulses), found, strict=True):
            array[:] = part[:, :, : array.shape[2]]
        kept.residual[:] = found[2][:, :, kept.impulses.shape[2]]
        left = np.flatnonzero(~np.isfinite(kept.u[:, -1]).all(axis=1)).tolist()
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        list(pool.map(one, left))
    return kept
