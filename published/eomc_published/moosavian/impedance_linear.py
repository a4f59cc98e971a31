"""Cases of the three masses as a linear system: 38 to 41."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from eomc.building import build
from eomc.derive.equations.linear_system import TransferFunction, linear_system, s
from eomc.derive.equations.routh import is_stable, routh_table
from eomc.runtime.linearization.linearize import linearize
from eomc.systems.impedance import controlled_masses, three_masses
from eomc.systems.impedance.three_masses import PARAMETERS, START
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

NOMINAL = {name: value for name, (value, _, _) in PARAMETERS.items()}
IMPEDANCE = {"m_des": 100.0, "k_d": 300.0, "k_p": 100.0}
LAWS = {"multiple": "MIC", "object": "OIC"}
_RECKONED = {"mh1": 110, "mh2": 18, "mh3": 11}
_LINEAR = (*("forward_dynamics", "inverse_dynamics", "linearization", "neutral", "normalize"),)
_TARGET = {"x3_des": 1, "x3_des_rate": s, "x3_des_acceleration": s**2}

m1, m2, m3, k1, k2, b1, b2, k_w = sp.symbols("m1 m2 m3 k1 k2 b1 b2 k_w")
n1, n2, n3, m_des, k_d, k_p = sp.symbols("mh1 mh2 mh3 m_des k_d k_p")
_SUM, _RECKONED_SUM = m1 + m2 + m3, n1 + n2 + n3


@cache
def closed_loop(law: str) -> TransferFunction:
    """G = x3/x3_des with the wall as a spring; k_w = 0 is free motion."""
    return linear_system(controlled_masses(law, "held")).transfer_function("x3", _TARGET)  # type: ignore[arg-type]


# -- case 38 --------------------------------------------------------------------------------------


def _controllability() -> Iterator[CaseCheck]:
    found = linear_system(three_masses("none")).controllability_matrix("F1").det()
    printed = (
        k1**2
        * k2**2
        * (k1**2 * m2 * m3 + (k2 * b1**2 - k1 * b1 * b2) * (m2 + m3))
        / (m1**6 * m2**5 * m3**3)
    )
    yield _identity("det [b Ab ... A^5 b] of F1 and (6.35)", found - printed)
    number = float(found.subs(NOMINAL))
    yield agrees("determinant, nominal data", 1.126374e11, number, 1e-6, relative=True)


# -- case 39 --------------------------------------------------------------------------------------

# Nominal poles with the reckoned masses [1/s], those of positive imaginary part and real ones.
_POLES = {
    ("multiple", 0.0): (-12.44 + 127.9j, -4.857 + 44.96j, -2.830, -0.3778),
    ("multiple", 1e5): (-13.22 + 129.3j, -3.655 + 107.2j, -2.024 + 13.52j),
    ("object", 0.0): (-12.62 + 127.8j, -3.036 + 45.28j, -2.815, -0.3778),
    ("object", 1e5): (-13.77 + 129.2j, -2.821 + 107.4j, -0.6617 + 13.61j),
}


def _poles() -> Iterator[CaseCheck]:
    model = build(three_masses("none"), functions=_LINEAR, tunable="all")
    undamped = linearize(model, q=START, parameters={"b1": 0.0, "b2": 0.0}, a=np.zeros(3))
    frequencies = np.sort(np.abs(undamped.modes().eigenvalues.imag)) / (2 * np.pi)
    yield agrees("open-loop modes [Hz]", [7.19, 20.48], frequencies[[-3, -1]], 1e-3, relative=True)
    for (law, stiffness), printed in _POLES.items():
        controlled = build(
            controlled_masses(law, "held"),  # type: ignore[arg-type]
            functions=_LINEAR,
            tunable="all",
        )
        values = {**_RECKONED, "k_w": stiffness}
        found = linearize(controlled, parameters=values, a=np.zeros(3)).modes().eigenvalues
        where = "in contact" if stiffness else "free"
        yield agrees(f"{LAWS[law]} {where}: number of poles", 6, found.size, 0)
        for pole in printed:
            nearest = found[np.argmin(np.abs(found - pole))]
            deviation = abs(nearest - pole) / abs(pole)
            yield at_most(f"{LAWS[law]} {where}: relative distance to {pole}", deviation, 1e-3)


# -- case 40 --------------------------------------------------------------------------------------


def _mic_denominator() -> tuple[sp.Expr, sp.Expr]:
    """N1 and D1: (B.11), re-derived; see the note of the case."""
    n = (
        m_des * (m2 + m3) * m1 * s**4
        + (n1 * (m2 + m3) * k_d + m_des * _SUM * b1) * s**3
        + (_RECKONED_SUM * b1 * k_d + n1 * (m2 + m3) * k_p + m_des * _SUM * k1 + m_des * m1 * k_w)
        * s**2
        + (_RECKONED_SUM * (b1 * k_p + k1 * k_d + b1 * k_w) + n1 * k_w * k_d) * s
        + _RECKONED_SUM * k1 * k_p
        + n1 * k_w * k_p
        + _RECKONED_SUM * k1 * k_w
    )
    d = (
        m_des * m1 * m2 * m3 * s**6
        + (n1 * m2 * m3 * k_d + m_des * (m1 + m2) * m3 * b1 + m_des * (m2 + m3) * m1 * b2) * s**5
        + (
            m_des * (m1 + m2) * m3 * k1
            + m_des * _SUM * b1 * b2
            + n2 * m3 * b1 * k_d
            + n1 * (m2 * b2 + m3 * (b1 + b2)) * k_d
            + n1 * m2 * m3 * k_p
            + m_des * m1 * m2 * k_w
        )
        * s**4
        + (
            n1 * (m2 + m3) * b2 * k_p
            + m3 * (n1 + n2) * (b1 * k_p + k1 * k_d)
            + _RECKONED_SUM * b1 * b2 * k_d
            + m_des * _SUM * k1 * b2
            + m_des * m1 * (b1 + b2) * k_w
            + (m_des * b1 + n1 * k_d) * m2 * k_w
        )
        * s**3
        + (
            _RECKONED_SUM * b2 * (b1 * k_p + k1 * k_d)
            + m3 * (n1 + n2) * k1 * k_p
            + (n1 + n2) * b1 * k_d * k_w
            + m_des * (m1 + m2) * k1 * k_w
            + _RECKONED_SUM * b1 * b2 * k_w
            + n1 * (b2 * k_d + m2 * k_p) * k_w
        )
        * s**2
        + (
            _RECKONED_SUM * b2 * k1 * k_p
            + (n1 + n2) * k1 * k_d * k_w
            + n1 * (b1 + b2) * k_p * k_w
            + _RECKONED_SUM * k1 * b2 * k_w
            + n2 * b1 * k_p * k_w
        )
        * s
        + (n1 + n2) * k1 * k_p * k_w
    )
    return n, d


def _oic_denominator() -> tuple[sp.Expr, sp.Expr]:
    """N2 and D2: (B.14), re-derived."""
    n = (
        m_des * (m2 + m3) * m1 * s**4
        + m_des * _SUM * b1 * s**3
        + (_RECKONED_SUM * b1 * k_d + m_des * _SUM * k1 + m_des * m1 * k_w) * s**2
        + _RECKONED_SUM * (b1 * k_p + k1 * k_d + b1 * k_w) * s
        + _RECKONED_SUM * k1 * (k_p + k_w)
    )
    d = (
        m_des * m1 * m2 * m3 * s**6
        + (m_des * (m1 + m2) * m3 * b1 + m_des * (m2 + m3) * m1 * b2) * s**5
        + (m_des * (m1 + m2) * m3 * k1 + m_des * _SUM * b1 * b2 + m_des * m1 * m2 * k_w) * s**4
        + (
            _RECKONED_SUM * b1 * b2 * k_d
            + m_des * _SUM * k1 * b2
            + m_des * m1 * (b1 + b2) * k_w
            + m_des * b1 * m2 * k_w
        )
        * s**3
        + (
            _RECKONED_SUM * b2 * (b1 * k_p + k1 * k_d)
            + _RECKONED_SUM * b1 * b2 * k_w
            + m_des * (m1 + m2) * k1 * k_w
        )
        * s**2
        + _RECKONED_SUM * b2 * k1 * (k_p + k_w) * s
    )
    return n, d


def _transfer_functions() -> Iterator[CaseCheck]:
    above = (m_des * s**2 + k_d * s + k_p) * _RECKONED_SUM * (b1 * s + k1) * (b2 * s + k2)
    true = {n1: m1, n2: m2, n3: m3}
    for law, denominator in (("multiple", _mic_denominator), ("object", _oic_denominator)):
        g, name = closed_loop(law), LAWS[law]
        n, d = denominator()
        yield _identity(f"numerator of G_{name}", g.numerator.as_expr() - above)
        yield _identity(
            f"denominator of G_{name} and D + k2 N", g.denominator.as_expr() - d - k2 * n
        )
        yield from _rigid_limit(g, name)
        first, second = g.denominator.all_coeffs()[:2]
        values = NOMINAL | IMPEDANCE | _RECKONED
        total = float((-second / first).subs(values))
        yield agrees(
            f"{name}: sum of the poles, nominal [1/s]",
            {"MIC": -37.8, "OIC": -34.5}[name],
            total,
            0.05,
        )
        moved = sp.diff(-second / first, k_d).subs(true)
        printed = {"MIC": -1 / m_des, "OIC": sp.Integer(0)}[name]
        yield _identity(
            f"{name}: what k_d adds to the sum of the poles, exact masses", moved - printed
        )


def _rigid_limit(g: TransferFunction, name: str) -> Iterator[CaseCheck]:
    """k1, k2 to infinity: the coefficients of k1 k2."""
    stiff = sp.Symbol("kappa")
    above, below = (
        sp.Poly(part.as_expr().subs({k1: stiff, k2: stiff}), stiff).coeff_monomial(stiff**2)
        for part in (g.numerator, g.denominator)
    )
    wanted = (m_des * s**2 + k_d * s + k_p) * _RECKONED_SUM
    spring = m_des * s**2 * _SUM + (k_d * s + k_p + k_w) * _RECKONED_SUM
    yield _identity(f"{name}: rigid limit", above * spring - wanted * below)
    free = {k_w: 0, n1: m1, n2: m2, n3: m3}
    yield _identity(f"{name}: G = 1, rigid, free, exact masses", (above - below).subs(free))
    column = [row[0] for row in routh_table(sp.Poly(below.subs(free), s))]
    expected = [m_des * _SUM, k_d * _SUM, k_p * _SUM]
    differs = sum(sp.Abs(sp.expand(x - y)) for x, y in zip(column, expected, strict=True))
    yield _identity(f"{name}: Routh's first column, (6.37)", differs)


# -- case 41 --------------------------------------------------------------------------------------

_STIFFNESS = np.logspace(-2, 10, 241)
"""k2 [N/m]"""

# Figure, law, b2, other data, wall, stable, largest real part [1/s] if it is not
_LOCI: tuple[tuple[str, str, float, dict[str, float], float, bool, float | None], ...] = (
    ("C.1", "multiple", 100, {}, 1e5, True, None),
    ("C.1", "multiple", 100, {}, 0, True, None),
    ("C.2", "object", 100, {}, 1e5, True, None),
    ("C.2", "object", 100, {}, 0, True, None),
    ("C.3", "multiple", 10, {}, 1e5, True, None),
    ("C.3", "multiple", 10, {}, 0, True, None),
    ("C.4", "object", 10, {}, 1e5, True, None),
    ("C.4", "object", 10, {}, 0, False, 1.29),
    ("C.5a", "object", 10, {"k_p": 1000}, 0, False, 1.38),
    ("C.5b", "object", 10, {"k_d": 1000}, 0, False, 5.99),
    ("C.5c", "object", 10, {"m_des": 500}, 0, True, None),
    ("C.6", "multiple", 0, {}, 1e5, True, None),
    ("C.7", "object", 0, {}, 1e5, False, None),
    ("C.7", "object", 0, {}, 0, False, None),
    ("C.7, m_des = 500", "object", 0, {"m_des": 500}, 0, False, None),
    ("C.7, k_d = 1000", "object", 0, {"k_d": 1000}, 0, False, None),
)


def locus(law: str, data: dict[str, float]) -> np.ndarray[Any, Any]:
    """Poles (number of k2, 6) [1/s] with the reckoned masses."""
    values = NOMINAL | IMPEDANCE | _RECKONED | data
    values.pop("k2")
    polynomial = closed_loop(law).with_values(values).denominator
    numbers = sp.lambdify(k2, polynomial.all_coeffs())
    return np.array([np.roots(np.asarray(numbers(x), dtype=float)) for x in _STIFFNESS])


def _verdicts(law: str, data: dict[str, float]) -> list[bool]:
    """Stable or not for some k2, by Routh's table in exact numbers."""
    values = NOMINAL | IMPEDANCE | _RECKONED | data
    values.pop("k2")
    polynomial = closed_loop(law).with_values(values).denominator
    return [
        is_stable([c.subs(k2, sp.Rational(int(x * 1000), 1000)) for c in polynomial.all_coeffs()])
        for x in _STIFFNESS[::6]
    ]


