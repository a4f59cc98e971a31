"""The walk of a model through the rooms: calls are counted, no clock is read."""

from benchmarks.house import walk

BEFORE = 195_964
"""Calls of a build of the four-bar, before every model was frozen once."""


def test_the_four_bar_takes_at_most_a_third_of_the_calls_it_took() -> None:
    """What is asked for twice shows here first."""
    assert walk()["calls"] <= BEFORE / 3
