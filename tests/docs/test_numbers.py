"""What a machine measured stands on no page by hand: it comes from a record, or is counted anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
DOCS = HOUSE / "docs"
PAGES = [
    HOUSE / "README.md",
    *sorted(DOCS.glob("*.md")),
    *sorted((HOUSE / "published" / "docs").glob("*.md")),
]
MADE = re.compile(r"<!-- begin (.+?) -->.*?<!-- end \1 -->", re.DOTALL)
RUN = re.compile(r"^(`{3,}).*?^\1", re.DOTALL | re.MULTILINE)
MEASURED = re.compile(
    r"\d ?(ns|µs|us|kB|MB|GB|nanoseconds|microseconds)\b"
    r"|\b[\d.]+ times (faster|slower|as (long|fast|slow)|the time)"
    r"|\b(half|third|quarter|fifth|tenth) (of )?the time\b"
)
# What a published work says of its own programs.
QUOTED = "The thesis finds one pass of differences 1.15 to 1.77 times as slow as its tables."


def measured(text: str) -> list[str]:
    """Lines with times, bytes and ratios of times, but for blocks that are made or run."""
    for block in (MADE, RUN):
        text = block.sub("", text)
    return [line for line in text.replace(QUOTED, "").splitlines() if MEASURED.search(line)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_measurement_is_written_by_hand(page: Path) -> None:
    assert measured(page.read_text(encoding="utf-8")) == []


def test_measurements_are_seen() -> None:
    text = (
        "a call takes 12 ns\n\n```console\n$ f\n3 ns\n```\n<!-- begin a -->\n4 ns\n<!-- end a -->\n"
    )
    assert measured(text + "twice, 1.5 times as long\n") == [
        "a call takes 12 ns",
        "twice, 1.5 times as long",
    ]
