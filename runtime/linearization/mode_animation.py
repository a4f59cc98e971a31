"""Films of modes: the mechanism swinging in one of them about its state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.plot.animation import animate
from eomc.runtime.record.trajectory import Trajectory

if TYPE_CHECKING:
    from eomc.runtime.linearization.modes import Modes

_PICTURES = 48


def mode_motion(
    modes: Modes, mode: int, model: Any, amplitude: float = 0.2, periods: int = 1
) -> Trajectory:
    """A run that shows mode `mode` (from 0): q = integrate(q0, amplitude Re(shape e^(i phi))).

    The largest displacement is `amplitude` [rad or m]; growth and decay are left out, and an
    aperiodic mode swings as if it were periodic. One period lasts the mode's own, or 1 s of an
    aperiodic one.

    Raises LinearizationError without the linear model, IndexError for a mode that is not there.
    """
    if modes.model is None:
        raise LinearizationError("these modes do not know the state they belong to")
    if not -len(modes) <= mode < len(modes):
        raise IndexError(f"mode {mode}: there are {len(modes)}")
    point = modes.model.point
    omega = abs(modes.eigenvalues[mode].imag)
    period = 2 * np.pi / omega if omega > 1e-9 * abs(modes.eigenvalues[mode]) > 0 else 1.0
    phase = np.linspace(0, 2 * np.pi * periods, _PICTURES * periods + 1)
    turning = amplitude * np.exp(1j * phase)[:, None] * modes.shapes[:, mode][None]
    swing, speeds = turning.real, (1j * turning).real * 2 * np.pi / period
    q = np.asarray(model.function("integrate")(point.q, swing))
    n = len(phase)
    empty = np.zeros((n, len(model.prescribed)))
    given = point.values
    s = np.tile(np.asarray(given["s"]), (n, 1)) if model.prescribed else empty
    return Trajectory(
        name=f"{model.name}: mode {mode % len(modes) + 1}",
        method="mode",
        t=phase / (2 * np.pi) * period,
        q=q,
        u=speeds,
        tau=np.zeros((n, model.nu)),
        r=np.zeros((n, len(model.inputs))),
        s=s,
        s_rate=empty,
        s_acceleration=empty,
        coordinates=model.coordinates,
        speeds=model.speeds,
        inputs=model.inputs,
        prescribed=model.prescribed,
        model=model,
    )


def animate_mode(
    modes: Modes,
    mode: int,
    path: str | os.PathLike[str],
    model: Any,
    *,
    amplitude: float = 0.2,
    seconds: float = 2.0,
    **options: Any,
) -> None:
    """Write a film of one mode: one period in `seconds`; options as of `Trajectory.animate`."""
    run = mode_motion(modes, mode, model, amplitude)
    speed = float(run.t[-1]) / seconds
    animate(run, path, speed=speed, **options)
