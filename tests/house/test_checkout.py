"""A Python started in the source tree finds the rooms, although the folder `eomc` comes first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    not (HOUSE / "setup.py").is_file(), reason="runs in the source tree only"
)

_NO_EDITABLE = """
import sys
sys.meta_path = [f for f in sys.meta_path if "editable" not in getattr(f, "__module__", "")]
sys.path = [p for p in sys.path if "editable" not in p]
"""


def _printed(program: str) -> str:
    command = [sys.executable, "-c", _NO_EDITABLE + program]
    result = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_names_and_rooms_are_found_in_the_source_tree() -> None:
    program = """
import eomc
from eomc.runtime import simulate
print(eomc.load("examples/models/arm.toml").name, eomc.derive.__file__, callable(eomc.build))
"""
    assert _printed(program) == f"arm {HOUSE / 'derive' / '__init__.py'} True"


def test_all_rooms_are_of_one_tree() -> None:
    """The rooms beside the folder, never those of another version that is installed."""
    program = """
import importlib
for room in ("binding", "building", "codegen", "derive", "runtime", "systems", "verify"):
    print(importlib.import_module("eomc." + room).__path__[0])
"""
    found = _printed(program).splitlines()
    assert found == [
        str(HOUSE / room)
        for room in ("binding", "building", "codegen", "derive", "runtime", "systems", "verify")
    ]
