"""The walk of a model through the rooms: calls are counted, no clock is read."""

from pathlib import Path

import eomc
from benchmarks.house import MODEL, counted_calls

REACHED = 80_838
"""Calls from the file of the four-bar to its C and its picture, once everything is imported."""


def test_the_four_bar_takes_no_more_calls_than_it_did(tmp_path: Path) -> None:
    """What is asked for twice shows here first; a tenth is left to what is added."""
    eomc.emit(eomc.load(MODEL), tmp_path / "first")
    calls = counted_calls(lambda: eomc.emit(eomc.load(MODEL), tmp_path / "second"))
    assert sum(calls.values()) < 1.1 * REACHED
