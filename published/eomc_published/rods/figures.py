"""Errors of rods in figures: by segments and order, and by functions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from eomc.building import build
from eomc.systems.rods.cantilever import column, tip_place
from eomc_published.rods.exact import elastica
from eomc_published.rods.statics import LONG, QUICK, loaded
from eomc_published.rods.structure import order_errors
from eomc_published.work import Figure

_DPI = 130
_SEGMENTS = (4, 8, 16, 32, 64)
_FUNCTIONS = (2, 3, 4, 5, 6, 8)
_LOADS = (1.0, 2.0, 4.0, 7.0, 10.0)
_ROUNDING = 1e-14
_ASIDE = 0.3
"""By this the slopes are drawn below the errors, which would hide them."""


def draw_orders(path: Path) -> None:
    """Error of the tip by segments, beside the slopes of the orders."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(6.4, 4.4), layout="constrained")
    ax, segments = figure.subplots(), np.array(_SEGMENTS)
    for order, errors in order_errors(_SEGMENTS):
        (line,) = ax.loglog(segments, np.maximum(errors, _ROUNDING), "o-", label=f"order {order}")
        slope = errors[2] * (segments / segments[2]) ** float(-order)
        ax.loglog(segments, slope * _ASIDE, ":", color=line.get_color(), lw=1.5)
    ax.set(
        xlabel="segments",
        ylabel="error of the tip by the length",
        ylim=(1e-13, 0.3),
        title="Strains that do not commute; dotted: slopes 2, 4 and 6",
    )
    ax.set_xticks(segments, [f"{n}" for n in segments])
    ax.minorticks_off()
    ax.grid(alpha=0.3)
    ax.legend()
    figure.savefig(path, dpi=_DPI)


def draw_functions(path: Path) -> None:
    """Error of the tip of the elastica by functions, for two loads."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(6.4, 4.4), layout="constrained")
    ax = figure.subplots()
    for load, mark in ((1.0, "o-"), (10.0, "s-")):
        errors = [
            np.linalg.norm(_tips(n)[_LOADS.index(load)] - np.array(elastica(load)[:2]))
            for n in _FUNCTIONS
        ]
        ax.semilogy(_FUNCTIONS, errors, mark, label=f"$P L^2/EI$ = {load:g}")
    ax.set(
        xlabel="functions of the curvature",
        ylabel="error of the tip by the length",
        title="Elastica, order 6, 16 points",
    )
    ax.grid(alpha=0.3)
    ax.legend()
    figure.savefig(path, dpi=_DPI)


@cache
def _tips(functions: int) -> Any:
    """Places (loads, 2) of the tip under rising loads."""
    model, q = build(column(functions), functions=LONG, flags=QUICK), None
    found = []
    for load in _LOADS:
        q = loaded(model, [{"Fy": load}], q).q
        found.append(tip_place(model, q)[:2])
    return np.array(found)


FIGURES = (
    Figure("orders", "errors by segments, orders 2, 4 and 6", (4,), draw_orders),
    Figure("functions", "errors of the elastica by functions", (1,), draw_functions),
)
