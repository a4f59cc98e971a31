"""Cases of the slider-pendulum: 1 to 7, 35 to 37, 39, 40."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

import eomc
from eomc.binding.arrays import Array
from eomc.runtime.derivatives.tree import Method
from eomc.runtime.linearization import Steps, UserForce, linearize, undamped_modes
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.sensitivity import (
    Sensitivities,
    damping_ratio_rate,
    eigen_derivatives,
    natural_frequency_rate,
    sensitivities,
)
from eomc.systems.trom import slider_pendulum
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.trom.cartesian import Axis, CartesianBody, CartesianSpring, linearized, motion
from eomc_published.trom.cartesian.derivatives import B_by, d_by
from eomc_published.trom.cartesian.equations import cartesian_forces, differenced_stiffness
from eomc_published.trom.cartesian.forces import point_forces_by
from eomc_published.trom.cartesian.kinematics import GROUND
from eomc_published.trom.models import Complex, slider

MASS = [[30.0, 20.0], [20.0, 35.0]]
STIFFNESS = [[20.0, 0.0], [0.0, 196.2]]
SQUARES = [0.6356920513, 9.4966156410]


def bodies() -> tuple[CartesianBody, CartesianBody]:
    """The system in Cartesian form."""
    one = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    rod = ((15.0, 0.0, 0.0), (0.0, 15.0, 0.0), (0.0, 0.0, 0.1))
    zero = (0.0, 0.0, 0.0)
    return (
        CartesianBody(GROUND, (Axis("slide", (0, 1, 0)),), zero, zero, 10.0, one),
        CartesianBody(0, (Axis("turn", (1, 0, 0)),), zero, (0.0, 0.0, -1.0), 20.0, rod),
    )


SPRING = CartesianSpring(GROUND, (0, -4, 0), 0, (0, 0, 0), 20.0, 0.0, 4.0)
"""The spring along y: on the line of the slider's motion, without force at y = 0."""


def _matrices() -> Iterator[CaseCheck]:
    linear = linearize(slider())
    yield agrees("M_l", MASS, linear.mass, 1e-12)
    yield agrees("K_l", STIFFNESS, linear.stiffness, 1e-12)
    yield agrees("C_l", np.zeros((2, 2)), linear.damping, 1e-12)
    tables = linearized(bodies(), [SPRING], [0, 0], [0, 0], [0, 0])
    yield agrees("K_l by the derivative tables", STIFFNESS, tables.stiffness, 1e-12)


def _squares() -> Iterator[CaseCheck]:
    linear = linearize(slider())
    found = undamped_modes(linear.mass, linear.stiffness, linear.coordinates).squares
    yield agrees("eigenvalues of M^-1 K, printed", [0.63569205, 9.49661564], found, 5e-9)
    yield agrees("to more digits", SQUARES, found, 1e-9)


def _differences() -> Iterator[CaseCheck]:
    stiffness = differenced_stiffness(bodies(), [SPRING], [0, 0], 1e-4)
    yield agrees("K22, B and f differenced", 196.199999673, stiffness[1, 1], 1e-9)
    yield agrees("K11", 20.0, stiffness[0, 0], 1e-9)
    found = undamped_modes(MASS, (stiffness + stiffness.T) / 2, ("y", "theta")).squares
    yield agrees("second eigenvalue", 9.49661563, found[1], 5e-9)
    # The thesis's 196.2 sin(h)/h is also that of the residual differenced whole.
    steps = Steps("one-sided", fixed=1e-4)
    whole = linearize(slider(), method="one-sided", steps=steps)
    yield agrees("K22, residual differenced", 196.199999673, whole.stiffness[1, 1], 1e-9)
    central = linearize(slider(), method="central", steps=Steps("central", fixed=1e-4))
    yield agrees("K22, central", 196.2 * np.sin(1e-4) / 1e-4, central.stiffness[1, 1], 1e-9)


def _pairs(values: Complex) -> list[list[float]]:
    upper = values[values.imag > 0]
    return sorted([[float(v.real), float(v.imag)] for v in upper], key=lambda v: v[1])


def _undamped_first_order() -> Iterator[CaseCheck]:
    found = _pairs(linearize(slider()).modes().eigenvalues)
    yield agrees("eigenvalues (Re, Im)", [[0, 0.797303], [0, 3.081658]], found, 1e-6)


