"""Beams against quadrature of their velocity field and against closed forms."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from bodies.graph_values import function_of
from bodies.velocity_field import form_energy, form_value, kinetic_energy
from scipy.linalg import eigh

from eomc.derive.bodies.beam import Beam
from eomc.derive.bodies.form import Form
from eomc.derive.language.errors import ModelError
from eomc.derive.shapes import gauss_points

pytestmark = pytest.mark.variants

L, MU = 3.0, 1.7


def beam(**changes: Any) -> Beam:
    arguments: dict[str, Any] = {
        "length": L,
        "mass_per_length": MU,
        "EI": (40.0, 25.0),
        "EA": 900.0,
        "GJ": 12.0,
        "modes": (2, 2, 1, 0),
    }
    return Beam(**{**arguments, **changes})


class Witness:
    """Positions of mass elements by the definition of the displacement field."""

    def __init__(self, form: Beam, start: float, density: Any = None) -> None:
        self.form, self.start = form, start
        self.s, weights = gauss_points([0.0, 0.2, 0.5, 1.0], 12)
        x = start + L * self.s
        mu = MU if density is None else density(x)
        self.x, self.masses = x, L * weights * mu
        self.stations: list[float] = []

    def add(self, s: float, mass: float) -> None:
        self.s = np.append(self.s, s)
        self.x = np.append(self.x, self.start + L * s)
        self.masses = np.append(self.masses, mass)

    def field(self, direction: str, xi: Any, order: int = 0, s: Any = None) -> Any:
        s = self.s if s is None else s
        total = np.zeros(np.shape(s), dtype=complex)
        for name, amplitude in zip(self.form.coordinates, xi, strict=True):
            if name.rstrip("0123456789") == direction:
                shape = self.form.shape(name)
                total = total + amplitude * shape.derivative(s, order) / L**order
        return total

    def shortening(self, xi: Any, fixed: float) -> Any:
        """Half the integral of v'^2 + w'^2 from the fixed station."""
        nodes, weights = gauss_points([0.0, 1.0], 6)
        reach = self.s - fixed
        s = fixed + reach[:, None] * nodes
        slopes = self.field("y", xi, 1, s) ** 2 + self.field("z", xi, 1, s) ** 2
        return 0.5 * L * reach * (slopes @ weights)

    def position(self, xi: Any) -> Any:
        along = self.x + self.field("axial", xi)
        return np.array([along, self.field("y", xi), self.field("z", xi)])

    def shortened(self, xi: Any, fixed: float) -> Any:
        along = self.x + self.field("axial", xi) - self.shortening(xi, fixed)
        return np.array([along, self.field("y", xi), self.field("z", xi)])


def states(count: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    return (
        random.normal(size=3),
        random.normal(size=3),
        0.4 * random.normal(size=count),
        random.normal(size=count),
    )


@pytest.mark.parametrize(
    ("origin", "start", "shapes"),
    [
        ("root", 0.0, "clamped-free"),
        ("middle", -L / 2, "free-free"),
        (-0.7, 0.7, "pinned-pinned"),
        (1.0, -1.0, "tip-mass"),
    ],
)
def test_energy_is_that_of_the_velocity_field(origin: Any, start: float, shapes: str) -> None:
    form = beam(origin=origin, shapes=shapes, tip_mass_ratio=0.8, modes=(3, 2, 2))
    energy, witness = form_energy(form), Witness(form, start)
    for seed in range(3):
        state = states(7, seed)
        exact = kinetic_energy(witness.position, witness.masses, *state)
        assert energy(*state) == pytest.approx(exact, rel=1e-12)


def test_densities_and_point_masses() -> None:
    density = "1 + x**2/2 + exp(-x) + where(x < 0.5, 2, 0)"
    form = beam(
        origin=0.3,
        mass_per_length=density,
        point_masses=[("tip", 0.6), (0.3, 0.9)],
        shapes={"y": ["s**2", "s**2/(1 + s)"], "z": "clamped-free"},
    )
    start = -0.3

    def mu(x: Any) -> Any:
        return 1 + x**2 / 2 + np.exp(-x) + np.where(x < 0.5, 2, 0)

    witness = Witness(form, start)
    s, weights = gauss_points([0.0, 0.8 / L, 1.0], 12)
    witness.s, witness.x = s, start + L * s
    witness.masses = L * weights * mu(witness.x)
    witness.add(1.0, 0.6)
    witness.add(0.6 / L, 0.9)
    state = states(5)
    exact = kinetic_energy(witness.position, witness.masses, *state)
    assert form_energy(form)(*state) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("origin", "start", "fixed"), [("root", 0.0, 0.0), ("middle", -L / 2, 0.5), (-0.4, 0.4, 0.0)]
)
def test_stiffening_is_exact_to_second_order(origin: Any, start: float, fixed: float) -> None:
    form = beam(
        origin=origin, stiffening=True, modes=(2, 1, 1), point_masses=[("tip", 0.7), (1.1, 0.4)]
    )
    energy, witness = form_energy(form), Witness(form, start)
    witness.add(1.0, 0.7)
    witness.add((1.1 - start) / L, 0.4)
    v, w, xi, xi_rate = states(4, 5)

    def difference(size: float) -> float:
        state = (v, w, size * xi, size * xi_rate)
        exact = kinetic_energy(lambda q: witness.shortened(q, fixed), witness.masses, *state)
        return energy(*state) - exact

    # what is left out is of third order: cut by ten it falls by a thousand
    assert abs(difference(1e-2)) < 1e-3
    assert difference(1e-2) / difference(1e-3) == pytest.approx(1000, rel=0.05)
    plain = form_energy(beam(origin=origin, modes=(2, 1, 1), point_masses=form.point_masses))
    size = 1e-3
    state = (v, w, size * xi, size * xi_rate)
    assert abs(plain(*state) - energy(*state)) > 30 * abs(difference(size))


def turn(axis: str, angle: Any) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


@pytest.mark.slow
def test_sections_turn() -> None:
    """Energy of every section's rotation, R by the turns of attachments and R' by complex step."""
    inertia = (0.5, 0.2, 0.31)
    modes = (1, 2, 1, 2)
    with_sections = form_energy(beam(modes=modes, section_inertia=inertia))
    form = beam(modes=modes, section_inertia=inertia)
    witness = Witness(form, 0.0)
    _, weights = gauss_points([0.0, 0.2, 0.5, 1.0], 12)
    v, w, xi, xi_rate = states(6, 2)

    def rotational(size: float) -> float:
        step, total = 1e-40, 0.0
        moved = size * (xi + 1j * step * xi_rate)
        angles = [
            witness.field("y", moved, 1),
            -witness.field("z", moved, 1),
            witness.field("torsion", moved),
        ]
        for k, weight in enumerate(weights):
            r = turn("z", angles[0][k]) @ turn("y", angles[1][k]) @ turn("x", angles[2][k])
            spin = r.real.T @ (r.imag / step)
            rates = r.real.T @ w + np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
            total += 0.5 * L * weight * float(rates @ (np.array(inertia) * rates))
        return total

    def difference(size: float) -> float:
        state = (v, w, size * xi, size * xi_rate)
        translation = kinetic_energy(witness.position, witness.masses, *state)
        return with_sections(*state) - translation - rotational(size)

    assert abs(difference(1e-2)) < 1e-4
    assert difference(1e-2) / difference(1e-3) == pytest.approx(1000, rel=0.05)


def test_invariants_are_moments() -> None:
    form = beam(modes=(0, 0, 0))
    body = form.invariants(())
    assert form.coordinates == ()
    assert body.mass == pytest.approx(MU * L)
    assert body.first == pytest.approx((MU * L**2 / 2, 0, 0))
    assert body.inertia == pytest.approx((0, MU * L**3 / 3, MU * L**3 / 3, 0, 0, 0))


def frequencies(form: Form) -> Any:
    """Of the body held at its frame."""
    count = len(form.coordinates)
    xi = sympy.symbols(f"xi:{count}")
    mass = function_of(xi, [e for row in form.invariants(xi).internal for e in row])
    stiffness = sympy.hessian(sympy.sympify(form.strain_energy(xi)), xi)
    m = mass(np.zeros(count)).reshape(count, count)
    k = np.array(stiffness.tolist(), dtype=float)
    return np.sqrt(eigh(k, m, eigvals_only=True))


def test_frequencies_in_closed_form() -> None:
    scale = math.sqrt(40.0 / (MU * L**4))
    roots = (1.8751040687119611, 4.694091132974175, 7.854757438237613)
    assert frequencies(beam(modes=(3,))) == pytest.approx([r**2 * scale for r in roots])
    roots = (4.730040744862704, 7.853204624095838)
    form = beam(modes=(2,), shapes="free-free", origin="middle")
    assert frequencies(form) == pytest.approx([r**2 * scale for r in roots])
    # pinned: (j pi)^2; rod: (j - 1/2) pi sqrt(EA/mu)/l; shaft: the same with GJ/jx
    form = beam(modes={"z": 2}, shapes="pinned-pinned")
    scale_z = math.sqrt(25.0 / (MU * L**4))
    assert frequencies(form) == pytest.approx([(j * math.pi) ** 2 * scale_z for j in (1, 2)])
    form = beam(modes={"axial": 2})
    speed = math.sqrt(900.0 / MU) / L
    assert frequencies(form) == pytest.approx([(j - 0.5) * math.pi * speed for j in (1, 2)])
    form = beam(modes={"torsion": 1}, section_inertia=(0.05, 0, 0))
    assert frequencies(form) == pytest.approx([0.5 * math.pi * math.sqrt(12.0 / 0.05) / L])


def test_frequencies_converge_with_polynomials_and_tip_masses() -> None:
    exact = 1.8751040687119611**2 * math.sqrt(40.0 / (MU * L**4))
    powers = [f"s**{n}" for n in range(2, 9)]
    got = frequencies(beam(modes=(7,), shapes={"y": powers}))
    assert got[0] == pytest.approx(exact, rel=1e-10)
    assert got[1] == pytest.approx(exact * (4.694091132974175 / 1.8751040687119611) ** 2, rel=1e-6)
    # a mass at the tip: its own shapes at once, clamped-free shapes from above
    ratio = 2.0
    tip = {"point_masses": [("tip", ratio * MU * L)]}
    root = 1.0762
    exact = frequencies(beam(modes=(1,), shapes="tip-mass", tip_mass_ratio=ratio, **tip))[0]
    assert exact == pytest.approx(root**2 * math.sqrt(40.0 / (MU * L**4)), rel=2e-4)
    errors = [frequencies(beam(modes=(n,), **tip))[0] / exact - 1 for n in (1, 2, 4, 8)]
    assert all(a > b > 0 for a, b in pairwise(errors))
    assert errors[-1] < 1e-4


def test_euler_beam_with_rotary_inertia() -> None:
    """Rayleigh's beam, pinned: omega^2 = EI (j pi/l)^4 / (mu + jz (j pi/l)^2)."""
    form = beam(modes=(3,), shapes="pinned-pinned", section_inertia=(0, 0.3, 0.1))
    k = np.arange(1, 4) * math.pi / L
    assert frequencies(form) == pytest.approx(np.sqrt(40.0 * k**4 / (MU + 0.1 * k**2)))


