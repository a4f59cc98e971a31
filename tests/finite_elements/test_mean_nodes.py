"""Nodes that move as others do on average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.finite_elements.node_rotation import motion_rows
from eomc.derive.language.errors import ModelError
from eomc.derive.structures import StructureBody

PLACES = {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (0.5, 0.8), "e": (1.5, 0.8)}
BARS = ("ab", "bc", "ad", "db", "be", "de", "ec")


def plane() -> Structure:
    structure = Structure(planar=True)
    for name, place in PLACES.items():
        structure.node(name, place)
    for start, end in BARS:
        structure.bar(start, end, Section(1e-4, 7800, 2.1e11))
    return structure


def box() -> Structure:
    """Two such trusses with half of each bar, laced by next to nothing."""
    structure, tie = Structure(), Section(1e-12, 7800, 2.1e11)
    for name, place in PLACES.items():
        for side, z in (("-", -0.5), ("+", 0.5)):
            structure.node(name + side, (*place, z))
        structure.mean_node(name, [name + "-", name + "+"])
        structure.rigid_link(name + "-", name + "+")
    for start, end in BARS:
        for one, two in ("-+", "+-"):
            structure.bar(start + one, end + one, Section(5e-5, 7800, 2.1e11))
            structure.bar(start + one, end + two, tie)
    return structure


def test_mean_nodes_of_two_trusses_move_as_nodes_of_one() -> None:
    """As root, support, interface and station; sideways the lacing resists next to nothing."""
    held = {"a": "pinned", "b": {"normal": (0, 1)}}
    flat = from_structure(plane(), 0, "a", ["c"], ["e"], supports=held)
    body = from_structure(box(), 0, "a", ["c"], ["e"], supports={**held, "a-": ["ux", "uy"]})
    shapes = [np.array(dict(b.stations)["e"][1], float) for b in (flat, body)]
    stiffness = [np.diag(np.array(b.stiffness, float)) for b in (flat, body)]
    inside = np.abs(shapes[1][:, 2]) < 1e-6
    assert inside.sum() == len(inside) - 1 == 2
    np.testing.assert_allclose(stiffness[1][inside], stiffness[0], rtol=1e-6)
    np.testing.assert_allclose(np.abs(shapes[1][inside]), np.abs(shapes[0]), atol=1e-6)
    assert float(body.mass) == pytest.approx(float(flat.mass), rel=1e-6)


def test_a_mean_node_turns_as_the_line_between_two() -> None:
    structure = box()
    rows = motion_rows(structure, "c", np.zeros(3), "neighbours")[3:]
    motion = np.zeros(len(structure.freedoms))
    for sign in (-1, 1):
        at = structure.indices("c+" if sign > 0 else "c-")
        motion[[at["ux"], at["uy"]]] = sign * np.array([0.3, -0.2])
    assert np.allclose(structure.link_rows() @ motion, 0)
    np.testing.assert_allclose(rows @ motion, [0.4, 0.6, 0.0], atol=1e-12)


def test_mean_nodes_in_tables() -> None:
    tables: dict[str, Any] = {
        "nodes": {"a": (0, 0), "b": (2, 0), "c": (1, 1)},
        "members": [("a", "b", "tube"), ("b", "c", "tube"), ("c", "a", "tube")],
        "sections": {"tube": {"area": 1e-4, "density": 7800, "E": 2.1e11}},
        "planar": True,
        "modes": 1,
        "root": "foot",
        "supports": {"foot": "pinned", "a": ["uy"]},
        "stations": ["c"],
    }
    body = StructureBody(**tables, means={"foot": ["a", "b"]})
    position = dict(body.modal.stations)["c"][0]
    assert tuple(map(float, position)) == (0, 1, 0)  # from the middle of a and b
    with pytest.raises(ModelError, match=r"mean node 1 \('foot'\): mean node 'foot': no node 'z'"):
        StructureBody(**tables, means={"foot": ["a", "z"]})


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (["a-"], "give two different nodes or more"),
        ("a-", "mean node 'm': 'a-'; give two"),
        (["a-", "z"], "mean node 'm': no node 'z'"),
        (["a-", "a-"], "give two different nodes or more"),
    ],
)
def test_bad_mean_nodes(nodes: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        box().mean_node("m", nodes)
    with pytest.raises(ModelError, match="node 'a' is already there"):
        box().mean_node("a", ["a-", "a+"])
