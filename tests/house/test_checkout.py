"""A Python started in the source tree finds the subpackages, which are links in `eomc`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
ROOMS = ("binding", "building", "codegen", "derive", "meshes", "runtime", "systems", "verifier")

pytestmark = pytest.mark.skipif(
    not (HOUSE / "setup.py").is_file(), reason="runs in the source tree only"
)

_NO_EDITABLE = """
import sys
sys.meta_path = [f for f in sys.meta_path if "editable" not in getattr(f, "__module__", "")]
sys.path = [p for p in sys.path if "editable" not in p]
"""


def _printed(program: str, cwd: Path = HOUSE, **variables: str) -> str:
    command, environment = [sys.executable, "-c", program], {**os.environ, **variables}
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_names_and_rooms_are_found_in_the_source_tree() -> None:
    program = """
import eomc
from eomc.runtime import simulate
print(eomc.load("examples/models/arm.toml").name, eomc.derive.__file__, callable(eomc.build))
"""
    assert _printed(_NO_EDITABLE + program) == f"arm {HOUSE / 'eomc/derive/__init__.py'} True"


def test_all_rooms_are_of_one_tree() -> None:
    """The rooms beside the folder, never those of another version that is installed."""
    program = f"""
import importlib
for room in {ROOMS}:
    print(importlib.import_module("eomc." + room).__path__[0])
"""
    found = _printed(_NO_EDITABLE + program).splitlines()
    assert found == [str(HOUSE / "eomc" / room) for room in ROOMS]


@pytest.mark.parametrize("folder", ["eomc", "tests", "generated", "docs"])
def test_nothing_else_of_the_tree_is_a_part_of_the_package(folder: str) -> None:
    program = f"import eomc.{folder}"
    result = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, capture_output=True)
    assert b"No module named 'eomc." + folder.encode() in result.stderr


# What an editable installation leaves: a finder of all packages of another tree, asked last.
_INSTALLED = """
import sys
from importlib.util import spec_from_file_location
from pathlib import Path

class Installed:
    @staticmethod
    def find_spec(name, path=None, target=None):
        tree, parts = Path({house!r}), name.split(".")
        if parts[0] != "eomc":
            return None
        for place in (tree.joinpath(*parts), tree.joinpath(*parts[1:])):
            if (place / "__init__.py").is_file():
                return spec_from_file_location(name, place / "__init__.py")

sys.path = [p for p in sys.path if p != {house!r}]
sys.meta_path.append(Installed)
"""


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A second checkout in a folder called eomc: its names alone."""
    tree = tmp_path / "eomc"
    for folder in ("eomc", "binding", "derive", "runtime"):
        (tree / folder).mkdir(parents=True)
        shutil.copy(HOUSE / folder / "__init__.py", tree / folder)
        if folder != "eomc":
            (tree / "eomc" / folder).symlink_to(f"../{folder}")
    return tree


def test_a_second_checkout_on_the_path_is_not_mixed_with_the_installed_one(other: Path) -> None:
    program = "import eomc.derive, eomc.runtime\nprint(eomc.derive.__file__, eomc.__file__)"
    installed = _INSTALLED.format(house=str(HOUSE))
    found = _printed(installed + program, other.parent / "eomc" / "runtime", PYTHONPATH=str(other))
    assert found == f"{other / 'eomc/derive/__init__.py'} {other / 'eomc/__init__.py'}"


@pytest.mark.parametrize("room", ["derive", "runtime"])
def test_a_checkout_that_is_taken_for_the_package_is_named(other: Path, room: str) -> None:
    program = f"""
try:
    import eomc.{room}
except ImportError as error:
    print(error)
"""
    installed = _INSTALLED.format(house=str(HOUSE))
    found = _printed(installed + program, other.parent)
    assert found.startswith(f"{other} is a source tree of eomc, not the package")
