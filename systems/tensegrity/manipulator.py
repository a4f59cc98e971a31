"""The manipulator: three struts held by six cables, three links from their tops to an end-effector.

Strut i stands on a joint at a corner of an equilateral triangle and bears two blocks, one at its
top, one at its foot, which swivel about the strut's axis; from the pulley in each a cable runs to
the top of the strut before it (3, 1, 2 for 1, 2, 3). From the same top a link goes to the
end-effector, the hub. All coordinates are zero in a right prism with square side faces: the struts
are diagonals of these, the links the edges of a regular tetrahedron on the top triangle.

Coordinates of branch i: ``phi<i>`` and ``psi<i>`` of the strut; ``beta_top<i>``, ``theta_top<i>``
the swivel of the upper block and the turn of its pulley, which winds up as it grows, and the same
for ``bot``; two angles of the link, and the hub's displacements. Six conditions keep the cables in
the planes of their blocks, nine the links on the struts: twelve freedoms, six actuated by the
torques ``u_top<i>`` and ``u_bot<i>``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.cables import Winch
from eomc.derive.model import Model
from eomc.derive.placement.placement import Point

__all__ = [
    "BRANCHES",
    "CABLES",
    "HEIGHT",
    "RADIUS",
    "SIDE",
    "STRAIN",
    "before",
    "manipulator",
    "posture",
]


BRANCHES = (1, 2, 3)
#: A cable of each branch by the end of the strut that bears its pulley.
CABLES = ("top", "bot")
DENSITY, LENGTH, RADIUS, THICKNESS = 2.7e3, 1.0, 0.05, 0.01
OUTER, INNER = 0.035, 0.032
#: Of the base triangle, and of the links.
SIDE = LENGTH / math.sqrt(2)
#: Of the end-effector over the base in the prism.
HEIGHT = SIDE * (1 + math.sqrt(2 / 3))
#: Of all cables where all coordinates are zero.
STRAIN = 0.01


def before(i: int) -> int:
    """The strut to whose top the cables and the link of branch i lead."""
    return (i - 2) % 3 + 1


def corner(azimuth: float, radius: float = SIDE / math.sqrt(3), height: float = 0.0) -> Array:
    """A point on a circle about the vertical axis; `azimuth` in degrees."""
    at = math.radians(azimuth)
    return np.array([radius * math.cos(at), radius * math.sin(at), height])


def foot(i: int) -> Array:
    """Place of the foot of strut i."""
    return corner(120 * (i - 1))


def aligned(direction: Array) -> Array:
    """A rotation whose z axis is the direction and whose x axis is level."""
    z = direction / np.linalg.norm(direction)
    x = np.cross([0, 0, 1], z)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def rpy(rotation: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw."""
    r = rotation
    return (
        math.atan2(r[2, 1], r[2, 2]),
        math.atan2(-r[2, 0], math.hypot(r[0, 0], r[1, 0])),
        math.atan2(r[1, 0], r[0, 0]),
    )


def _tips(twist: float, height: float) -> dict[int, Array]:
    """Tops of the struts, turned by `twist` degrees from their feet, at a height."""
    r = SIDE / math.sqrt(3)
    # l^2 = r^2 + p^2 - 2 r p cos(twist) + h^2
    b = r * math.cos(math.radians(twist))
    p = b + math.sqrt(b * b - r * r - height * height + LENGTH**2)
    return {i: corner(120 * (i - 1) + twist, p, height) for i in BRANCHES}


_PRISM = _tips(120, SIDE)
_FRAMES = {i: aligned(_PRISM[i] - foot(i)) for i in BRANCHES}


def _branch(
    i: int, end: str, frame: Array, tips: Mapping[int, Array]
) -> tuple[float, float, float]:
    """Direction of the cable about the strut; its length and slope in the plane of the block."""
    x, y, z = map(float, frame.T @ (tips[before(i)] - (tips[i] if end == "top" else foot(i))))
    rho = math.hypot(x, y)
    length = math.sqrt(rho**2 + z**2 - RADIUS**2)
    return math.atan2(y, x), length, math.atan2(z, rho) - math.atan2(RADIUS, length)


