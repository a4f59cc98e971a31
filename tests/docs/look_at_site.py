"""Looks at the site as a reader without a network does: in a headless browser, from the disk.

    PYTHONPATH=tests python tests/docs/look_at_site.py docs/_build/html

Nothing may be loaded from elsewhere or be missing, the formulas of all pages must be drawn, models
must be live, and pages must fit a phone. Exit code 1 with a line for each that is not so; 0 without
a browser.
"""

from __future__ import annotations

import json
import re
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
    Wanted("theory.html", f"{_COUNT}('mjx-container svg').length > 9", "formulas"),
    Wanted("models.html", "document.querySelectorAll('button.copybtn').length", "copy buttons"),
    Wanted("search.html?q=rattleback", "document.querySelector('#search-results li')", "results"),
    Wanted("command-line.html", "document.querySelectorAll('section').length > 12", "commands"),
    Wanted("verify.html", f"{_COUNT}('table tbody tr').length > 20", "checks in a table"),
    Wanted("benchmarks.html", f"{_COUNT}('table').length > 9", "tables"),
)
SIZES = ((1280, 900), (390, 844))
_FORMULA = re.compile(r'<(div|span) class="math notranslate nohighlight">(.*?)</\1>', re.DOTALL)
_HEAD = """<!doctype html><meta charset="utf-8"><script>window.MathJax = {startup: {ready() {
MathJax.startup.defaultReady();
MathJax.startup.promise.then(() => window.settled = true, () => window.settled = true);
}}, options: {processHtmlClass: "math"}}</script>"""
# Numbers of the formulas without a picture, or with one that says what is wrong.
_PLAIN = """return [...document.querySelectorAll('div.math')]
.filter(d => !d.querySelector('mjx-container svg') || d.querySelector('[data-mml-node=merror]'))
.map(d => Number(d.id.slice(1)))"""


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


def unreadable(window: Browser, site: Path) -> Iterator[str]:
    """Formulas of all pages that stay TeX before the reader's eye: drawn at once, in one page."""
    pages = sorted(site.rglob("*.html"))
    found: dict[str, str] = {}
    for page in pages:
        for _, formula in _FORMULA.findall(page.read_text(encoding="utf-8")):
            found.setdefault(formula, page.name)
    (script,) = site.glob("_static/mathjax/*.js")
    text = "\n".join(f'<div class="math" id="f{k}">{f}</div>' for k, f in enumerate(found))
    made = site / "all_formulas.html"
    made.write_text(f"{_HEAD}<body>{text}<script src='{script.as_uri()}'></script>", "utf-8")
    try:
        window.driver.get(made.as_uri())
        window.wait("window.MathJax?.startup?.promise && window.settled")
        ids = window.script(_PLAIN)
    finally:
        made.unlink()
    names, formulas = list(found.values()), list(found)
    if ids:
        yield f"{len(ids)} of {len(formulas)} formulas are not drawn, the first of which are"
    yield from (f"{names[k]}: {formulas[k][:80]}" for k in ids[:5])


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
        found += list(unreadable(window, site.resolve()))
    print("\n".join(found) or f"{len(PAGES)} pages are as they should be")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
