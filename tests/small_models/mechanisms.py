"""Small mechanisms whose motion is known, declared in Python."""

import eomc


def pendulum(*, length: float = 0.5, damping: float = 0.0) -> eomc.Model:
    """A point mass of 1.5 kg on a massless rod; mass and length are parameters."""
    model = eomc.Model("swing")
    mass = model.parameter("m", 1.5, units="kg", tunable=True)
    size = model.parameter("l", length, units="m")
    model.body("bob", mass=mass, com=(0, 0, -size))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0), damping=damping)
    return model


def double_pendulum() -> eomc.Model:
    """Two links on skew axes, with limits and a declared frame at the end."""
    model = eomc.Model("chain")
    for name in ("upper", "lower"):
        model.body(name, mass=1.2, com=(0.02, 0.01, -0.2), inertia=(0.02, 0.03, 0.01))
    model.joint(
        "shoulder",
        "revolute",
        parent="world",
        child="upper",
        axis=(0, 1, 0),
        lower=-2.0,
        upper=1.0,
        velocity_limit=3.0,
        effort_limit=40.0,
    )
    place = eomc.Placement(xyz=(0, 0, -0.4), rpy=(0, 0, 0.4))
    model.joint("elbow", "revolute", parent="upper", child="lower", axis=(1, 1, 0), placement=place)
    model.frame("tip", body="lower", placement=eomc.Placement(xyz=(0, 0, -0.4)))
    return model


def free_body(inertia: tuple[float, float, float] = (1.0, 2.0, 2.5)) -> eomc.Model:
    """A rigid body in weightless space."""
    model = eomc.Model("tumbler", gravity=(0, 0, 0))
    model.body("body", mass=2.0, inertia=inertia)
    model.joint("base", "floating", parent="world", child="body")
    return model


def driven_arm() -> eomc.Model:
    """An arm on a prescribed turntable joint, driven by an input and explicit time."""
    model = eomc.Model("driven")
    model.body("table", mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.body("arm", mass=1, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.joint("table", "revolute", parent="world", child="table", axis=(0, 0, 1))
    place = eomc.Placement(xyz=(0.3, 0, 0))
    model.joint("arm", "revolute", parent="table", child="arm", axis=(0, 1, 0), placement=place)
    model.prescribed("table")
    thrust = model.input("thrust", units="N m")
    model.generalized_force("drive", "arm", thrust)
    return model


def charge(law: str) -> eomc.Model:
    """A unit mass on a line, pushed by a law of its coordinate x."""
    model = eomc.Model("line", gravity=(0, 0, 0))
    model.body("mass", mass=1)
    model.joint("x", "prismatic", parent="world", child="mass", axis=(1, 0, 0))
    model.generalized_force("push", "x", law)
    return model


def satellite() -> eomc.Model:
    """A floating body with a jointed panel."""
    model = eomc.Model("satellite", gravity=(0, 0, 0))
    model.body("hub", mass=3.0, com=(0.1, 0, 0.05), inertia=(1.0, 1.3, 0.9))
    model.joint("base", "floating", parent="world", child="hub")
    model.body("panel", mass=0.5, com=(0, 0.6, 0), inertia=(0.1, 0.02, 0.1))
    place = eomc.Placement(xyz=(0, 0.4, 0))
    model.joint("hinge", "revolute", parent="hub", child="panel", axis=(1, 0, 0), placement=place)
    return model