def posture(twist: float, height: float, strains: Mapping[str, float]) -> dict[str, float]:
    """Coordinates of struts, blocks, pulleys and hub in a posture with threefold symmetry.

    The top triangle is turned by `twist` [degrees] from the feet, at a `height` [m]; `strains` of
    the cables ``"top"`` and ``"bot"``.

    >>> abs(posture(120, SIDE, {"top": STRAIN, "bot": STRAIN})["theta_top1"]) < 1e-12
    True
    """
    tips, q = _tips(twist, height), {}
    for i in BRANCHES:
        x, y, z = map(float, _FRAMES[i].T @ (tips[i] - foot(i)) / LENGTH)
        phi, psi = math.atan2(-y, z), math.asin(x)
        q[f"phi{i}"], q[f"psi{i}"] = phi, psi
        turned = np.array(
            [
                [math.cos(psi), 0, math.sin(psi)],
                [math.sin(phi) * math.sin(psi), math.cos(phi), -math.sin(phi) * math.cos(psi)],
                [-math.cos(phi) * math.sin(psi), math.sin(phi), math.cos(phi) * math.cos(psi)],
            ]
        )
        for end in CABLES:
            beta0, l0, gamma0 = _branch(i, end, _FRAMES[i], _PRISM)
            beta, length, gamma = _branch(i, end, _FRAMES[i] @ turned, tips)
            q[f"beta_{end}{i}"] = (beta - beta0 + math.pi) % (2 * math.pi) - math.pi
            rest, wound = length / (1 + strains[end]), l0 / (1 + STRAIN)
            q[f"theta_{end}{i}"] = gamma - gamma0 - (rest - wound) / RADIUS
    radius = float(np.linalg.norm(tips[1][:2]))
    return q | {"hub_z": height + math.sqrt(SIDE**2 - radius**2) - HEIGHT}


def manipulator(
    *,
    joints: Literal["point", "hub"] | None = "point",
    form: str = "work",
    rigid: bool = False,
    link_mass: float = 1e-6,
) -> Model:
    """The manipulator; its parameters are ``E`` [Pa] and ``mu`` [Pa s] of the cables, the mass
    ``block`` [kg] of each block, ``damping`` [N m s] of the struts' angles, 0, and ``g`` [m/s^2].

    With `joints="point"` the hub slides and each link is on a universal joint at it, so that the
    links' axes meet in one point; with `"hub"` it turns, too, and each link is on a hinge; with
    None there are struts and cables only. Cables that are `rigid` are ropes that do not stretch,
    which leave six freedoms, as many as there are torques. The source gives links and hub no mass;
    here each has `link_mass` [kg], for bodies at the end of a branch of the tree need some.

    >>> manipulator(joints=None).coordinates[:6]
    ('phi1', 'psi1', 'beta_top1', 'theta_top1', 'beta_bot1', 'theta_bot1')
    """
    model = Model("manipulator", gravity=(0, 0, "-g"))
    model.parameter("g", 9.81, units="m/s^2")
    side = math.sqrt(2) * RADIUS
    model.parameter("block", DENSITY * 2 * side * 3 * THICKNESS * side, units="kg")
    model.parameter("E", 2e9, units="Pa")
    model.parameter("mu", 1e7, units="Pa s")
    model.parameter("damping", 0.0, units="N m s")
    for i in BRANCHES:
        _strut(model, i)
    for i in BRANCHES:
        for end in CABLES:
            _cable(model, i, end, form, rigid)
    if joints is not None:
        _links(model, joints, link_mass)
    return model


def _strut(model: Model, i: int) -> None:
    mass = DENSITY * math.pi * (OUTER**2 - INNER**2) / 4 * LENGTH
    axial = mass * (OUTER**2 + INNER**2) / 8
    across = axial / 2 + mass * LENGTH**2 / 12
    model.body(f"shaft{i}")
    model.body(f"strut{i}", mass=mass, com=(0, 0, LENGTH / 2), inertia=(across, across, axial))
    place = {"xyz": tuple(foot(i)), "rpy": rpy(_FRAMES[i])}
    model.joint(
        f"phi{i}",
        "revolute",
        parent="world",
        child=f"shaft{i}",
        axis=(1, 0, 0),
        placement=place,
        damping="damping",
    )
    model.joint(
        f"psi{i}",
        "revolute",
        parent=f"shaft{i}",
        child=f"strut{i}",
        axis=(0, 1, 0),
        damping="damping",
    )
    for end in CABLES:
        _block(model, i, end)


