"""Case of the slope that a bent truss gives to what it carries: 36."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.truss_crane.boom import NODES, TIP
from eomc.systems.truss_crane.crane import pivoting_boom
from eomc_published.boutin.table_8_1 import PRINTED
from eomc_published.case import Case, CaseCheck, agrees

_FRAME = [f"frame_link_{what}" for what in ("pose", "velocity", "acceleration")]
#: (turn, b1, b2, theta), the boom bent as at 5 s of the maneuver; rates, accelerations.
STATE = np.array([[-0.7, 4.2, -0.014, 0.4], [0.2, -3.0, 1.5, 0.1], [0.05, 2.0, -4.0, -0.3]])


@cache
def carrying() -> CompiledModel:
    """The boom on a hinge, with a link on a hinge at node 39."""
    model = pivoting_boom(2)
    model.body("link", mass=1, inertia=(1, 1, 1))
    model.joint("theta", "revolute", parent="node39", child="link", axis=(0, 0, 1))
    return build(model, functions=_FRAME)


def row() -> Array:
    """B* of node 39 by the printed modes: displacement across the line from node 1 by its length
    (3.33)-(3.35)."""
    x, y = NODES[TIP]
    x_1, y_1, x_2, y_2 = PRINTED[int(TIP) - 1]
    return np.array([x * y_1 - y * x_1, x * y_2 - y * x_2]) / (x * x + y * y)


def _slope() -> Iterator[CaseCheck]:
    model = carrying()
    q, u, a = STATE
    axes = np.asarray(model.frame("link").pose(q))[:3, :3]
    turned = float(np.arctan2(axes[1, 0], axes[0, 0]))
    slope = float(row() @ q[1:3])
    yield agrees("delta [rad]", slope, turned - q[0] - q[3], 1e-3, relative=True)
    velocity = np.asarray(model.frame("link").velocity(q, u))[5]
    yield agrees("delta' [rad/s]", row() @ u[1:3], velocity - u[0] - u[3], 1e-3, relative=True)
    acceleration = np.asarray(model.frame("link").acceleration(q, u, a))[5]
    twice = acceleration - a[0] - a[3]
    yield agrees("delta'' [rad/s^2]", row() @ a[1:3], twice, 1e-3, relative=True)


CASES = (
    Case(
        36,
        "Deflection slope",
        "(3.33)-(3.37), (3.47)-(3.50)",
        "orientation, angular velocity and acceleration of a link on the bent boom against the "
        "printed modes",
        _slope,
        provenance="reconstructed",
        note="In the runs of the source only the last link bends, so that no other one shows it.",
    ),
)