def test_parameters_and_numbers_agree() -> None:
    length, mu, stiffness, mass = sympy.symbols("length mu EI mp")
    symbolic = beam(
        length=length,
        mass_per_length=mu * (1 + sympy.Symbol("x") / length),
        EI=stiffness,
        EA=stiffness * 2,
        origin="middle",
        stiffening=True,
        section_inertia=(0, mu / 100, mu / 50),
        point_masses=[("tip", mass)],
        damping=0.01,
        rayleigh=(0.1, 0.001),
    )
    values = {length: L, mu: MU, stiffness: 40.0, mass: 0.3}
    numeric = beam(
        mass_per_length=MU * (1 + sympy.Symbol("x") / L),
        EI=40.0,
        EA=80.0,
        origin="middle",
        stiffening=True,
        section_inertia=(0, MU / 100, MU / 50),
        point_masses=[("tip", 0.3)],
        damping=0.01,
        rayleigh=(0.1, 0.001),
    )
    assert set(map(str, sympy.Tuple(*map(sympy.sympify, symbolic.scalars)).free_symbols)) == {
        "length",
        "mu",
        "EI",
        "mp",
    }
    xi = sympy.symbols("xi:5")
    point = list(np.linspace(-0.2, 0.3, 5))

    def everything(form: Beam) -> list[Any]:
        body = form.invariants(xi)
        tip = form.attachment("tip", xi)
        return [
            body.mass,
            *body.first,
            *body.inertia,
            *(e for column in (*body.linear, *body.angular) for e in column),
            *(e for row in body.internal for e in row),
            form.strain_energy(xi),
            *tip.displacement,
            *(angle for _, angle in tip.turns),
        ]

    given = function_of([*values, *xi], everything(symbolic))([*values.values(), *point])
    expected = function_of(xi, everything(numeric))(point)
    np.testing.assert_allclose(given, expected, rtol=1e-12, atol=1e-13)


