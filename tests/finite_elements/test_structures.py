"""Supports, links, springs, chains, rotations of nodes and the order of reductions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import eomc
from eomc import Point
from eomc.derive.bodies.form import energy_of
from eomc.derive.bodies.modal_body import ModalBody
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.finite_elements.reduction_order import reduction_report
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model
from eomc.derive.structures import StructureBody
from eomc.verifier.procedure import verify

pytestmark = pytest.mark.variants

BAR = Section(1e-4, 7800, 2.1e11, retardation=1e-5)
BEAM = Section(1e-3, 2700, 7e10, Iz=2e-7, Iy=1e-7, G=2.6e10, torsion=2e-7)


def truss(**options: Any) -> Structure:
    structure = Structure(planar=True, **options)
    places = {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (0.5, 0.8), "e": (1.5, 0.8)}
    for name, place in places.items():
        structure.node(name, place)
    for start, end in ("ab", "bc", "ad", "db", "be", "de", "ec"):
        structure.bar(start, end, BAR)
    return structure


def squares(body: Any) -> Any:
    return np.diag(np.array(body.stiffness, float))


@pytest.mark.parametrize("angle", [0.0, 0.6, 1.2])
def test_an_inclined_roller(angle: float) -> None:
    """As a spring across it that grows stiff, in the matrices themselves."""
    structure = truss()
    along = (np.cos(angle), np.sin(angle))
    supports = {"a": "pinned", "c": {"along": along}}
    body = from_structure(structure, 3, "a", supports=supports, stations=["c"])
    normal = {"a": ("ux", "uy"), "c": {"normal": (-along[1], along[0])}}
    same = from_structure(structure, 3, "a", supports=normal)
    stiffness = [np.array(each.stiffness, float) for each in (same, body)]
    np.testing.assert_allclose(*stiffness, rtol=1e-12)
    moved = np.array(dict(body.stations)["c"][1], float)[:, :2]
    assert np.abs(moved @ [-along[1], along[0]]).max() < 1e-12 * np.abs(moved).max()
    stiff, indices = structure.stiffness(), structure.indices("c")
    row = np.zeros(10)
    row[[indices["ux"], indices["uy"]]] = -along[1], along[0]
    stiff += 1e13 * np.outer(row, row)
    kept = range(2, 10)
    mass = structure.mass_matrix()
    expected = eigh(stiff[np.ix_(kept, kept)], mass[np.ix_(kept, kept)], eigvals_only=True)[:3]
    np.testing.assert_allclose(squares(body), expected, rtol=1e-4)


def test_interfaces_of_a_supported_truss() -> None:
    """Constraint modes carry the static flexibility of the whole structure."""
    structure = truss()
    supports = {"a": "pinned", "b": ["uy"]}
    body = from_structure(structure, 1, "a", supports=supports, interfaces=["c"])
    assert len(body.coordinates) == 3
    moved = np.array(dict(body.stations)["c"][1], float)[:, :2]
    flexibility = moved.T @ np.diag(1 / squares(body)) @ moved
    held = [*structure.indices("a").values(), structure.indices("b")["uy"]]
    free = [i for i in range(10) if i not in held]
    inverse = np.linalg.inv(structure.stiffness()[np.ix_(free, free)])
    at = [free.index(i) for i in structure.indices("c").values()]
    np.testing.assert_allclose(flexibility, inverse[np.ix_(at, at)], rtol=1e-9)


def frame(link: str) -> Structure:
    structure = Structure()
    for name, place in (("foot", (0, 0, 0)), ("top", (0, 0, 2)), ("arm", (0.3, 0.2, 2.1))):
        structure.node(name, place)
    structure.beam("foot", "top", BEAM, 4)
    if link == "rigid":
        structure.rigid_link("top", "arm")
    else:
        structure.beam("top", "arm", Section(1e-2, 1e-3, 1e12, 1e-3, 1e-3, 1e12, 1e-3))
    structure.mass("arm", 3.0, inertia=(0.02, 0.03, 0.04))
    return structure


def test_a_rigid_link_is_a_stiff_arm() -> None:
    rigid, stiff = (
        from_structure(frame(link), 4, "foot", stations=["arm"]) for link in ("rigid", "stiff")
    )
    np.testing.assert_allclose(squares(rigid), squares(stiff), rtol=1e-4)
    for part in (1, 2):
        found, expected = (
            np.abs(np.array(dict(body.stations)["arm"][part], float)) for body in (rigid, stiff)
        )
        np.testing.assert_allclose(found, expected, atol=1e-3 * expected.max())


def steadily(body: ModalBody, w: Any) -> Any:
    """Squares of the frequencies of the energies alone as the body turns steadily at w, less those
    at rest, about its equilibrium."""
    size = len(body.coordinates)
    elastic, zero, at = np.array(body.stiffness, float), (0.0,) * size, np.zeros(size)

    def held(xi: Any) -> float:
        return float(energy_of(body.invariants(xi), (0, 0, 0), w, zero))

    def moving(rates: Any) -> float:
        return float(energy_of(body.invariants(at), (0, 0, 0), (0, 0, 0), rates))

    curve = second(held, size)  # the energy is of second degree
    ends = [sign * step for sign in (1, -1) for step in np.eye(size)]
    values = np.array([held(end) for end in ends]).reshape(2, -1)
    at = np.linalg.solve(elastic - curve, (values[0] - values[1]) / 2)
    return eigh(elastic - curve, second(moving, size), eigvals_only=True) - squares(body)


def second(energy: Callable[[Any], float], size: int) -> Any:
    """The second derivatives of a polynomial of second degree."""
    steps = np.eye(size)
    here = {(i, s): energy(s * steps[i]) for i in range(size) for s in (1, -1)}
    rest = energy(np.zeros(size))
    return np.array(
        [
            [
                here[i, 1] + here[i, -1] - 2 * rest
                if i == j
                else energy(steps[i] + steps[j]) - here[i, 1] - here[j, 1] + rest
                for j in range(size)
            ]
            for i in range(size)
        ]
    )


def test_arms_of_rigid_links_stiffen() -> None:
    """As stiff beams do: what an arm carries moves on a circle as the arm turns."""
    w = (0.24, 0.3, 0.32)
    rigid, stiff = (
        steadily(from_structure(frame(link), 6, "foot", stiffening=True), w)
        for link in ("rigid", "stiff")
    )
    np.testing.assert_allclose(rigid[:3], stiff[:3], rtol=0.01)


def test_rigid_links_at_a_dead_centre() -> None:
    structure = Structure(planar=True)
    for name, x in (("a", 0), ("b", 1), ("c", 2), ("d", 2)):
        structure.node(name, (x, 1 if name == "d" else 0))
    for pair in ("ab", "bc"):
        structure.rigid_link(*pair)
    structure.bar("b", "d", BAR)
    structure.mass("b", 1.0)
    supports = dict.fromkeys("acd", "pinned")
    with pytest.raises(ModelError, match="rigid links stand at a dead centre"):
        from_structure(structure, 1, "a", supports=supports, stiffening=True)


def test_a_rigid_link_between_pins_keeps_its_length() -> None:
    structure = truss()
    structure.node("f", (2.5, 0.8))
    structure.rigid_link("c", "f")
    structure.rigid_link("e", "f")
    structure.mass("f", 5.0)
    body = from_structure(
        structure, 3, "a", supports={"a": "pinned", "b": ["uy"]}, stations=["c", "e", "f"]
    )
    moved = {name: np.array(entry[1], float) for name, entry in body.stations}
    for other in "ce":
        arm = structure.nodes["f"] - structure.nodes[other]
        assert np.abs((moved["f"] - moved[other]) @ arm).max() < 1e-10


def test_springs() -> None:
    """Two masses on springs, along a line and between nodes at one place."""
    structure = Structure(planar=True)
    for name, x in (("wall", 0.0), ("one", 1.0), ("here", 1.0), ("two", 2.0)):
        structure.node(name, (x, 0))
    structure.spring("wall", "one", 300.0, retardation=0.01)
    structure.spring("one", "here", [500.0, 1e6, 0.0])
    structure.spring("here", "two", 200.0)
    for name, mass in (("one", 2.0), ("here", 0.5), ("two", 1.0)):
        structure.mass(name, mass)
    held = {"wall": "pinned", "one": ["uy"], "two": ["uy"]}
    body = from_structure(structure, 3, "wall", supports=held)
    mass = np.diag([2.0, 0.5, 1.0])
    stiffness = np.array([[800.0, -500, 0], [-500, 700, -200], [0, -200, 200]])
    values, vectors = eigh(stiffness, mass)
    np.testing.assert_allclose(squares(body), values, rtol=1e-10)
    damping = np.array(body.viscous, float)
    expected = 3.0 * np.outer(vectors[0], vectors[0])
    np.testing.assert_allclose(np.abs(damping), np.abs(expected), atol=1e-9)


def test_structural_damping() -> None:
    """Beside modal and Rayleigh's damping: e'.C e' / 2 of unit rates, the modes' masses being 1."""
    supports = {"a": "pinned", "c": ["uy"]}
    body = from_structure(truss(), 3, "a", supports=supports)
    np.testing.assert_allclose(
        np.diag(np.array(body.viscous, float)), 1e-5 * squares(body), rtol=1e-9
    )
    omega = np.sqrt(squares(body))
    for given, more in (
        ({"damping": 0.02}, 2 * 0.02 * omega),
        ({"rayleigh": (0.3, 2e-5)}, 0.3 + 2e-5 * omega**2),
    ):
        damped = from_structure(truss(), 3, "a", supports=supports, **given)
        found = [float(damped.dissipation((0, 0, 0), tuple(unit))) for unit in np.eye(3)]
        np.testing.assert_allclose(found, (1e-5 * omega**2 + more) / 2, rtol=1e-9)


def test_lumped_masses() -> None:
    spread, lumped = truss(), truss(lumped=True)
    bodies = [
        from_structure(s, 3, "a", supports={"a": "pinned", "c": ["uy"]}) for s in (spread, lumped)
    ]
    assert bodies[1].mass == pytest.approx(bodies[0].mass, rel=1e-12)
    assert np.array(bodies[1].first, float) == pytest.approx(np.array(bodies[0].first, float))
    assert np.all(squares(bodies[1]) < squares(bodies[0]))
    diagonal = lumped.mass_matrix()
    assert np.count_nonzero(diagonal - np.diag(np.diag(diagonal))) == 0


def hanging(count: int, length: float, rigid: int = -1) -> Structure:
    """A chain of bars, one of them rigid."""
    chain = Structure(planar=True, lumped=True)
    for k in range(count + 1):
        chain.node(str(k), (0, -k * length))
    for k in range(count):
        if k == rigid:
            chain.rigid_link(str(k), str(k + 1))
            for end in (k, k + 1):
                chain.mass(str(end), BAR.density * BAR.area * length / 2)
        else:
            chain.bar(str(k), str(k + 1), BAR)
    return chain


def test_a_chain_of_bars_hangs_by_its_weight() -> None:
    """Without bending stiffness its frequencies are those of small swings of point masses."""
    count, length, g = 6, 0.5, 9.81
    chain, modes = hanging(count, length, rigid=2), 2 * count - 1
    held = {"0": "pinned"}
    with pytest.raises(ModelError, match=r"nodes '6', .* can move without strain"):
        from_structure(chain, count, "0", supports=held)
    with pytest.raises(ModelError, match="there are 6 motions without strain to keep"):
        from_structure(chain, 2, "0", supports=held, strainless="kept")
    body = from_structure(chain, modes, "0", supports=held, strainless="kept", stiffening=True)
    model = Model("chain", gravity=(0, -g, 0))
    model.body("post")
    model.joint("post", "fixed", parent="world", child="post")
    model.deformable("chain", body)
    model.joint("hang", "fixed", parent="post", child="chain")
    compiled = eomc.build(model, functions=["mass_matrix", "inverse_dynamics_derivatives"])
    zero = np.zeros(modes)
    stiffness = compiled.inverse_dynamics_derivatives(zero, zero, zero)[0]
    found = np.sort(np.linalg.eigvals(np.linalg.solve(compiled.mass_matrix(zero), stiffness)).real)
    own = BAR.density * BAR.area * length
    masses = np.full(count, own)
    masses[-1] /= 2
    tension = g * np.cumsum(masses[::-1])[::-1] / length
    across = np.diag(tension + np.append(tension[1:], 0.0))
    across -= np.diag(tension[1:], 1) + np.diag(tension[1:], -1)
    expected = eigh(across, np.diag(masses), eigvals_only=True)
    np.testing.assert_allclose(found[:count], expected, rtol=1e-6)


def test_a_free_chain_keeps_what_does_not_strain() -> None:
    chain = hanging(3, 1.0)
    body = from_structure(chain, 5, strainless="kept")
    assert np.count_nonzero(squares(body) < 1e-6 * squares(body).max()) == 2
    assert np.abs(np.array(body.linear, float)).max() < 1e-9
    assert np.abs(np.array(body.angular, float)).max() < 1e-9


@pytest.mark.parametrize("kind", ["secant", "neighbours"])
def test_rotations_of_pinned_nodes(kind: str) -> None:
    """Of a whole truss that turns they are that turn; else they follow their definition."""
    from eomc.derive.finite_elements.node_rotation import motion_rows

    structure = truss()
    turn = np.array([[-y, x] for x, y, _ in structure.nodes.values()]).ravel()
    rows = motion_rows(structure, "c", structure.nodes["a"], kind)
    assert rows @ turn == pytest.approx([0, 2, 0, 0, 0, 1], abs=1e-12)
    body = from_structure(
        structure,
        2,
        "a",
        supports={"a": "pinned", "b": ["uy"]},
        stations=["b", "c", "e"],
        turning={"c": kind},
    )
    moved = {name: np.array(entry[1], float) for name, entry in body.stations}
    angle = np.array(dict(body.stations)["c"][2], float)[:, 2]
    arms = {"b": np.array([-1.0, 0]), "e": np.array([-0.5, 0.8])}
    if kind == "secant":
        expected = moved["c"][:, 1] / 2
    else:
        moments = sum(
            arm[0] * (moved[name] - moved["c"])[:, 1] - arm[1] * (moved[name] - moved["c"])[:, 0]
            for name, arm in arms.items()
        )
        expected = moments / sum(arm @ arm for arm in arms.values())
    np.testing.assert_allclose(angle, expected, atol=1e-12)
    assert not np.any(np.array(dict(body.stations)["e"][2], float))


def test_the_order_of_a_reduction() -> None:
    structure, held = truss(), {"a": "pinned", "c": ["uy"]}
    arguments: dict[str, Any] = {"root": "a", "supports": held, "stations": ["b", "e"]}
    report = reduction_report(structure, {"error": 0.05}, **arguments)
    assert report.error <= 0.05 < reduction_report(structure, report.order - 1, **arguments).error
    body = from_structure(structure, {"error": 0.05}, **arguments)
    assert len(body.coordinates) == report.order
    free = [i for i in range(10) if i not in (0, 1, structure.indices("c")["uy"])]
    at = free.index(structure.indices("e")["uy"])
    whole = np.linalg.inv(structure.stiffness()[np.ix_(free, free)])[at, at]
    moved = np.array(dict(body.stations)["e"][1], float)[:, 1]
    lacking = 1 - (moved**2 / squares(body)).sum() / whole
    assert report.lacking["e", "uy"][report.order] == pytest.approx(lacking, abs=1e-9)
    middle = float(report.frequencies[2:4].mean())
    assert len(from_structure(structure, {"below": middle}, **arguments).coordinates) == 3
    assert "first left out" in str(reduction_report(structure, 3, **arguments))
    assert report.effective.sum(axis=0)[:2] == pytest.approx([1, 1], abs=0.35)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"supports": {"z": "pinned"}}, "support: no node 'z'"),
        ({"supports": {"a": "held"}}, "support at node 'a': 'held'; give 'fixed', 'pinned'"),
        ({"supports": {"a": ["rz"]}}, "support at node 'a': it has no freedom rz; it has ux, uy"),
        ({"supports": {"a": ["ut"]}}, "support at node 'a': no freedom 'ut'"),
        ({"supports": {"a": {"along": (0, 0)}}}, "node 'a': along is .0, 0.; give a vector"),
        ({"supports": {"a": {"along": (0, 0, 1)}}}, "give a vector in which the node can move"),
        ({"supports": {"a": "pinned"}}, "mechanism on its supports: nodes .* can move without"),
        ({"supports": {"a": "pinned", "c": "pinned"}, "interfaces": ["c"]}, "interface .c.: the"),
        ({"supports": {"a": "pinned", "c": ["uy"]}, "modes": 99}, "99 modes of 7"),
        ({"supports": {"a": "pinned", "c": ["uy"]}, "modes": {"under": 3}}, "give a number, .'bel"),
        ({"supports": {"a": "pinned", "c": ["uy"]}, "modes": {"below": 1}}, "leaves none; the low"),
        ({"supports": {"a": "pinned", "c": ["uy"]}, "modes": {"error": 0.1}}, "give stations"),
        ({"turning": "secants", "stations": ["c"]}, "turning is 'secants'; did you mean 'secant'"),
    ],
)
def test_bad_reductions(arguments: dict[str, Any], message: str) -> None:
    if "turning" in arguments:
        arguments = {**arguments, "supports": {"a": "pinned", "c": ["uy"]}}
    with pytest.raises(ModelError, match=message):
        from_structure(truss(), **{"modes": 2, **arguments})


def test_bad_structures() -> None:
    structure = truss()
    structure.node("alone", (3, 3))
    with pytest.raises(ModelError, match="node 'alone' is not connected"):
        from_structure(structure, 2)
    structure.node("neighbour", (4, 3))
    structure.beam("alone", "neighbour", BEAM)
    with pytest.raises(ModelError, match=r"is a mechanism: nodes .*'neighbour'.* without strain"):
        from_structure(structure, 2)
    with pytest.raises(ModelError, match="98 modes of 10 freedoms, 3 of which move it as a whole"):
        from_structure(truss(), 98)
    for arguments, message in (
        (("a", "z", 1.0), "spring a-z: no node 'z'"),
        (("a", "b", -1.0), "spring a-b: stiffness -1.0"),
        (("a", "b", (1.0, 1.0, 0.0)), "spring a-b: its nodes are 1 m apart"),
    ):
        with pytest.raises(ModelError, match=message):
            structure.spring(*arguments)
    with pytest.raises(ModelError, match="rigid link a-a: its nodes are at one place"):
        structure.rigid_link("a", "a")


TABLES: dict[str, Any] = {
    "nodes": {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (0.5, 0.8), "e": (1.5, 0.8)},
    "members": [(*pair, "tube") for pair in ("ab", "bc", "ad", "db", "be", "de", "ec")],
    "sections": {"tube": {"area": 1e-4, "density": 7800, "E": 2.1e11, "retardation": 1e-5}},
    "planar": True,
    "modes": 2,
    "root": "a",
    "supports": {"a": "pinned", "c": {"along": (1, 0)}},
    "stations": ["e"],
}


def test_a_structure_by_tables_and_by_files(tmp_path: Path) -> None:
    body = StructureBody(**TABLES)
    expected = from_structure(
        truss(), 2, "a", supports={"a": "pinned", "c": ["uy"]}, stations=["e"], drawn=True
    )
    assert body.modal == expected
    nodes = "\n".join(f"{name},{x},{y}" for name, (x, y) in TABLES["nodes"].items())
    (tmp_path / "nodes.csv").write_text(f"name,x,y\n{nodes}\n")
    members = "\n".join(",".join(row) for row in TABLES["members"])
    (tmp_path / "members.csv").write_text(f"start,end,section\n{members}\n")
    files = {"nodes": str(tmp_path / "nodes.csv"), "members": str(tmp_path / "members.csv")}
    assert StructureBody(**{**TABLES, **files}).modal == expected
    (tmp_path / "truss.toml").write_text(
        'name = "truss"\n[[deformable]]\nname = "truss"\nform = "structure"\nplanar = true\n'
        'nodes = "nodes.csv"\nmembers = "members.csv"\nmodes = 2\nroot = "a"\nstations = ["e"]\n'
        'supports = { a = "pinned", c = { along = [1, 0] } }\n'
        "sections = { tube = { area = 1e-4, density = 7800, E = 2.1e11, retardation = 1e-5 } }\n"
        '[[joint]]\nname = "pin"\nkind = "revolute"\nparent = "world"\nchild = "truss"\n'
        'axis = [0, 0, 1]\n[[attachment]]\nname = "hook"\nbody = "truss"\nat = "e"\n'
        '[[frame]]\nname = "eye"\nbody = "hook"\n'
    )
    read = eomc.load(tmp_path / "truss.toml")
    assert read.joints["hook"].parent == "truss"
    wrong = (tmp_path / "truss.toml").read_text().replace('at = "e"', 'at = "x"')
    (tmp_path / "wrong.toml").write_text(wrong)
    with pytest.raises(ModelError, match=r"wrong.toml:\d+: joint 'hook': at: no station 'x'"):
        eomc.load(tmp_path / "wrong.toml")
    assert read.deformables["truss"].given.modal == expected
    bad = (tmp_path / "members.csv").read_text().replace("a,d,tube", "a,x,tube")
    (tmp_path / "members.csv").write_text(bad)
    with pytest.raises(
        ModelError, match=r"truss.toml:2: .*member 3 .a-x, .*members.csv:4.: .*no node 'x'"
    ):
        eomc.load(tmp_path / "truss.toml")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": "nowhere.csv"}, "nodes: nowhere.csv cannot be read"),
        ({"members": [("a", "b", "rope")]}, r"member 1 \(a-b\): no section 'rope'"),
        ({"members": [("a", "b", "tube", "cable")]}, r"member 1 \(a-b\): no kind 'cable'"),
        ({"members": [{"start": "a", "end": "b"}]}, "node 'c' is not|row 1 needs|member 1"),
        ({"members": [("a", "a", "tube")]}, r"member 1 \(a-a\): .*at one place"),
        ({"sections": {"tube": {"area": 1e-4}}}, "section 'tube': .*missing"),
        ({"sections": {"tube": {"area": -1, "density": 1, "E": 1}}}, "section 'tube': .*area is"),
        ({"nodes": {"a": (0, 0), "b": ("x", 0)}}, "node 2 .'b'.: "),
        ({"springs": [("a", "b", "stiff")]}, r"spring 1 \(a-b\)"),
    ],
)
def test_bad_tables(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        StructureBody(**{**TABLES, **changes})


def test_a_truss_is_drawn_deformed() -> None:
    model = Model("truss", gravity=(0, 0, 0))
    model.deformable("truss", StructureBody(**TABLES))
    model.joint("pin", "revolute", parent="world", child="truss", axis=(0, 0, 1))
    model.attachment("load", body="truss", at="e")
    model.force("push", at="load", direction=(0, -1, 0), magnitude=1e3)
    compiled = eomc.build(model)
    q = compiled.neutral()
    q[compiled.coordinates.index("truss_e1")] = 0.01
    line = compiled.body_lines(q)
    assert len(line) >= len(truss().members) + 1
    tip = np.asarray(compiled.frame_load_pose(q))[:3, 3]
    assert np.abs(line - tip).sum(axis=1).min() < 1e-12


@pytest.mark.slow
def test_cables_and_contacts_at_nodes() -> None:
    """A load on a rope from one node, a floor under another: the deflection by the stiffness matrix
    of all nodes under what rope and floor say that they carry, and `verify`'s witness."""
    structure, held = truss(), {"a": "pinned", "d": "pinned"}
    body = from_structure(structure, 6, "a", supports=held, stations=["c", "e"])
    model = Model("crane", gravity=(0, -9.81, 0))
    model.deformable("truss", body)
    model.joint("foot", "fixed", parent="world", child="truss")
    model.attachment("nose", body="truss", at="c")
    model.attachment("knee", body="truss", at="e")
    model.body("load", mass=400)
    model.joint(
        "slide", "prismatic", parent="world", child="load", axis=(0, 1, 0), placement=(1.5, -1.2, 0)
    )
    model.cable("rope", ["knee", "load"], length=1.99, modulus=1e6, viscosity=1e3)
    floor = {"kind": "plane", "at": Point("world", (0, -0.05, 0)), "normal": (0, 1, 0)}
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "nose", "radius": 0.05},
        surface=floor,
        normal={"kind": "spring", "stiffness": 1e7, "dissipation": 0.5},
    )
    built = eomc.build(model, flags=("-O0",))
    found = eomc.equilibrium(built)
    lift, pull = found.outputs["floor.normal_force"], found.outputs["rope.tension"]
    assert pull == pytest.approx(400 * 9.81) and lift > 1000
    force = structure.mass_matrix() @ np.tile([0, -9.81], 5)
    force[structure.indices("c")["uy"]] += lift
    force[structure.indices("e")["uy"]] -= pull
    free = [k for name in "bce" for k in structure.indices(name).values()]
    moved = np.zeros(10)
    moved[free] = np.linalg.solve(structure.stiffness()[np.ix_(free, free)], force[free])
    for name in "ce":
        modes = np.array(dict(body.stations)[name][1], float)[:, :2]
        expected = moved[list(structure.indices(name).values())]
        assert found.q[:6] @ modes == pytest.approx(expected, rel=1e-4, abs=1e-9)
    run = eomc.simulate(built, found.q, t_span=0.02)
    assert np.ptp(run.q, axis=0).max() < 1e-7
    checks = ["Newton-Euler", "Lagrange", "element outputs"]
    report = verify(model, quick=True, states=2, checks=checks)
    assert report.ok, str(report)


