"""A model in which all that is in loops takes part."""

import eomc
from eomc.derive.model import Model


def walker() -> Model:
    """A branched tree on a floating base: every kind of step, losses, rotors, springs, an input."""
    model = eomc.Model("walker", gravity=(0.3, -0.2, -9.81))
    model.parameter("k", 3.0, tunable=True)
    kinds = ("floating", "revolute", "prismatic", "spherical", "universal", "planar", "screw")
    parents = ("world", "b0", "b1", "b0", "b3", "b1", "b0")
    for number, (kind, parent) in enumerate(zip(kinds, parents, strict=True)):
        body = f"b{number}"
        inertia = (0.1, 0.12, 0.15, 0.01, -0.02, 0.005)
        model.body(body, mass=1 + 0.1 * number, com=(0.1, -0.05, 0.2), inertia=inertia)
        more: dict[str, object] = {"pitch": 0.1} if kind == "screw" else {}
        if kind in ("revolute", "prismatic", "screw"):
            more |= {"axis": (0, 0.6, 0.8), "damping": 0.2, "rotor_inertia": 0.02}
        place = eomc.Placement(xyz=(0.1, 0.2, 0.3), rpy=(0.4, 0.1 * number, -0.3))
        model.joint(f"j{number}", kind, parent=parent, child=body, placement=place, **more)
    model.joint_spring("coil", joint="j1", stiffness="k", damping=0.2, free_angle=0.1)
    tip, wall = eomc.Point("b6", (0, 0, 0.3)), eomc.Point("world", (1, 1, 1))
    model.spring("rope", a=tip, b=wall, stiffness=5.0, damping=0.3, free_length=0.2)
    push = model.input("push")
    model.force("jet", at=eomc.Point("b2", (0, 0.1, 0)), direction=(0, 0, 1), magnitude=push)
    return model
