"""A question that a process of its own answers, which may crash, or never end."""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HEAVY = (
    *("numpy", "scipy.integrate", "scipy.sparse.csgraph", "sympy.physics.mechanics", "mpmath"),
    # of which each translation imports its part
    *(f"Cython.Compiler.{part}" for part in ("Main", "Pipeline", "Optimize", "Buffer")),
    *("Cython.Compiler.AnalysedTreeTransforms", "Cython.Compiler.AutoDocTransforms"),
    *("Cython.Compiler.CythonScope", "Cython.CodeWriter", "flint", "threadpoolctl"),
)
_MEMORY = 4 << 30
_SLOWEST = 100.0
"""How much longer than its computing time a process may take on a busy machine."""
_LOOK, _IDLE = 10.0, 3
"""Seconds between looks at what a process computes, and looks after which one that computed nothing
is thought to wait for itself."""


def in_a_process(question: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The answer of a forked process, or ``{"outcome": "timeout" or "crash"}``.

    seconds : of the processor, not of the clock, so that a busy machine decides nothing
    """
    for name in _HEAVY:  # imported once for all
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as modules:
        return _asked(question, seconds, modules)


def _asked(question: Callable[[], dict[str, Any]], seconds: float, modules: str) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # What is compiled is asked for more than once, and wanted by no other process.
        os.environ["EOMC_CACHE_DIR"] = modules
        _answer(question, reading, writing, seconds)
    os.close(writing)
    parts, deadline = list[bytes](), time.monotonic() + _SLOWEST * seconds
    while part := _next(reading, child, deadline):
        parts.append(part)
    os.close(reading)
    if part is None:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if part is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"outcome": "timeout"}
    return json.loads(b"".join(parts)) if parts else {"outcome": "crash"}


def _next(reading: int, child: int, deadline: float) -> bytes | None:
    """The next part of what is answered, empty at its end; None if it takes too long, or waits."""
    before = [-1] * _IDLE
    while time.monotonic() < deadline:
        ready, _, _ = select.select([reading], [], [], _LOOK)
        if ready:
            return os.read(reading, 1 << 16)
        before = [*before[1:], _computed(child)]
        if before[0] == before[-1] > 0:  # zero where no system tells
            break
    return None


def _computed(group: int) -> int:
    """Ticks of the processor of all processes of a group, and of those that they waited for."""
    total = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(") ")[2].split()
        except OSError:
            continue  # gone meanwhile
        if int(fields[2]) == group:
            total += sum(map(int, fields[11:15]))
    return total


def allow(seconds: float) -> None:
    """Let this process compute so long from now on; then it ends."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _answer(
    question: Callable[[], dict[str, Any]], reading: int, writing: int, seconds: float
) -> None:
    """Never returns."""
    try:
        os.setsid()
        os.close(reading)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        allow(seconds)
        gc.set_threshold(200_000, 50, 100)  # circular garbage of a short process may stay
        try:
            answer = question()
        except BaseException as error:
            said = "".join(traceback.format_exception_only(error)).strip()
            answer = {"outcome": "error", "said": said[-300:]}
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(answer).encode())
    finally:
        os._exit(0)
