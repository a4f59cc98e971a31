"""Rates at which flexible bodies turn, against frequencies that take no note of it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.output.warning_level import outside

__all__ = ["FAST", "fastest", "rate_limits", "warn_of_turning"]


FAST = 0.3
"""Rate by lowest frequency. In the plane of rotation a body without geometric stiffness has the
frequency sqrt(w^2 - W^2), a beam has sqrt(w^2 + 0.19 W^2): at 0.3 they differ by 5 %."""


def fastest(metadata: Mapping[str, Any], rates: Mapping[str, Array]) -> dict[str, float]:
    """Largest rate by lowest frequency of each body without geometric stiffness, from the speeds
    (n,) by name; the rate is bounded by the sum of those of the joints that carry the body."""
    found = {}
    for body in metadata.get("deformables", ()):
        if body.get("lowest_frequency") is None:
            continue
        groups = [
            [rates[name] for name in names if name in rates] for names in body["rotation_speeds"]
        ]
        total = sum(np.linalg.norm(group, axis=0) for group in groups if group)
        found[body["name"]] = float(np.nanmax(total, initial=0.0)) / body["lowest_frequency"]
    return found


def rate_limits(metadata: Mapping[str, Any]) -> list[str]:
    """Sentences: how fast each body without geometric stiffness may turn."""
    return [
        f"body {body['name']!r} has no geometric stiffness: it may turn at up to "
        f"{FAST * body['lowest_frequency']:.2g} rad/s, {FAST} of its lowest frequency"
        for body in metadata.get("deformables", ())
        if body.get("lowest_frequency") is not None
    ]


def warn_of_turning(metadata: Mapping[str, Any], rates: Mapping[str, Array]) -> None:
    """Warn, once for each body, of rates that its frequencies cannot do without."""
    for name, ratio in fastest(metadata, rates).items():
        if ratio > FAST:
            warnings.warn(
                f"body {name!r} turns at up to {ratio:.2g} of its lowest frequency, but has no "
                f"geometric stiffness, which counts from about {FAST}: give it stiffening=True",
                UserWarning,
                stacklevel=outside(),
            )
