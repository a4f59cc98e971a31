"""The MEX wrapper, compiled by Octave and called from it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from eomc.building import build, emit
from eomc.codegen.plan.errors import BuildError
from eomc_published.case import Case, CaseCheck, holds
from eomc_published.work import model_file

FUNCTIONS = ("forward_dynamics", "inverse_dynamics_derivatives")
STATES = 100
_MAIN = """
addpath('{folder}');
build_arm();
x = {states};
for k = 1:rows(x)
  [q, u, f] = deal(x(k, 1:2), x(k, 3:4), x(k, 5:6));
  a = arm.forward_dynamics(q, u, f);
  [by_q, by_u, by_a] = arm.inverse_dynamics_derivatives(q, u, f);
  printf('%.17g ', a, by_q', by_u', by_a');
  printf('\\n');
end
try
  arm.forward_dynamics([1, 2, 3], [0, 0], [0, 0]);
catch problem
  printf('%s\\n', problem.identifier);
end
"""


def _octave(folder: Path, script: str) -> list[str]:
    """Lines that a script prints; BuildError if it stops."""
    (folder / "main.m").write_text(script, encoding="utf-8")
    command = ["octave-cli", "--no-init-file", "--quiet", "main.m"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise BuildError(f"Octave failed:\n{run.stderr}")
    return run.stdout.splitlines()


def case_27() -> Iterator[CaseCheck]:
    own = build(model_file("arm"), functions=FUNCTIONS)
    given = np.random.default_rng(2).uniform(-3, 3, (STATES, 6))
    states = "; ".join(" ".join(map(repr, row)) for row in given.tolist())
    with tempfile.TemporaryDirectory() as place:
        folder = emit(model_file("arm"), Path(place) / "arm", functions=FUNCTIONS, target="mex")
        *lines, refused = _octave(folder, _MAIN.format(folder=folder, states=f"[{states}]"))
    got = np.array([line.split() for line in lines], dtype=float)
    q, u, f = given[:, :2], given[:, 2:4], given[:, 4:]
    parts = [own.forward_dynamics(q, u, f), *own.inverse_dynamics_derivatives(q, u, f)]
    expected = np.hstack([np.reshape(part, (STATES, -1)) for part in parts])
    same = got.shape == expected.shape and np.array_equal(got, expected)
    yield holds(
        f"accelerations and Jacobians in {STATES} states", "the module's bits", str(same), same
    )
    by_q = np.asarray(parts[1])
    asymmetric = bool((by_q != by_q.transpose(0, 2, 1)).any(axis=(1, 2)).all())
    yield holds("Jacobians that would tell rows from columns", "all", str(asymmetric), asymmetric)
    yield holds("three coordinates for two", "arm:size", refused, refused == "arm:size")


_TOOLS = ("octave-cli", "mkoctfile")
CASES = (
    Case(
        27,
        "Octave calls the compiled functions",
        "the project's own",
        "bits of the Python module, rows and columns of Jacobians, arrays of another size",
        case_27,
        unavailable=" ".join(f"{t} is not here" for t in _TOOLS if not shutil.which(t)),
    ),
)