def test_a_truss_that_the_mechanism_holds() -> None:
    """A square of bars without a diagonal sways; a strut on the ground closes a loop through its
    corner and holds it. Under F at the far corner: u_c = (F, F) / EA, u_d = 2 F / EA."""
    square = Structure(planar=True)
    for name, place in {"a": (0, 0), "b": (1, 0), "c": (1, 1), "d": (0, 1)}.items():
        square.node(name, place)
    for start, end in ("ad", "dc", "cb"):
        square.bar(start, end, BAR)
    held: dict[str, Any] = {"supports": {"a": "pinned", "b": "pinned"}, "stations": ["c", "d"]}
    with pytest.raises(ModelError, match="is a mechanism on its supports: nodes 'c', 'd'"):
        from_structure(square, 4, "a", **held)
    body = from_structure(square, 4, "a", strainless="kept", **held)
    model = Model("held", gravity=(0, 0, 0))
    model.deformable("square", body)
    model.joint("foot", "fixed", parent="world", child="square")
    for name in "cd":
        model.attachment(name, body="square", at=name)
    model.body("strut", mass=1, inertia=(1, 1, 1))
    model.joint(
        "ground", "revolute", parent="world", child="strut", axis=(0, 0, 1), placement=(2, 0, 0)
    )
    model.joint("pin", "revolute", parent="strut", child="c", axis=(0, 0, 1), placement=(-1, 1, 0))
    stiffness, load = BAR.area * BAR.E, 20.0
    model.force("push", at="d", direction=(1, 0, 0), magnitude=load)
    found = eomc.equilibrium(eomc.build(model, flags=("-O0",)))
    for name, expected in (("c", (1, 1)), ("d", (2, 0))):
        modes = np.array(dict(body.stations)[name][1], float)[:, :2]
        moved = np.array([found[f"square_{mode}"] for mode in body.coordinates]) @ modes
        assert moved * stiffness / load == pytest.approx(expected, abs=1e-3)
