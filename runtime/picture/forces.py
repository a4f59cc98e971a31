"""Forces and moments as arrows, where they are asked for: what acts, and what joints transmit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.names.near_names import near_names
from eomc.runtime.picture.lines import LINES
from eomc.runtime.picture.placed import PlacedLine

Asked = bool | str | Sequence[str]

__all__ = ["WAYS", "arrows", "force_functions"]

WAYS = {"acting": "acting_forces", "joints": "joint_forces"}
"""Words that can be asked for, and the function of each: rows of place, force and moment."""

_COLORS = {"acting": ("#d1495b", "#b05cc6"), "joints": ("#2f7ed8", "#2fa36b")}
"""Of forces and of moments."""

# Of the reach: the longest arrow. Of the largest force: the smallest that is drawn.
_LONGEST, _SHORTEST = 0.6, 1e-3


class ForceRun(Protocol):
    """A run as pictures of forces need it."""

    @property
    def model(self) -> Any: ...
    @property
    def count(self) -> int: ...
    def evaluate(self, function: str) -> Any: ...


def force_functions(available: Sequence[str], asked: Asked) -> dict[str, str]:
    """Names of functions by what is asked for; all that there are for True, none for False.

    Raises ValueError for other words, and for reactions where contacts are rigid: there they are
    impulses as well.
    """
    if isinstance(asked, bool):
        words = [word for word in WAYS if _known(word, available)] if asked else []
    else:
        words = [asked] if isinstance(asked, str) else list(asked)
    for word in words:
        if word not in WAYS:
            raise ValueError(f"forces={word!r}: {near_names(word, WAYS)}")
        if not _known(word, available):
            why = "its contacts are rigid" if "rigid_contacts" in available else "it has no bodies"
            raise ValueError(f"forces={word!r} cannot be told of this model: {why}")
    return {word: WAYS[word] for word in words}


def _known(word: str, available: Sequence[str]) -> bool:
    rigid = word == "joints" and "rigid_contacts" in available
    return WAYS[word] in available and not rigid


def arrows(
    run: ForceRun, asked: Asked, reach: float, origin: Array | None = None
) -> tuple[list[PlacedLine], str]:
    """Arrows along a run, seen from an origin (n, 3), and a sentence that says how long they are.

    The largest force of the run is as long as six tenths of `reach` [m], the largest moment too;
    lengths go as the roots of forces, or peaks would hide all else.
    """
    found = force_functions(run.model.available_functions, asked)
    run.model.prepare(*found.values())
    rows = {}
    for word, function in found.items():
        values = np.asarray(run.evaluate(function), dtype=np.float64)
        rows[word] = np.broadcast_to(values, (run.count, *values.shape[-2:])).copy()
        if origin is not None:
            rows[word][:, :, :3] -= origin[:, None]
    lines: list[PlacedLine] = []
    largest: list[str] = []
    for part, unit in enumerate(("N", "N m")):
        columns = slice(3 + 3 * part, 6 + 3 * part)
        sizes = [np.linalg.norm(r[:, :, columns], axis=2) for r in rows.values()]
        most = max([float(size.max(initial=0.0)) for size in sizes] or [0.0])
        if most <= 0:
            continue
        largest.append(f"{most:.3g} {unit}")
        for word, values in rows.items():
            lines += _lines(word, part, values, most, reach)
    return lines, f"arrows: at most {', '.join(largest)}, lengths as roots" if largest else ""


def _lines(word: str, part: int, values: Array, most: float, reach: float) -> Iterator[PlacedLine]:
    kind = ("arrow", "moment")[part]
    for k in range(values.shape[1]):
        place, vector = values[:, k, :3], values[:, k, 3 + 3 * part : 6 + 3 * part]
        size = np.linalg.norm(vector, axis=1, keepdims=True)
        shown = size > _SHORTEST * most
        if not shown.any():
            continue
        length = _LONGEST * reach * np.sqrt(size / most)
        tip = place + length / np.where(size > 0, size, 1.0) * vector
        points = LINES[kind]({"radius": 0.014 * reach}, place, tip)
        points = np.where(shown[:, :, None], points, np.nan)
        record = {"id": f"{kind} {k} of {word}", "kind": kind, "direction": None}
        yield PlacedLine(points, 0.0, _COLORS[word][part], record)
