"""Deformed bodies along a run, as the manifest tells their outlines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.plot.run import Run

Array = NDArray[np.float64]


def deformed(run: Run, metadata: Mapping[str, Any], poses: Mapping[str, Array]) -> dict[str, Array]:
    """Polylines (n, k, 3) in the world frame [m] of deformable bodies that have an outline:
    its points, displaced by the body's coordinates."""
    lines = {}
    for body in metadata.get("deformables", ()):
        outline = body.get("outline")
        if outline is None or body["name"] not in poses:
            continue
        points = np.broadcast_to(np.array(outline["points"]), (len(run), len(outline["points"]), 3))
        for name, moved in zip(body["coordinates"], outline["moved"], strict=True):
            if name in run.coordinates:
                points = points + run[name][:, None, None] * np.array(moved)
        pose = poses[body["name"]]
        turned = points @ pose[:, :3, :3].transpose(0, 2, 1)
        lines[f"outline of {body['name']}"] = turned + pose[:, None, :3, 3]
    return lines
