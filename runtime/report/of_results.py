"""Results of a model in a report: equilibria, modes, runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from eomc.runtime.plot.canvas import png
from eomc.runtime.report.fragments import folded, paragraph, picture, table

_FILMS = 4
_ROWS = 24


def equilibrium(found: Any) -> str:
    """The state in which forces balance, and what holds it."""
    told = found.as_dict()
    rest = "at rest" if not np.any(found.u) else "in steady motion"
    lines = [
        paragraph(
            f"Forces balance {rest} to {found.residual:.1e}, found in {found.iterations} steps."
        )
    ]
    if told["undetermined"]:
        lines.append(
            paragraph(
                f"It is one of a family of {told['undetermined']} dimensions: what "
                "forces do not fix stays where it was given.",
                "note",
            )
        )
    # What rounding leaves of zero is no number that a reader wants.
    told = {key: _rounded(value) for key, value in told.items()}
    held = {name: value for name, value in told["tau"].items() if value}
    speeds = {name: value for name, value in told["u"].items() if value}
    for head, values in (("coordinate", told["q"]), ("speed", speeds), ("force on", held)):
        lines.append(_many(head, values))
    more = {"input": told["inputs"], "output": told.get("outputs") or {}}
    lines += [_many(head, values) for head, values in more.items()]
    return "".join(lines)


def _rounded(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    size = max((abs(x) for x in value.values()), default=0.0)
    return {name: 0.0 if abs(x) < 1e-12 * size else x for name, x in value.items()}


def _many(head: str, values: dict[str, float]) -> str:
    text = table([head, "value"], list(values.items()))
    return folded(f"{len(values)} of {head}", text) if len(values) > _ROWS else text


def modes(found: Any, model: Any) -> str:
    """Frequencies and damping, and the slowest ones in motion."""
    rows = [row for row in found.table() if row["imaginary"] >= 0]
    gallery = "".join(_films(found, rows, model))
    return f'{frequencies(found)}<div class="gallery">{gallery}</div>'


def frequencies(found: Any) -> str:
    """A table of modes, a conjugate pair once."""
    rows = [row for row in found.table() if row["imaginary"] >= 0]
    heads = [
        "mode",
        "natural frequency [Hz]",
        "damping ratio",
        "Re [1/s]",
        "Im [rad/s]",
        "moves most",
    ]
    keys = ("mode", "natural_frequency", "damping_ratio", "real", "imaginary", "dominant")
    text = table(heads, [[row[key] for key in keys] for row in rows])
    if len(rows) > _ROWS:
        text = folded(f"{len(rows)} modes", text)
    growing = sum(row["real"] > 1e-9 * abs(found.eigenvalues).max() for row in rows)
    if growing:
        text = paragraph(f"{growing} of these grow: the state is unstable.", "breach") + text
    return text


_LARGEST = 12


def linear_model(found: Any) -> str:
    """The matrices of x' = A x + B w, y = C x + D w up to twelve a side, and the modes."""
    sizes = f"{len(found.states)} states, {len(found.inputs)} inputs, {len(found.outputs)} outputs"
    text = paragraph(f"{found.name}: {sizes}")
    matrices = {
        "A": (found.A, found.states, found.states),
        "B": (found.B, found.states, found.inputs),
        "C": (found.C, found.outputs, found.states),
        "D": (found.D, found.outputs, found.inputs),
    }
    for name, (matrix, rows, columns) in matrices.items():
        if matrix.size > 0 and max(matrix.shape) <= _LARGEST:
            body = [[row, *values] for row, values in zip(rows, matrix.tolist(), strict=True)]
            text += table([name, *columns], body)
    return text + frequencies(found.modes())


def _films(found: Any, rows: list[dict[str, Any]], model: Any) -> Iterator[str]:
    from tempfile import TemporaryDirectory

    moving = [row for row in rows if row["imaginary"] > 0] or rows
    for row in moving[:_FILMS]:
        with TemporaryDirectory() as folder, suppress(ImportError, ValueError):
            file = f"{folder}/mode.png"
            found.animate(row["mode"] - 1, file, model, fps=8, seconds=2.0, dpi=56, progress=False)
            with open(file, "rb") as film:
                caption = f"mode {row['mode']}: {row['natural_frequency']:.4g} Hz"
                yield picture(film.read(), caption)


def run(found: Any) -> str:
    """Curves of a run, and what it took."""
    took = {what: count for what, count in found.statistics.items() if isinstance(count, int)}
    text = paragraph(
        f"{found.t[-1] - found.t[0]:g} s by {found.method}, {len(found)} points"
        + "".join(f", {count} {what}" for what, count in took.items() if count)
        + "."
    )
    for title, image in curves(found).items():
        text += picture(image, title)
    final = dict(zip(found.coordinates, found.final.q.tolist(), strict=True))
    return text + _many("coordinate at the end", final)


def curves(found: Any, first: bool = False) -> dict[str, bytes]:
    """Pictures of the channels by what they show, or the first of them; none without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return {}
    from eomc.runtime.plot.canvas import plain
    from eomc.runtime.plot.time_history import panels

    made = {}
    shown = list(panels(found).items())
    for title, groups in shown[:1] if first else shown:
        figure = Figure(figsize=(8.4, 0.4 + 2.4 * len(groups)), layout="constrained")
        axes = np.atleast_1d(figure.subplots(len(groups), sharex=True))
        for ax, (label, names) in zip(axes, groups.items(), strict=True):
            found.plot(ax, names)
            ax.set_ylabel(plain(label))
        for ax in axes[:-1]:
            ax.set_xlabel("")
        made[title] = png(figure)
    return made
