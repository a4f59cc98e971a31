"""Small vehicles on tyres, with published tyre data: a single-track car, a trailing wheel, a
quarter car.

References: Pacejka, *Tyre and Vehicle Dynamics*, 2nd ed. (2006), table A3.1 (tyre); 3rd ed. (2012),
secs. 1.3.2 (single-track car) and 5.2 (trailing wheel); Hac, Trans. ASME J. Dyn. Syst. Meas.
Control 107 (1985) 213 (quarter car).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eomc.derive.model import Model, Point

__all__ = ["PASSENGER_TYRE", "TRUCK_TYRE", "quarter_car", "single_track_car", "trailing_wheel"]

PASSENGER_TYRE: Mapping[str, Any] = {
    "kind": "magic_formula",
    "nominal_load": 4000.0,
    "pcy1": 1.193,
    "pdy1": 0.990,
    "pdy2": -0.145,
    "pey1": -1.003,
    "pey2": -0.537,
    "pky1": 14.95,
    "pky2": 2.130,
    "pcx1": 1.685,
    "pdx1": 1.210,
    "pdx2": -0.037,
    "pex1": 0.344,
    "pex2": 0.095,
    "pex3": -0.020,
    "pkx1": 21.51,
    "pkx2": -0.163,
    "pkx3": 0.245,
}
"""A passenger car's 205/60R15 91V at 2.2 bar, as published (table A3.1), in magnitudes."""

TRUCK_TYRE: Mapping[str, Any] = {
    **{key: value for key, value in PASSENGER_TYRE.items() if key[:2] != "pk" and key[2] != "x"},
    "nominal_load": 27.5e3,
    "pdy1": 0.80,
    "pky1": 7.41,
    "pky2": 2.13,
}
"""A heavy truck's tyre: the curve of the published passenger tyre, with the friction and the
cornering stiffness (5.7 1/rad under the nominal load) of truck tyres."""


def single_track_car(
    slip: Mapping[str, Any] = PASSENGER_TYRE,
    *,
    mass: float = 1600.0,
    inertia: float = 2500.0,
    front: float = 1.45,
    rear: float = 1.15,
    stiffness: float = 4e5,
    relaxation_length: float = 0.0,
) -> Model:
    """A car on one front and one rear tyre, which heaves and pitches little: no roll.

    Axles `front` and `rear` [m] from the mass centre; input ``steer`` [rad]. A tyre of the model
    stands for the two of an axle, with twice the nominal load of `slip`. Speeds ``ride_vx``,
    ``ride_vy`` and ``ride_wz`` are along its own axes.
    """
    model = Model("single_track_car", gravity=(0, 0, -9.81))
    model.input("steer", units="rad")
    model.body("base", mass=0)
    model.joint("ride", "planar_body", parent="world", child="base", axis=(0, 0, 1))
    model.body("car", mass=mass, inertia=(inertia, inertia, inertia))
    model.joint("heave", "prismatic", parent="base", child="car", axis=(0, 0, 1))
    weight = 9.81 * mass / (front + rear)
    if "nominal_load" in slip:
        slip = {**slip, "nominal_load": 2 * slip["nominal_load"]}
    for name, place, share, heading in (
        ("front", front, rear, ("cos(steer)", "sin(steer)", 0)),
        ("rear", -rear, front, (1, 0, 0)),
    ):
        k = stiffness * share / (front + rear)
        model.tyre(
            name,
            at=Point("car", (place, 0, 0)),
            normal={"kind": "kelvin_voigt", "stiffness": k, "damping": 0.02 * k},
            slip=slip,
            free_height=weight * share / k,
            direction=heading,
            relaxation_length=relaxation_length,
        )
    return model


def trailing_wheel(
    *,
    trail: float = 0.1,
    inertia: float = 1.0,
    damping: float = 0.0,
    load: float = 4000.0,
    cornering: float = 10.0,
    relaxation_length: float = 0.3,
) -> Model:
    """A wheel that trails `trail` [m] behind the pivot ``yaw`` of a carriage, which ``way`` moves
    along the road: a wheel that may shimmy.

    inertia : about the pivot [kg m^2]; damping : of the pivot [N m s/rad].
    """
    model = Model("trailing_wheel", gravity=(0, 0, 0))
    model.body("carriage", mass=1000)
    model.joint("way", "prismatic", parent="world", child="carriage", axis=(1, 0, 0))
    model.body("fork", inertia=(inertia, inertia, inertia), mass=0)
    model.joint("yaw", "revolute", parent="carriage", child="fork", axis=(0, 0, 1), damping=damping)
    model.tyre(
        "tyre",
        at=Point("fork", (-trail, 0, 0)),
        normal={"kind": "kelvin_voigt", "stiffness": 2e5},
        free_height=load / 2e5,
        slip={"kind": "linear", "cornering": cornering},
        relaxation_length=relaxation_length,
    )
    return model


def quarter_car(
    *,
    body: float = 300.0,
    wheel: float = 40.0,
    stiffness: float = 18e3,
    damping: float = 1.2e3,
    tyre: float = 180e3,
) -> Model:
    """A body on a wheel on a tyre; ``body`` and ``wheel`` are heights above rest. Inputs ``road``
    [m] and ``road_rate`` [m/s]."""
    model = Model("quarter_car", gravity=(0, 0, -9.81))
    model.input("road", units="m")
    model.input("road_rate", units="m/s")
    model.body("wheel", mass=wheel)
    model.joint("wheel", "prismatic", parent="world", child="wheel", axis=(0, 0, 1))
    model.body("body", mass=body)
    model.joint(
        "body", "prismatic", parent="world", child="body", axis=(0, 0, 1), placement=(0, 0, 1)
    )
    length = 1 + 9.81 * body / stiffness
    model.spring(
        "spring", a="wheel", b="body", stiffness=stiffness, damping=damping, free_length=length
    )
    model.tyre(
        "tyre",
        at="wheel",
        normal={"kind": "kelvin_voigt", "stiffness": tyre},
        free_height=9.81 * (body + wheel) / tyre,
        road="road",
        road_rate="road_rate",
    )
    return model
