"""A free-flyer declared as a `Model`: the package's own recursions derive its equations.

The base frame and the frames of the links are those of the literature's vectors, moved from the
centre of mass to the inboard joint: C_i at -l_i, the next joint (or the end-effector) at r_i - l_i.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.derive.model import Model, ModelError, Placement
from eomc.systems.free_flyer.topology import FreeFlyer, Triple

Attitude = Literal["euler_angles", "quasi_coordinates", "euler_parameters"]
"""Coordinates and speeds of the base.

euler_angles
    q: R_C0, angles of the sequence z-y-x; u = q'. Singular where the pitch is +-90 degrees.
quasi_coordinates
    q: R_C0, unit quaternion; u = (R_C0' in inertial axes, omega_0 in base axes): the speeds in
    which the literature writes its quasi-coordinate and Euler-parameter equations.
euler_parameters
    q: R_C0, unit quaternion; u = (R_C0', omega_0), both in base axes: a floating joint.

A planar free-flyer has one angle and u = q' in every case.
"""

_AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
_DIRECTIONS = ("x", "y", "z")


def tree_model(
    flyer: FreeFlyer, attitude: Attitude = "euler_parameters", *, thrusters: bool = False
) -> Model:
    """The free-flyer as a tree of bodies without gravity.

    Parameters
    ----------
    flyer : FreeFlyer
    attitude : "euler_parameters", "euler_angles" or "quasi_coordinates"
    thrusters : bool
        Declare the inputs f_x, f_y, f_z [N] and n_x, n_y, n_z [N m] (in the plane f_x, f_y, n_z):
        the actuators' wrench at the base's centre of mass, in base axes.

    Raises ModelError for another attitude.
    """
    if attitude not in get_args(Attitude):
        valid = ", ".join(map(repr, get_args(Attitude)))
        raise ModelError(f"attitude is {attitude!r}; valid: {valid}")
    model = Model(flyer.name, gravity=(0, 0, 0), description=flyer.description)
    for name, quantity in flyer.quantities().items():
        model.parameter(
            name, quantity.value, units=quantity.units, description=quantity.description
        )
    model.body("base", mass="m_0", inertia=_named("I_0", flyer.inertia, "xx yy zz"))
    _base_joints(model, flyer, attitude)
    for m, arm in enumerate(flyer.manipulators, 1):
        parent, at = "base", _named(f"r0_{m}", arm.r0)
        for i, link in enumerate(arm.links, 1):
            body = f"{arm.name}_link{i}"
            l, r = _named(f"l_{m}_{i}", link.l), _named(f"r_{m}_{i}", link.r)  # noqa: E741
            model.body(
                body,
                mass=f"m_{m}_{i}",
                com=[f"-({entry})" for entry in l],
                inertia=_named(f"I_{m}_{i}", link.inertia, "xx yy zz"),
            )
            model.joint(
                f"{arm.name}_theta{i}",
                "revolute",
                parent=parent,
                child=body,
                axis=(0, 0, 1),
                placement=_placement(at, link.twist, link.offset),
                effort_limit=link.effort,
            )
            parent, at = body, [f"{outer} - ({inner})" for outer, inner in zip(r, l, strict=True)]
        model.frame(f"{arm.name}_tip", body=parent, placement={"xyz": at})
    if thrusters:
        _declare_thrusters(model, flyer)
    return model


def _base_joints(model: Model, flyer: FreeFlyer, attitude: Attitude) -> None:
    if flyer.planar:
        model.joint("base", "planar", parent="world", child="base", axis=(0, 0, 1))
    elif attitude == "euler_parameters":
        model.joint("base", "floating", parent="world", child="base")
    elif attitude == "euler_angles":
        model.joint("base", "floating_euler", parent="world", child="base", sequence="zyx")
    else:
        # The velocity of C_0 in inertial axes: three slides, then the turn about C_0.
        parent = "world"
        for axis in _DIRECTIONS:
            carrier = f"carrier_{axis}"
            model.body(carrier)
            model.joint(f"base_{axis}", "prismatic", parent=parent, child=carrier, axis=_AXES[axis])
            parent = carrier
        model.joint("base", "spherical", parent=parent, child="base")


def _declare_thrusters(model: Model, flyer: FreeFlyer) -> None:
    forces, torques = (("x", "y"), ("z",)) if flyer.planar else (_DIRECTIONS, _DIRECTIONS)
    for axis in forces:
        magnitude = model.input(f"f_{axis}", units="N", description=f"thrust along base {axis}")
        model.force(
            f"thrust_{axis}", at="base", direction=_AXES[axis], frame="body", magnitude=magnitude
        )
    for axis in torques:
        magnitude = model.input(f"n_{axis}", units="N m", description=f"torque about base {axis}")
        model.torque(
            f"torque_{axis}", body="base", direction=_AXES[axis], frame="body", magnitude=magnitude
        )


def _named(name: str, values: Triple, axes: str = "x y z") -> list[str]:
    """Names of the parameters of a vector; components that are zero are the number."""
    return [
        f"{name}_{axis}" if value else "0" for axis, value in zip(axes.split(), values, strict=True)
    ]


def _placement(at: list[str], twist: float, offset: float) -> Placement:
    """Rot_x(twist) Rot_z(offset) at a point; both angles in degrees."""
    from sympy import Rational, pi

    xyz: Any = tuple(at)
    roll, yaw = (Rational(str(angle)) * pi / 180 for angle in (twist, offset))
    if not offset:
        return Placement(xyz=xyz, rpy=(roll, 0, 0)) if twist else Placement(xyz=xyz)
    return Placement(xyz=xyz, rpy=(roll, 0, 0)) @ Placement(rpy=(0, 0, yaw))


def tree_order(flyer: FreeFlyer, attitude: Attitude = "euler_angles") -> NDArray[np.int64]:
    """Places of the tree's coordinates in the literature's q: ``q_tree = q[tree_order(...)]``.

    The literature lists Euler angles as alpha, beta, gamma (about x, y, z), the tree in the order
    of the turns z, y, x; and Euler parameters as (epsilon, eta), the tree as (w, x, y, z).
    """
    places = list(range(flyer.degrees_of_freedom))
    if flyer.planar:
        return np.array(places)
    if attitude == "euler_angles":
        return np.array([0, 1, 2, 5, 4, 3, *places[6:]])
    return np.array([0, 1, 2, 6, 3, 4, 5, *(place + 1 for place in places[6:])])


def to_tree(
    flyer: FreeFlyer, q: ArrayLike, attitude: Attitude = "euler_angles"
) -> NDArray[np.float64]:
    """Coordinates (..., N) in the literature's order as those of the tree."""
    return np.asarray(q, dtype=float)[..., tree_order(flyer, attitude)]
