"""Warnings of states in which the equations are not meant to hold."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.output.warning_level import outside

__all__ = [
    "FAST",
    "FOLDED",
    "SMALL",
    "ImplausibleStateWarning",
    "degrees_likely",
    "fastest",
    "fold_limits",
    "folding",
    "rate_limits",
    "slope_limits",
    "steepest",
    "warn_beyond",
    "warn_of_degrees",
    "warn_of_folds",
    "warn_of_slopes",
    "warn_of_turning",
]


class ImplausibleStateWarning(UserWarning):
    """A state is possible, but hardly meant; ``warnings.simplefilter("ignore", ...)`` quiets it."""


def degrees_likely(
    joints: Sequence[Mapping[str, Any]], coordinates: Sequence[str], q: NDArray[np.float64]
) -> dict[str, float]:
    """Angles beyond a turn that are whole numbers, as degrees are and radians are not.

    >>> joint = {"coordinates": ["hinge"], "units": ["rad"]}
    >>> degrees_likely([joint], ["hinge"], np.array([90.0]))
    {'hinge': 90.0}
    >>> degrees_likely([joint], ["hinge"], np.array([7.3]))
    {}
    """
    if all(abs(value) <= 2 * math.pi for value in q.tolist()):
        return {}
    values = dict(zip(coordinates, q.tolist(), strict=True))
    found = {}
    for joint in joints:
        for k, (name, unit) in enumerate(zip(joint["coordinates"], joint["units"], strict=True)):
            upper = (joint.get("upper") or ())[k : k + 1]
            wide = bool(upper) and float(upper[0]) > 2 * math.pi
            value = values.get(name, 0.0)
            if unit == "rad" and not wide and abs(value) > 2 * math.pi and value == round(value):
                found[name] = value
    return found


def warn_of_degrees(
    joints: Sequence[Mapping[str, Any]], coordinates: Sequence[str], q: NDArray[np.float64]
) -> None:
    """Warn of the first such angle."""
    for name, value in degrees_likely(joints, coordinates, q).items():
        warnings.warn(
            f"q: {name} is {value:g} rad, {abs(value) / (2 * math.pi):.2g} turns; if degrees are "
            f"meant, give math.radians({value:g}) = {math.radians(value):.4g}",
            ImplausibleStateWarning,
            stacklevel=outside(),
        )
        return


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


def warn_beyond(
    reached: Callable[[Array], Mapping[str, float]],
    is_beyond: Callable[[float], bool],
    sentence: Callable[[str, float, str], str],
    q: Array,
    t: Array | None,
) -> None:
    """Warn, once for each body, by the sentence of its name, what it reached and since when.

    `reached` tells what each body reaches at most over configurations; `t` are the times of
    configurations q (n, nq), if they are those of a run.
    """
    for name, value in reached(q).items():
        if is_beyond(value):
            since = ""
            if t is not None:
                rows = zip(q, t, strict=True)
                first = next((time for row, time in rows if is_beyond(reached(row)[name])), t[-1])
                since = f", from t = {float(first):g} s"
            warnings.warn(sentence(name, value, since), UserWarning, stacklevel=outside())
