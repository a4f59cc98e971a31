"""A bicycle on thin wheels that roll without slip, with a rigid rider: Whipple's model.

Meijaard, Papadopoulos, Ruina and Schwab, *Linearized dynamics equations for the balance and steer
of a bicycle: a benchmark and review*, Proc. R. Soc. A 463 (2007) 1955; its numbers and its axes, x
ahead, y to the right, z down, the origin where the rear wheel touches the ground.
"""

from __future__ import annotations

import math

from eomc.derive.model import Model, Placement

__all__ = ["bicycle", "straight_ahead"]

_WHEELBASE, _TRAIL, _TILT = 1.02, 0.08, math.pi / 10
_REAR, _FRONT = 0.3, 0.35


def bicycle() -> Model:
    """Frame with rider, fork with handlebar, two wheels; gravity ``g`` is tunable.

    Coordinates: ``x``, ``y``, ``z`` of the frame's origin, ``yaw``, ``lean``, ``pitch`` in this
    order of turns, ``steer``, and the turns ``rear`` and ``front`` of the wheels.

    >>> bicycle().coordinates
    ('x', 'y', 'z', 'yaw', 'lean', 'pitch', 'rear', 'steer', 'front')
    """
    model = Model("bicycle", gravity=(0, 0, "g"))
    model.parameter("g", 9.81, units="m/s^2", tunable=True)
    parent = "world"
    for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
        model.body(f"at_{name}")
        model.joint(name, "prismatic", parent=parent, child=f"at_{name}", axis=axis)
        parent = f"at_{name}"
    for name, axis, child in (
        ("yaw", (0, 0, 1), "at_yaw"),
        ("lean", (1, 0, 0), "at_lean"),
        ("pitch", (0, 1, 0), "frame"),
    ):
        if child != "frame":
            model.body(child)
        else:
            _body(model, "frame", 85, (0.3, 0, -0.9), (9.2, 11, 2.8, 0, 2.4, 0))
        model.joint(name, "revolute", parent=parent, child=child, axis=axis)
        parent = child
    ahead, down = _WHEELBASE + _TRAIL, (math.sin(_TILT), 0, math.cos(_TILT))
    _body(model, "fork", 4, (0.9 - ahead, 0, -0.7), (0.05892, 0.06, 0.00708, 0, -0.00756, 0))
    _body(model, "rear_wheel", 2, (0, 0, 0), (0.0603, 0.12, 0.0603, 0, 0, 0))
    _body(model, "front_wheel", 3, (0, 0, 0), (0.1405, 0.28, 0.1405, 0, 0, 0))
    hub, axle = Placement(xyz=(0, 0, -_REAR)), Placement(xyz=(-_TRAIL, 0, -_FRONT))
    model.joint(
        "rear", "revolute", parent="frame", child="rear_wheel", axis=(0, 1, 0), placement=hub
    )
    model.joint(
        "steer",
        "revolute",
        parent="frame",
        child="fork",
        axis=down,
        placement=Placement(xyz=(ahead, 0, 0)),
    )
    model.joint(
        "front", "revolute", parent="fork", child="front_wheel", axis=(0, 1, 0), placement=axle
    )
    for wheel, radius in (("rear_wheel", _REAR), ("front_wheel", _FRONT)):
        model.constraint(
            f"{wheel}_rolls",
            "rolling",
            a=wheel,
            b="world",
            axis_a=(0, 1, 0),
            axis_b=(0, 0, -1),
            length=radius,
        )
    return model


def _body(
    model: Model, name: str, mass: float, com: tuple[float, ...], inertia: tuple[float, ...]
) -> None:
    """Inertia about the centre of mass: xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = inertia
    model.body(name, mass=mass, com=com, inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def straight_ahead(v: float) -> dict[str, float]:
    """Speeds of a run straight ahead at v [m/s]; the wheels turn about their right-hand axes.

    >>> straight_ahead(0.6)["rear"]
    -2.0
    """
    return {"x": v, "rear": -v / _REAR, "front": -v / _FRONT}
