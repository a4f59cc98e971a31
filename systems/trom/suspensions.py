"""A McPherson strut and a twist-axle suspension (thesis, fig. 4.2).

The thesis prints frequencies and CPU times only; topology and data here are common ones. The body
of the car is at rest, x forward, y to the left, z up; vertical tyre stiffness to the road.
"""

from __future__ import annotations

from eomc.derive.model import Model, Placement, Point

__all__ = ["STRUT_TYRE", "TWIST_TYRE", "add_strut", "mcpherson_strut", "twist_axle"]

STRUT_TYRE = 163e3
"""Vertical tyre stiffness of the strut's wheel [N/m]."""
TWIST_TYRE = 165e3
"""Vertical tyre stiffness of each wheel of the twist axle [N/m]."""


def mcpherson_strut(*, damping: float = 0.0, tyre: bool = True) -> Model:
    """A front wheel: control arm, wheel carrier, strut with sliding damper rod, tie rod.

    Tree: control arm on a revolute joint ``arm`` along x, wheel carrier on the ball joint ``ball``
    at its end, damper rod on the universal joint ``mount`` at the top. The rod slides and turns in
    the carrier's tube (cut cylindrical joint ``tube``), the tie rod holds the carrier's steering
    arm at a distance (``tie``): six coordinates, five constraints, one degree of freedom.

    damping : of the damper [N s/m]
    tyre : with the tyre's spring; without it, its force is left to a function of the user

    Frame ``contact`` is the tyre's contact point.
    """
    model = Model("mcpherson_strut", gravity=(0, 0, -9.81))
    add_strut(model, damping=damping)
    model.frame("contact", body="carrier", placement=Placement(xyz=(0, 0.10, -0.20)))
    if tyre:
        _tyre(model, "tyre", "carrier", (0, 0.10, -0.20), STRUT_TYRE, 0.02)
    return model


def add_strut(
    model: Model,
    prefix: str = "",
    *,
    body: str = "world",
    rack: str = "",
    place: float = 0.0,
    side: int = 1,
    damping: float = 0.0,
) -> None:
    """The bodies, joints and tie rod of a strut on a `body`, `place` metres ahead of its origin.

    `side` is 1 on the left and -1 on the right; the tie rod ends on the body `rack`, by default on
    `body`. Names begin with `prefix`.
    """
    arm, carrier, rod = (f"{prefix}{name}" for name in ("arm", "carrier", "rod"))
    # The strut leans inwards, from the carrier's top end to its mount.
    lean = 0.14 * side
    model.body(arm, mass=3.0, com=(0, 0.17 * side, 0), inertia=(0.03, 0.01, 0.04))
    model.body(carrier, mass=34.0, com=(0, 0.10 * side, 0.10), inertia=(0.9, 1.1, 0.8))
    model.body(rod, mass=2.0, com=(0, 0, -0.2), inertia=(0.03, 0.03, 0.001))
    model.joint(
        arm,
        "revolute",
        parent=body,
        child=arm,
        axis=(1, 0, 0),
        placement=Placement(xyz=(place, 0.35 * side, 0.20)),
    )
    # The carrier's frame lies in its lower ball joint.
    model.joint(
        f"{prefix}ball",
        "spherical_euler",
        parent=arm,
        child=carrier,
        sequence="xyz",
        placement=Placement(xyz=(0, 0.36 * side, 0)),
    )
    model.joint(
        f"{prefix}mount",
        "universal",
        parent=body,
        child=rod,
        axis=(1, 0, 0),
        axis_2=(0, 1, 0),
        placement=Placement(xyz=(place, 0.586 * side, 0.86), rpy=(lean, 0, 0)),
    )
    # The tube's axis passes the mount and the point 0.66 m below it along the strut.
    inwards, height = -0.124 + 0.5 * 0.1395431, 0.66 - 0.5 * 0.9902160
    model.joint(
        f"{prefix}tube",
        "cylindrical",
        parent=rod,
        child=carrier,
        axis=(0, 0, 1),
        cut=True,
        placement=Placement(xyz=(0, 0, -0.5)),
        child_placement=Placement(xyz=(0, inwards * side, height), rpy=(lean, 0, 0)),
    )
    model.constraint(
        f"{prefix}tie",
        "distance",
        a=Point(carrier, (-0.12, -0.03 * side, 0.05)),
        b=Point(rack or body, (place - 0.12, 0.37 * side, 0.25)),
        length=0.31,
    )
    model.spring(
        f"{prefix}coil",
        a=Point(body, (place, 0.586 * side, 0.86)),
        b=Point(carrier, (0, -0.06 * side, 0.33)),
        stiffness=22e3,
        damping=damping,
        free_length=0.42,
    )


def twist_axle(*, damping: float = 0.0, tyre: bool = True) -> Model:
    """A rear axle: trailing arms joined by a beam that bends little and twists easily.

    Trailing arms on revolute joints ``left`` and ``right`` along y, a beam on the left arm by the
    universal joint ``beam``; its far end stays on the right arm's pivot point while it may slide
    (point on line, two constraints): four coordinates, two degrees of freedom. A torsional spring
    acts between the arms, bushings hold the beam.

    damping : of the dampers, at each wheel [N s/m]
    tyre : as of `mcpherson_strut`; frames ``contact_left`` and ``contact_right``
    """
    model = Model("twist_axle", gravity=(0, 0, -9.81))
    half, arm, beam = 0.70, 0.42, 0.12
    model.body("beam", mass=9.0, com=(0, -half, 0), inertia=(1.5, 0.02, 1.5))
    for name, side in (("left", half), ("right", -half)):
        model.body(f"{name}_arm", mass=40.0, com=(-0.40, 0, 0), inertia=(0.5, 1.0, 1.0))
        model.joint(
            name,
            "revolute",
            parent="world",
            child=f"{name}_arm",
            axis=(0, -1, 0),
            placement=Placement(xyz=(0, side, 0.30)),
            damping=0.0,
        )
        model.spring(
            f"coil_{name}",
            a=Point("world", (-0.30, side, 0.55)),
            b=Point(f"{name}_arm", (-0.30, 0, 0)),
            stiffness=28e3,
            damping=damping,
            free_length=0.31,
        )
        wheel = (-arm, 0, -0.30)
        model.frame(f"contact_{name}", body=f"{name}_arm", placement=Placement(xyz=wheel))
        if tyre:
            _tyre(model, f"tyre_{name}", f"{name}_arm", wheel, TWIST_TYRE, 0.015)
    model.joint(
        "beam",
        "universal",
        parent="left_arm",
        child="beam",
        axis=(1, 0, 0),
        axis_2=(0, 0, 1),
        placement=Placement(xyz=(-beam, 0, 0)),
    )
    model.constraint(
        "seat",
        "point_on_line",
        a=Point("right_arm", (-beam, 0, 0)),
        b=Point("beam"),
        axis_b=(0, 1, 0),
    )
    model.joint_spring("bushing_1", joint="beam_1", stiffness=400.0)
    model.joint_spring("bushing_2", joint="beam_2", stiffness=400.0)
    model.potential("twist", "700*(left - right)**2")
    return model


def _tyre(
    model: Model, name: str, body: str, at: tuple[float, float, float], k: float, squash: float
) -> None:
    """A vertical spring to the road at z = 0."""
    normal = {"kind": "kelvin_voigt", "stiffness": k}
    model.tyre(name, at=Point(body, at), normal=normal, free_height=squash)
