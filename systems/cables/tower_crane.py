"""A tower crane: a jib that slews, a trolley on it, a load on two falls of one hoisting rope.

The rope comes from a drum at the foot of the jib, runs along it to the trolley, down to the hook,
up to the trolley and on to the jib's tip, so that the load keeps its height while the trolley
moves; one turn of the drum lifts it by pi r.
"""

from __future__ import annotations

from eomc.derive.model import Model, Point

__all__ = ["tower_crane"]

_TIP = 40.0


def tower_crane(
    *,
    modulus: float | None = None,
    load: float = 2000.0,
    fall: float = 10.0,
    reach: float = 20.0,
    trolley: float = 300.0,
    radius: float = 0.3,
) -> Model:
    """The crane; inputs ``slewing`` [N m], ``driving`` [N], ``hoisting`` [N m].

    Coordinates ``slew``, ``trolley`` (from `reach`), the hook in the axes of the trolley,
    ``hook_x``, ``hook_y``, ``hook_z``, from its place under it, `fall` below, and ``drum``.

    Parameters
    ----------
    modulus : of the rope [Pa], parameter ``E``, with the section 4e-4 m^2; None for a constraint
    load : mass at the hook [kg]
    fall : height of the trolley over the hook [m], all coordinates at zero
    reach : distance of the trolley from the tower's axis [m], coordinates at zero
    trolley : its mass [kg]
    radius : of the drum [m]

    >>> tower_crane().coordinates
    ('slew', 'trolley', 'hook_x', 'hook_y', 'hook_z', 'drum')
    """
    model = Model("tower_crane")
    if modulus is not None:
        model.parameter("E", modulus, units="Pa")
    model.body("jib", mass=4000, com=(10, 0, 0), inertia=(2e3, 4e5, 4e5))
    model.joint("slew", "revolute", parent="world", child="jib", axis=(0, 0, 1))
    model.body("trolley", mass=trolley)
    model.joint(
        "trolley",
        "prismatic",
        parent="jib",
        child="trolley",
        axis=(1, 0, 0),
        placement=(reach, 0, 0),
    )
    model.body("drum", mass=100, inertia=(5, 5, 5))
    model.joint("drum", "revolute", parent="jib", child="drum", axis=(0, 1, 0))
    model.body("hook", mass=load)
    model.joint("hook", "translational", parent="trolley", child="hook", placement=(0, 0, -fall))
    route = [Point("jib", (0, 0, 0)), "trolley", "hook", "trolley", Point("jib", (_TIP, 0, 0))]
    length = f"{_TIP + 2 * fall!r} - {radius!r}*drum"
    if modulus is None:
        model.constraint("rope", "rope", route=route, length=length)
    else:
        model.cable("rope", route, length=length, modulus="E", area=4e-4)
    for name, speed, units in (
        ("slewing", "slew", "N m"),
        ("driving", "trolley", "N"),
        ("hoisting", "drum", "N m"),
    ):
        model.input(name, units=units)
        model.generalized_force(f"drive_{speed}", speed=speed, expression=name)
    return model
