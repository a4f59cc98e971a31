"""The crane's boom as a plane truss: 39 nodes and 75 bars, statically determinate.

Booms of three bays of the crane lie behind one another along x, joined by frozen actuators and
small triangles; the origin is the hinge at node 1. Reference: B. A. Boutin, *Dynamics and vibration
control of articulating truss structures*, M.Eng. thesis, McGill University, 1995, tables 8.1 and
E.1; places of nodes follow from the printed mode shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from eomc.derive.bodies.modal_body import ModalBody
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure

__all__ = [
    "BARS",
    "BAYS",
    "DEPTH",
    "END_DENSITY",
    "LENGTH",
    "NODES",
    "OFFSET",
    "SUPPORTS",
    "TIP",
    "Bay",
    "boom_structure",
    "flexible_boom",
    "triangle_structure",
]

DEPTH = 5.0
"""Depth of the truss, and length of a bay [m]."""
OFFSET = 0.8816
"""Half of the width of a triangle [m]: DEPTH tan 10 deg."""
LENGTH = DEPTH - OFFSET
"""From foot to head of an actuator that is not extended [m]."""
TIP = "39"
END_DENSITY = 12000 + 300 / (2.3592e-4 * 5)
"""Of the end batten with 300 kg on it [kg/m^3]; the printed 8.49e6 would be 10 t."""
SUPPORTS = {"1": "pinned", "2": {"along": (1, 1)}}
"""Node 1 at the frame's origin, node 2 on the frame's line at 45 degrees."""
_TUBE = 2.3592e-4

Bar = tuple[int, int]


def _bays(*chain: int) -> tuple[Bar, ...]:
    return tuple(pairwise(chain))


NODES: dict[str, tuple[float, float]] = {
    str(number): place
    for number, place in enumerate(
        [
            (0, 0),
            (5, 5),
            (5, 0),
            (10, 5),
            (10, 0),
            (15, 5),
            (15, 0),
            (20, 5),
            (20, 0),
            (25, 5),
            (25, 0),
            (30 - OFFSET, 5),
            (30, 0),
            (30 + OFFSET, 5),
            (35, 0),
            (35, 5),
            (40, 0),
            (40, 5),
            (45, 0),
            (45, 5),
            (50, 0),
            (50, 5),
            (55, 0),
            (55, 5),
            (60, 0),
            (60 - OFFSET, 5),
            (60 + OFFSET, 5),
            (65, 0),
            (65, 5),
            (70, 0),
            (70, 5),
            (75, 0),
            (75, 5),
            (80, 0),
            (80, 5),
            (85, 0),
            (85, 5),
            (90, 0),
            (90, 5),
        ],
        start=1,
    )
}
"""Places [m] by number."""

BARS: dict[str, tuple[Bar, ...]] = {
    "longeron": (
        *_bays(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 28, 30, 32, 34, 36, 38),
        *_bays(2, 4, 6, 8, 10),
        *_bays(16, 18, 20, 22, 24),
        *_bays(29, 31, 33, 35, 37, 39),
    ),
    "diagonal": (
        (1, 2),
        (3, 4),
        (5, 6),
        (7, 8),
        (9, 10),
        (13, 10),
        (13, 16),
        (15, 18),
        (17, 20),
        (19, 22),
        (21, 24),
        (25, 24),
        (25, 29),
        (28, 31),
        (30, 33),
        (32, 35),
        (34, 37),
        (36, 39),
    ),
    "batten": (
        (2, 3),
        (4, 5),
        (6, 7),
        (8, 9),
        (10, 11),
        (15, 16),
        (17, 18),
        (19, 20),
        (21, 22),
        (23, 24),
        (28, 29),
        (30, 31),
        (32, 33),
        (34, 35),
        (36, 37),
    ),
    "end batten": ((38, 39),),
    "triangle": ((12, 13), (13, 14), (12, 14), (26, 25), (25, 27), (26, 27)),
    "actuator": ((10, 12), (14, 16), (24, 26), (27, 29)),
}
"""Pairs of nodes by the kind of member."""


@cache
def sections(end_density: float = END_DENSITY, retardation: float = 0.0) -> dict[str, Section]:
    """Sections by the kind of member (table E.1), with structural damping nu [s]."""
    return {
        kind: Section(area, density, E, retardation=retardation)
        for kind, area, density, E in (
            ("longeron", _TUBE, 8000, 412.5e9),
            ("diagonal", _TUBE, 4000, 412.5e9),
            ("batten", _TUBE, 12000, 618.7e9),
            ("end batten", _TUBE, end_density, 618.7e9),
            ("triangle", _TUBE, 4000, 412.5e9),
            ("actuator", 2.02683e-3, 4000, 412.5e9),
        )
    }


def boom_structure(
    *, end_density: float = END_DENSITY, retardation: float = 0.0, lumped: bool = False
) -> Structure:
    """All of it, with frozen actuators.

    >>> structure = boom_structure()
    >>> len(structure.nodes), len(structure.members), len(structure.freedoms)
    (39, 75, 78)
    """
    structure = Structure(planar=True, lumped=lumped)
    for name, place in NODES.items():
        structure.node(name, place)
    for kind, section in sections(end_density, retardation).items():
        for start, end in BARS[kind]:
            structure.bar(str(start), str(end), section)
    return structure


class Bay(NamedTuple):
    """A boom of the crane with all actuators: its places along x, and its nodes by their parts."""

    first: float
    last: float
    hinge: str
    beside: str
    """On the frame's x axis."""
    head: str
    """Of the actuator that turns it."""
    end: tuple[str, ...]
    """Hinge of the next boom, and foot of the actuator that turns its triangle; or the tip."""

    @property
    def joined(self) -> tuple[str, ...]:
        """Nodes that others are hinged to, but the hinge."""
        return (self.head, *self.end)


