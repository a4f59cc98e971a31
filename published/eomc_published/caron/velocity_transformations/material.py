"""Elements of mass of one body: where they are, how shapes move with the length there.

An element at x has dx/dl = 0 on the platform and on a slewing link, 1 on a deployable link, which
slides in it with its tip at x = l. With s = x/l and the derivative along the element (2.20),

    s^l = (dx/dl - s)/l,   phi^l = phi'(s) s^l,   phi^ll = phi''(s) (s^l)^2 - 2 phi'(s) s^l/l

Integrals over mass are sums over Gauss points, exact to rounding for these shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc_published.caron.velocity_transformations.layout import BlockLayout, Matrix, Vector
from eomc_published.caron.velocity_transformations.mode_shapes import (
    ModeShapes,
    platform_shapes,
    unit_shapes,
)

_POINTS = 32


@dataclass(frozen=True)
class LengthElements:
    """Elements of mass and of stiffness of one body at a length l.

    dm (k,): mass; r (k, 2), r_l (k, 2): place in the body and its derivative by l; phi, phi_l,
    phi_ll (k, s): shapes and their derivatives along the element. dk (k,): EI dx; bend, bend_l
    (k, s): curvature phi''/l^2 and its derivative along the element.
    """

    dm: Vector
    r: Matrix
    r_l: Matrix
    phi: Matrix
    phi_l: Matrix
    phi_ll: Matrix
    dk: Vector
    bend: Matrix
    bend_l: Matrix


@dataclass(frozen=True)
class ElementBody:
    """One body: its shapes, and elements by their place x = base + slides l.

    middle : 1/2 if x counts from the middle of the body, else 0
    """

    shapes: ModeShapes
    base: Vector
    slides: Vector
    dm: Vector
    dk: Vector
    middle: float

    def elements(self, l: Any) -> LengthElements:  # noqa: E741  (the thesis's symbol)
        """At the length l."""
        x = self.base + self.slides * l
        s = self.middle + x / l
        s_l = 0 * s if self.middle else (self.slides - s) / l
        first, second, third = (self.shapes(s, order) for order in (1, 2, 3))
        column = s_l[:, None]
        zero = 0 * x
        return LengthElements(
            dm=self.dm,
            r=np.stack([x, zero], axis=1),
            r_l=np.stack([self.slides + zero, zero], axis=1),
            phi=self.shapes(s),
            phi_l=first * column,
            phi_ll=second * column**2 - 2 * first * column / l,
            dk=self.dk,
            bend=second / l**2,
            bend_l=third * column / l**2 - 2 * second / l**3,
        )


def bodies(layout: BlockLayout) -> dict[int, ElementBody]:
    """All bodies by their number."""
    m, points = layout.manipulator, np.polynomial.legendre.leggauss(_POINTS)
    place, weight = (points[0] + 1) / 2, points[1] / 2
    zero = 0 * place
    data = m.platform
    found = {
        1: ElementBody(
            platform_shapes(layout.modes(1)),
            data.length * (place - 0.5),
            zero,
            data.mass * weight,
            data.EI * data.length * weight,
            0.5,
        )
    }
    unit = m.unit
    for i in range(2, layout.bodies + 1):
        outboard = m.payload + unit.mass * (layout.bodies - i)
        ratio = outboard / unit.mass if m.tip_mass_shapes else 0.0
        payload = m.payload if i == layout.bodies else 0.0
        found[i] = ElementBody(
            unit_shapes(layout.modes(i), ratio),
            np.concatenate(
                [unit.slewing_length * place, unit.deployable_length * (place - 1), [0]]
            ),
            np.concatenate([zero, zero + 1, [1]]),
            np.concatenate([unit.slewing_mass * weight, unit.deployable_mass * weight, [payload]]),
            np.concatenate(
                [
                    unit.slewing_EI * unit.slewing_length * weight,
                    unit.deployable_EI * unit.deployable_length * weight,
                    [0],
                ]
            ),
            0.0,
        )
    return found
