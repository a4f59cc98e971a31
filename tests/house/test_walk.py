"""The walk of a model through the rooms: calls are counted, no clock is read."""

from pathlib import Path

import eomc
from benchmarks.house import MODEL, counted_calls

BEFORE = 195_964
"""Calls from the file of the four-bar to its C, before every model was frozen once."""


def test_the_four_bar_takes_at_most_a_third_of_the_calls_it_took(tmp_path: Path) -> None:
    """What is asked for twice shows here first."""
    eomc.emit(eomc.load(MODEL), tmp_path / "first")
    calls = counted_calls(lambda: eomc.emit(eomc.load(MODEL), tmp_path / "second"))
    assert sum(calls.values()) <= BEFORE / 3
