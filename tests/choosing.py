"""Which of the collected tests run: a third of some, or those that draw examples alone; and which
were skipped."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import pytest
from random_seed import SEED

THIRDS = "in_thirds"
"""Marker of tests of which one run takes a third, as of slow ones, and the next runs the others."""
VARIANTS = "variants"
"""Marker of tests whose parameter sets repeat one test for further compilers, number types, models
or kinds: one run takes a third of the sets."""


def add_options(parser: pytest.Parser) -> None:
    """`--third`, `--drawing` and `--skipped-to`."""
    group = parser.getgroup("eomc")
    group.addoption(
        "--third",
        type=int,
        default=os.environ.get("EOMC_THIRD"),
        metavar="K",
        help=f"of tests that are slow or marked {THIRDS} or {VARIANTS} one of three: 0, 1 or 2, as "
        "EOMC_THIRD=K",
    )
    group.addoption(
        "--drawing",
        type=int,
        metavar="MOST",
        help="only tests that draw examples at random: at most so many, chosen by EOMC_SEED",
    )
    group.addoption(
        "--skipped-to",
        type=Path,
        metavar="FILE",
        help="write what was skipped, a line each, for another environment: pytest @FILE",
    )


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave in `items` what the options ask for."""
    third, most = config.getoption("third"), config.getoption("drawing")
    chosen = items[:]
    if third is not None:
        if third not in range(3):
            raise pytest.UsageError(f"--third is 0, 1 or 2, not {third}")
        chosen = [item for item in chosen if is_in(third, item)]
    if most is not None:
        drawing = sorted((item for item in chosen if draws(item)), key=_by_seed)[:most]
        kept = {item.nodeid for item in drawing}
        chosen = [item for item in chosen if item.nodeid in kept]
    left = {item.nodeid for item in chosen}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in left])
    items[:] = chosen


def tell_skipped(reporter: pytest.TerminalReporter) -> None:
    """Write the tests, and files of tests, that were skipped to the file that is asked for."""
    file = reporter.config.getoption("skipped_to")
    if file is not None:
        names = {report.nodeid for report in reporter.stats.get("skipped", ())}
        file.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")


def is_in(third: int, item: pytest.Item) -> bool:
    """True for tests of this third, and for all that are always run: those that are quick and not
    marked.

    A test that is made of thirds says by its argument of that name which one is which.
    """
    given = getattr(item, "callspec", None)
    drawn = [THIRDS, "slow", *([VARIANTS] if given is not None else [])]
    if not any(item.get_closest_marker(name) for name in drawn):
        return True
    own = given.params.get("third") if given is not None else None
    return (crc32(item.nodeid.encode()) if own is None else own) % 3 == third


def draws(item: pytest.Item) -> bool:
    """True for what Hypothesis gives examples to, and for what asks for `SEED`."""
    function = getattr(item, "obj", None)
    code = getattr(function, "__code__", None)
    asks = code is not None and "SEED" in code.co_names
    return asks or bool(getattr(function, "is_hypothesis_test", False))


def _by_seed(item: pytest.Item) -> int:
    return crc32(f"{SEED} {item.nodeid}".encode())
