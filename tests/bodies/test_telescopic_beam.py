"""Telescopic beams against quadrature of the velocity field of their two links."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from bodies.graph_values import function_of
from bodies.velocity_field import form_energy, form_value, kinetic_energy

from eomc.derive.bodies.telescopic_beam import TelescopicBeam
from eomc.derive.language.errors import ModelError
from eomc.derive.shapes import gauss_points

pytestmark = pytest.mark.variants

A, MA, B, MB = 2.4, 3.0, 2.0, 1.3


def telescope(**changes: Any) -> TelescopicBeam:
    arguments: dict[str, Any] = {
        "slewing_length": A,
        "slewing_mass": MA,
        "deployable_length": B,
        "deployable_mass": MB,
        "EI": (30.0, 20.0),
        "length": 3.1,
        "modes": (2, 1),
        "tip_mass_ratio": 1.5,
    }
    return TelescopicBeam(**{**arguments, **changes})


class Witness:
    """Both links as mass elements: x fixed on the one, l minus a constant on the other."""

    def __init__(self, form: TelescopicBeam) -> None:
        self.form = form
        s, weights = gauss_points([0.0, 1.0], 10)
        payload = float(form.payload)
        self.slides = np.concatenate([np.zeros(s.size), np.ones(s.size), [1.0]])
        self.offset = np.concatenate([A * s, -B * s, [0.0]])
        self.masses = np.concatenate([MA * weights, MB * weights, [payload]])

    def x(self, xi: Any) -> Any:
        return self.offset + self.slides * xi[-1]

    def field(self, direction: str, xi: Any, order: int, x: Any) -> Any:
        length, total = xi[-1], 0 * x
        for name, amplitude in zip(self.form.coordinates[:-1], xi, strict=False):
            if name.startswith(direction):
                shape = self.form.shape(name)
                s = x / length
                # first order in the imaginary step: exact for complex step
                value = shape.derivative(s.real, order)
                value = value + 1j * s.imag * shape.derivative(s.real, order + 1)
                total = total + amplitude * value / length**order
        return total

    def position(self, xi: Any) -> Any:
        x = self.x(xi).astype(complex)
        return np.array([x, self.field("y", xi, 0, x), self.field("z", xi, 0, x)])

    def shortened(self, xi: Any) -> Any:
        x = self.x(xi).astype(complex)
        nodes, weights = gauss_points([0.0, 1.0], 8)
        between = x[:, None] * nodes
        squares = self.field("y", xi, 1, between) ** 2 + self.field("z", xi, 1, between) ** 2
        shortening = 0.5 * x * (squares @ weights)
        return self.position(xi) - np.array([shortening, 0 * x, 0 * x])


def states(seed: int, length: float) -> Any:
    random = np.random.default_rng(seed)
    xi = np.append(0.3 * random.normal(size=3), length)
    return random.normal(size=3), random.normal(size=3), xi, random.normal(size=4)


@pytest.mark.parametrize(
    "shapes",
    ["tip-mass", "clamped-free", {"y": ["s**2", "s**3 - s**2*cosh(s)"], "z": ["1 - cos(2*s)"]}],
    ids=["tip-mass", "clamped-free", "own"],
)
@pytest.mark.parametrize("length", [2.4, 3.1, 4.4])
@pytest.mark.parametrize("payload", [0.0, 2.0])
def test_energy_is_that_of_the_velocity_field(shapes: Any, length: float, payload: float) -> None:
    form = telescope(shapes=shapes, payload=payload)
    energy, witness = form_energy(form), Witness(form)
    for seed in range(3):
        state = states(seed, length)
        exact = kinetic_energy(witness.position, witness.masses, *state)
        assert energy(*state) == pytest.approx(exact, rel=1e-11)


def test_a_heavy_tip() -> None:
    """Wave numbers near zero."""
    form = telescope(tip_mass_ratio=2e4, payload=9.0)
    state = states(1, 3.7)
    witness = Witness(form)
    exact = kinetic_energy(witness.position, witness.masses, *state)
    assert form_energy(form)(*state) == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize("modes", [pytest.param(k, marks=pytest.mark.slow) for k in (5, 8)])
def test_many_modes(modes: int) -> None:
    """High wave numbers."""
    form = telescope(modes=(modes, 0), payload=1.0)
    random = np.random.default_rng(3)
    xi = np.append(0.1 * random.normal(size=modes), 3.3)
    state = (random.normal(size=3), random.normal(size=3), xi, random.normal(size=modes + 1))
    witness = Witness(form)
    exact = kinetic_energy(witness.position, witness.masses, *state)
    assert form_energy(form)(*state) == pytest.approx(exact, rel=1e-10)


@pytest.mark.slow
def test_stiffening_is_exact_to_second_order() -> None:
    form = telescope(stiffening=True, payload=0.8)
    energy, witness = form_energy(form), Witness(form)
    v, w, xi, xi_rate = states(4, 3.4)
    weights = np.array([1.0, 1.0, 1.0, 0.0])

    def difference(size: float) -> float:
        small = size * weights + (1 - weights)
        state = (v, w, xi * small, xi_rate * small)
        exact = kinetic_energy(witness.shortened, witness.masses, *state)
        return energy(*state) - exact

    assert abs(difference(1e-2)) < 1e-3
    assert difference(1e-2) / difference(1e-3) == pytest.approx(1000, rel=0.05)


def test_strain_energy_adds_over_the_overlap() -> None:
    form = telescope(EI=((30.0, 10.0), (20.0, 7.0)))
    witness = Witness(form)
    for length in (2.4, 3.3, 4.4):
        xi = np.array([0.2, -0.1, 0.3, length])
        total = 0.0
        for start, end, stiffness in ((0, A, (30, 10)), (length - B, length, (20, 7))):
            x, weights = gauss_points([start, end], 8)
            for direction, value in zip(("y", "z"), stiffness, strict=True):
                curve = witness.field(direction, xi, 2, x.astype(complex)).real
                total += 0.5 * value * float(weights @ curve**2)
        assert form_value(form, form.strain_energy)(xi)[0] == pytest.approx(total, rel=1e-11)


@pytest.mark.slow
def test_momenta_are_derivatives() -> None:
    form = telescope(stiffening=True, payload=1.0)
    xi = sympy.symbols("xi:4")
    body = form.invariants(xi)
    assert sympy.sympify(body.mass) == pytest.approx(MA + MB + 1.0)
    derivatives = [sympy.diff(moment, symbol) for symbol in xi for moment in body.first]
    for point in ([0.1, -0.2, 0.3, 3.1], [0.3, 0.1, -0.1, 4.2]):
        given = function_of(xi, [entry for column in body.linear for entry in column])(point)
        np.testing.assert_allclose(given, function_of(xi, derivatives)(point), atol=1e-13)


def test_modes_of_the_manipulator_of_the_thesis() -> None:
    """Caron 1996, LQR example: unit of 12 m; entries of M and K recomputed for the sheet."""
    unit = TelescopicBeam(7.5, 200, 7.5, 200, EI=5.5e5, length=12)
    xi = sympy.symbols("delta length")
    body = unit.invariants(xi)
    m, j, k, h = function_of(
        xi,
        [
            body.internal[0][0],
            body.inertia[2],
            sympy.diff(unit.strain_energy(xi), xi[0], 2),
            body.angular[0][2],
        ],
    )([0.0, 12.0])
    assert k == pytest.approx(4424.18, rel=1e-5)
    # rotor excluded (10 kg m^2 with the motor), and without the sheet's fitted 8.83 kg m^2
    assert m == pytest.approx(359.80, rel=1e-4)
    assert j == pytest.approx(18308.83 - 8.83, rel=1e-3)
    assert h == pytest.approx(2524.79, rel=1e-2)


def test_attachments() -> None:
    form = telescope(stiffening=True)
    witness = Witness(form)
    symbols = sympy.symbols("xi:4")
    xi = np.array([0.1, 0.05, -0.2, 3.3])
    for at, x in (
        ("root", 0.0),
        ("tip", 3.3),
        ("sleeve", A),
        (1.1, 1.1),
        (sympy.Rational(1, 2), 0.5),
    ):
        witness.offset, witness.slides = np.array([x]), np.zeros(1)
        expected = witness.shortened(xi)[:, 0].real
        given = form.attachment(at, symbols)
        np.testing.assert_allclose(
            function_of(symbols, given.displacement)(xi), expected, rtol=1e-12, atol=1e-14
        )
        angles = function_of(symbols, [angle for _, angle in given.turns])(xi)
        if at != "root":
            slopes = [witness.field(d, xi, 1, np.array([x + 0j]))[0].real for d in ("y", "z")]
            assert angles == pytest.approx([slopes[0], -slopes[1]])


def test_a_rigid_telescope_has_its_length() -> None:
    form = telescope(modes=(0, 0), payload=1.0)
    assert form.coordinates == ("length",)
    (length,) = sympy.symbols("xi:1")
    body = form.invariants((length,))
    assert float(body.internal[0][0]) == MB + 1.0
    first = function_of([length], [body.first[0], body.linear[0][0], body.inertia[1]])([3.0])
    second = MA * A**2 / 3 + MB * (3.0**3 - 1.0**3) / (3 * B) + 9
    assert first == pytest.approx([MA * A / 2 + MB * 2.0 + 3, MB + 1, second])


def test_damping_at_the_reference_length() -> None:
    form = telescope(modes=(1, 0), damping=0.02, rayleigh=(0.0, 0.01))
    xi, rates = sympy.symbols("xi:2"), sympy.symbols("r:2")
    body = form.invariants(xi)
    k_symbolic = sympy.diff(form.strain_energy(xi), xi[0], 2)
    m, k = function_of(xi, [body.internal[0][0], k_symbolic])([0, 3.1])
    c = float(sympy.diff(form.dissipation(xi, rates), rates[0], 2))
    assert c == pytest.approx(2 * 0.02 * np.sqrt(m * k) + 0.01 * k)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"length": "l"}, "length is l; its reference value is a number"),
        ({"length": 5.0}, "length is 5.0, more than both links together, 4.4"),
        ({"length": 1.0}, "length is 1.0, less than slewing_length = 2.4"),
        ({"slewing_mass": -1}, "slewing_mass is -1"),
        ({"EI": (1, 2, 3)}, "EI: .* is no pair"),
        ({"modes": (1, 1, 1)}, "3 counts for y, z"),
        ({"shapes": {"y": ["s**2", "s**2/(1+s)"]}}, "y2: integrals with a variable limit"),
        ({"damping": {"w": 1}}, "damping of 'w': no such mode"),
        ({"payload": -2}, "payload is -2"),
    ],
)
def test_bad_arguments(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        telescope(**changes)


def test_bad_stations() -> None:
    form = telescope()
    with pytest.raises(ModelError, match="no station 'end'; give 'root', 'tip', 'sleeve'"):
        form.attachment("end", sympy.symbols("xi:4"))
    with pytest.raises(ModelError, match="x = -1 lies outside"):
        form.attachment(-1, sympy.symbols("xi:4"))