def test_linear_momentum_is_the_derivative_of_the_first_moment() -> None:
    form = beam(stiffening=True, section_inertia=(0.1, 0.2, 0.3), modes=(2, 1, 1, 1))
    xi = sympy.symbols("xi:5")
    body = form.invariants(xi)
    for j, column in enumerate(body.linear):
        for entry, moment in zip(column, body.first, strict=True):
            assert entry == sympy.diff(moment, xi[j])
    # numbers that ought to vanish do so by structure, those that ought to be one are
    internal = beam(length=sympy.Symbol("l"), mass_per_length=2).invariants(xi).internal
    for i, row in enumerate(internal):
        for j, entry in enumerate(row):
            assert entry == (2 * sympy.Symbol("l") if i == j else 0)


@pytest.mark.parametrize("stiffening", [False, True])
def test_attachments(stiffening: bool) -> None:
    """With terms of second order of bending in one plane; those of space have their own tests."""
    modes = (2, 0, 1) if stiffening else (2, 1, 1, 1)
    form = beam(modes=modes, section_inertia=(0.1, 0, 0), stiffening=stiffening, origin=0.5)
    witness = Witness(form, -0.5)
    xi = 0.1 * np.arange(1.0, len(form.coordinates) + 1)
    for at, s in (("root", 0.0), ("tip", 1.0), (0.4, 0.3)):
        witness.s, witness.x = np.array([s]), np.array([-0.5 + L * s])
        place = witness.shortened(xi, 0.5 / L) if stiffening else witness.position(xi)
        expected = place[:, 0].real
        symbols = sympy.symbols(f"xi:{len(xi)}")
        given = form.attachment(at, symbols)
        got = function_of(symbols, given.displacement)(xi)
        np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-14)
        turns = dict(given.turns)
        if at == "root":
            assert not turns
            continue
        signs = {"z": ("y", 1, 1), "y": ("z", 1, -1), "x": ("torsion", 0, 1)}
        assert list(turns) == (["z"] if stiffening else ["z", "y", "x"])
        angles = function_of(symbols, list(turns.values()))(xi)
        for angle, axis in zip(angles, turns, strict=True):
            direction, order, sign = signs[axis]
            assert angle == pytest.approx(sign * witness.field(direction, xi, order)[0].real)


