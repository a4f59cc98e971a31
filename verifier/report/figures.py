"""Pictures of a report, if matplotlib is there: margins, errors in ulp, energy drift."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from eomc.verifier.report.report import Report
from eomc.verifier.report.wide_bound import ORDINARY

MARGINS = "Error over tolerance of every comparison; a breach lies right of 1"
ULPS = "Errors of the compiled C in units in the last place of each function's result"
ENERGY = "Energy that appeared from nowhere along the runs, and the energy exchanged"


def figures(report: Report) -> dict[str, bytes]:
    """PNG pictures by caption; none without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return {}
    made: dict[str, bytes] = {}
    for caption, draw in ((MARGINS, _margins), (ULPS, _ulps), (ENERGY, _energy)):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        if draw(figure, report):
            stream = BytesIO()
            # Nothing in the file but the picture: the same run gives the same bytes.
            figure.savefig(stream, format="png", dpi=110, metadata={"Software": None})
            made[caption] = stream.getvalue()
    return made


def _margins(figure: Any, report: Report) -> bool:
    outcomes = [outcome for outcome in report.outcomes if outcome.comparisons]
    if not outcomes:
        return False
    axes = figure.subplots()
    edges = np.logspace(-8, 2, 41)
    for row, outcome in enumerate(reversed(outcomes)):
        ratios = [np.clip(c.ratio, edges[0], edges[-1]) for c in outcome.comparisons]
        counts, _ = np.histogram(ratios, bins=edges)
        heights = counts / max(counts.max(), 1) * 0.85
        color = "tab:red" if outcome.breaches else "tab:blue"
        axes.bar(edges[:-1], heights, np.diff(edges), row, align="edge", color=color)
    axes.set_xscale("log")
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set_yticks(range(len(outcomes)), [o.check.name for o in reversed(outcomes)])
    axes.set_xlabel("error / allowed (left end: 1e-8 and less)")
    return True


def _ulps(figure: Any, report: Report) -> bool:
    errors: dict[str, list[float]] = {}
    for outcome in report.outcomes:
        errors.update(outcome.figures.get("ulps", {}))
    named = {name: values for name, values in errors.items() if values}
    if not named:
        return False
    # The functions that err most.
    shown = sorted(named, key=lambda name: max(named[name]))[-16:]
    axes = figure.subplots()
    for row, name in enumerate(shown):
        values = np.clip(named[name], 1e-2, None)
        axes.plot(values, np.full(len(values), row), "|", color="tab:blue", markersize=9)
    axes.set_xscale("log")
    large = [name for name in shown if max(named[name]) > ORDINARY]
    labels = [f"{name} *" if name in large else name for name in shown]
    axes.set_yticks(range(len(shown)), labels, fontsize=9)
    note = "\n* results that vanish: rounding of terms that cancel, see the check" if large else ""
    axes.set_xlabel(f"ulp (left end: 0.01 and less){note}")
    axes.grid(axis="x", alpha=0.3)
    return True


def _energy(figure: Any, report: Report) -> bool:
    runs = [run for o in report.outcomes for run in o.figures.get("energy", [])]
    if not runs:
        return False
    upper, lower = figure.subplots(2, sharex=True)
    for run in runs:
        upper.plot(run["t"], run["drift"], label=run["label"])
        total = run["kinetic"] + run["potential"]
        lower.plot(run["t"], total - total[0], label=f"T + V, {run['label']}")
        lower.plot(run["t"], run["work"], "--", label=f"work, {run['label']}")
    upper.set_ylabel("drift [J]")
    lower.set(xlabel="t [s]", ylabel="energy [J]")
    for axes in (upper, lower):
        axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
        axes.grid(alpha=0.3)
    return True
