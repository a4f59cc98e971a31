"""An arm, its end-effector and an object as three masses on a line, and a wall before them.

    m1 x1'' + b1(x1' - x2') + k1(x1 - x2 + l1) = F1
    m2 x2'' + b1(x2' - x1') + b2(x2' - x3') + k1(x2 - x1 - l1) + k2(x2 - x3 + l2) = 0
    m3 x3'' + b2(x3' - x2') + k2(x3 - x2 - l2) = f_c,      f_c = -k_w max(x3 - x_w, 0)

The actuator stands at the first mass, what is to be moved is the third. Moosavian 1996, sections
6.2 and 6.3.4, appendices B and C: (6.31), (6.40), (6.41), (B.1)-(B.7).
"""

from __future__ import annotations

from typing import Literal, get_args

from eomc.derive.model import Model, ModelError

__all__ = ["PARAMETERS", "START", "Wall", "controlled_masses", "three_masses"]

PARAMETERS = {
    "m1": (100.0, "kg", "mass of the arm"),
    "m2": (20.0, "kg", "mass of the end-effector"),
    "m3": (10.0, "kg", "mass of the object"),
    "k1": (2.6e5, "N/m", "stiffness of the arm"),
    "k2": (2.0e4, "N/m", "stiffness of the grasp"),
    "b1": (325.0, "N s/m", "damping of the arm"),
    "b2": (100.0, "N s/m", "damping of the grasp"),
    "l1": (0.1, "m", "free length of the arm's spring"),
    "l2": (0.11, "m", "free length of the grasp's spring"),
    "k_w": (1e5, "N/m", "stiffness of the wall"),
    "x_w": (0.7, "m", "place of the wall"),
}
START = {"x1": -0.2, "x2": -0.1, "x3": 0.01}
"""At rest, both springs without force [m]."""

Wall = Literal["contact", "held", "none"]
"""Touched from one side; touched for good, as a spring; or not there."""


def three_masses(wall: Wall = "contact", *, filtered: bool = False) -> Model:
    """The masses with coordinates x1, x2, x3 [m] and the input F1 [N].

    Parameters
    ----------
    wall : "contact", "held" or "none"
    filtered : bool
        Whether F1 reaches the mass through the actuator's filter, 1/(1 + sqrt(2) s/w0 + (s/w0)^2)
        with ``omega0`` = 30 rad/s; its states are ``thrust`` [N] and ``thrust_rate``. The force is
        within the parameter ``F_max`` [N], 1e9 by default, behind the filter.

    Raises ModelError for another wall.

    >>> three_masses().coordinates
    ('x1', 'x2', 'x3')
    """
    model = Model("three_masses", gravity=(0, 0, 0))
    _declare(model, wall)
    model.input("F1", units="N", description="what the actuator is to give")
    if filtered:
        model.parameter("omega0", 30.0, units="rad/s", description="the filter's frequency")
        model.parameter("F_max", 1e9, units="N", description="most that the actuator gives")
        model.state("thrust", rate="thrust_rate", units="N")
        model.state(
            "thrust_rate", rate="omega0**2*(F1 - thrust) - sqrt(2)*omega0*thrust_rate", units="N/s"
        )
        model.generalized_force(
            "actuator", speed="x1", expression="max(min(thrust, F_max), -F_max)"
        )
    else:
        model.generalized_force("actuator", speed="x1", expression="F1")
    return model


def controlled_masses(law: Literal["multiple", "object"], wall: Wall = "held") -> Model:
    """The masses with a law of impedance written as their force, parameters in symbols.

    Inputs are where the object is to be, ``x3_des``, and its rates ``x3_des_rate``,
    ``x3_des_acceleration``. The law reckons with masses ``mh1``, ``mh2``, ``mh3``, by default the
    true ones, and wants the impedance ``m_des``, ``k_d``, ``k_p`` of each mass ("multiple", (B.1)
    to (B.3)) or of the object ("object", (B.6), (B.7)). Forces of the springs, which the law
    compensates on both their ends, cancel in its sum.

    Raises ModelError for another law or wall.

    >>> controlled_masses("multiple").inputs.keys()
    dict_keys(['x3_des', 'x3_des_rate', 'x3_des_acceleration'])
    """
    if law not in ("multiple", "object"):
        raise ModelError(f"law is {law!r}; valid: 'multiple', 'object'")
    model = Model(f"three_masses_{law}", gravity=(0, 0, 0))
    _declare(model, wall)
    for i in (1, 2, 3):
        model.parameter(
            f"mh{i}", PARAMETERS[f"m{i}"][0], units="kg", description=f"m{i} as the law has it"
        )
    model.parameter("m_des", 100.0, units="kg", description="desired mass")
    model.parameter("k_d", 300.0, units="N s/m", description="desired damping")
    model.parameter("k_p", 100.0, units="N/m", description="desired stiffness")
    for name, units in (("", "m"), ("_rate", "m/s"), ("_acceleration", "m/s^2")):
        model.input(f"x3_des{name}", units=units)
    force = " + ".join(f"mh{i}*({_acceleration(i, law, wall)})" for i in (1, 2, 3))
    model.generalized_force("law", speed="x1", expression=f"{force} - ({_CONTACT[wall]})")
    return model


_CONTACT: dict[Wall, str] = {
    "contact": "-k_w*max(x3 - x_w, 0)",
    "held": "-k_w*(x3 - x_w)",
    "none": "0",
}
"""f_c, as the law measures it."""
_BEHIND = {1: " - l1 - l2", 2: " - l2", 3: ""}
"""Offsets of the masses with the springs unloaded, from the object on: (B.3)."""


def _acceleration(i: int, law: str, wall: Wall) -> str:
    """x_i,des'' + (k_d e' + k_p e + f_c)/m_des, e of mass i, or of the object."""
    k = i if law == "multiple" else 3
    e, rate = f"(x3_des{_BEHIND[k]} - x{k})", f"(x3_des_rate - speed(x{k}))"
    return f"x3_des_acceleration + (k_d*{rate} + k_p*{e} + ({_CONTACT[wall]}))/m_des"


def _declare(model: Model, wall: Wall) -> None:
    if wall not in get_args(Wall):
        valid = ", ".join(map(repr, get_args(Wall)))
        raise ModelError(f"wall is {wall!r}; valid: {valid}")
    for name, (value, units, description) in PARAMETERS.items():
        model.parameter(name, value, units=units, description=description, tunable=True)
    for i in (1, 2, 3):
        model.body(f"mass{i}", mass=f"m{i}")
        model.joint(f"x{i}", "prismatic", parent="world", child=f"mass{i}", axis=(1, 0, 0))
    for i, k in ((1, 2), (2, 3)):
        model.potential(f"spring{i}", expression=f"k{i}*(x{k} - x{i} - l{i})**2/2")
        drag = f"b{i}*(speed(x{k}) - speed(x{i}))"
        model.generalized_force(f"drag{i}_on_{i}", speed=f"x{i}", expression=drag)
        model.generalized_force(f"drag{i}_on_{k}", speed=f"x{k}", expression=f"-{drag}")
    if wall == "contact":
        model.stop(
            "wall", coordinate="x3", normal={"kind": "spring", "stiffness": "k_w"}, upper="x_w"
        )
    elif wall == "held":
        model.joint_spring("wall", joint="x3", stiffness="k_w", free_angle="x_w")
