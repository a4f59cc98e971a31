"""Mode shapes of beams and rods: values, slopes, curvatures and exact integrals."""

from __future__ import annotations

from eomc.derive.shapes.beam_frequencies import (
    clamped_free_root,
    clamped_pinned_root,
    free_free_root,
    hub_root,
    pinned_pinned_root,
)
from eomc.derive.shapes.beam_shapes import (
    clamped_clamped,
    clamped_free,
    clamped_pinned,
    free_free,
    pinned_free,
    pinned_pinned,
)
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial
from eomc.derive.shapes.families import BENDING, ROD, family_shapes
from eomc.derive.shapes.mode_shape import ModeShape, user_shape
from eomc.derive.shapes.numeric_function import gauss_points, integrate
from eomc.derive.shapes.polynomial_shapes import PolynomialShape, polynomial_shape
from eomc.derive.shapes.rod_shapes import fixed_fixed_rod, fixed_free_rod, free_free_rod

__all__ = [
    "BENDING",
    "ROD",
    "ExponentialPolynomial",
    "ModeShape",
    "PolynomialShape",
    "clamped_clamped",
    "clamped_free",
    "clamped_free_root",
    "clamped_pinned",
    "clamped_pinned_root",
    "family_shapes",
    "fixed_fixed_rod",
    "fixed_free_rod",
    "free_free",
    "free_free_rod",
    "free_free_root",
    "gauss_points",
    "hub_root",
    "integrate",
    "pinned_free",
    "pinned_pinned",
    "pinned_pinned_root",
    "polynomial_shape",
    "user_shape",
]