def test_a_station_may_be_an_expression() -> None:
    form = beam(stiffening=True, origin="middle", shapes="free-free")
    d = sympy.Symbol("d")
    xi = sympy.symbols("xi:5")
    moving = form.attachment(d, xi)
    for place in (-1.5, -0.3, 0.0, 1.2):
        fixed = form.attachment(place, xi)
        point = [0.1, -0.2, 0.3, 0.05, 0.1]
        turns = [dict(fixed.turns).get(axis, 0) for axis, _ in moving.turns]
        got = function_of([d, *xi], [*moving.displacement, *dict(moving.turns).values()])
        expected = function_of(xi, [*fixed.displacement, *turns])
        np.testing.assert_allclose(got([place, *point]), expected(point), atol=1e-13)


def test_damping() -> None:
    form = beam(modes=(2, 1), damping={"y": 0.01, "y2": 0.03}, rayleigh=(0.2, 0.004))
    xi, rates = sympy.symbols("xi:3"), sympy.symbols("r:3")
    c = np.array(sympy.hessian(form.dissipation(xi, rates), rates).tolist(), dtype=float)
    mass, omega = MU * L, np.array([1.8751040687, 4.69409113297, 1.8751040687]) ** 2
    omega = omega * np.sqrt(np.array([40.0, 40.0, 25.0]) / (MU * L**4))
    expected = mass * (2 * np.array([0.01, 0.03, 0]) * omega + 0.2 + 0.004 * omega**2)
    np.testing.assert_allclose(c, np.diag(expected), rtol=1e-8, atol=1e-12)
    # coupled modes: ratios of the true modes in the order of their frequencies
    tip = beam(modes=(3,), damping={"y1": 0.02, "y2": 0.05}, point_masses=[("tip", 4.0)])
    count = 3
    body = tip.invariants(xi)
    m = np.array(body.internal, dtype=float)
    k = np.array(sympy.hessian(tip.strain_energy(xi), xi).tolist(), dtype=float)
    c = np.array(sympy.hessian(tip.dissipation(xi, rates), rates).tolist(), dtype=float)
    state = np.block(
        [[np.zeros((count, count)), np.eye(count)], [-np.linalg.solve(m, np.hstack([k, c]))]]
    )
    poles = np.linalg.eigvals(state)
    poles = sorted(poles[poles.imag > 0], key=abs)
    assert [-p.real / abs(p) for p in poles] == pytest.approx([0.02, 0.05, 0], abs=1e-9)