def _damped_first_order() -> Iterator[CaseCheck]:
    found = _pairs(linearize(slider(20.0)).modes().eigenvalues)
    expected = [[-0.312177, 0.747815], [-0.226284, 3.023550]]
    yield agrees("eigenvalues (Re, Im), c = 20", expected, found, 1e-6)
    tight = [[-0.3121772274, 0.7478154173], [-0.2262843111, 3.0235504540]]
    yield agrees("to more digits", tight, found, 1e-9)


def _intermediates() -> Iterator[CaseCheck]:
    rest = np.zeros(2)
    m = motion(bodies(), rest, rest)
    b = np.zeros((12, 2))
    b[1, 0] = b[7, 0] = b[7, 1] = b[9, 1] = 1.0
    yield agrees("u2, u3", [[0, 1, 0], [1, 0, 0]], m.u, 0.0)
    yield agrees("d33", [0, 0, -1], m.d(1, 1), 0.0)
    yield agrees("B", b, m.B, 0.0)
    f = np.zeros(12)
    f[2], f[8] = -98.1, -196.2
    got = cartesian_forces(m, [SPRING], (0, 0, -9.81), rest, rest)
    yield agrees("f", f, got, 1e-13)
    yield agrees("dd33/dq2", [0, 1, 0], d_by(m, 1, 1, 1), 0.0)
    yield agrees("dB/dq1", np.zeros((12, 2)), B_by(m, 0), 0.0)
    slope = np.zeros((12, 2))
    slope[8, 1] = 1.0
    yield agrees("dB/dq2, the unit in the z slot", slope, B_by(m, 1), 0.0)
    by_y = np.zeros(12)
    by_y[1] = -20.0
    yield agrees("df/dq1", by_y, point_forces_by(m, SPRING, 0), 0.0)
    yield agrees("df/dq2", np.zeros(12), point_forces_by(m, SPRING, 1), 0.0)
    yield from _compiled_intermediates(b, slope)


def _compiled_intermediates(b: Array, slope: Array) -> Iterator[CaseCheck]:
    """The same of the compiled model: B of its mass centres, B^T f, (3.10) of the derivatives."""
    model, rest = slider(), np.zeros(2)

    def stacked(what: str, *state: Array) -> Array:
        frames = ("slider", "mass_center")
        return np.concatenate([model.function(f"frame_{f}_{what}")(*state) for f in frames])

    yield agrees("compiled B", b, stacked("jacobian", rest), 1e-15)
    for k, expected in enumerate((np.zeros((12, 2)), slope)):
        got = stacked("jacobian_rate", rest, np.eye(2)[k])
        yield agrees(f"compiled dB/dq{k + 1}", expected, got, 1e-15)
    q = np.array([0.3, 0.4])
    m = motion(bodies(), q, rest)
    balance = m.B.T @ cartesian_forces(m, [SPRING], (0, 0, -9.81), q, rest)
    yield agrees("compiled B^T f", balance, -model.inverse_dynamics(q, rest, rest), 1e-12)
    tables = linearized(bodies(), [SPRING], q, rest, rest)
    yield agrees(
        "compiled K_l away from rest",
        tables.stiffness,
        model.inverse_dynamics_derivatives(q, rest, rest)[0],
        1e-12,
    )


def _symbolic() -> Iterator[CaseCheck]:
    tau = eomc.equations(slider_pendulum()).inverse_dynamics.to_sympy()
    m2, m3, length, j, g, k, c = sp.symbols("m2 m3 l j3x g k c")
    y, theta, v, w, ay, at = sp.symbols("y theta u_y u_theta a_y a_theta")
    half = m3 * length / 2
    printed = sp.Matrix(
        [
            (m2 + m3) * ay
            + half * sp.cos(theta) * at
            - half * sp.sin(theta) * w**2
            + c * v
            + k * y,
            half * sp.cos(theta) * ay
            + (m3 * length**2 / 4 + j) * at
            + m3 * g * length / 2 * sp.sin(theta),
        ]
    )
    difference = (tau - printed).applyfunc(sp.simplify)
    yield holds("M a + c - (3.36)", "0", str(list(difference)), difference == sp.zeros(2, 1))


@cache
def _damped_sensitivities() -> Sensitivities:
    return sensitivities(slider(20.0))


