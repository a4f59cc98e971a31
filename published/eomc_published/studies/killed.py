"""Studies whose process, or whose workers, are killed while they work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime import study
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.studies.pendulums import STEPS, alone, falls, pendulum

RUNS, CHUNK = 10_000, 500
_SHARES = RUNS // CHUNK
_KILLED_AT = 3 * _SHARES // 10
_ALONE = """
import sys
from eomc.runtime import study
from eomc_published.studies.killed import CHUNK, RUNS, live, telling
from eomc_published.studies.pendulums import STEPS, falls, pendulum
live(int(sys.argv[2]))
study.run(pendulum(), falls(RUNS), **STEPS, measure=telling, chunk=CHUNK, threads=1,
          folder=sys.argv[1])
"""


_left: int | None = None


def live(shares: int) -> None:
    """Let this process measure so many shares, and kill itself at the next."""
    global _left
    _left = shares


def telling(t: Array, q: Array, u: Array, runs: Any) -> dict[str, Array]:
    """A result that tells who made it; whose life is over ends here, with no warning."""
    if _left is not None:
        if not _left:
            os.kill(os.getpid(), signal.SIGKILL)
        live(_left - 1)
    return {"q": q[:, -1], "u": u[:, -1], "process": np.full(len(q), float(os.getpid()))}


def _shares(folder: Path) -> list[Path]:
    return sorted(folder.glob("runs-*.npz"))


def _same(label: str, results: study.Results) -> Iterator[CaseCheck]:
    """No run is missing, and each has the bits that it has alone."""
    got = np.column_stack([results["q"], results["u"]])
    yield at_most(f"{label}: runs missing or failed", RUNS - len(got) + len(results.failed), 0)
    expected = alone(RUNS)
    other = int((got != expected).any(axis=1).sum()) if got.shape == expected.shape else RUNS
    yield at_most(f"{label}: runs with other bits than alone", other, 0)


def _killed_process(folder: Path) -> Iterator[CaseCheck]:
    """With no warning after 30 %; what is there stays, what is not is made."""
    process = subprocess.run([sys.executable, "-c", _ALONE, str(folder), str(_KILLED_AT)])
    ended = process.returncode
    yield holds("the process", "killed", str(ended), ended == -signal.SIGKILL)
    done = {path: path.stat().st_mtime_ns for path in _shares(folder)}
    yield holds("shares that it made", "some, not all", str(len(done)), 0 < len(done) < _SHARES)
    found = study.run(pendulum(), falls(RUNS), **STEPS, measure=telling, folder=folder, threads=4)
    again = sum(path.stat().st_mtime_ns != stamp for path, stamp in done.items())
    yield at_most("shares made twice", again, 0)
    here = int((found["process"] == os.getpid()).sum())
    rest = CHUNK * (_SHARES - len(done))
    yield holds("runs made by who went on", str(rest), str(here), here == rest)
    yield from _same("a killed process", found)


def _killed_workers(folder: Path) -> Iterator[CaseCheck]:
    """Both workers are killed while they work, one after the other; Dask starts others."""
    distributed: Any = import_module("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        first = [worker.process.process.pid for worker in cluster.workers.values()]
        for place, worker in enumerate(cluster.workers.values()):
            client.run(live, _KILLED_AT + 2 * place, workers=[worker.worker_address])
        found = study.run(
            pendulum(),
            falls(RUNS),
            **STEPS,
            measure=telling,
            chunk=CHUNK,
            folder=folder,
            client=client,
        )
    by = set(found["process"].astype(int).tolist())
    yield holds("who took over", "other workers", str(len(by - set(first))), bool(by - set(first)))
    yield holds("runs made here", "none", str(os.getpid() in by), os.getpid() not in by)
    yield from _same("killed workers", found)


def case_33() -> Iterator[CaseCheck]:
    pendulum()  # compiled before
    with tempfile.TemporaryDirectory() as place:
        yield from _killed_process(Path(place) / "alone")
        yield from _killed_workers(Path(place) / "cluster")


CASES = (
    Case(
        33,
        "a study of ten thousand runs, killed after 30 %",
        "the project's own",
        "bits of each run made alone; shares made twice; a process, and Dask's workers",
        case_33,
        unavailable="" if find_spec("distributed") else "Dask (eomc[study]) is not installed",
        slow=True,
    ),
)