BAYS = (
    Bay(0, 30, "1", "3", "2", ("13", "10")),
    Bay(30, 60, "13", "15", "16", ("25", "24")),
    Bay(60, 90, "25", "28", "29", (TIP,)),
)


def bay_bars(bay: Bay, retardation: float = 0.0) -> Iterator[tuple[str, str, Section]]:
    """The bars of a boom between its hinges, without triangles and actuators."""
    for kind in ("longeron", "diagonal", "batten", "end batten"):
        for start, end in BARS[kind]:
            if bay.first < (NODES[str(start)][0] + NODES[str(end)][0]) / 2 <= bay.last:
                yield str(start), str(end), sections(retardation=retardation)[kind]


def bay_structure(bay: Bay, retardation: float = 0.0) -> Structure:
    """These bars in a plane."""
    structure = Structure(planar=True)
    bars = list(bay_bars(bay, retardation))
    for name in dict.fromkeys(node for start, end, _ in bars for node in (start, end)):
        structure.node(name, (NODES[name][0] - bay.first, NODES[name][1]))
    for start, end, section in bars:
        structure.bar(start, end, section)
    return structure


@cache
def flexible_bay(
    bay: Bay, modes: int, retardation: float = 0.0, interfaces: bool = False
) -> ModalBody:
    """A boom in its lowest modes; those of its hinges held besides constraint modes of these, if
    they are interfaces.

    >>> flexible_bay(BAYS[0], 2).coordinates
    ('e1', 'e2')
    >>> len(flexible_bay(BAYS[0], 2, interfaces=True).coordinates)
    8
    """
    return from_structure(
        bay_structure(bay, retardation),
        modes,
        bay.hinge,
        interfaces=bay.joined if interfaces else (),
        stations=() if interfaces else bay.joined,
        supports={bay.hinge: "pinned", bay.beside: {"normal": (0, 1)}},
        turning="secant",
        drawn=True,
    )


def space_boom(bay: Bay, modes: int = 0, lacing: float = 0.1) -> ModalBody:
    """A boom in space: its plane truss twice, at both sides and with half of each bar, rigid struts
    across, and between them bars in both diagonals of every panel, a share `lacing` of a longeron.

    Constraint modes belong to the axles that others are hinged to, attached at their middles.
    """
    truss, bars = Structure(), list(bay_bars(bay))
    nodes = dict.fromkeys(node for start, end, _ in bars for node in (start, end))
    tie = sections()["longeron"]
    tie = replace(tie, area=lacing * tie.area)
    for node in nodes:
        x, y = NODES[node]
        for side, z in (("a", -DEPTH / 2), ("b", DEPTH / 2)):
            truss.node(node + side, (x - bay.first, y, z))
        truss.mean_node(node, [node + "a", node + "b"])
        truss.rigid_link(node + "a", node + "b")
    for start, end, section in bars:
        for one, two in ("ab", "ba"):
            truss.bar(start + one, end + one, replace(section, area=section.area / 2))
            truss.bar(start + one, end + two, tie)
    return from_structure(
        truss,
        modes,
        bay.hinge,
        interfaces=bay.joined,
        supports={
            bay.hinge: "pinned",
            bay.hinge + "a": ["ux", "uy"],
            bay.beside: {"normal": (0, 1)},
        },
        turning="neighbours",
        drawn=True,
    )


def triangle_structure() -> Structure:
    """The small truss between the two actuators of a joint, its apex at the origin."""
    structure = Structure(planar=True)
    for name, place in (("apex", (0, 0)), ("in", (-OFFSET, DEPTH)), ("out", (OFFSET, DEPTH))):
        structure.node(name, place)
    for pair in (("apex", "in"), ("apex", "out"), ("in", "out")):
        structure.bar(*pair, sections()["triangle"])
    return structure


@cache
def flexible_boom(modes: int = 2, retardation: float = 0.0) -> ModalBody:
    """The boom in its lowest modes; stations "2" and "39".

    >>> [round(k, 3) for k in (flexible_boom().stiffness[0][0], flexible_boom().stiffness[1][1])]
    [11.139, 598.181]
    """
    return from_structure(
        boom_structure(retardation=retardation),
        modes,
        "1",
        supports=SUPPORTS,
        stations=["2", "38", TIP],
        turning="secant",
        drawn=True,
    )