PARAMETERS = ("m2", "m3", "l", "j3x", "k", "c")
_TABLE = {
    "m2": (0.00932287 - 0.01072971j, -0.005090203, -0.013493057),
    "m3": (0.01032054 - 0.01074720j, -0.006130970, -0.013893534),
    "l": (0.01043869 + 0.00041624j, -0.011152476, -0.003637218),
    "j3x": (0.00004620 + 0.00005911j, -0.000074481, 0.000036755),
    "k": (0.00163409 + 0.02158364j, -0.011185870, 0.019288298),
    "c": (-0.01665071 - 0.00551593j, 0.019917803, 0.001324198),
}
_TABLE_2 = {
    "m2": (0.01967122 - 0.02976079j, -0.005721209, -0.031145894),
    "m3": (-0.00499509 + 0.06929626j, -0.000062670, 0.069475792),
    "l": (-0.15245053 + 0.29459182j, 0.042769293, 0.305147921),
    "j3x": (0.00942126 - 0.06959787j, -0.001381610, -0.070106894),
    "k": (-0.00163409 + 0.00351975j, 0.000449548, 0.003631888),
    "c": (-0.01027237 - 0.00573721j, 0.003509933, -0.004954562),
}


def _sensitivity_table() -> Iterator[CaseCheck]:
    found = _damped_sensitivities()
    for mode, table in enumerate((_TABLE, _TABLE_2)):
        column = 2 * mode
        for name, (value, ratio, frequency) in table.items():
            row = found.parameters.index(name)
            rate = found.eigenvalue_rates[row, column]
            got = [
                rate.real,
                rate.imag,
                found.damping_ratio_rates[row, column],
                found.natural_frequency_rates[row, column],
            ]
            expected = [value.real, value.imag, ratio, frequency]
            yield agrees(f"mode {mode + 1}: d(Re, Im, zeta, omega)/d{name}", expected, got, 1e-7)


def _central(f: Callable[[float], Array], h: float) -> Array:
    """Fourth-order central difference."""
    near, far = (f(h) - f(-h)) / (2 * h), (f(2 * h) - f(-2 * h)) / (4 * h)
    result: Array = (4 * near - far) / 3
    return result


def _changed(name: str, change: float) -> LinearModel:
    model = slider(20.0)
    value = model.parameters[name]
    return linearize(model, parameters={name: value + change})


def _eigenvectors() -> Iterator[CaseCheck]:
    found = _damped_sensitivities()
    leading = np.argmax(np.abs(found.shapes), axis=0)
    for name in PARAMETERS:

        def shapes(change: float, name: str = name) -> Array:
            vectors = _changed(name, change).modes().vectors
            scaled: Array = vectors / vectors[leading, np.arange(vectors.shape[1])]
            return scaled

        slope = _central(shapes, 1e-3 * abs(found.linear.stiffness[0, 0]) / 20)
        rates = found.shape_rates[found.parameters.index(name)]
        # Entries are of the size of 1; what is held is the same entry in both.
        yield at_most(f"dx/d{name} - central differences", np.abs(slope - rates).max(), 1e-8)
    yield from _symmetric_form()


def _symmetric_form() -> Iterator[CaseCheck]:
    """(8.6) corrected: sum over the other modes, x^T E x = 1, against the bordered system."""
    linear = linearize(slider(20.0))
    m, c, k = linear.mass, linear.damping, linear.stiffness
    zero = np.zeros((2, 2))
    e, f = np.block([[c, m], [m, zero]]), np.block([[k, zero], [zero, -m]])
    dm, dc, dk = (part[PARAMETERS.index("l")] for part in _mass_damping_stiffness())
    de, df = np.block([[dc, dm], [dm, zero]]), np.block([[dk, zero], [zero, -dm]])
    found = eigen_derivatives(e, f, de, df, "pencil")
    values, x = found.eigenvalues, found.vectors
    i = 0
    total = -0.5 * (x[:, i] @ de @ x[:, i]) * x[:, i]
    for g in range(len(values)):
        if g != i:
            share = x[:, g] @ (df + values[i] * de) @ x[:, i] / (values[g] - values[i])
            # v = u here: the pencil is symmetric; -share from (lambda_g - lambda_i) E-normalized.
            total = total + share * x[:, g]
    difference = np.abs(total - found.vector_rates[:, i]).max()
    yield at_most("(8.6) corrected - bordered system", difference, 1e-12)


