"""Structures of other programs: CalculiX is generator and witness, Nastran and Abaqus by files."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from eomc.binding.arrays import Array
from eomc.derive.bodies.modal_body import ModalBody
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.links import NodeLink
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.finite_elements.programs.matrices import read_structure
from eomc.derive.model import ModelError

STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1E11, 0.3\n*DENSITY\n7850\n"
#: Corners and middles of edges of a hexahedron of 20 nodes, in steps of half an element.
CORNERS = [(0, 0), (2, 0), (2, 2), (0, 2)]
MIDDLES = [(1, 0), (2, 1), (1, 2), (0, 1)]
HEXAHEDRON = [
    *((i, j, k) for k in (0, 2) for i, j in CORNERS),
    *((i, j, k) for k in (0, 2) for i, j in MIDDLES),
    *((i, j, 1) for i, j in CORNERS),
]
needs_calculix = pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX is not installed")


class Mesh:
    """Blocks of hexahedra on a grid."""

    def __init__(self, cells: list[tuple[int, int, int]], size: tuple[float, float, float]) -> None:
        self.nodes: dict[tuple[int, int, int], int] = {}
        self.elements = []
        for cell in cells:
            corners = [
                tuple(2 * c + d for c, d in zip(cell, step, strict=True)) for step in HEXAHEDRON
            ]
            self.elements.append([self.nodes.setdefault(c, len(self.nodes) + 1) for c in corners])
        self.size = np.array(size) / 2

    def at(self, **place: int) -> list[str]:
        """Names of the nodes of a plane, such as x=0."""
        ((axis, value),) = place.items()
        return [str(n) for c, n in self.nodes.items() if c["xyz".index(axis)] == value]

    def text(self, steps: str) -> str:
        """Of an input file."""
        rows = [
            f"{n}, " + ", ".join(f"{x:.17g}" for x in self.size * c) for c, n in self.nodes.items()
        ]
        cells = [
            f"{k}, " + ", ".join(map(str, e[:15])) + ",\n" + ", ".join(map(str, e[15:]))
            for k, e in enumerate(self.elements, 1)
        ]
        blocks = ("*NODE, NSET=ALL", *rows, "*ELEMENT, TYPE=C3D20, ELSET=PART", *cells)
        return "\n".join(blocks) + f"\n{STEEL}*SOLID SECTION, ELSET=PART, MATERIAL=STEEL\n{steps}"


def calculix(folder: Path, name: str, text: str) -> Path:
    (folder / f"{name}.inp").write_text(text)
    subprocess.run(["ccx", name], cwd=folder, check=True, capture_output=True, timeout=100)
    return folder / f"{name}.inp"


STORED = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n"


def boundary(nodes: list[str]) -> str:
    return "*BOUNDARY\n" + "".join(f"{n}, 1, 3\n" for n in nodes)


def frequencies(folder: Path, mesh: Mesh, nodes: list[str], count: int) -> Array:
    """Squares that CalculiX finds with nodes held."""
    text = mesh.text(f"{boundary(nodes)}*STEP\n*FREQUENCY\n{count}\n*END STEP\n")
    lines = calculix(folder, "modes", text).with_suffix(".dat").read_text().splitlines()
    rows = [line.split() for line in lines if re.match(r" +\d+ +\d\.\d+E", line)]
    return np.array([float(row[1]) for row in rows[:count]])


def deflection(folder: Path, mesh: Mesh, nodes: list[str], loaded: str) -> Array:
    """Displacements of a node under a newton along each of its axes, by CalculiX."""
    steps = "".join(
        f"*STEP\n*STATIC\n*CLOAD, OP=NEW\n{loaded}, {k}, 1.\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n"
        for k in (1, 2, 3)
    )
    text = mesh.text(f"*NSET, NSET=TIP\n{loaded}\n{boundary(nodes)}{steps}")
    lines = calculix(folder, "static", text).with_suffix(".dat").read_text().splitlines()
    return np.array([line.split()[1:] for line in lines if line.split()[:1] == [loaded]], float)


@cache
def bracket() -> tuple[Path, Mesh]:
    """An L of 0.4 m and 0.3 m, 0.1 m wide and 0.02 m thick, its matrices and nodes."""
    cells = [(i, 0, 0) for i in range(4)] + [(3, 0, k) for k in range(1, 4)]
    mesh, folder = Mesh(cells, (0.1, 0.1, 0.02)), Path(mkdtemp())
    return calculix(folder, "bracket", mesh.text(STORED)), mesh


def squares(body: ModalBody) -> Array:
    """Of frequencies; the modes have unit mass and are orthogonal."""
    assert np.allclose(np.array(body.internal, float), np.eye(len(body.coordinates)), atol=1e-8)
    return np.diag(np.array(body.stiffness, float))


@needs_calculix
def test_frequencies_and_deflections_are_those_of_calculix() -> None:
    path, mesh = bracket()
    wall, tip = mesh.at(x=0), str(mesh.nodes[8, 0, 8])
    read = read_structure(path)
    links = {"wall": NodeLink(wall, "rigid", at=(0, 0.05, 0.01))}
    body = read.reduced(6, root="wall", links=links, stations=[tip])
    expected = frequencies(path.parent, mesh, wall, 6)
    assert squares(body) == pytest.approx(expected, rel=1e-6)
    volume = (4 + 3) * 0.1 * 0.1 * 0.02
    assert float(body.mass) == pytest.approx(7850 * volume, rel=1e-9)
    # A spring at the tip finds the stiffness of the whole structure.
    known = deflection(path.parent, mesh, wall, tip)
    soft = read.reduced(6, root="wall", links=links, residuals=[tip])
    moved = np.array(dict(soft.stations)[tip][1], float)
    assert moved.T @ (moved / squares(soft)[:, None]) == pytest.approx(known, rel=1e-5)
    few = np.array(dict(body.stations)[tip][1], float)
    lacking = few.T @ (few / squares(body)[:, None]) - known
    assert np.abs(lacking).max() > 5e-4 * np.abs(known).max()


@needs_calculix
def test_links_of_both_kinds() -> None:
    """An average does not stiffen; both carry the forces and turns of the whole."""
    path, mesh = bracket()
    read, wall, end = read_structure(path), mesh.at(x=0), mesh.at(z=8)
    softest = []
    for kind in ("average", "rigid"):
        links = {"wall": NodeLink(wall, "rigid"), "end": NodeLink(end, kind)}
        body = read.reduced(24, root="wall", links=links, interfaces=["end"])
        assert len(body.coordinates) == 30
        bare = read.reduced(4, root="wall", links={"wall": NodeLink(wall, "rigid")})
        softest.append(squares(body)[2] / squares(bare)[2] - 1)
        # Turning the free structure as a whole, the node turns with it.
        end_node = dict(body.stations)["end"]
        assert np.array(end_node[0], float) == pytest.approx(
            np.mean([read.nodes[n] for n in end], axis=0)
            - np.mean([read.nodes[n] for n in wall], axis=0)
        )
    assert 0 <= softest[0] < 1e-5 and softest[1] > 1e-3
    free = read.reduced(3, links={"end": NodeLink(end)}, stations=[end[0]])
    assert len(free.coordinates) == 3


def tripod() -> Structure:
    structure = Structure()
    places = {
        "1": (0, 0, 0),
        "2": (1, 0, 0),
        "3": (0, 1, 0),
        "4": (0.3, 0.3, 0.9),
        "5": (0.5, 0.6, 1.6),
    }
    for name, place in places.items():
        structure.node(name, place)
    bar = Section(area=1e-4, density=7850, E=2.1e11)
    for start, end in ("14", "24", "34", "12", "23", "13", "15", "25", "35", "45"):
        structure.bar(start, end, bar)
    return structure


def of_structure(structure: Structure) -> tuple[Array, Array, list[tuple[str, str]]]:
    return structure.mass_matrix(), structure.stiffness(), list(structure.freedoms)


def tower() -> Structure:
    structure = Structure()
    for name, place in {"10": (0, 0, 0), "20": (0, 0.25, 1), "30": (0.5, 0, 1.75)}.items():
        structure.node(name, place)
    tube = Section.tube(outer=0.04, inner=0.036, density=2700, E=7e10, G=2.6e10)
    structure.beam("10", "20", tube)
    structure.beam("20", "30", tube)
    return structure


def same_body(read: ModalBody, structure: Structure) -> None:
    expected = from_structure(structure, 4, "10", stations=["30"], second_order=False)
    assert squares(read) == pytest.approx(squares(expected), rel=1e-6)
    assert float(read.mass) == pytest.approx(float(expected.mass), rel=1e-8)
    ours, theirs = (np.array(dict(b.stations)["30"][1], float) for b in (read, expected))
    assert ours == pytest.approx(theirs, abs=1e-7)


def test_abaqus_files(tmp_path: Path) -> None:
    structure = tower()
    m, k, freedoms = of_structure(structure)
    nodes = "".join(
        f"{n}, {', '.join(f'{1e3 * x:.17g}' for x in p)}\n" for n, p in structure.nodes.items()
    )
    (tmp_path / "part.inp").write_text(
        f"*HEADING\ntower\n*NODE\n{nodes}*ELEMENT, TYPE=B31\n1, 10, 20\n"
    )
    directions = {"ux": 1, "uy": 2, "uz": 3, "rx": 4, "ry": 5, "rz": 6}
    # In millimetres and tonnes: turns have moments in N mm.
    scale = np.array([1e3 if f[0] == "r" else 1.0 for _, f in freedoms])
    for word, matrix in (("MASS2", m), ("STIF1", k)):
        inside = 1e-3 * np.outer(scale, scale) * matrix
        rows = [
            f"{a}, {directions[f]}, {b}, {directions[g]}, {inside[i, j]:.17g}\n"
            for i, (a, f) in enumerate(freedoms)
            for j, (b, g) in enumerate(freedoms[: i + 1])
            if inside[i, j]
        ]
        (tmp_path / f"part_{word}.mtx").write_text("".join(rows))
    read = read_structure(tmp_path / "part.inp", length_unit=1e-3, mass_unit=1e3)
    same_body(read.reduced(4, root="10", stations=["30"], second_order=False), structure)


def wide(*fields: object) -> str:
    return "".join(f"{field!s:>16}" for field in fields)


def test_nastran_punch_files(tmp_path: Path) -> None:
    structure = tower()
    m, k, freedoms = of_structure(structure)
    component = {"ux": 1, "uy": 2, "uz": 3, "rx": 4, "ry": 5, "rz": 6}
    lines = ["$ tower"]
    for n, (x, y, z) in structure.nodes.items():
        lines.append(f"GRID    {n:>8}{'':8}{x:>8}{y:>8}{z:>8}")
    (tmp_path / "tower.bdf").write_text("\n".join(["BEGIN BULK", *lines, "ENDDATA"]))
    lines = []
    for name, matrix in (("MAAX", m), ("KAAX", k)):
        lines.append(f"DMIG    {name:<8}       0       6       2       0")
        for j, (node, freedom) in enumerate(freedoms):
            lines.append("DMIG*   " + f"{name:<16}" + wide(node, component[freedom]))
            for i in range(j, len(freedoms)):
                if matrix[i, j]:
                    number = f"{matrix[i, j]:.9E}".replace("E", "D")
                    lines.append(
                        "*       " + wide(freedoms[i][0], component[freedoms[i][1]], number)
                    )
    (tmp_path / "tower.pch").write_text("\n".join(lines))
    read = read_structure(tmp_path / "tower.bdf")
    same_body(read.reduced(4, root="10", stations=["30"], second_order=False), structure)


def test_nastran_op4(tmp_path: Path) -> None:
    op4 = pytest.importorskip("pyNastran.op4.op4", reason="pyNastran is not installed")
    structure = tower()
    m, k, freedoms = of_structure(structure)
    assert [n for n, _ in freedoms] == sorted(n for n, _ in freedoms)
    lines = [f"GRID,{n},,{x},{y},{z}" for n, (x, y, z) in structure.nodes.items()]
    (tmp_path / "tower.bdf").write_text("\n".join(lines))
    op4.OP4(debug=False).write_op4(
        str(tmp_path / "tower.op4"), {"KGG": (6, k), "MGG": (6, m)}, is_binary=False
    )
    read = read_structure(tmp_path / "tower.bdf")
    same_body(read.reduced(4, root="10", stations=["30"], second_order=False), structure)


def test_wrong_files_are_named(tmp_path: Path) -> None:
    nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n"
    for files, message in (
        ({"a.inp": nodes}, r"one file a_MASS\*\.mtx .* expected, 0 are there"),
        ({"a.inp": nodes, "a.dof": "1.1\n9.1"}, r"a\.dof:2: node '9' is in no \*NODE block"),
        ({"a.inp": nodes, "a.dof": "1.1\n1.7"}, r"a\.dof:2: direction '7'"),
        ({"a.inp": nodes, "a.dof": "1.1"}, r"a\.mas: there is no such file"),
        ({"a.inp": nodes, "a.dof": "1.1", "a.mas": "1 1 x"}, r"a\.mas:1: 3 numbers expected"),
        ({"a.inp": nodes, "a.dof": "1.1", "a.mas": "2 1 1"}, r"a\.mas: a row beyond the 1"),
        ({"a.inp": "*NODE\n1, 0, b"}, r"a\.inp:2: number, x, y, z expected"),
        (
            {"a.inp": "*INCLUDE, INPUT=/etc/passwd"},
            r"a\.inp:1: INPUT=/etc/passwd: give a file beside",
        ),
        ({"a.bdf": "GRID,1,5,0.,0.,0."}, r"a\.bdf:1: GRID: only basic coordinates"),
        ({"a.bdf": "GRID,1,,0.,0.,0."}, r"a\.bdf: no matrices MAAX and KAAX"),
        ({"a.bdf": "CBAR,1"}, r"a\.bdf: no GRID entry"),
        ({"a.txt": ""}, r"a\.txt: unknown kind of file '\.txt'"),
    ):
        for file in tmp_path.iterdir():
            file.unlink()
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        with pytest.raises(ModelError, match=message):
            read_structure(tmp_path / next(iter(files)))
    with pytest.raises(ModelError, match="length_unit is 0"):
        read_structure(tmp_path / "a.txt", length_unit=0)


def test_wrong_links_are_named() -> None:
    structure = tripod()
    given = structure.mass_matrix(), structure.stiffness(), structure.nodes
    from eomc.derive.finite_elements.modal_reduction import from_matrices

    for links, message in (
        ({"hub": NodeLink(["1", "9"])}, "link 'hub': no node '9'"),
        ({"hub": NodeLink(["1", "2"])}, "link 'hub': its nodes are on a line"),
        ({"hub": NodeLink("123", "loose")}, "kind is 'loose'; valid: 'average', 'rigid'"),
        ({"1": NodeLink("123")}, "link '1': a node has this name"),
        ({"hub": NodeLink("123"), "top": NodeLink("345")}, "node '3' is linked to 'hub' already"),
    ):
        with pytest.raises(ModelError, match=message):
            from_matrices(*given, 2, links=links)
