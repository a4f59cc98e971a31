"""Pictures of the bench."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc_published.robust.bench import BENCHES, OMEGA
from eomc_published.robust.cases import RECOVERY, recovered
from eomc_published.robust.runs import LAWS, run
from eomc_published.work import Figure


def _figure(rows: int) -> Any:
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(9, 3.4 * rows), layout="constrained")
    return figure, figure.subplots(rows, 2, squeeze=False)


def draw_recovery(path: Path) -> None:
    """Loop gains for growing q."""
    figure, axes = _figure(1)
    for ax, make in zip(axes[0], BENCHES, strict=True):
        full, loops = recovered(make())
        for q, loop in zip(RECOVERY, loops, strict=True):
            ax.loglog(OMEGA, np.abs(loop), lw=0.9, label=f"q = {q:g}")
        ax.loglog(OMEGA, np.abs(full), "k--", lw=1, label="full state")
        ax.set(title=make().name, xlabel="frequency [rad/s]", ylabel="loop gain")
    axes[0][0].legend(fontsize="small")
    figure.savefig(path, dpi=130)


def draw_spillover(path: Path) -> None:
    """Gain left out of the design models, and the weight of the H-infinity design."""
    figure, axes = _figure(1)
    for ax, make in zip(axes[0], BENCHES, strict=True):
        bench = make()
        ax.loglog(OMEGA, bench.left_out, label="left out")
        ax.loglog(OMEGA, np.abs(bench.effort()(1j * OMEGA)), "k--", label="|W|")
        ax.set(title=bench.name, xlabel="frequency [rad/s]", ylabel="gain")
    axes[0][0].legend()
    figure.savefig(path, dpi=130)


def draw_laws(path: Path) -> None:
    """Measured output and force."""
    figure, axes = _figure(2)
    every = list(dict.fromkeys(law for laws in LAWS.values() for law in laws))
    for column, make in zip(axes.T, BENCHES, strict=True):
        name = make().name
        for law in LAWS[name]:
            color = f"C{every.index(law)}"  # the same on both plants
            t, off, force = run(name, law)
            seen = 3 * np.abs(run(name, "H-infinity")[1]).max()
            column[0].plot(t, np.where(np.abs(off) < seen, off, np.nan), color, lw=0.8, label=law)
            most = 3 * np.abs(run(name, "H-infinity")[2]).max()
            column[1].plot(t, np.where(np.abs(force) < most, force, np.nan), color, lw=0.8)
        column[0].set(title=name, ylabel="output [rad or m]")
        column[1].set(xlabel="time [s]", ylabel="force [N m or N]")
    axes[0][0].legend(fontsize="small", ncols=2)
    figure.savefig(path, dpi=130)


FIGURES = (
    Figure("recovery", "Loop gains of LQG for growing q", (1,), draw_recovery),
    Figure("spillover", "Modes left out, and the weight that covers them", (3,), draw_spillover),
    Figure("laws", "Regulators on plants with all modes", (4,), draw_laws),
)