def _stability_table() -> Iterator[CaseCheck]:
    for figure, law, damping, other, wall, stable, largest in _LOCI:
        data = {"b2": damping, "k_w": wall, **other}
        verdicts = _verdicts(law, data)
        what = f"{figure}: {LAWS[law]}, b2 = {damping:g}, k_w = {wall:g}"
        expected = "stable for all k2" if stable else "unstable for some k2"
        got = f"{sum(verdicts)} of {len(verdicts)} stable"
        yield holds(what, expected, got, all(verdicts) == stable)
        if largest is not None:
            found = float(locus(law, data).real.max())
            yield agrees(f"{what}: largest real part [1/s]", largest, found, 0.01)
    found = locus("object", {"b2": 10.0, "k_w": 0.0}).real.max(axis=1)
    span = _STIFFNESS[found > 0]
    ends = np.log10([span[0] / 10.2, span[-1] / 9.8e4])
    yield at_most("C.4: ends of the unstable span, decades", float(np.abs(ends).max()), 0.051)
    flagged = float(locus("multiple", {"b2": 0.0, "k_w": 0.0}).real.max())
    yield agrees("C.6, flagged: largest real part, k_w = 0 [1/s]", 0.003, flagged, 5e-4)
    worse = float(
        locus("object", {"b2": 10.0, "k_w": 0.0, "m_des": 500.0, "k_d": 1000.0}).real.max()
    )
    yield agrees("C.5d, flagged: largest real part [1/s]", 0.66, worse, 0.01)


