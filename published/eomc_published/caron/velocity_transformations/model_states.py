"""States of the eomc model as states of this formulation.

    psi_1 = theta + pitch,   psi_i = psi_{i-1} + xi_i + alpha_i + beta_i              (2.33), (2.36)

and modal amplitudes by the ratio of the shapes' tip values. Rates and accelerations follow exactly,
by truncated Taylor series.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from eomc.runtime.trajectories import Jet
from eomc_published.caron.velocity_transformations.equations import TransformedEquations
from eomc_published.caron.velocity_transformations.layout import Vector

Motion = Mapping[str, Sequence[float]]
"""(q, q', q'') of coordinates by name."""


def coupled(
    equations: TransformedEquations, motion: Motion, tips: Mapping[int, Sequence[float]]
) -> tuple[Vector, Vector, Vector]:
    """(q, q', q'') of all named coordinates of the model.

    tips : tip values of the model's shapes by body
    """
    layout = equations.layout
    rows = np.zeros((3, layout.total))

    def put(place: int, value: Jet) -> Jet:
        rows[:, place] = value.value, value.rate, value.acceleration
        return value

    def of(name: str) -> Jet:
        value, rate, acceleration = map(np.asarray, motion[name])
        return Jet(value, rate, acceleration)

    put(0, of("orbit_r"))
    psi = put(layout.psi(1), put(1, of("orbit_theta")) + of("orbit_psi"))
    length = Jet.of(equations.manipulator.platform.length)
    for i, body in equations.bodies.items():
        name = "platform" if i == 1 else f"unit{i}"
        if i > 1:
            s = Jet.of(1.0)
            if i == 2:
                offset = layout.offset(i).start
                s = put(offset, of("d2")) / length + 0.5
                put(offset + 1, Jet.of(equations.manipulator.platform.offset))
            xi = _slope(equations, i - 1, rows, s, length)
            put(layout.rotor(i), of(f"alpha{i}"))
            psi = put(layout.psi(i), psi + xi + of(f"alpha{i}") + of(f"alpha{i}_twist"))
            length = put(layout.length(i), of(f"{name}_length"))
        own = body.shapes(1.0)
        start = layout.delta(i).start
        for j in range(layout.modes(i)):
            put(start + j, of(f"{name}_y{j + 1}") * (tips[i][j] / own[j]))
    return rows[0], rows[1], rows[2]


def _slope(equations: TransformedEquations, i: int, rows: Vector, s: Jet, length: Jet) -> Jet:
    """phi'(s) delta / l of body i, whose amplitudes stand in `rows`."""
    shapes, places = equations.bodies[i].shapes, equations.layout.delta(i)
    slopes = [shapes(s.value, order) for order in (1, 2, 3)]
    total = Jet.of(0.0)
    for j, place in enumerate(range(places.start, places.stop)):
        delta = Jet(*rows[:, place])
        total = total + s.through(*(slope[j] for slope in slopes)) * delta
    return total / length
