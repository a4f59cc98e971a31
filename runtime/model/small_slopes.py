"""Slopes of deformed bodies against those that linear theories take as small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.beyond import warn_beyond

__all__ = ["SMALL", "slope_limits", "steepest", "warn_of_slopes"]


_SHORTEST = 1e-12
SMALL = 0.2
"""[rad] There a cantilever under a load at its tip deflects by 1.8 % less than linear theory says,
and its tip has come nearer by 1 % of its length; at 0.3 rad it is 4.0 % and 2.2 % (elastica)."""


def steepest(metadata: Mapping[str, Any], coordinates: Sequence[str], q: Array) -> dict[str, float]:
    """The largest slope [rad] of each deformable body over configurations q (..., nq)."""
    place = {name: k for k, name in enumerate(coordinates)}
    found = {}
    for body in metadata.get("deformables", ()):
        rows = np.asarray(body.get("slopes", ()), dtype=float)
        # amplitudes that are prescribed are not among the coordinates of the model
        free = [k for k, name in enumerate(body["coordinates"]) if name in place]
        if rows.size and free:
            amplitudes = np.asarray(q)[..., [place[body["coordinates"][k]] for k in free]]
            reached = np.abs(amplitudes @ rows[:, free].T)
            if "slopes_over" in body:
                name, value = body["slopes_over"]
                length = np.asarray(q)[..., place[name]] if name in place else np.asarray(value)
                reached = reached / np.maximum(np.abs(length), _SHORTEST)[..., None]
            found[body["name"]] = float(np.nanmax(reached, initial=0.0))
    return found


def slope_limits(metadata: Mapping[str, Any]) -> list[str]:
    """Sentences: how far each deformable body may bend."""
    return [
        f"body {body['name']!r} deforms little: its theory holds to slopes of about {SMALL} rad"
        for body in metadata.get("deformables", ())
        if body.get("slopes")
    ]


def warn_of_slopes(
    metadata: Mapping[str, Any], coordinates: Sequence[str], q: Array, t: Array | None = None
) -> None:
    """Warn, once for each body, of slopes beyond the range of the theory, and since when.

    `t` are the times of configurations q (n, nq), if they are those of a run.
    """

    def sentence(name: str, slope: float, since: str) -> str:
        return (
            f"body {name!r} bends to a slope of {slope:.2g} rad{since}: "
            f"the theory of small deflections holds to about {SMALL}; its results are no more "
            'than a hint there; a body of the form "rod" bends as far as it likes'
        )

    def reached(rows: Array) -> dict[str, float]:
        return steepest(metadata, coordinates, rows)

    warn_beyond(reached, lambda slope: slope > SMALL, sentence, q, t)
