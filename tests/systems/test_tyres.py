"""The tyre element of the semitrailer: a force element that comes with the model that needs it."""

from __future__ import annotations

import subprocess
import sys

_SCRIPT = """
from eomc.derive.model import Model
from eomc.derive.model.elements import TABLES
from eomc.systems import trom
before = dict(TABLES)
assert "tyres" not in before and not hasattr(Model, "tyre")
truck = trom.semitrailer()
assert TABLES["tyres"] == "tyre" and len(truck.tyres) == 10
assert truck.copy().tyres == truck.tyres
"""


def test_only_a_model_with_tyres_brings_the_element() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
