"""Convex hulls of few vertices."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array

MOST_VERTICES = 64
"""Of a hull that takes part in a contact."""
_FLAT = 1e-9


def convex_hull(points: Array, most: int = MOST_VERTICES) -> tuple[Array, float]:
    """At most `most` vertices (k, 3) of the convex hull of points (n, 3), and the largest distance
    [m] by which a point is outside the hull of these.

    If the hull has more vertices, the hull grows from a tetrahedron by the point that is farthest
    outside it until it has `most`: Barber, Dobkin and Huhdanpaa, *The Quickhull algorithm for
    convex hulls*, ACM Trans. Math. Softw. 22 (1996), sec. 5. Raises ValueError for points in a
    plane.

    >>> corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    >>> vertices, error = convex_hull(np.vstack([corners, [[0.5, 0.5, 0.5]]]))
    >>> len(vertices), error
    (8, 0.0)
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners = points[np.sort(ConvexHull(points).vertices)]
    except (QhullError, ValueError):
        raise ValueError("its points have no volume") from None
    if len(corners) <= most:
        return corners, 0.0
    chosen = _tetrahedron(corners)
    while True:
        faces = ConvexHull(corners[chosen]).equations
        outside = (corners @ faces[:, :3].T + faces[:, 3]).max(axis=1)
        farthest = int(np.argmax(outside))
        error = max(float(outside[farthest]), 0.0)
        if len(chosen) == most or error < _FLAT * float(np.ptp(corners, axis=0).max()):
            return corners[np.sort(chosen)], error
        chosen.append(farthest)


def _tetrahedron(corners: Array) -> list[int]:
    """Four corners far from one another."""
    chosen = [int(np.argmin(corners[:, 0]))]
    away = corners - corners[chosen[0]]
    for _ in range(3):
        chosen.append(int(np.argmax(np.sum(away**2, axis=1))))
        along = away[chosen[-1]] / np.linalg.norm(away[chosen[-1]])
        away = away - np.outer(away @ along, along)
    return chosen