def _block(model: Model, i: int, end: str) -> None:
    """Block and pulley; the block's x axis points to the cable, its z axis along the strut."""
    side = math.sqrt(2) * RADIUS
    x, y, z = 2 * side, 3 * THICKNESS, side
    of_block = tuple(f"block*{(a * a + b * b) / 12}" for a, b in ((y, z), (x, z), (x, y)))
    thick = 2 * THICKNESS
    disk = DENSITY * math.pi * RADIUS**2 * thick
    tilt = disk * (3 * RADIUS**2 + thick**2) / 12
    block, pulley = f"block_{end}{i}", f"pulley_{end}{i}"
    model.body(block, mass="block", inertia=of_block)
    model.body(pulley, mass=disk, inertia=(tilt, disk * RADIUS**2 / 2, tilt))
    toward, _, _ = _branch(i, end, _FRAMES[i], _PRISM)
    model.joint(
        f"beta_{end}{i}",
        "revolute",
        parent=f"strut{i}",
        child=block,
        axis=(0, 0, 1),
        placement={"xyz": (0, 0, LENGTH if end == "top" else 0), "rpy": (0, 0, toward)},
    )
    model.joint(f"theta_{end}{i}", "revolute", parent=block, child=pulley, axis=(0, -1, 0))


def _cable(model: Model, i: int, end: str, form: str, rigid: bool) -> None:
    tip, block = Point(f"strut{before(i)}", (0, 0, LENGTH)), f"block_{end}{i}"
    model.constraint(f"plane_{end}{i}", "point_on_plane", a=tip, b=block, axis_b=(0, 1, 0))
    drum = Winch(
        block, radius=RADIUS, sense=-1, turn=f"theta_{end}{i}", axis=(0, -1, 0), zero=(1, 0, 0)
    )
    _, length, gamma = _branch(i, end, _FRAMES[i], _PRISM)
    wound = length / (1 if rigid else 1 + STRAIN) - RADIUS * gamma
    if rigid:
        model.constraint(f"{end}{i}", "rope", route=[drum, tip], length=wound)
    else:
        model.cable(
            f"{end}{i}",
            [drum, tip],
            length=wound,
            modulus="E",
            area=math.pi * 1e-6,
            viscosity="mu",
            elasticity=form,
            damping="pushes",
            dissipation="elongation",
        )
    model.input(f"u_{end}{i}", units="N m")
    model.generalized_force(f"torque_{end}{i}", speed=f"theta_{end}{i}", expression=f"u_{end}{i}")


def _links(model: Model, joints: str, mass: float) -> None:
    top = np.array([0, 0, HEIGHT])
    model.body("hub", mass=mass, inertia=(mass * 0.05**2,) * 3)
    kind: Any = "translational" if joints == "point" else "floating"
    model.joint("hub", kind, parent="world", child="hub", placement=tuple(top))
    for i in BRANCHES:
        link, tip = f"link{i}", _PRISM[before(i)]
        across = mass * SIDE**2 / 12
        model.body(link, mass=mass, com=(0, 0, SIDE / 2), inertia=(across, across, 0))
        place = {"xyz": (0, 0, 0), "rpy": rpy(aligned(tip - top))}
        if joints == "point":
            model.joint(link, "universal", parent="hub", child=link, placement=place)
        else:
            model.joint(link, "revolute", parent="hub", child=link, axis=(1, 0, 0), placement=place)
    for i in BRANCHES:
        model.joint(
            f"level{i}",
            "spherical",
            parent=f"strut{before(i)}",
            child=f"link{i}",
            placement=(0, 0, LENGTH),
            child_placement=(0, 0, SIDE),
        )
