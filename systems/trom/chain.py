"""Five rods in a chain, with springs: seven coordinates in space (after thesis, fig. 3.5).

Topology, masses, moments of inertia and rod length are the thesis's; its figure with the springs,
axis directions and the wall is lost. Those are chosen here.
"""

from __future__ import annotations

from eomc.derive.model import Model, Placement, Point

__all__ = ["START_SPEEDS", "chain"]

LENGTH = 2.0
_MASSES = {"rod2": 5.0, "rod3": 3.0, "rod4": 2.0, "rod5": 1.0, "rod6": 1.0}
START_SPEEDS = (0.02, -0.03, -0.03, -0.03, 0.05, 0.03, -0.03)
"""Speeds of the thesis's simulated run [rad/s, m/s]."""


def chain() -> Model:
    """Rods hanging along -z by revolute, universal, revolute, prismatic and universal joints.

    Coordinates: ``phi2`` about x; ``phi3_1``, ``phi3_2`` about x then y; ``phi4`` about x, with a
    rotational spring of 50 N m/rad; ``d5`` along rod 4 upwards, zero where rod 5's top meets rod
    4's tip, with a spring of 200 N/m, free length 2 m, between the rods' centres; ``phi6_1``,
    ``phi6_2`` about x then y. A spring of 10 N/m, free length 1 m, joins the lowest tip to (0, 3,
    -10). Moments of inertia are 0.4 m, 0.4 m, 0.1 m.
    """
    model = Model("chain_7s", gravity=(0, 0, -9.81))
    for name, mass in _MASSES.items():
        model.body(
            name, mass=mass, com=(0, 0, -LENGTH / 2), inertia=(0.4 * mass, 0.4 * mass, 0.1 * mass)
        )
    tip = Placement(xyz=(0, 0, -LENGTH))
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    model.joint("phi2", "revolute", parent="world", child="rod2", axis=x)
    model.joint("phi3", "universal", parent="rod2", child="rod3", axis=x, axis_2=y, placement=tip)
    model.joint("phi4", "revolute", parent="rod3", child="rod4", axis=x, placement=tip)
    model.joint("d5", "prismatic", parent="rod4", child="rod5", axis=z, placement=tip)
    model.joint("phi6", "universal", parent="rod5", child="rod6", axis=x, axis_2=y, placement=tip)
    model.joint_spring("elbow", joint="phi4", stiffness=50.0)
    middle = (0, 0, -LENGTH / 2)
    model.spring(
        "slide", a=Point("rod4", middle), b=Point("rod5", middle), stiffness=200.0, free_length=2.0
    )
    model.spring(
        "wall",
        a=Point("rod6", (0, 0, -LENGTH)),
        b=Point("world", (0, 3, -10)),
        stiffness=10.0,
        free_length=1.0,
    )
    for name in _MASSES:
        model.frame(f"center_{name}", body=name, placement=Placement(xyz=middle))
    return model
