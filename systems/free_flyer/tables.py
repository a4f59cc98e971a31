"""The two free-flyers of Moosavian's thesis, as printed.

S. A. A. Moosavian, *Dynamics and Control of Free-Flying Manipulators Capturing Space Objects*,
Ph.D. thesis, McGill University, 1996.
"""

from __future__ import annotations

from eomc.systems.free_flyer.topology import FreeFlyer, Link, Manipulator


def _rod(r: float, l: float, mass: float, inertia: float, effort: float, offset: float = 0) -> Link:  # noqa: E741
    """A body of the planar system: lengths along its x axis, moment of inertia about z.

    In the plane only I_zz acts; the body is taken as a lamina, I_xx = I_yy = I_zz / 2.
    """
    lamina = (inertia / 2, inertia / 2, inertia)
    return Link((r, 0, 0), (-l, 0, 0), mass, lamina, offset=offset, effort=effort)


# Section 4.4.2, tables 4.2-a and 4.2-b. The mount directions stand only in a figure; those given
# here reproduce the printed position of the base to its last digit.
_ARM = (_rod(0.50, 0.50, 4.0, 0.50, effort=7.0), _rod(0.50, 0.50, 3.0, 0.25, effort=5.0))
PLANAR = FreeFlyer(
    name="planar_free_flyer",
    description="Planar free-flyer: base, two 2-link arms, 1-link antenna; 8 degrees of freedom",
    planar=True,
    mass=50.0,
    inertia=(5.0, 5.0, 10.0),
    manipulators=(
        Manipulator("arm1", (0.5, 0, 0), _ARM),
        Manipulator("arm2", (-0.5, 0, 0), _ARM),
        # The antenna's joint angle counts from the base's -y axis.
        Manipulator(
            "antenna", (0, -0.5, 0), (_rod(0.25, 0.25, 5.0, 2.0, 7.0, offset=-90.0),), "axis"
        ),
    ),
    thrust=(20.0, 20.0, 0.0),
    torque=(0.0, 0.0, 10.0),
)


def _spatial_arm(name: str, mount_x: float, shoulder_twist: float) -> Manipulator:
    up = 0.15 if shoulder_twist == 0 else -0.15
    return Manipulator(
        name,
        (mount_x, -0.2, 0.5),
        (
            Link((0, 0, up), (0, 0, -up), 8.0, (0.07, 0.07, 0.02), shoulder_twist, effort=10.0),
            Link((0.35, 0, 0), (-0.35, 0, 0), 12.0, (0.03, 0.51, 0.51), 90.0, effort=7.0),
            Link((0.25, 0, 0), (-0.25, 0, 0), 10.0, (0.03, 0.22, 0.22), 0.0, effort=5.0),
        ),
    )


# Section 4.4.3, tables 4.3-a and 4.3-b.
SPATIAL = FreeFlyer(
    name="spatial_free_flyer",
    description="Spatial free-flyer: base, two 3-link arms, 2-link antenna; 14 degrees of freedom",
    mass=300.0,
    inertia=(8.5, 10.25, 6.25),
    manipulators=(
        _spatial_arm("arm1", 0.3, 0.0),
        _spatial_arm("arm2", -0.3, 180.0),
        Manipulator(
            "antenna",
            (0, 0.3, -0.4),
            (
                Link((0, 0, 0.15), (0, 0, -0.15), 3.0, (0.03, 0.03, 0.01), -90.0, effort=3.0),
                Link((0.20, 0, 0), (-0.20, 0, 0), 2.0, (0.08, 0.08, 0.08), 90.0, effort=3.0),
            ),
            "axis",
        ),
    ),
    thrust=(25.0, 25.0, 25.0),
    torque=(10.0, 10.0, 10.0),
)
