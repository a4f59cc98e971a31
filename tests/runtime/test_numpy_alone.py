"""Machines that only load built models: an interpreter that sees NumPy and this package alone."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import eomc

MODEL = Path(__file__).parents[2] / "examples" / "models" / "double_pendulum.toml"
SCRIPT = """
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
run = eomc.runtime.simulate(model, [0.3, -0.2], None, 1.0, method="dopri", rtol=1e-9)
print(*model.forward_dynamics([0.3, -0.2], [1.0, 2.0], [0.0, 0.5]), *run.q[-1])
try:
    eomc.runtime.simulate(model, [0.3, -0.2], None, 1.0)
except ModuleNotFoundError as error:
    print(error)
"""


def test_a_built_model_needs_numpy_alone(tmp_path: Path) -> None:
    """Loads, evaluates and runs without SymPy, Cython and SciPy; what needs SciPy says so."""
    numpy = Path(np.__file__).parent
    for folder in (numpy, numpy.with_name("numpy.libs")):
        if folder.is_dir():
            (tmp_path / folder.name).symlink_to(folder, target_is_directory=True)
    package = Path(eomc.__file__).parents[1]
    if package == Path(sysconfig.get_path("purelib")):
        pytest.skip("the package lies beside all others")
    model = eomc.build(MODEL)
    text = SCRIPT.format(paths=[str(tmp_path), str(package)], library=str(model.library))
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", text], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    numbers, said = run.stdout.splitlines()
    own = eomc.simulate(model, [0.3, -0.2], None, 1.0, method="dopri", rtol=1e-9)
    expected = [*model.forward_dynamics([0.3, -0.2], [1.0, 2.0], [0.0, 0.5]), *own.q[-1]]
    assert [float(x) for x in numbers.split()] == expected
    assert "pip install scipy" in said and "dopri" in said