def test_strain_energy_is_that_of_the_curvature() -> None:
    form = beam(modes=(2, 1, 1), EI=("40 + 3*x", "25"), EA="900*exp(-x)")
    witness = Witness(form, 0.0)
    xi = np.array([0.3, -0.1, 0.2, 0.4])
    weights = witness.masses / MU
    y, z = witness.field("y", xi, 2).real, witness.field("z", xi, 2).real
    u = witness.field("axial", xi, 1).real
    x = witness.x
    exact = 0.5 * weights @ ((40 + 3 * x) * y**2 + 25 * z**2 + 900 * np.exp(-x) * u**2)
    assert form_value(form, form.strain_energy)(xi)[0] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"length": 0}, "length is 0; give a positive"),
        ({"mass_per_length": -1}, "mass_per_length is -1"),
        ({"EI": None}, "mode y1 needs EI"),
        ({"EA": None}, "mode axial1 needs EA"),
        ({"GJ": None, "modes": {"torsion": 1}, "section_inertia": (1, 0, 0)}, "torsion1 needs GJ"),
        ({"modes": {"torsion": 1}}, "torsion1 needs section_inertia"),
        ({"modes": (1, -1)}, "-1 modes of z; give a whole number"),
        ({"modes": (1, 1, 1, 1, 1)}, "5 counts for y, z, axial, torsion"),
        ({"modes": {"w": 1}}, "modes: valid: 'axial'"),
        ({"shapes": "clamped"}, "no shapes are called 'clamped'"),
        ({"shapes": {"y": ["s**2"]}}, "shapes of y: mode y2 has no shape"),
        ({"shapes": {"y": ["s**2", "k*s"]}}, "y2: unknown k"),
        ({"tip_mass_ratio": -1}, "tip_mass_ratio is -1"),
        ({"origin": "1 +"}, "origin: .*give 'root', 'middle' or a distance"),
        ({"origin": sympy.Symbol("a"), "stiffening": True}, "stiffening: the origin a"),
        ({"section_inertia": (1, 2)}, "section_inertia has 2 entries, needs 3"),
        ({"point_masses": [("top", 1)]}, "no station 'top'; give 'root', 'tip' or x"),
        ({"point_masses": [(4.0, 1)]}, "x = 4.0 lies outside the beam, 0 to 3.0"),
        ({"damping": {"y3": 0.1}}, "damping of 'y3': no such mode"),
        ({"damping": -0.1}, "damping is -0.1"),
        ({"rayleigh": 0.1}, "rayleigh: 0.1 is no pair"),
        ({"stiffening": 1}, "stiffening is 1; give True or False"),
    ],
)
def test_bad_arguments(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        beam(**changes)


def test_bad_densities() -> None:
    for density, message in (
        ("exp(-x/a)", "mass_per_length: a may multiply functions of x"),
        ("1/x", "is not finite|cannot be integrated"),
    ):
        form = beam(mass_per_length=density, origin="middle")
        with pytest.raises(ModelError, match=message):
            form.invariants(sympy.symbols("xi:5"))


@pytest.mark.parametrize(
    ("shapes", "coordinates"),
    [
        ("sin(pi*s)", ("y1",)),
        (["s**2", "s**3"], ("y1", "y2")),
        ({"z": "s**2", "y": "clamped-free"}, ("y1", "z1")),
        ([sympy.Symbol("s") ** 2], ("y1",)),
    ],
)
def test_shapes_of_ones_own_need_no_counts(shapes: Any, coordinates: tuple[str, ...]) -> None:
    beam = Beam(length=2, mass_per_length=3, EI=5, shapes=shapes)
    assert beam.coordinates == coordinates
    assert dataclasses.replace(beam, length=3).shapes == beam.shapes


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"shapes": ["s", "q"]}, "shapes of y: mode y2: .*unknown q; a shape is a function of s"),
        ({"shapes": ["s**2"], "modes": (2, 0)}, "mode y2 has no shape: 1 are given for 2 modes"),
        ({"shapes": {"y": ["hub", "s"]}}, "'hub' is a family, which stands alone: not in a list"),
        ({"shapes": {"q": "s"}}, "shapes: valid: 'axial', 'torsion', 'y', 'z'"),
        ({"shapes": 3}, "shapes: give a name or a table by direction, not 3"),
    ],
)
def test_wrong_shapes_of_ones_own(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Beam(length=2, mass_per_length=3, EI=5, **given)
