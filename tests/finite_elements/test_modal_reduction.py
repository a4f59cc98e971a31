"""Bodies from finite elements against assumed-mode beams, full models and rigid bodies."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse
import sympy
from bodies.velocity_field import form_energy
from scipy.linalg import eigh

from eomc.derive.bodies.beam import Beam
from eomc.derive.bodies.modal_body import ModalBody
from eomc.derive.finite_elements import Section, Structure, lowest_modes, read_matrix
from eomc.derive.finite_elements.modal_reduction import from_matrices, from_structure
from eomc.derive.language.errors import ModelError

L = 2.0
SECTION = Section(2e-3, 2700, 7e10, Iz=3e-7, Iy=1e-7, G=2.6e10, torsion=2e-7)
SLENDER = Section(2e-3, 2700, 7e10, Iz=3e-10, Iy=1e-10, G=2.6e10, torsion=2e-10)


def straight(elements: int, section: Section = SLENDER, start: float = 0.0) -> Structure:
    structure = Structure()
    structure.node("root", (start, 0, 0))
    structure.node("tip", (start + L, 0, 0))
    structure.beam("root", "tip", section, elements)
    return structure


def crane() -> Structure:
    """A mast with a jib, braced, a mass at its end."""
    structure = Structure()
    for name, place in (
        ("foot", (0.2, 0.1, 0)),
        ("top", (0.2, 0.1, 2)),
        ("end", (1.7, 0.3, 2.1)),
        ("middle", (0.9, 0.4, 1)),
    ):
        structure.node(name, place)
    structure.beam("foot", "top", SECTION, 3)
    structure.beam("top", "end", SECTION, 2)
    structure.beam("top", "middle", SECTION, 1)
    structure.bar("foot", "middle", SECTION)
    structure.mass("end", 2.5, inertia=(0.1, 0.2, 0.15))
    return structure


def states(count: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    return [random.normal(size=3), random.normal(size=3), *(random.normal(size=(2, count)) * 0.3)]


@pytest.mark.slow
@pytest.mark.parametrize(("free", "stiffening"), [(False, False), (True, False), (False, True)])
def test_a_beam_of_elements_is_the_beam_of_modes(free: bool, stiffening: bool) -> None:
    """Same energies of any motion as by the shapes of the closed form, once signs are matched."""
    structure = straight(48 if stiffening else 24, start=-L / 2 if free else 0.0)
    # elements shorten along straight lines: to the square of their length
    close = 5e-5 if stiffening else 2e-6
    body = from_structure(
        structure, 4, None if free else "root", stations=["tip"], stiffening=stiffening
    )
    mu = 2700 * 2e-3
    beam = Beam(
        length=L,
        mass_per_length=mu,
        EI=(7e10 * 3e-10, 7e10 * 1e-10),
        modes=(2, 2),
        shapes="free-free" if free else "clamped-free",
        origin="middle" if free else "root",
        section_inertia=(2700 * 4e-10, 2700 * 1e-10, 2700 * 3e-10),
        stiffening=stiffening,
    )
    # amplitudes of the elements' modes (mass one) by frequency: z1, y1, z2, y2
    scale, order = np.sqrt(mu * L), ("z1", "y1", "z2", "y2")
    xi = sympy.symbols("e1:5")
    tip = body.attachment("tip", xi).displacement
    factors, places = np.zeros(4), []
    for j, name in enumerate(order):
        moved = sympy.diff(tip[1 if name[0] == "y" else 2], xi[j]).subs(dict.fromkeys(xi, 0))
        factors[j] = np.sign(float(moved) * beam.shape(name).value(1.0)) / scale
        assert abs(float(moved)) * scale == pytest.approx(2, rel=2e-5)
        places.append(beam.coordinates.index(name))
    energy, expected = form_energy(body), form_energy(beam)
    for seed in range(3):
        v, w, e, e_rate = states(4, seed)
        y, y_rate = np.zeros(4), np.zeros(4)
        y[places], y_rate[places] = factors * e, factors * e_rate
        assert energy(v, w, e, e_rate) == pytest.approx(expected(v, w, y, y_rate), rel=close)
    # without terms of second order the inertia is linear
    linear = from_structure(
        structure, 4, None if free else "root", stations=["tip"], second_order=False
    )
    entry = linear.invariants(xi).inertia[1]
    assert sympy.Poly(entry, *xi).total_degree() <= 1


def test_the_rigid_part() -> None:
    structure = crane()
    body = from_structure(structure, 3, "foot", stations=["end"])
    total = sum(
        float(np.trace(part.inertias.sum(axis=0))) / 3
        for part in structure.material()
        if not part.turning
    )
    assert body.mass == pytest.approx(total, rel=1e-12)
    # spinning about any point of the structure's frame, by its mass matrix
    m = structure.mass_matrix()
    random = np.random.default_rng(1)
    v, w = random.normal(size=3), random.normal(size=3)
    foot, motion = structure.nodes["foot"], np.zeros(m.shape[0])
    for row, (node, freedom) in enumerate(structure.freedoms):
        axis = "xyz".index(freedom[1])
        place = structure.nodes[node] - foot
        motion[row] = (v + np.cross(w, place))[axis] if freedom[0] == "u" else w[axis]
    energy = form_energy(body)(v, w, np.zeros(3), np.zeros(3))
    assert energy == pytest.approx(0.5 * motion @ m @ motion, rel=1e-10)


def test_modal_momenta() -> None:
    """p and h of modal speeds by sums over the nodal momenta M Phi."""
    structure = crane()
    body = from_structure(structure, 4, "foot", stations=["end"])
    m, foot = structure.mass_matrix(), structure.nodes["foot"]
    motion = np.zeros((m.shape[0], 6))
    for row, (node, freedom) in enumerate(structure.freedoms):
        axis, place = "xyz".index(freedom[1]), structure.nodes[node] - foot
        if freedom[0] == "u":
            motion[row, axis] = 1
            motion[row, 3:] = np.array([np.cross(e, place)[axis] for e in np.eye(3)])
        else:
            motion[row, 3 + axis] = 1
    kept = [i for i, (name, _) in enumerate(structure.freedoms) if name != "foot"]
    k = structure.stiffness()
    squares, vectors = lowest_modes(m[np.ix_(kept, kept)], k[np.ix_(kept, kept)], 4)
    modes = np.zeros((m.shape[0], 4))
    modes[kept] = vectors
    expected = modes.T @ m @ motion
    given = np.hstack([np.array(body.linear, float), np.array(body.angular, float)])
    np.testing.assert_allclose(np.abs(given), np.abs(expected), atol=1e-9)
    np.testing.assert_allclose(np.diag(np.array(body.stiffness, float)), squares, rtol=1e-9)
    np.testing.assert_allclose(np.array(body.internal, float), np.eye(4), atol=1e-10)


def test_modes_of_one_frequency_are_taken_apart() -> None:
    """A round rod bends in two planes alike: each mode keeps to one of the planes."""
    rod = Section.tube(0.02, 0.0, 2700, 7e10, 2.6e10)
    body = from_structure(straight(5, rod), 4, "root", stations=["tip"])
    moved = np.abs(np.array(body.stations[1][1][1], float))
    assert np.all(np.count_nonzero(moved > 1e-6 * moved.max(), axis=1) == 1)
    assert np.count_nonzero(np.array(body.linear, float)) == 4
    np.testing.assert_allclose(np.array(body.internal, float), np.eye(4), atol=1e-10)


def test_free_modes_carry_no_momentum() -> None:
    body = from_structure(crane(), 3, stations=["end"])
    assert np.abs(np.array(body.linear, float)).max() < 1e-7
    assert np.abs(np.array(body.angular, float)).max() < 1e-7


def test_fixed_interface_modes_carry_a_mass_at_the_interface() -> None:
    """Craig-Bampton: few modes and the true tip give the frequencies with any tip mass."""
    structure = straight(16, SECTION)
    body = from_structure(structure, 4, "root", interfaces=["tip"])
    assert len(body.coordinates) == 6 + 4
    tip = np.array(body.stations[1][1][1], float), np.array(body.stations[1][1][2], float)
    heavy, inertia = 9.0, 0.4
    k = np.array(body.stiffness, float)
    m = np.eye(10) + heavy * tip[0] @ tip[0].T + inertia * tip[1] @ tip[1].T
    got = np.sqrt(eigh(k, m, eigvals_only=True))[:4]
    structure.mass("tip", heavy, inertia=(inertia,) * 3)
    kept = [i for i, (name, _) in enumerate(structure.freedoms) if name != "root"]
    full = structure.mass_matrix()[np.ix_(kept, kept)], structure.stiffness()[np.ix_(kept, kept)]
    exact = np.sqrt(lowest_modes(*full, 4)[0])
    assert got == pytest.approx(exact, rel=1e-4)
    assert np.all(got > exact * (1 - 1e-9))


def test_matrices_give_what_the_structure_gives(tmp_path: Path) -> None:
    """Through files; moments of the deformed body converge with the mesh."""
    differences = []
    for elements in (8, 16):
        structure = straight(elements, SECTION)
        for name, matrix in (("m", structure.mass_matrix()), ("k", structure.stiffness())):
            scipy.io.mmwrite(
                tmp_path / f"{name}.mtx", scipy.sparse.coo_matrix(matrix), precision=17
            )
        body = from_structure(structure, 4, "root", stations=["tip"], damping=0.01)
        read = from_matrices(
            read_matrix(tmp_path / "m.mtx"),
            read_matrix(tmp_path / "k.mtx"),
            structure.nodes,
            4,
            root="root",
            stations=["tip"],
            damping=0.01,
        )
        for name in ("mass", "first", "inertia", "internal", "stiffness", "linear", "angular"):
            given, expected = (
                np.array(getattr(read, name), float),
                np.array(getattr(body, name), float),
            )
            np.testing.assert_allclose(
                given, expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max()
            )
        np.testing.assert_allclose(
            np.array(read.stations[0][1][0], float), np.array(body.stations[0][1][0], float)
        )
        second = [np.array(b.inertia_second, float) for b in (read, body)]
        differences.append(np.abs(second[0] - second[1]).max() / np.abs(second[1]).max())
    assert differences[1] < 1e-2
    assert differences[0] / differences[1] == pytest.approx(4, rel=0.3)


def test_matrices_of_the_plane() -> None:
    """An inclined beam: mass, first moment and inertia about z of a uniform rod."""
    structure = Structure(planar=True)
    structure.node("root", (0.5, 0.2))
    structure.node("tip", (1.7, 1.1))
    structure.beam("root", "tip", SECTION, elements=4)
    matrices = structure.mass_matrix(), structure.stiffness()
    mass = 2e-3 * 2700 * 1.5
    for root, middle in ((None, (1.1, 0.65)), ("root", (0.6, 0.45))):
        body = from_matrices(*matrices, structure.nodes, 2, structure.freedoms, root=root)
        assert body.mass == pytest.approx(mass)
        assert [float(h) for h in body.first] == pytest.approx([mass * x for x in (*middle, 0)])
        about_z = mass * (1.5**2 / 12 + middle[0] ** 2 + middle[1] ** 2)
        assert float(body.inertia[2][2]) == pytest.approx(about_z, rel=1e-3)


def lumped(elements: int) -> tuple[Structure, np.ndarray]:
    """A beam, and its mass in the translations of its nodes alone."""
    structure = straight(elements)
    share = SLENDER.density * SLENDER.area * L / elements
    diagonal = [
        share * (0.5 if name in ("root", "tip") else 1.0) * (freedom[0] == "u")
        for name, freedom in structure.freedoms
    ]
    return structure, np.diag(diagonal)


@pytest.mark.parametrize(("root", "exact"), [("root", 1.87510407), (None, 4.73004074)])
def test_lumped_masses_without_rotary_inertia(root: str | None, exact: float) -> None:
    """Rotations follow; the lowest bending frequency converges with the square of the mesh."""
    errors = []
    for elements in (8, 16):
        structure, mass = lumped(elements)
        kept = [i for i, (_, name) in enumerate(structure.freedoms) if name in ("ux", "uy", "rz")]
        rows = np.ix_(kept, kept)
        freedoms = [structure.freedoms[i] for i in kept]
        body = from_matrices(
            mass[rows], structure.stiffness()[rows], structure.nodes, 2, freedoms, root=root
        )
        stiff = SLENDER.E * SLENDER.Iz / (SLENDER.density * SLENDER.area)
        frequency = exact**2 / L**2 * np.sqrt(stiff)
        errors.append(1 - np.sqrt(float(body.stiffness[0][0])) / frequency)
    assert 0 < errors[1] < 2e-2
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


def test_large_sparse_models() -> None:
    """Beyond the size of dense eigenvalue problems: a chain of springs in closed form."""
    n = 2000
    k = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()
    squares, modes = lowest_modes(scipy.sparse.identity(n, format="csr"), k, 3)
    exact = 2 * np.sin(np.arange(1, 4) * np.pi / (2 * (n + 1)))
    assert np.sqrt(squares) == pytest.approx(exact, rel=1e-8)
    np.testing.assert_allclose(modes.T @ modes, np.eye(3), atol=1e-10)


def test_a_modal_body_survives_its_arguments() -> None:
    body = from_structure(crane(), 2, "foot", stations=["end"], damping={"e2": 0.03})
    arguments = {f.name: getattr(body, f.name) for f in fields(ModalBody) if f.init}
    assert ModalBody(**arguments) == body


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"root": "feet"}, "no node 'feet' has freedoms; valid: 'end', 'foot'"),
        ({"root": "foot", "stations": ["and"]}, "station 'and': no such node; did you mean 'end'"),
        ({"interfaces": ["end"]}, "interfaces need a root"),
        ({"root": "foot", "modes": -1}, "modes: -1"),
        ({"root": "foot", "damping": {"e9": 0.1}}, "damping of 'e9': no such mode"),
    ],
)
def test_bad_reductions(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        from_structure(crane(), **{"modes": 2, **arguments})


def test_bad_matrices() -> None:
    m = np.eye(6)
    for arguments, message in (
        (
            {"nodes": {"a": (0, 0, 0), "b": (1, 0, 0)}, "freedoms": [("a", "ux")]},
            "1 different ones",
        ),
        ({"nodes": {"a": (0, 0, 0)}, "freedoms": [("b", f) for f in FREEDOM_NAMES]}, "no node 'b'"),
        ({"nodes": {"a": (0, 0, 0)}, "freedoms": [("a", f"t{i}") for i in range(6)]}, "'t0' of"),
        ({"nodes": {"a": (0, 0)}}, "node 'a': give three finite numbers"),
        ({"nodes": {str(i): (0, 0, i) for i in range(4)}}, "6 rows are not 3 or 6 for each of 4"),
    ):
        with pytest.raises(ModelError, match=message):
            from_matrices(m, m, modes=1, **arguments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mass": np.ones((6, 5))}, "mass: a matrix of shape .6, 5. is not square"),
        ({"stiffness": np.full((12, 12), np.nan)}, "stiffness: the matrix is not finite"),
        ({"stiffness": np.eye(6)}, "matrices of shapes .12, 12. and .6, 6."),
        ({"nodes": [(0, 0, 0), (L, 0, 0)]}, "nodes: give a mapping"),
        ({"exchanged": True}, "no mass in translation; is it the stiffness"),
    ],
)
def test_matrices_that_are_none(changes: dict[str, Any], message: str) -> None:
    structure = straight(1)
    arguments = {"mass": structure.mass_matrix(), "stiffness": structure.stiffness()} | changes
    if arguments.pop("exchanged", False):
        arguments["mass"], arguments["stiffness"] = arguments["stiffness"], arguments["mass"]
    with pytest.raises(ModelError, match=message):
        from_matrices(**{"nodes": structure.nodes, "modes": 2, "root": "root", **arguments})


def test_a_truss_turns_about_a_pin() -> None:
    """A node of bars alone does not hold them, as structure or as matrices."""
    truss = Structure()
    for name, place in (("a", (0.1, 0, 0)), ("b", (1, 0, 0)), ("c", (0, 1, 0)), ("d", (0, 0, 1))):
        truss.node(name, place)
    for start, end in ("ab", "ac", "ad", "bc", "bd", "cd"):
        truss.bar(start, end, SECTION)
    with pytest.raises(ModelError, match="turns freely about node 'a', which has no freedom rx"):
        from_structure(truss, 2, root="a")
    matrices = truss.mass_matrix(), truss.stiffness()
    with pytest.raises(ModelError, match="turns freely about node 'a'"):
        from_matrices(*matrices, truss.nodes, 2, root="a")
    assert len(from_structure(truss, 2).coordinates) == 2
    truss.node("bus", (0, -0.5, 0))
    truss.beam("bus", "a", SECTION)
    for free in "bcd":
        truss.beam("bus", free, SECTION)
    assert len(from_structure(truss, 2, root="bus").coordinates) == 2


@pytest.mark.parametrize("root", ["0", None])
def test_a_chain_of_bars(root: str | None) -> None:
    """Stretch of a rod, held at its end or free; across itself a chain of bars has no stiffness."""
    chain, count = Structure(), 40
    for k in range(count + 1):
        chain.node(str(k), (k / count, 0, 0))
    for k in range(count):
        chain.bar(str(k), str(k + 1), SECTION)
    with pytest.raises(ModelError, match="strainless='left out'"):
        from_structure(chain, 3, root=root)
    with pytest.raises(ModelError, match="valid: 'refused', 'left out'"):
        from_structure(chain, 3, root=root, strainless="held")
    rod = from_structure(chain, 3, root=root, stations=[str(count)], strainless="left out")
    squares = eigh(np.array(rod.stiffness, float), np.array(rod.internal, float))[0]
    wave = np.pi * (np.arange(3) + (0.5 if root else 1.0))
    assert np.allclose(np.sqrt(squares) / wave, np.sqrt(SECTION.E / SECTION.density), rtol=5e-3)
    tip = np.array(dict(rod.stations)[str(count)][1], float)
    assert np.abs(tip[:, 1:]).max() < 1e-12 * np.abs(tip).max()
    with pytest.raises(ModelError, match="60 modes of 40 with strain"):
        from_structure(chain, 60, root=root, strainless="left out")


def test_a_chain_of_bars_with_an_interface() -> None:
    """The far end as interface: a pull on it stretches the rod as EA/l."""
    chain = Structure()
    for k in range(5):
        chain.node(str(k), (k / 4, 0, 0))
    for k in range(4):
        chain.bar(str(k), str(k + 1), SECTION)
    rod = from_structure(chain, 0, root="0", interfaces=["4"], strainless="left out")
    tip = dict(rod.stations)["4"]
    place = np.array(tip[1], float)
    flexibility = place.T @ np.linalg.pinv(np.array(rod.stiffness, float)) @ place
    assert flexibility[0, 0] == pytest.approx(1 / (SECTION.E * SECTION.area), rel=1e-9)


def test_matrices_as_lists() -> None:
    structure = straight(1)
    given = structure.mass_matrix(), structure.stiffness()
    lists = [matrix.tolist() for matrix in given]
    read = from_matrices(*lists, structure.nodes, 2, root="root")
    assert read == from_matrices(*given, structure.nodes, 2, root="root")


FREEDOM_NAMES = ("ux", "uy", "uz", "rx", "ry", "rz")


def test_bad_modal_bodies() -> None:
    good: dict[str, Any] = {
        "mass": 1,
        "first": (0, 0, 0),
        "inertia": np.eye(3),
        "internal": [[1]],
        "stiffness": [[4]],
        "linear": [(0, 0, 0)],
        "angular": [(0, 0, 0)],
    }
    assert ModalBody(**good).coordinates == ("e1",)
    for changes, message in (
        ({"first": (0, 0)}, "first: needs 3 entries"),
        ({"stiffness": [[1, 2]]}, "stiffness: needs 1 entries"),
        ({"angular_rates": [[(0, 0)]]}, "angular_rates: needs 3"),
        ({"stations": {"tip": ((0, 0, 0), [(1, 0, 0)])}}, "station 'tip': give position"),
        ({"stations": {"tip": ((0, 0), [(1, 0, 0)], [(0, 0, 0)])}}, "station 'tip': position"),
        ({"mass": -1}, "mass is -1"),
    ):
        with pytest.raises(ModelError, match=message):
            ModalBody(**{**good, **changes})
    with pytest.raises(ModelError, match="no station 'tip'; there are none"):
        ModalBody(**good).attachment("tip", sympy.symbols("e1:2"))
