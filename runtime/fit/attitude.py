"""Measured attitudes of frames: the rotation vector from the measured to the simulated one.

    r = log(R_m^T R),   dr = J^-1(r) (R^T dR)^v,
    J^-1 = 1 + [r]x/2 + (1/|r|^2 - (1 + cos|r|)/(2 |r| sin|r|)) [r]x^2

so that neither the sign of a quaternion nor the choice of coordinates matters.
"""

from __future__ import annotations

import re

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit.errors import FitError

AXES = "xyz"
_CHANNEL = re.compile(r"attitude\((.+)\)\.([xyz])")
_UNIT = 1e-3


def frame_of(channel: str) -> tuple[str, int] | None:
    """The frame of ``attitude(frame).x`` and the axis; None of other channels."""
    found = _CHANNEL.fullmatch(channel)
    return (found[1], AXES.index(found[2])) if found else None


def rotations(run: str, channel: str, value: object, t: Array) -> Array:
    """(samples, 3, 3) of measured quaternions (samples, 4), the real part first."""
    from scipy.spatial.transform import Rotation

    q = np.asarray(value, dtype=np.float64)
    if q.shape != (len(t), 4):
        raise FitError(
            f"{run}, {channel!r}: shape {q.shape}; give {len(t)} quaternions (w, x, y, z)"
        )
    for k in np.flatnonzero(~(np.abs(np.linalg.norm(q, axis=1) - 1) < _UNIT))[:1]:
        raise FitError(f"{run}, {channel!r}: no unit quaternion at t = {t[k]:.6g} s")
    found: Array = Rotation.from_quat(q, scalar_first=True).as_matrix()
    return found


def error(measured: Array, pose: Array, slopes: Array) -> tuple[Array, Array]:
    """(r (samples, 3), dr (samples, 3, n)) of poses (samples, 16) with slopes (samples, 16, n)."""
    from scipy.spatial.transform import Rotation

    n = slopes.shape[2]
    R = pose.reshape(-1, 4, 4)[:, :3, :3]
    dR = slopes.reshape(len(pose), 4, 4, n)[:, :3, :3]
    r: Array = Rotation.from_matrix(np.swapaxes(measured, 1, 2) @ R).as_rotvec()
    turned = np.einsum("kji,kjmn->kimn", R, dR)
    w = np.stack([turned[:, 2, 1], turned[:, 0, 2], turned[:, 1, 0]], axis=1)
    angle = np.linalg.norm(r, axis=1)
    small = angle < 1e-4
    a = np.where(small, 1.0, angle)
    far = 1 / a**2 - (1 + np.cos(a)) / (2 * a * np.sin(a))
    factor = np.where(small, 1 / 12, far)[:, None, None]
    rows = np.broadcast_to(r[:, :, None], w.shape)
    once = np.cross(rows, w, axis=1)
    return r, w + once / 2 + factor * np.cross(rows, once, axis=1)
