"""Pictures of the two-link arm on a perturbed circle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc_published.moosavian.two_link import followed, without_model
from eomc_published.moosavian.two_link_noise import mean_error, shaken
from eomc_published.moosavian.two_link_singularity import stretched
from eomc_published.work import Figure

_DPI = 130
_LAWS = {"TJ": "C0", "MTJ": "C1", "MB1": "C2", "MB2": "C3"}


def _canvas(
    width: float, height: float, rows: int, columns: int, alike: bool = False
) -> tuple[Any, Any]:
    """With `alike` the pictures of a row have one scale."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(width, height), layout="constrained")
    axes = figure.subplots(
        rows, columns, sharex="col", sharey="row" if alike else False, squeeze=False
    )
    for ax in axes.ravel():
        ax.grid(alpha=0.3)
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
    return figure, axes


def draw_four_laws(path: Path) -> None:
    """Errors and first torque of four laws."""
    figure, ((left, right),) = _canvas(11, 4.5, 1, 2)
    for name, color in _LAWS.items():
        found = followed(name, 1.0, 20.0)
        error = np.maximum(found.steady(0.0), 1e-10)
        left.semilogy(found.run.t, error, color, label=name, linewidth=1)
        right.plot(found.run.t, found.run.tau[:, 0], color, label=name, linewidth=1)
    left.set_ylabel("error of the tip [m]")
    right.set_ylabel("torque of joint 1 [N m]")
    left.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_slow_and_fast(path: Path) -> None:
    """Errors of the tip without a model, on a slow and on a fast path."""
    figure, axes = _canvas(11, 5.5, 2, 2)
    for column, omega in zip(axes.T, (0.05, 2.0), strict=True):
        for name, found in without_model(omega).items():
            for ax, error in zip(column, found.error.T, strict=True):
                ax.plot(found.run.t, error, _LAWS[name], label=name)
        column[0].set_title(f"omega = {omega:g} rad/s")
    for ax, axis in zip(axes[:, 0], "xy", strict=True):
        ax.set_ylabel(f"e_{axis} [m]")
    axes[0, 0].legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_noise(path: Path) -> None:
    """Torques and errors of four laws that see their state with noise."""
    figure, axes = _canvas(13, 7, 3, 4, alike=True)
    for column, (name, color) in zip(axes.T, _LAWS.items(), strict=True):
        found = shaken(name)
        t = found.run.t
        for ax, tau in zip(column, found.run.tau.T, strict=False):
            ax.plot(t, tau, color, linewidth=0.7)
        column[2].plot(t, found.error, linewidth=0.8)
        column[0].set_title(name)
    for row, what in zip(
        axes,
        ("torque of joint 1 [N m]", "torque of joint 2 [N m]", "error of the tip [m]"),
        strict=True,
    ):
        row[0].set_ylabel(what)
    axes[2, 0].legend(["x", "y"], fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_singularity(path: Path) -> None:
    """Errors and torques on a ray out of the reach and back."""
    figure, ((left, right),) = _canvas(11, 4, 1, 2)
    for name in ("TJ", "MB1", "MB1, damped"):
        found = stretched(name)
        left.semilogy(found.run.t, np.maximum(found.error, 1e-8), label=name)
        right.plot(found.run.t, found.run.tau[:, 0], label=name)
    left.set_ylabel("error of the tip [m]")
    right.set_ylabel("torque of joint 1 [N m]")
    right.set_ylim(-40, 40)
    left.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_errors_under_noise(path: Path) -> None:
    """Mean errors of four laws by the amplitude of the noise."""
    figure, ((axes,),) = _canvas(6, 4, 1, 1)
    shares = (0.0, 0.01, 0.02, 0.04)
    for name, color in _LAWS.items():
        axes.plot(shares, [mean_error(name, share) for share in shares], f"{color}o-", label=name)
    axes.set_xlabel("amplitude of the noise")
    axes.set_ylabel("mean error of the tip [m]")
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


FIGURES = (
    Figure("two-link", "Two-link arm under four laws (figure 5.4)", (33, 34), draw_four_laws),
    Figure(
        "two-link-without-model",
        "Two-link arm: TJ and MTJ, slow and fast (figures 5.2, 5.3)",
        (35,),
        draw_slow_and_fast,
    ),
    Figure("two-link-noise", "Two-link arm: noise of 2 % (figure 5.5)", (36,), draw_noise),
    Figure("two-link-singularity", "Two-link arm, stretched out", (57,), draw_singularity),
    Figure(
        "two-link-errors-under-noise",
        "Two-link arm: errors under noise",
        (58,),
        draw_errors_under_noise,
    ),
)