def _mass_damping_stiffness() -> tuple[Array, Array, Array]:
    found = _damped_sensitivities()
    order = [found.parameters.index(name) for name in PARAMETERS]
    return found.mass[order], found.damping[order], found.stiffness[order]


def _ratios() -> Iterator[CaseCheck]:
    """zeta and omega of lambda(p) = lambda + lambda' p, differentiated by a complex step in p."""
    rng = np.random.default_rng(7)
    values = -rng.uniform(0.1, 3, 40) + 1j * rng.uniform(0.1, 9, 40)
    rates = rng.normal(size=40) + 1j * rng.normal(size=40)
    step = 1e-30j
    real, imaginary = values.real + step * rates.real, values.imag + step * rates.imag
    omega = np.sqrt(real * real + imaginary * imaginary)
    zeta = -real / omega
    expected = zeta.imag / 1e-30, omega.imag / 1e-30
    got = damping_ratio_rate(values, rates), natural_frequency_rate(values, rates)
    for name, wanted, have in zip(("zeta'", "omega'"), expected, got, strict=True):
        yield agrees(f"{name} by (8.8) corrected, (8.9)", wanted, have, 1e-9, relative=True)
    conjugate = damping_ratio_rate(values.conj(), rates.conj())
    yield agrees("zeta' of the conjugates", expected[0], conjugate, 1e-9, relative=True)


def steps_report(linear: LinearModel, reference: LinearModel, name: str) -> Iterator[CaseCheck]:
    """An adaptive difference against the exact matrices, and the steps that were used: 0.1 % and
    1e-6, shrunk tenfold once or more."""
    scale = np.abs(reference.stiffness).max()
    error = np.abs(linear.stiffness - reference.stiffness).max() / scale
    # One-sided at 3e-5 rad: the error is half the step times the second derivative.
    yield at_most(f"{name}: K_l by adaptive differences, relative error", error, 1e-4)
    shrunk = np.log10((1e-3 * np.abs(linear.point.q) + 1e-6) / linear.steps["q"])
    text, whole = ", ".join(f"{step:.3g}" for step in linear.steps["q"]), np.round(shrunk)
    passed = bool((whole >= 1).all() and np.abs(shrunk - whole).max() < 1e-9)
    yield holds(f"{name}: steps used", "first steps over powers of ten", text, passed)


_AT: dict[str, Any] = {"q": {"y": 0.3, "theta": 0.4}, "a": {"y": 0.0, "theta": 0.0}}
_FORCE, _SCALE = 0.01, 1e-5


def _steep(t: float, q: Array, u: Array) -> Array:
    """Q = F exp((y - 0.3) / s) with s of 1e-5 m: only steps far below s give the slope F / s."""
    return np.array([_FORCE * np.exp((q[0] - 0.3) / _SCALE), 0.0])


def _steep_step(central: bool) -> tuple[float, float]:
    """(step, slope) at which the rule stops on the force alone, from closed forms of its
    differences: F (e^x - 1) / h one-sided and F sinh(x) / h central, x = h / s."""
    h, before = 1e-3 * 0.3 + 1e-6, np.inf
    for k in range(8):
        if k or central:
            h *= 0.1
        x = h / _SCALE
        now = _FORCE * (np.sinh(x) if central else np.expm1(x)) / h
        halves = _FORCE * (np.expm1(x) + np.expm1(-x)) / h if central else np.inf
        if min(abs(now - before), halves) <= 0.01 * now:
            return h, now
        before = now
    raise ValueError("the rule never stops")


def _adaptive() -> Iterator[CaseCheck]:
    from eomc_published.trom.four_bar import adaptive

    exact = linearize(slider(20.0), **_AT)
    for scheme in ("one-sided", "central"):
        found = linearize(slider(20.0), **_AT, method=scheme)
        yield from steps_report(found, exact, f"slider-pendulum, {scheme}")
    yield from adaptive()
    # Steps must shrink several times here: the first slopes are off by a factor of 1e12.
    force = UserForce(_steep, name="wall", of_speeds=False)
    places: dict[Method, str] = {"one-sided": "q", "exact": "wall: q"}
    for method, kept in places.items():
        step, slope = _steep_step(central=method == "exact")
        found = linearize(slider(20.0), **_AT, method=method, forces=force)
        name = f"slider-pendulum at a wall, {method}"
        yield agrees(f"{name}: step used", step, found.steps[kept][0], 1e-9, relative=True)
        # The slope that the rule stops at, up to rounding; it is the exact one within 1 %.
        part = exact.stiffness[0, 0] - found.stiffness[0, 0]
        yield agrees(f"{name}: its slope", slope, part, 1e-4, relative=True)
        yield agrees(f"{name}: exact", _FORCE / _SCALE, part, 0.01, relative=True)


