"""The truss crane in space: its length as a text, and its booms."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from eomc.systems.truss_crane import space_crane
from eomc.systems.truss_crane.boom import BAYS, Bay, flexible_bay, space_boom


def test_the_model_is_at_most_sixty_lines() -> None:
    module = inspect.getmodule(space_crane)
    assert module is not None
    assert len(inspect.getsource(module).splitlines()) <= 60
    assert len(space_crane().coordinates) == 35


@pytest.mark.parametrize("bay", BAYS)
def test_two_plane_trusses_without_lacing_are_the_plane_boom(bay: Bay) -> None:
    """Frequencies in the plane, and displacements of all that is hinged to it."""
    flat = flexible_bay(bay, 0, interfaces=True)
    body = space_boom(bay, 0, lacing=1e-9)
    moved = [
        np.hstack([np.array(dict(b.stations)[n][1], float) for n in bay.joined])
        for b in (flat, body)
    ]
    inside = np.abs(moved[1][:, ::3]).max(axis=1) > 1e-9
    assert inside.sum() == len(flat.coordinates) < len(inside)
    squares = [np.diag(np.array(b.stiffness, float)) for b in (flat, body)]
    np.testing.assert_allclose(squares[1][inside], squares[0], rtol=1e-6)
    np.testing.assert_allclose(np.abs(moved[1][inside]), np.abs(moved[0]), atol=1e-6)
    assert float(body.mass) == pytest.approx(float(flat.mass), rel=1e-6)
