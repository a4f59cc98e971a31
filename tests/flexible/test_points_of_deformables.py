"""Points of deformable bodies by coordinates: refused by name, with the word that is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eomc
from eomc import Model, ModelError, Point
from eomc.derive.model.attached_check import check_attached

ROD: dict[str, Any] = {"length": 1, "mass_per_length": 1, "EI": 1, "strains": {"bend_z": 1}}
OFF = (1, 0, 0)
POINTS: dict[str, Callable[[Model, Any], Any]] = {
    "force": lambda m, p: m.force("e", at=p, direction=(0, 0, 1), magnitude=1),
    "spring": lambda m, p: m.spring("e", "world", p, stiffness=1, free_length=1),
    "cable": lambda m, p: m.cable(
        "e", ["world", p, Point("world", (2, 0, 0))], length=1, modulus=1, area=1
    ),
    "pulley": lambda m, p: m.cable(
        "e",
        [
            Point("world", (0, 0, 1)),
            {"kind": "pulley", "at": p, "axis": (0, 1, 0), "radius": 0.1, "sense": 1},
            Point("world", (2, 0, 1)),
        ],
        length=1,
        modulus=1,
        area=1,
    ),
    "catenary": lambda m, p: m.catenary("e", a="world", b=p, length=2, weight=1, modulus=1, area=1),
    "tether": lambda m, p: m.tether("e", ["world", p], length=2),
    "shape": lambda m, p: m.contact(
        "e",
        shape={"kind": "sphere", "at": p, "radius": 0.1},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 1},
    ),
    "surface": lambda m, p: m.contact(
        "e",
        shape={"kind": "point", "at": "block"},
        surface={"kind": "plane", "at": p},
        normal={"kind": "spring", "stiffness": 1},
    ),
    "coincident": lambda m, p: m.constraint("e", "coincident", a="world", b=p),
    "distance": lambda m, p: m.constraint("e", "distance", a=p, b="world", length=1),
    "rope": lambda m, p: m.constraint("e", "rope", route=["world", p], length=2),
    "rolling_contact": lambda m, p: m.constraint(
        "e",
        "rolling_contact",
        shape={"kind": "disc", "at": p, "radius": 0.1},
        surface={"kind": "plane", "at": "world"},
    ),
    "frame": lambda m, p: m.frame("e", body=p.body, placement={"xyz": p.xyz}),
    "joint": lambda m, p: m.joint(
        "e", "revolute", parent=p.body, child="block", axis=(0, 0, 1), placement={"xyz": p.xyz}
    ),
}


def declared(what: str, at: Point) -> tuple[Model, Any]:
    made = Model("held")
    made.deformable("soft", "rod", **ROD)
    made.joint("clamp", "fixed", parent="world", child="soft")
    made.body("block", mass=1, inertia=(1, 1, 1))
    if what != "joint":
        made.joint("slide", "prismatic", parent="world", child="block", axis=(0, 0, 1))
    POINTS[what](made, at)
    return made, next(t["e"] for t in made.tables().values() if "e" in t)


@pytest.mark.parametrize("what", list(POINTS))
def test_a_point_by_coordinates_is_refused_by_name(what: str) -> None:
    made, element = declared(what, Point("soft", OFF))
    told = r"\(1, 0, 0\) of the deformable body 'soft' .*attachment\('place', body='soft'"
    with pytest.raises(ModelError, match=told):
        check_attached(made, element)
    made, element = declared(what, Point("soft"))
    check_attached(made, element)  # the root is where it is


def test_the_element_and_its_line_are_named() -> None:
    made, _ = declared("spring", Point("soft", OFF))
    with pytest.raises(ModelError, match=r"spring 'e': .*deformable body 'soft'"):
        made.validate()


def test_an_attachment_moves_with_the_body() -> None:
    """A spring across the rod at its tip bends it: its force is on the strain."""
    made = Model("held")
    made.deformable("soft", "rod", **ROD)
    made.joint("clamp", "fixed", parent="world", child="soft", child_placement=(0.1, 0, 0))
    made.attachment("tip", body="soft", at="tip")
    aside = Point("world", (0, 1, 0))
    made.spring("e", aside, Point("tip", (0, 0, 0.1)), stiffness=1, free_length=1)
    assert abs(eomc.equations(made).bias.evaluate([0.0], [0.0])[0]) > 0.01