def _user_force() -> Iterator[CaseCheck]:
    """A hardening spring with drag on the slider, as a Python function."""

    def law(t: float, q: Array, u: Array) -> Array:
        return np.array([-50.0 * q[0] ** 3 - 4.0 * u[0] * abs(u[0]), 0.0])

    def slopes(t: float, q: Array, u: Array) -> tuple[Array, Array]:
        by_q, by_u = np.zeros((2, 2)), np.zeros((2, 2))
        by_q[0, 0], by_u[0, 0] = -150.0 * q[0] ** 2, -8.0 * abs(u[0])
        return by_q, by_u

    state: dict[str, Any] = {"q": [0.4, 0.2], "u": [0.7, -0.3], "a": [0.1, 0.2]}
    plain = linearize(slider(20.0), **state)
    given = linearize(slider(20.0), **state, forces=UserForce(law, slopes))
    found = linearize(slider(20.0), **state, forces=UserForce(law))
    yield agrees(
        "K11, C11 with the derivative given",
        [plain.stiffness[0, 0] + 24.0, plain.damping[0, 0] + 5.6],
        [given.stiffness[0, 0], given.damping[0, 0]],
        1e-12,
    )
    for name in ("stiffness", "damping"):
        wanted, have = getattr(given, name), getattr(found, name)
        yield agrees(f"{name}, differenced (3.32)", wanted, have, 1e-5, relative=True)


_FIGURE = "section 3.3, figure 3.4, tables 3.5 and 3.7"

CASES = (
    Case(1, "Slider-pendulum: M, C, K", _FIGURE, "linearization at rest, c = 0", _matrices),
    Case(
        2,
        "Slider-pendulum: eigenvalues of M^-1 K",
        "table 3.5",
        "undamped modes",
        _squares,
        note="The figure's data are lost; the printed matrices fix them uniquely.",
    ),
    Case(
        3,
        "Slider-pendulum: the thesis's one-sided differences",
        "table 3.5",
        "dB/dq and df/dq of (3.10) differenced with a dither of 1e-4",
        _differences,
    ),
    Case(
        4,
        "Slider-pendulum, first order, c = 0",
        "table 3.7",
        "eigenvalues of A",
        _undamped_first_order,
    ),
    Case(
        5,
        "Slider-pendulum, first order, c = 20",
        "table 3.7",
        "eigenvalues of A",
        _damped_first_order,
        note="The thesis prints the magnitudes of the real parts; the roots are stable.",
    ),
    Case(
        6,
        "Slider-pendulum: B, f and their derivatives",
        "equations 3.36 to 3.43",
        "the Cartesian method's tables",
        _intermediates,
        note="The unit of dB/dq2 belongs into the z slot; printed in the y slot, K22 would vanish.",
    ),
    Case(7, "Slider-pendulum: nonlinear equations", "equation 3.36", "SymPy difference", _symbolic),
    Case(
        35,
        "Sensitivities of eigenvalues, damping ratios and frequencies",
        "appendix, 8.4 to 8.9",
        "exact derivatives against recomputed values",
        _sensitivity_table,
        "reconstructed",
        note="(8.4) has the sign and the vectors of another eigenproblem, (8.8) a wrong sign; the "
        "corrected formulas are used.",
    ),
    Case(
        36,
        "Sensitivities of eigenvectors",
        "appendix, 8.5 and 8.6",
        "bordered system against central differences and against the sum over modes",
        _eigenvectors,
    ),
    Case(
        37,
        "Rates of damping ratio and frequency",
        "appendix, 8.7 to 8.9",
        "formulas against a complex step of -Re/|lambda| and |lambda|",
        _ratios,
    ),
    Case(
        39,
        "Differences with controlled steps",
        "section 3.1",
        "0.1 % and 1e-6 at first, shrunk tenfold until two columns agree within 1 %",
        _adaptive,
    ),
    Case(
        40,
        "A user's force with and without derivative",
        "equation 3.32",
        "a Python function differenced against its own derivative",
        _user_force,
    ),
)
