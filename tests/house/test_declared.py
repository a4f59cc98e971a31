"""Kinds of elements are found by themselves, and known to editors."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from house.declared_stub import STUB, stub

from eomc.derive import forces
from eomc.derive.elements import Element
from eomc.derive.model import Model

#: Prints the kinds in the order of files and, as they are summed, of loads.
_KINDS = """
from eomc.derive.forces import cut_joint_losses
from eomc.derive.model import Model
from eomc.derive.scene.loads import _OWN
print(list(_OWN), list(Model().acting()), [kind.word for kind in Model.kinds()])
"""


def _kinds(first: str) -> str:
    """What `_KINDS` prints in a process that imports `first` before."""
    run = [sys.executable, "-c", f"import {first}\n{_KINDS}"]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def test_the_stub_is_current() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run python tests/house/declared_stub.py"


def test_every_record_in_the_folder_is_a_kind() -> None:
    """Told by the decorator in the text of the file."""
    files = sorted(Path(forces.__path__[0]).glob("*.py"))
    records = [file.stem for file in files if "\n@kind(" in file.read_text(encoding="utf-8")]
    found = [kind.__module__.rpartition(".")[2] for kind in Model.kinds()]
    assert len(records) >= 10
    assert list(dict.fromkeys(found))[: len(records)] == records


@pytest.mark.slow
@pytest.mark.parametrize("first", ["eomc.derive.forces.state", "eomc.derive.constraints"])
def test_the_order_does_not_depend_on_what_is_imported_first(first: str) -> None:
    assert _kinds(first) == _kinds("eomc")


@pytest.mark.parametrize("kind", Model.kinds(), ids=lambda kind: str(kind.word))
def test_a_kind_gives_a_documented_method_and_a_table(kind: type[Element]) -> None:
    method = getattr(Model, kind.word)
    assert method.__doc__.startswith("Declare ")
    assert "name" in inspect.signature(method).parameters
    assert getattr(Model(), kind.plural.replace(" ", "_")) == {}
