"""A pendulum on a slider with spring and damper (thesis, fig. 3.4)."""

from __future__ import annotations

from eomc.derive.model import Model, Placement

__all__ = ["slider_pendulum"]


def slider_pendulum(damping: float = 0.0, *, tunable: bool = True) -> Model:
    """Slider along y, pendulum about x, hanging along -z.

    (m2 + m3) y'' + (m3 l/2) cos(theta) theta'' - (m3 l/2) sin(theta) theta'^2 + c y' + k y = 0
    (m3 l/2) cos(theta) y'' + (m3 l^2/4 + j3x) theta'' + (m3 g l/2) sin(theta) = 0

    Parameters ``m2`` 10 kg, ``m3`` 20 kg, ``l`` 2 m, ``j3x`` 15 kg m^2, ``k`` 20 N/m, ``c``
    `damping` N s/m, ``g`` 9.81 m/s^2: the figure is lost, the printed matrices give them uniquely.
    Coordinates ``y`` [m], ``theta`` [rad]; frame ``mass_center`` of the pendulum.

    Examples
    --------
    >>> import eomc
    >>> eomc.equations(slider_pendulum()).mass_matrix.to_sympy()[0, 0]
    m2 + m3
    """
    model = Model("slider_pendulum", gravity=(0, 0, "-g"))
    for name, value, units in (
        ("m2", 10.0, "kg"),
        ("m3", 20.0, "kg"),
        ("l", 2.0, "m"),
        ("j3x", 15.0, "kg m^2"),
        ("k", 20.0, "N/m"),
        ("c", damping, "N s/m"),
        ("g", 9.81, "m/s^2"),
    ):
        model.parameter(name, value, units=units, tunable=tunable)
    model.body("slider", mass="m2")
    model.joint("y", "prismatic", parent="world", child="slider", axis=(0, 1, 0))
    model.body("pendulum", mass="m3", com=(0, 0, "-l/2"), inertia=("j3x", "j3x", 0.1))
    model.joint("theta", "revolute", parent="slider", child="pendulum", axis=(1, 0, 0))
    model.joint_spring("suspension", joint="y", stiffness="k", damping="c")
    model.frame("mass_center", body="pendulum", placement=Placement(xyz=(0, 0, "-l/2")))
    return model
