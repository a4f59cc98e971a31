"""Choice of the collected tests: a share of some, or those that draw examples alone; and a list of
those that were skipped."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import pytest
from random_seed import SEED

PUBLISHED = "published"
"""Marker of published cases: one run takes a third of them, quick or slow."""
THIRDS = "in_thirds"
"""Marker of tests of which one run takes a third and the next runs the others."""
SLOW = "slow"
"""Marker of tests of which one run takes a twelfth."""
VARIANTS = "variants"
"""Marker of tests whose parameter sets repeat one test for further compilers, number types, models
or kinds: one run takes a twelfth of the sets."""
SHARES = 12


def add_options(parser: pytest.Parser) -> None:
    """`--share`, `--drawing` and `--skipped-to`."""
    group = parser.getgroup("eomc")
    group.addoption(
        "--share",
        type=int,
        default=os.environ.get("EOMC_SHARE"),
        metavar="K",
        help=f"share K = 0 to {SHARES - 1}: a third of the tests marked {PUBLISHED} or {THIRDS}, a "
        f"twelfth of those marked {VARIANTS}, and of others marked {SLOW}; also EOMC_SHARE=K",
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
    share, most = config.getoption("share"), config.getoption("drawing")
    chosen = items[:]
    if share is not None:
        if share not in range(SHARES):
            raise pytest.UsageError(f"--share is 0 to {SHARES - 1}, not {share}")
        chosen = [item for item in chosen if is_in(share, item)]
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


def is_in(share: int, item: pytest.Item) -> bool:
    """True for tests of this share, and for all that always run: quick ones without a mark.

    A test whose argument `third` is 0, 1 or 2 belongs to that third.
    """
    given = getattr(item, "callspec", None)
    marks = {mark.name for mark in item.iter_markers()}
    if given is None:
        marks -= {VARIANTS}
    elif "third" in given.params:
        return bool(given.params["third"] == share % 3)
    if PUBLISHED in marks:
        shares = 3
    elif SLOW in marks:
        shares = SHARES
    else:
        shares = 3 if THIRDS in marks else SHARES if VARIANTS in marks else 1
    return crc32(item.nodeid.encode()) % shares == share % shares


def draws(item: pytest.Item) -> bool:
    """True for what Hypothesis gives examples to, and for what asks for `SEED`."""
    function = getattr(item, "obj", None)
    code = getattr(function, "__code__", None)
    asks = code is not None and "SEED" in code.co_names
    return asks or bool(getattr(function, "is_hypothesis_test", False))


def _by_seed(item: pytest.Item) -> int:
    return crc32(f"{SEED} {item.nodeid}".encode())
