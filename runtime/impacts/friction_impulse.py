"""Impulses of contacts with dry friction:

    0 <= P_n  perp  s_n >= 0,    |P_t| <= mu P_n,    s_t = 0 or P_t = -mu P_n s_t/|s_t|

for s = W P + c, with c the speeds before, those along the normals times (1 + e). Contacts are
solved one after the other, each exactly, until none changes; then the equations of the modes that
were found are solved together. Reference: Jean, *The non-smooth contact dynamics method*, Comput.
Methods Appl. Mech. Eng. 177 (1999).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eomc.binding.arrays import Array

_SWEEPS, _TURNS, _ANGLES = 20_000, 20, 64
_SETTLED = 1e-14


def frictional(w: Array, c: Array, static: Array, kinetic: Array, names: Sequence[str]) -> Array:
    """P (n, 3): along the normal, then along two tangents, of Delassus' matrix w (3n, 3n).

    Raises RuntimeError where a contact jams or the sweeps do not settle, naming the contacts.
    """
    n = len(names)
    p = np.zeros((n, 3))
    blocks = w.reshape(n, 3, n, 3)
    for _ in range(_SWEEPS):
        before = p.copy()
        for k in range(n):
            rest = c[k] + np.einsum("ijk,jk->i", blocks[k], p) - blocks[k, :, k] @ p[k]
            p[k] = _one(blocks[k, :, k], rest, static[k], kinetic[k], names[k])
        if np.abs(p - before).max() <= _SETTLED * np.abs(p).max(initial=0.0):
            return _together(w, c, p, static)
    raise RuntimeError(f"impulses at {', '.join(names)} do not settle")


def _one(w: Array, rest: Array, static: float, kinetic: float, name: str) -> Array:
    """The impulse of one contact, the others given."""
    if rest[0] >= 0:
        return np.zeros(3)
    if static > 0:
        stuck = -np.linalg.lstsq(w, rest, rcond=1e-12)[0]
        if np.linalg.norm(stuck[1:]) <= static * stuck[0]:
            return np.asarray(stuck)
    return _slipping(w, rest, kinetic, name)


def _slipping(w: Array, rest: Array, mu: float, name: str) -> Array:
    """P_t = -mu P_n d along the slip d that it leaves: d is turned until it stays, or looked for
    among all directions where turning it swings."""
    size = np.linalg.norm(rest[1:])
    d = rest[1:] / size if size else np.zeros(2)
    for _ in range(_TURNS):
        p = _along(w, rest, mu, d, name)
        left = (rest + w @ p)[1:]
        size = np.linalg.norm(left)
        if mu == 0 or size == 0:
            return p
        turned = left / size
        if np.abs(turned - d).max() <= _SETTLED:
            return p
        d = turned
    return _searched(w, rest, mu, name)


def _along(w: Array, rest: Array, mu: float, d: Array, name: str) -> Array:
    """(P_n, -mu P_n d) that stops the gap."""
    along = np.array([1.0, *(-mu * d)])
    inertia = w[0] @ along
    if inertia <= 0:
        raise RuntimeError(f"{name} jams: pressing it does not part it with this friction")
    return np.asarray(along * (-rest[0] / inertia))


def _searched(w: Array, rest: Array, mu: float, name: str) -> Array:
    """The same by the zeros of the slip across d, over all its angles."""
    from scipy.optimize import brentq

    def left(angle: float) -> tuple[float, float]:
        d = np.array([np.cos(angle), np.sin(angle)])
        v = (rest + w @ _along(w, rest, mu, d, name))[1:]
        return float(d[0] * v[1] - d[1] * v[0]), float(d @ v)

    angles = np.linspace(0, 2 * np.pi, _ANGLES + 1)
    across = [left(angle)[0] for angle in angles.tolist()]
    for k in range(_ANGLES):
        if across[k] * across[k + 1] > 0:
            continue
        angle = float(brentq(lambda x: left(x)[0], angles[k], angles[k + 1], xtol=4e-16))
        if left(angle)[1] >= 0:
            d = np.array([np.cos(angle), np.sin(angle)])
            return _along(w, rest, mu, d, name)
    raise RuntimeError(f"{name}: no direction of slip found for its impulse")


def _together(w: Array, c: Array, p: Array, static: Array) -> Array:
    """The impulses once more by the equations of their modes, slips in their directions."""
    columns, rows = [], []
    for k, own in enumerate(p):
        if not own[0] > 0:
            continue
        at = np.eye(3 * len(p))[3 * k : 3 * k + 3]
        if static[k] > 0 and np.linalg.norm(own[1:]) < static[k] * own[0] * (1 - 1e-9):
            columns += list(at)
            rows += list(at)
        else:
            columns.append(own / own[0] @ at)
            rows.append(at[0])
    if not columns:
        return p
    taken, asked = np.array(columns), np.array(rows)
    x = np.linalg.lstsq(asked @ w @ taken.T, -asked @ c.ravel(), rcond=1e-12)[0]
    return np.asarray((taken.T @ x).reshape(p.shape))
