"""A passenger car on its wheels: twenty-nine coordinates, ten degrees of freedom.

The thesis names such a car to compare two ways to eigenvalues and presents none; topology and data
here are round figures of common cars. It stands with its brakes on, so that tyres hold it along and
across the road as well.
"""

from __future__ import annotations

from eomc.derive.model import Model, Placement, Point
from eomc.systems.trom.suspensions import add_strut

__all__ = ["TYRE_HEIGHT", "TYRE_STIFFNESS", "WHEELS", "passenger_car"]

FRONT, REAR = 1.2, -1.4
TRACK = 0.81
"""Half of it [m]."""
TYRE_STIFFNESS, TYRE_HEIGHT = 200e3, 0.018
"""Vertical stiffness of a tyre [N/m], and height of its contact point without load [m]."""
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")


def passenger_car() -> Model:
    """A body on two struts in front and two pairs of wishbones behind, with a steering rack.

    Tree: the body, ``car_x`` to ``car_a3``; the rack on a slide ``rack``, which a driver holds at
    0; six coordinates a strut as of `mcpherson_strut`; arms and carrier of the wishbones, five
    coordinates each. The struts' tubes and tie rods, the wishbones' upper ball joints and toe links
    and the driver are 19 constraints. Frames ``contact_<wheel>`` are where tyres touch the road.
    """
    model = Model("passenger_car", gravity=(0, 0, -9.81))
    model.body("car", mass=1150.0, com=(0.05, 0, 0.55), inertia=(420.0, 1650.0, 1850.0))
    model.joint("car", "floating_euler", parent="world", child="car", sequence="zyx")
    model.body("rack", mass=4.0, inertia=(0.1, 0.01, 0.1))
    model.joint("rack", "prismatic", parent="car", child="rack", axis=(0, 1, 0))
    model.constraint("steering", "driver", first="rack", expression=0)
    for name in WHEELS:
        side = 1 if name.endswith("left") else -1
        prefix = f"{name}_"
        if name.startswith("front"):
            add_strut(
                model, prefix, body="car", rack="rack", place=FRONT, side=side, damping=1600.0
            )
            hub = Point(f"{prefix}carrier", (0, 0.10 * side, -0.20))
        else:
            _add_wishbones(model, prefix, side)
            hub = Point(f"{prefix}carrier", (0, 0.10 * side, -0.22))
        _add_tyre(model, name, hub, FRONT if name.startswith("front") else REAR, side)
    return model


def _add_wishbones(model: Model, prefix: str, side: int) -> None:
    """A lower and an upper arm, the carrier between their ball joints, a toe link and a coil."""
    model.body(f"{prefix}carrier", mass=32.0, com=(0, 0.09 * side, 0.08), inertia=(0.8, 1.0, 0.7))
    arms = {"lower": (0.35, 0.22, 0.36), "upper": (0.42, 0.48, 0.26)}
    for arm, (pivot, height, length) in arms.items():
        name = f"{prefix}{arm}"
        model.body(name, mass=3.0, com=(0, length / 2 * side, 0), inertia=(0.03, 0.01, 0.04))
        model.joint(
            name,
            "revolute",
            parent="car",
            child=name,
            axis=(1, 0, 0),
            placement=Placement(xyz=(REAR, pivot * side, height)),
        )
    ends = {arm: Placement(xyz=(0, length * side, 0)) for arm, (_, _, length) in arms.items()}
    model.joint(
        f"{prefix}ball",
        "spherical_euler",
        parent=f"{prefix}lower",
        child=f"{prefix}carrier",
        sequence="xyz",
        placement=ends["lower"],
    )
    model.joint(
        f"{prefix}upper_ball",
        "spherical",
        parent=f"{prefix}upper",
        child=f"{prefix}carrier",
        cut=True,
        placement=ends["upper"],
        child_placement=Placement(xyz=(0, -0.03 * side, 0.26)),
    )
    model.constraint(
        f"{prefix}toe",
        "distance",
        a=Point(f"{prefix}carrier", (-0.12, 0, 0.05)),
        b=Point("car", (REAR - 0.12, 0.35 * side, 0.27)),
        length=0.36,
    )
    model.spring(
        f"{prefix}coil",
        a=Point("car", (REAR, 0.58 * side, 0.77)),
        b=Point(f"{prefix}lower", (0, 0.25 * side, 0)),
        stiffness=40e3,
        damping=3000.0,
        free_length=0.64,
    )


def _add_tyre(model: Model, name: str, at: Point, place: float, side: int) -> None:
    """Vertical stiffness to the road, and stiffness along and across it to points of the road."""
    model.frame(f"contact_{name}", body=at.body, placement=Placement(xyz=at.xyz))
    normal = {"kind": "kelvin_voigt", "stiffness": TYRE_STIFFNESS, "damping": 200.0}
    model.tyre(f"tyre_{name}", at=at, normal=normal, free_height=TYRE_HEIGHT)
    for along, (dx, dy) in {"along": (2.0, 0.0), "across": (0.0, 2.0 * side)}.items():
        model.spring(
            f"tyre_{name}_{along}",
            a=Point("world", (place + dx, TRACK * side + dy, 0)),
            b=at,
            stiffness=150e3,
            damping=300.0,
            free_length=2.0,
        )
