"""Sections of rods that fold over their neighbours, which the equations do not see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.beyond import warn_beyond

__all__ = ["FOLDED", "fold_limits", "folding", "warn_of_folds"]


FOLDED = 1.0
"""Of hypot(r_y kappa_z, r_z kappa_y) - stretch: there the edge of a section meets the next one."""


def folding(metadata: Mapping[str, Any], coordinates: Sequence[str], q: Array) -> dict[str, float]:
    """Largest degree of folding of the sections of each body, by name, over configurations q
    (..., nq): 0 as at rest, 1 where they fold. Strains that are prescribed count as zero."""
    place = {name: k for k, name in enumerate(coordinates)}
    found = {}
    for body in metadata.get("deformables", ()):
        if "folds" in body:
            rows = np.asarray(body["folds"], dtype=float)
            free = [k for k, name in enumerate(body["coordinates"]) if name in place]
            xi = np.asarray(q)[..., [place[body["coordinates"][k]] for k in free]]
            strains = xi @ rows[:, free].T + rows[:, -1]
            shares = np.hypot(strains[..., 0::3], strains[..., 1::3]) - strains[..., 2::3]
            found[body["name"]] = float(np.nanmax(shares, initial=0.0))
    return found


def fold_limits(metadata: Mapping[str, Any]) -> list[str]:
    """Sentences: how far the sections of each body may be strained."""
    return [
        f"body {body['name']!r} may be bent and shortened until its sections fold over their "
        "neighbours: curvature times how far they reach, less the stretch, stays below 1"
        for body in metadata.get("deformables", ())
        if "folds" in body
    ]


def warn_of_folds(
    metadata: Mapping[str, Any], coordinates: Sequence[str], q: Array, t: Array | None = None
) -> None:
    """Warn, once for each body, of sections that fold, and since when.

    `t` are the times of configurations q (n, nq), if they are those of a run.
    """

    def sentence(name: str, share: float, since: str) -> str:
        return (
            f"body {name!r} folds{since}: its curvature times how far its "
            f"sections reach, less its stretch, comes to {share:.2g}, and from {FOLDED:g} on "
            "sections pass through their neighbours; a stiffer rod, or one whose radius is "
            "less, does not"
        )

    def reached(rows: Array) -> dict[str, float]:
        return folding(metadata, coordinates, rows)

    warn_beyond(reached, lambda share: share >= FOLDED, sentence, q, t)