def _identity(quantity: str, difference: sp.Expr) -> CaseCheck:
    """Of symbolic expressions."""
    left = sp.expand(sp.numer(sp.together(difference)))
    return holds(quantity, "identical", "identical" if left == 0 else f"apart by {left}", left == 0)


CASES = (
    Case(
        38,
        "Three masses: determinant of the controllability matrix",
        "equation 6.35",
        "symbolic A and b of the model, exact determinant",
        _controllability,
    ),
    Case(
        39,
        "Three masses: modes and closed-loop poles",
        "sections 6.3.4, C",
        "linearize of the compiled model, free and controlled",
        _poles,
        provenance="reconstructed",
    ),
    Case(
        40,
        "Three masses: transfer functions of both laws, rigid limit, sums of poles",
        "appendix B, equations 6.36 to 6.39",
        "linear_system(...).transfer_function in symbols, against the coefficients written out",
        _transfer_functions,
        note="(B.11) and (B.14) are compared as re-derived: printed, N1 lacks a term with k_p in "
        "s^2 and has (m1 + m2) b1 k_w in s, D1 has k_p for k_d in s^3, and terms with k_w have the "
        "true masses for those of the law. In (6.36) k_w stands with the true masses, too.",
    ),
    Case(
        41,
        "Three masses: stability along the stiffness of the grasp",
        "appendix C, figures C.1 to C.7",
        "Routh's table in exact numbers for k2 from 0.01 to 1e10 N/m, and the roots",
        _stability_table,
        provenance="reconstructed",
        note="Real parts and spans are recomputed. Two verdicts of the thesis do not hold. C.5d "
        "(OIC, b2 = 10, m_des = 500, k_d = 1000) is unstable, with real parts up to 0.66 1/s. C.6 "
        "without contact (MIC, b2 = 0) is unstable by at most 0.003 1/s for soft grasps, which no "
        "plot shows, because the law reckons with other masses.",
        slow=True,
    ),
)
