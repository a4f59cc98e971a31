"""A ladder of four-bars: the coupler of each carries the next.

The standard example of a chain with loops (Bae and Haug, *A recursive formulation for constrained
mechanical system dynamics: part II, closed loop systems*, Mech. Struct. Mach. 15 (1987) 481): every
loop adds three coordinates, two independent rows and one freedom, and touches its neighbours only,
so that the cost of a step can grow linearly with their number.
"""

from __future__ import annotations

from typing import Any

from eomc.derive.model import Model, ModelError

__all__ = ["four_bar_chain"]


def four_bar_chain(n: int, *, gravity: float = 9.81, damping: float = 0.0) -> Model:
    """n parallelograms of bars of 1 m and 1 kg in the x-y plane, gravity along -y.

    Coordinates ``left1``, ``top1``, ``right1``, ... [rad]; all zero is upright, and
    (x, -x, x) in every loop keeps it closed.

    >>> four_bar_chain(2).coordinates
    ('left1', 'top1', 'left2', 'top2', 'right2', 'right1')

    Raises `ModelError` unless n is at least 1.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ModelError(f"n is {n!r}; give a whole number of loops, at least 1")
    model = Model(f"four_bar_chain_{n}", gravity=(0, -gravity, 0))
    below, height = "world", 0.0
    for k in range(1, n + 1):
        bar: dict[str, Any] = {"mass": 1, "com": (0, 0.5, 0), "inertia": ("1/12", 0, "1/12")}
        model.body(f"bar_left{k}", **bar)
        model.body(f"bar_right{k}", **bar)
        model.body(f"bar_top{k}", mass=1, com=(0.5, 0, 0), inertia=(0, "1/12", "1/12"))
        for name, parent, child, place in (
            ("left", below, "left", (0, height, 0)),
            ("right", below, "right", (1, height, 0)),
            ("top", f"bar_left{k}", "top", (0, 1, 0)),
        ):
            model.joint(
                f"{name}{k}",
                "revolute",
                parent=parent,
                child=f"bar_{child}{k}",
                axis=(0, 0, 1),
                placement=place,
                damping=damping,
            )
        model.joint(
            f"close{k}",
            "revolute",
            parent=f"bar_right{k}",
            child=f"bar_top{k}",
            axis=(0, 0, 1),
            placement=(0, 1, 0),
            child_placement=(1, 0, 0),
            damping=damping,
            cut=True,
        )
        below, height = f"bar_top{k}", 0.1
    return model
