"""Machines that only load built models: an interpreter that sees NumPy and this package alone."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import eomc
from eomc.building import build
from eomc.runtime import simulate
from eomc_published.case import Case, CaseCheck, agrees, holds
from eomc_published.work import model_file

_PACKAGE = Path(eomc.__file__).parents[1]
_SCRIPT = """
import sys
sys.path[:0] = {paths!r}
for absent in ("sympy", "scipy", "Cython", "mpmath", "setuptools", "rich", "typer"):
    try:
        __import__(absent)
    except ImportError:
        continue
    raise SystemExit(f"{{absent}} is there")
import eomc.runtime
model = eomc.runtime.load({library!r})
run = eomc.runtime.simulate(model, [0.3, -0.2], None, 1.0, rtol=1e-9)
print(*model.forward_dynamics([0.3, -0.2], [1.0, 2.0], [0.0, 0.5]), *run.q[-1])
try:
    eomc.runtime.simulate(model, [0.3, -0.2], None, 1.0, dense=True)
except ModuleNotFoundError as error:
    print(error)
"""


def case_35() -> Iterator[CaseCheck]:
    arm = build(model_file("double_pendulum"))
    with tempfile.TemporaryDirectory() as place:
        numpy = Path(np.__file__).parent
        for folder in (numpy, numpy.with_name("numpy.libs")):
            if folder.is_dir():
                (Path(place) / folder.name).symlink_to(folder, target_is_directory=True)
        text = _SCRIPT.format(paths=[place, str(_PACKAGE)], library=str(arm.library))
        ended = subprocess.run(
            [sys.executable, "-I", "-S", "-c", text], capture_output=True, text=True, check=False
        )
    yield holds("ends", "0", ended.stderr[-300:] or "0", ended.returncode == 0)
    if ended.returncode:
        return
    numbers, said = ended.stdout.splitlines()
    run = simulate(arm, [0.3, -0.2], None, 1.0, rtol=1e-9)
    expected = [*arm.forward_dynamics([0.3, -0.2], [1.0, 2.0], [0.0, 0.5]), *run.q[-1]]
    got = [float(number) for number in numbers.split()]
    yield agrees("accelerations and the end of a run", expected, got, 0)
    names = "pip install scipy" in said and "dopri" in said
    yield holds("what needs SciPy", "says so, and what does not", said, names)


_BESIDE = Path(sysconfig.get_path("purelib")) == _PACKAGE

CASES = (
    Case(
        35,
        "a machine that has NumPy alone loads, calls and runs",
        "the project's own",
        "this process, to the bit",
        case_35,
        unavailable="the package lies beside all others" if _BESIDE else "",
    ),
)
