"""A planar arm of two links on a horizontal table, joints q1 and q2, the second one relative.

Moosavian 1996, section 5.3.1.
"""

from __future__ import annotations

from eomc.derive.model import Model, Placement

__all__ = ["two_link_arm"]


def two_link_arm() -> Model:
    """The arm; parameters m1, m2, I1, I2 (about the centres of mass, at mid-link) are tunable.

    Both links are 1 m long; frame ``tip`` is at the end.

    >>> two_link_arm().coordinates
    ('q1', 'q2')
    """
    model = Model("two_link_arm", gravity=(0, 0, 0))
    data = (("m1", 4.0, "kg"), ("I1", 0.333, "kg m^2"), ("m2", 3.0, "kg"), ("I2", 0.3, "kg m^2"))
    for name, value, units in data:
        model.parameter(name, value, units=units, tunable=True)
    parent, at = "world", (0.0, 0.0, 0.0)
    for i in (1, 2):
        turning = (0, f"I{i}", f"I{i}")
        model.body(f"link{i}", mass=f"m{i}", com=(0.5, 0, 0), inertia=turning)
        model.joint(
            f"q{i}",
            "revolute",
            parent=parent,
            child=f"link{i}",
            axis=(0, 0, 1),
            placement=Placement(xyz=at),
        )
        parent, at = f"link{i}", (1.0, 0.0, 0.0)
    model.frame("tip", body="link2", placement=Placement(xyz=(1, 0, 0)))
    return model
