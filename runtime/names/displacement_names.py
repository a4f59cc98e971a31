"""Names of tangent displacements."""

from __future__ import annotations

from collections.abc import Sequence


def displacement_names(coordinates: Sequence[str], speeds: Sequence[str]) -> tuple[str, ...]:
    """Names of the tangent displacements: one a speed.

    >>> displacement_names(("y", "b_qw", "b_qx"), ("y", "b_wx"))
    ('y', 'displacement(b_wx)')
    """
    known = set(coordinates)
    return tuple(name if name in known else f"displacement({name})" for name in speeds)
