"""Two planar arms that move one object to a wall; one holds it through a compliant wrist.

Arm 1 is pinned to the object's left end. Arm 2 holds its right end by a remote compliance centre,
a spring and damper between its tip and a pivot on the object,

    f_e(2) = k_e (x_e(2) - (x_G + r_e(2)) - l_RCC) + b_e (x_e(2) - (x_G + r_e(2)))'

Neither transmits a moment. The right end meets the wall. Moosavian 1996, section 6.3.5, (6.42) to
(6.46), table 6.1.
"""

from __future__ import annotations

import sympy as sp

from eomc.derive.model import Model, Placement, Point

__all__ = ["BASES", "LIMIT", "OBJECT", "START", "arms", "two_arms"]

BASES = ((0.0, 0.0), (1.2, 0.0))
"""Places of the arms' bases [m]."""
START = {"q11": 2.7, "q12": -2.7, "q21": 1.0, "q22": 2.5, "pivot": 0.0}
"""Joint angles [rad], the second ones relative; the object lies along x."""
LIMIT = 100.0
"""Most that a joint gives [N m]."""
OBJECT = {"mass": 3.0, "inertia": 0.5, "half": 0.3}
"""[kg, kg m^2, m]"""
_LINKS = {"11": (10.0, 1.5), "12": (6.0, 0.8), "21": (10.0, 1.5), "22": (8.0, 0.8)}
"""Mass [kg] and inertia about the centre of mass [kg m^2]; all are 1 m long."""


def arms() -> Model:
    """The arms alone, coordinates q11, q12, q21, q22 and frames tip1, tip2: what a law knows.

    >>> arms().coordinates
    ('q11', 'q12', 'q21', 'q22')
    """
    model = Model("arms", gravity=(0, 0, 0))
    _declare_arms(model)
    return model


def two_arms() -> Model:
    """Arms, object, compliant wrist and wall.

    Coordinate ``pivot`` is the angle of the object from link 12; frames ``center`` at its centre of
    mass and ``end`` at its right end; parameters of the wrist ``k_e``, ``b_e``, ``l_x``, ``l_y``,
    of the wall ``k_w``, ``x_w``.

    >>> two_arms().coordinates
    ('q11', 'q12', 'pivot', 'q21', 'q22')
    """
    model = Model("two_arms", gravity=(0, 0, 0))
    _declare_arms(model)
    half, turning = OBJECT["half"], OBJECT["inertia"]
    model.body("object", mass=OBJECT["mass"], com=(half, 0, 0), inertia=(turning,) * 3)
    model.joint(
        "pivot",
        "revolute",
        parent="link12",
        child="object",
        axis=(0, 0, 1),
        placement=Placement(xyz=(1, 0, 0)),
    )
    model.frame("center", body="object", placement=Placement(xyz=(half, 0, 0)))
    model.frame("end", body="object", placement=Placement(xyz=(2 * half, 0, 0)))
    _declare_wrist(model)
    model.parameter("k_w", 1e5, units="N/m")
    model.parameter("x_w", 1.2, units="m")
    model.contact(
        "wall",
        shape={"kind": "point", "at": Point("object", (2 * half, 0, 0))},
        surface={"kind": "plane", "at": Point("world", ("x_w", 0, 0)), "normal": (-1, 0, 0)},
        normal={"kind": "spring", "stiffness": "k_w"},
    )
    return model


def wrist() -> tuple[sp.Matrix, tuple[sp.Symbol, ...]]:
    """x_e(2) - (x_G + r_e(2)) (2,) in the coordinates q11, q12, q21, q22, pivot."""
    names = q11, q12, q21, q22, pivot = sp.symbols("q11 q12 q21 q22 pivot")

    def along(angle: sp.Expr, length: float = 1.0) -> sp.Matrix:
        return sp.Matrix([sp.cos(angle), sp.sin(angle)]) * sp.nsimplify(length)

    tip1 = along(q11) + along(q11 + q12)
    tip2 = sp.Matrix([sp.Rational(6, 5), 0]) + along(q21) + along(q21 + q22)
    return tip2 - tip1 - along(q11 + q12 + pivot, 2 * OBJECT["half"]), names


def _declare_arms(model: Model) -> None:
    for i, base in enumerate(BASES, 1):
        parent, at = "world", (*base, 0.0)
        for k in (1, 2):
            mass, inertia = _LINKS[f"{i}{k}"]
            model.body(f"link{i}{k}", mass=mass, com=(0.5, 0, 0), inertia=(inertia,) * 3)
            model.joint(
                f"q{i}{k}",
                "revolute",
                parent=parent,
                child=f"link{i}{k}",
                axis=(0, 0, 1),
                placement=Placement(xyz=at),
                effort_limit=LIMIT,
            )
            parent, at = f"link{i}{k}", (1.0, 0.0, 0.0)
        model.frame(f"tip{i}", body=parent, placement=Placement(xyz=at))


def _declare_wrist(model: Model) -> None:
    """Forces at both its ends: as a potential of the joint angles it would load the pivot."""
    stretch, names = wrist()
    model.parameter("k_e", 2e4, units="N/m")
    model.parameter("b_e", 5e2, units="N s/m")
    pull = []
    for axis, x, rest in zip("xy", stretch, stretch.subs(START), strict=True):
        model.parameter(f"l_{axis}", float(rest), units="m", description="unloaded")
        rate = " + ".join(f"({x.diff(name)})*speed({name})" for name in names)
        pull.append(f"k_e*({x} - l_{axis}) + b_e*({rate})")
    end, tip = Point("object", (2 * OBJECT["half"], 0, 0)), Point("link22", (1, 0, 0))
    model.force("wrist_on_object", at=end, direction=(*pull, 0))
    model.force("wrist_on_arm", at=tip, direction=(*(f"-({entry})" for entry in pull), 0))
