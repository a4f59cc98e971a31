"""Run a study."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from eomc.runtime.model.arguments import whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values
from eomc.runtime.names.near_names import near_names
from eomc.runtime.names.renamed import current_arguments
from eomc.runtime.output.progress import time_bar
from eomc.runtime.study.executors import RemoteWork, Share, check_client, on_cluster, on_threads
from eomc.runtime.study.formats import FORMATS
from eomc.runtime.study.results import Results, alone, opened
from eomc.runtime.study.rollout import Measure, Rollout, sizes
from eomc.runtime.study.runs import Runs
from eomc.runtime.study.shipped_model import ShippedModel

_SHARE_BYTES, _FEWEST, _MOST = 16e6, 64, 8192
"""Of the histories of a share, and runs in it, by default."""


@current_arguments
def run(
    model: CompiledModel,
    runs: Runs,
    *,
    t_span: float,
    step: float,
    every: int | None = None,
    q: Values = None,
    u: Values = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
    start: float = 0.0,
    arguments: Mapping[str, Any] | None = None,
    assemble: bool = False,
    measure: Measure | None = None,
    folder: str | os.PathLike[str] | None = None,
    format: str = "npz",
    chunk: int | None = None,
    threads: int | None = None,
    client: Any = None,
    progress: bool | None = None,
) -> Results:
    """Make all runs of a study by Runge-Kutta steps on vector lanes, and keep what they give.

    Parameters
    ----------
    model : CompiledModel
        Built with lanes (``eomc.build(..., lanes=4)`` or ``march_native=True``).
    runs : Grid, Random or `study.Listed`
        How many, and what they vary; everything else is common to them:
    t_span : float [s]
        Duration, a whole number of steps.
    step : float [s]
    every : int
        Steps between records; only the end is recorded by default.
    q, u : arrays, or mappings of names to values
        Where runs start; what is not given is neutral and at rest.
    tau : (nu,) array or mapping [N m or N]
        Generalized forces, held.
    parameters : mapping
        Tunable parameters to change.
    start : float [s]
    arguments : mapping of names to arrays
        Further arguments of ``model.rk4_rollouts``: inputs, references and gains of feedback.
    assemble : bool
        Start each run from a consistent state near what it is given, instead of refusing one that
        violates the constraints: as of `simulate`, what runs vary by name is kept first, then what
        `q` and `u` name. Results have "q_start" and "u_start" then; a run for which no start is
        found is among those that `failed`.
    measure : function of (t, q, u, runs)
        What is kept instead of the states: of times (k,), histories (n, k, nq), (n, k, nu) and what
        n runs vary, a mapping of names to arrays (n, ...). By default q and u at the end, or their
        histories (n, k, ...) if `every` is given.
    folder : path
        Where results are kept; a study that was killed goes on from there. In memory by default.
    format : "npz", "zarr" or "parquet"
    chunk : int
        Runs in a share, which is done by one worker at a time and kept as one file.
    threads : int
        Of this machine, all of its cores by default.
    client : distributed.Client
        Workers of a Dask cluster instead of threads; they get the compiled model by content.
    progress : bool
        Show a bar; by default if stderr is a terminal.

    Raises
    ------
    ValueError
        That names what has another shape, is unknown or not finite.
    AttributeError
        A model without `rk4_rollouts`; it says how to build it.
    ConstraintError
        The start of a run violates the constraints and is not to be assembled; the message has
        the number of the run.
    StudyError
        The folder holds another study, is in use, or damaged.

    Runs that fail (a singular mass matrix) leave results that are not numbers, and are listed in
    `failed` of the results. Parameters that differ from run to run are best few: runs of the same
    ones go side by side on the lanes.

    >>> import eomc; from eomc.runtime.study.runs import Grid
    >>> pendulum = eomc.build("examples/models/pendulum.toml", lanes=4)
    >>> runs = Grid({"q.hinge": [0.1, 0.2, 0.3]})
    >>> run(pendulum, runs, t_span=1.0, step=0.01)["q"].shape
    (3, 1)
    """
    given = {
        "every": every,
        "q": q,
        "u": u,
        "tau": tau,
        "parameters": parameters,
        "start": start,
        "arguments": arguments,
        "measure": measure,
        "assemble": assemble,
    }
    if not isinstance(runs, Runs):
        raise ValueError(f"runs: give Grid, Random or Listed, not {type(runs).__name__}")
    rollout = Rollout.of(model, t_span, step, **given)
    runs.require_known(sizes(model))
    if format not in FORMATS:
        raise ValueError(f"format: no {format!r}; {near_names(str(format), FORMATS)}")
    FORMATS[format].require()
    share = None if chunk is None else whole("chunk", chunk, 1)
    number = os.cpu_count() or 1 if threads is None else whole("threads", threads, 1)
    if client is not None:
        check_client(client)
    rollout.results(model, runs, 0, 1)  # what is wrong with any shows now
    record = len(rollout.times) * (model.nq + model.nu) * 8
    usual = int(min(max(_SHARE_BYTES / record, _FEWEST), _MOST, max(-(-runs.size // 8), _FEWEST)))
    place = None if folder is None else Path(folder)
    with alone(place):
        shipped = ShippedModel.of(model)
        if place is None:
            results = Results(runs.size, share or usual)
        else:
            told = {"runs": runs.to_plain(), "rollout": rollout.to_plain(), "model": shipped.key}
            results = opened(place, runs.size, share, usual, format, told)
            results.clear_unfinished()
        _work(results, model, RemoteWork(shipped, rollout, runs), number, client, progress)
    return results


def _work(
    results: Results,
    model: CompiledModel,
    work: RemoteWork,
    threads: int,
    client: Any,
    progress: bool | None,
) -> None:
    """Make the runs of the missing shares, each share once, and keep their results."""
    missing = results.missing
    bounds = [results.bounds(share) for share in missing]
    done = results.size - sum(last - first for first, last in bounds)

    def here(first: int, last: int) -> Share:
        return work.rollout.results(model, work.runs, first, last)

    found: Iterator[tuple[int, Share]]
    found = (
        on_threads(here, bounds, threads) if client is None else on_cluster(work, bounds, client)
    )
    with time_bar(0, results.size, progress, text="studying", unit="runs") as tell:
        for index, share in found:
            results.keep(missing[index], share)
            first, last = bounds[index]
            done += last - first
            tell(done)
