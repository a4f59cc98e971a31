"""Studies whose process, or whose workers, are killed: every run is made once and is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from study.pendulums import STEPS, alone, falls, pendulum

from eomc.runtime import study

TESTS = Path(__file__).parents[1]


def slowly(t, q, u, runs):
    """A result that takes its time, so that there is time to kill."""
    time.sleep(0.15)
    return {"q": q[:, -1], "u": u[:, -1], "process": np.full(len(q), os.getpid())}


def states(results: study.Results) -> np.ndarray:
    return np.column_stack([results["q"], results["u"]])


def test_a_killed_process(tmp_path: Path) -> None:
    """Killed with no warning after some shares; what is there stays, what is not is made."""
    folder = tmp_path / "falls"
    code = textwrap.dedent(
        f"""
        from study.pendulums import STEPS, falls, pendulum
        from study.test_kills import slowly
        from eomc.runtime import study
        study.run(pendulum(), falls(), **STEPS, measure=slowly, chunk=50, threads=1,
                  folder={str(folder)!r})
        """
    )
    pendulum()  # compiled before
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=Path.cwd())
    while len([*folder.glob("runs-*.npz")]) < 4 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = {path.name: path.stat().st_mtime_ns for path in folder.glob("runs-*.npz")}
    assert 4 <= len(done) < 20
    found = study.run(pendulum(), falls(), **STEPS, measure=slowly, folder=folder, threads=4)
    assert np.array_equal(states(found), alone())
    assert all((folder / name).stat().st_mtime_ns == stamp for name, stamp in done.items())
    by_here = found["process"] == os.getpid()
    assert by_here.sum() == 50 * (20 - len(done))


def test_killed_workers_of_a_cluster(tmp_path: Path) -> None:
    """Both workers are killed while they work; Dask starts others, and no run is lost or double."""
    distributed = pytest.importorskip("distributed", reason="Dask (eomc[study]) is not installed")
    model = pendulum()
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        first = [worker.process.process.pid for worker in cluster.workers.values()]
        folder = tmp_path / "falls"

        def kill() -> None:
            for place, pid in enumerate(first):
                while len([*folder.glob("runs-*.npz")]) < 3 * (place + 1):
                    time.sleep(0.02)
                os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        found = study.run(
            model, falls(), **STEPS, measure=slowly, chunk=50, folder=folder, client=client
        )
        killer.join()
    assert np.array_equal(states(found), alone())
    by = set(found["process"].astype(int).tolist())
    assert os.getpid() not in by and by - set(first), "nobody took over"


def test_other_platforms_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from eomc.runtime.model.errors import LoadError
    from eomc.runtime.study import shipped_model

    shipped = shipped_model.ShippedModel.of(pendulum())
    assert shipped.key == shipped_model.ShippedModel.of(pendulum()).key
    assert shipped.model().nu == 1
    monkeypatch.setattr(shipped_model, "_platform", lambda: "vax")
    monkeypatch.setattr(shipped_model, "_UNPACKED", {})
    with pytest.raises(LoadError, match="this worker is vax: take workers of one platform"):
        shipped.model()
