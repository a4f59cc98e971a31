"""Looks at the site as a reader without a network does: in a headless browser, from the disk.

    PYTHONPATH=tests python tests/docs/look_at_site.py docs/_build/html

Nothing may be loaded from elsewhere or be missing, formulas must be drawn, models must be live, and
pages must fit a phone. Exit code 1 with a line for each that is not so; 0 without a browser.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from page.browser import CHROMIUM, DRIVER, Browser, browser


@dataclass(frozen=True)
class Wanted:
    """A page, the condition in JavaScript that it must come to, and what that is in words."""

    page: str
    condition: str
    words: str


_FRAME = "document.querySelector('.live-frame iframe')?.src.includes('#panel=closed')"
_COUNT = "document.querySelectorAll"
PAGES = (
    Wanted("index.html", _FRAME, "a live model"),
    Wanted(
        "gallery/index.html",
        f"{_COUNT}('.gallery-card').length > 23"
        f" && [...{_COUNT}('.gallery-card img')].every(i => i.naturalWidth)",
        "cards with pictures",
    ),
    Wanted("gallery/models/jansen_leg.html", _FRAME, "a live model"),
    Wanted("theory-loops.html", f"{_COUNT}('mjx-container svg').length > 9", "formulas"),
    Wanted("models.html", "document.querySelectorAll('button.copybtn').length", "copy buttons"),
    Wanted("search.html?q=rattleback", "document.querySelector('#search-results li')", "results"),
    Wanted("command-line.html", "document.querySelectorAll('section').length > 12", "commands"),
    Wanted("theory-flexible.html", f"{_COUNT}('mjx-container svg').length > 9", "formulas"),
    Wanted("verify.html", f"{_COUNT}('table tbody tr').length > 20", "checks in a table"),
    Wanted("benchmarks.html", f"{_COUNT}('table').length > 9", "tables"),
)
SIZES = ((1280, 900), (390, 844))


def faults(window: Browser, site: Path, wanted: Wanted) -> Iterator[str]:
    """What is wrong with a page, at both sizes."""
    page, _, query = wanted.page.partition("?")
    address = (site / page).as_uri() + (f"?{query}" if query else "")
    for width, height in SIZES:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        window.driver.get(address)
        try:
            window.wait(f"document.readyState === 'complete' && ({wanted.condition})")
        except AssertionError:
            yield f"{page}: no {wanted.words}"
            return
        wide = window.script("return document.documentElement.scrollWidth")
        if wide > width:
            yield f"{page}: {wide} pixels wide on a screen of {width}"
    yield from (f"{page}: {line}" for line in window.console() if not _summary(line))
    yield from (f"{page}: {line}" for line in _requests(window.driver.get_log("performance")))


def _summary(line: str) -> bool:
    """From the disk the results of a search stand without summaries, which it may not fetch."""
    return any(word in line for word in ("CORS policy", "net::ERR_FAILED", "Failed to fetch"))


def _requests(log: list[dict[str, Any]]) -> Iterator[str]:
    """Requests to anywhere but the disk."""
    for entry in log:
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            address = message["params"]["request"]["url"]
            if not address.startswith(("file:", "data:", "blob:", "about:")):
                yield f"asks for {address}"


def main(site: Path) -> int:
    """Look at all pages; returns the exit code."""
    if not (CHROMIUM and DRIVER):
        print("no chromium and chromedriver: the site is not looked at")
        return 0
    found = []
    with browser() as window:
        for wanted in PAGES:
            found += list(faults(window, site.resolve(), wanted))
    print("\n".join(found) or f"{len(PAGES)} pages are as they should be")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
