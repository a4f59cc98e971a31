"""A run as notebooks show it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from eomc.runtime.report.fragments import paragraph
from eomc.runtime.report.of_results import curves

if TYPE_CHECKING:
    from eomc.runtime.record.trajectory import Trajectory


def mimebundle(run: Trajectory) -> dict[str, Any]:
    """The page that replays the run as HTML, its curves as PNG and its size as text.

    Without a model, or without a compiler to WebAssembly, the HTML is the curves.
    """
    pictures = [base64.b64encode(png).decode("ascii") for png in curves(run, first=True).values()]
    found = dict(zip(("text/plain", "image/png"), (repr(run), *pictures), strict=False))
    try:
        return {**found, "text/html": run.view()._repr_html_()}
    except (ValueError, LookupError, OSError, RuntimeError):
        images = "".join(f'<img alt="" src="data:image/png;base64,{data}">' for data in pictures)
        return {**found, "text/html": paragraph(repr(run)) + images}
