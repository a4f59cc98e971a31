"""The report of a fit as one page: estimates, curves, residuals, convergence."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.runtime.plot.canvas import new_axes, plain, png
from eomc.runtime.report.document import ReportDocument, ReportSection
from eomc.runtime.report.fragments import paragraph, picture, table

_ROW = 2.0
"""Inches of a channel."""


def page(fit: Any, title: str, held_out: Any = None) -> ReportDocument:
    """The page; `held_out` is a validation."""
    parts = [
        ("Estimates", _estimates(fit)),
        ("Measured and simulated", picture(png(curves(fit)), "Dots are measured.")),
        ("Residuals", _residuals(fit)),
        ("Held out", "" if held_out is None else _held_out(held_out)),
        ("Convergence", _convergence(fit)),
    ]
    unknowns, runs = _many(len(fit.names), "unknown"), _many(len(fit.runs), "run")
    values = _many(sum(run.outputs.size for run in fit.runs), "measured value")
    lead = paragraph(
        f"{unknowns}, {_many(fit.rank, 'combination')} of them identified by {values} in {runs}; "
        f"chi2 = {fit.chi2:.6g}."
    )
    sections = tuple(ReportSection(*part) for part in parts if part[1])
    return ReportDocument(title, lead, sections)


def _many(count: int, word: str) -> str:
    return f"{count} {word}" + "s" * (count != 1)


def _estimates(fit: Any) -> str:
    sd, ends = fit.deviations, fit.intervals()
    rows = [(n, v, sd[n], *ends[n]) for n, v in fit.estimates.items()]
    rows += [(n, v, s, v - 1.96 * s, v + 1.96 * s) for n, (v, s) in fit.combinations.items()]
    head = ("unknown", "estimate", "standard deviation", "95 % from", "to")
    notes = [paragraph(sentence[0].upper() + sentence[1:] + ".") for sentence in fit.unidentified]
    return table(head, rows) + "".join(notes)


def curves(fit: Any) -> Any:
    """Measured and simulated channels over time, a row each; a figure of matplotlib."""
    axes = np.atleast_1d(new_axes(8.0, _ROW * len(fit.channels), len(fit.channels)))
    for k, (channel, ax) in enumerate(zip(fit.channels, axes, strict=True)):
        for run, y in zip(fit.runs, fit.simulated, strict=True):
            ax.plot(run.t, run.outputs[:, k], ".", markersize=4, color="0.5", zorder=3)
            ax.plot(run.t, y[:, k], label=plain(run.name))
        ax.set_ylabel(plain(channel))
    axes[-1].set_xlabel("t [s]")
    axes[0].legend()
    return axes[0].figure


def _residuals(fit: Any) -> str:
    axes = np.atleast_1d(new_axes(8.0, _ROW * len(fit.channels), len(fit.channels)))
    for k, (channel, ax) in enumerate(zip(fit.channels, axes, strict=True)):
        for run, r in zip(fit.runs, fit.residuals, strict=True):
            ax.plot(run.t, r[:, k], ".", markersize=3)
        ax.set_ylabel(plain(channel))
    axes[-1].set_xlabel("t [s]")
    watson, ljung = fit.durbin_watson, fit.ljung_box
    head = ("channel", "sigma", "rms of residuals", "Durbin-Watson", "Ljung-Box", "probability")
    rows = [
        (n, float(s), fit.rms[n], watson[n], *ljung[n])
        for n, s in zip(fit.channels, fit.sigma, strict=True)
    ]
    told = (
        "The residuals are white."
        if fit.is_white
        else "The residuals are correlated: the deviations above are too small, or the model lacks "
        "something that the records show."
    )
    shown = picture(png(axes[0].figure), "Residuals in units of sigma.")
    return table(head, rows) + paragraph(told) + shown


def _held_out(fit: Any) -> str:
    rows = list(fit.rms.items())
    shown = picture(png(curves(fit)), "A run that was held out; dots are measured.")
    return table(("channel", "rms of weighted residuals"), rows) + shown


def _convergence(fit: Any) -> str:
    if not len(fit.history):
        return ""
    ax = new_axes(8.0, 2.5, 1)
    ax.semilogy(np.arange(1, len(fit.history) + 1), fit.history, ".-")
    ax.set_xlabel("evaluation")
    ax.set_ylabel("chi2")
    told = f"{fit.evaluations} evaluations. {fit.message}"
    return paragraph(told) + picture(png(ax.figure), "Weighted squares by evaluation.")
