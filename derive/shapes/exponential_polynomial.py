"""Real sums of powers times exponentials: a class of functions closed under all of calculus.

Mode shapes of uniform beams and rods, polynomials, and products, derivatives and antiderivatives of
all of these are

    f(s) = sum of c s^p exp(a s + b),   a = sum over rates r of (n_r + i m_r) r,

with whole n_r, m_r: cos(r s) and sin(r s) have n = 0, m = +-1, exp(-r s) has n = -1. Growing
exponentials are kept as exp(-r (1 - s)), that is b = -sum of n_r r over n_r > 0, so that nothing
overflows and nothing cancels on 0 <= s <= 1 however large r is. Whole multiples of the rates make
equal exponents equal and zero exponents zero, without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy

Exponent = tuple[tuple[float, int, int], ...]  # (rate, n, m), sorted, without (rate, 0, 0)
Key = tuple[int, Exponent]
Terms = Mapping[Key, complex]


def _rate(exponent: Exponent) -> complex:
    return sum(((n + 1j * m) * rate for rate, n, m in exponent), 0j)


def _growth(exponent: Exponent) -> float:
    """-b: what keeps the growing exponentials at most 1."""
    return sum(n * rate for rate, n, _ in exponent if n > 0)


def _add_exponents(first: Exponent, second: Exponent) -> Exponent:
    total: dict[float, tuple[int, int]] = {}
    for rate, n, m in (*first, *second):
        n0, m0 = total.get(rate, (0, 0))
        total[rate] = (n0 + n, m0 + m)
    return tuple(sorted((rate, n, m) for rate, (n, m) in total.items() if n or m))


@dataclass(frozen=True, eq=False)
class ExponentialPolynomial:
    """f(s), built from `power`, `cosine`, `sine`, `decaying` and `growing` by sums and products.

    >>> f = ExponentialPolynomial.sine(3.0)
    >>> g = (f * f).antiderivative()
    >>> round(float(g(1.0) - g(0.0)), 12) == round(1 / 2 - math.sin(6) / 12, 12)
    True
    """

    terms: Terms

    # -- what it is built from ---------------------------------------------------------------

    @classmethod
    def power(cls, p: int, factor: float = 1.0) -> ExponentialPolynomial:
        """factor s^p"""
        return cls({(p, ()): complex(factor)})

    @classmethod
    def cosine(cls, rate: float) -> ExponentialPolynomial:
        """cos(rate s), rate > 0"""
        return cls({(0, ((rate, 0, 1),)): 0.5 + 0j, (0, ((rate, 0, -1),)): 0.5 + 0j})

    @classmethod
    def sine(cls, rate: float) -> ExponentialPolynomial:
        """sin(rate s), rate > 0"""
        return cls({(0, ((rate, 0, 1),)): -0.5j, (0, ((rate, 0, -1),)): 0.5j})

    @classmethod
    def decaying(cls, rate: float) -> ExponentialPolynomial:
        """exp(-rate s), rate > 0"""
        return cls({(0, ((rate, -1, 0),)): 1 + 0j})

    @classmethod
    def growing(cls, rate: float) -> ExponentialPolynomial:
        """exp(-rate (1 - s)), rate > 0"""
        return cls({(0, ((rate, 1, 0),)): 1 + 0j})

    # -- arithmetic --------------------------------------------------------------------------

    def __add__(self, other: ExponentialPolynomial | float) -> ExponentialPolynomial:
        other = other if isinstance(other, ExponentialPolynomial) else self.power(0, other)
        return _collected([*self.terms.items(), *other.terms.items()])

    def __neg__(self) -> ExponentialPolynomial:
        return self * -1.0

    def __sub__(self, other: ExponentialPolynomial | float) -> ExponentialPolynomial:
        return self + (-other)

    def __mul__(self, other: ExponentialPolynomial | float) -> ExponentialPolynomial:
        if not isinstance(other, ExponentialPolynomial):
            return ExponentialPolynomial({key: c * other for key, c in self.terms.items()})
        products: list[tuple[Key, complex]] = []
        for (p, a), c in self.terms.items():
            for (q, b), d in other.terms.items():
                total = _add_exponents(a, b)
                shift = math.exp(_growth(total) - _growth(a) - _growth(b))
                products.append(((p + q, total), c * d * shift))
        return _collected(products)

    __rmul__ = __mul__
    __radd__ = __add__

    # -- calculus ----------------------------------------------------------------------------

    def derivative(self, order: int = 1) -> ExponentialPolynomial:
        """d^order f / ds^order"""
        if order == 0:
            return self
        terms: list[tuple[Key, complex]] = []
        for (p, a), c in self.terms.items():
            if p:
                terms.append(((p - 1, a), c * p))
            if a:
                terms.append(((p, a), c * _rate(a)))
        return _collected(terms).derivative(order - 1)

    def antiderivative(self) -> ExponentialPolynomial:
        """An F with F' = f: by parts, integral of s^p e^(a s) = e^(a s) sum of
        (-1)^k p!/(p-k)! s^(p-k) / a^(k+1)."""
        terms: list[tuple[Key, complex]] = []
        for (p, a), c in self.terms.items():
            if not a:
                terms.append(((p + 1, a), c / (p + 1)))
                continue
            factor = c / _rate(a)
            for k in range(p + 1):
                terms.append(((p - k, a), factor))
                factor = -factor * (p - k) / _rate(a)
        return _collected(terms)

    def integral(self, lower: Any, upper: Any, folds: int = 1) -> Any:
        """Integral, `folds` times over, from `lower` to `upper`, numbers or SymPy expressions; with
        more than one fold `lower` is a number."""
        primitive = self.antiderivative()
        if folds > 1:
            return (primitive - primitive(lower)).integral(lower, upper, folds - 1)
        return primitive.at(upper) - primitive.at(lower)

    # -- values ------------------------------------------------------------------------------

    def at(self, s: Any) -> Any:
        """f(s) for a SymPy expression, a number or an array."""
        return self.expression(s) if isinstance(s, sympy.Basic) else self(s)

    def __call__(self, s: Any) -> Any:
        """f(s) for a number or an array."""
        s = np.asarray(s, dtype=float)
        total = np.zeros(s.shape, dtype=complex)
        for (p, a), c in self.terms.items():
            total += c * s**p * np.exp(_rate(a) * s - _growth(a))
        return total.real if s.ndim else float(total.real)

    def expression(self, s: sympy.Expr) -> sympy.Expr:
        """f(s) in powers of s and in cos(r s), sin(r s), exp(-r s) and exp(-r (1 - s))."""
        s = sympy.sympify(s)
        terms = []
        for (p, factors), coefficient in self._real_monomials.items():
            term = sympy.Float(coefficient) if coefficient != 1 else sympy.Integer(1)
            for rate, function, power in factors:
                term *= _FUNCTIONS[function](sympy.Float(rate), s) ** power
            terms.append(term * s**p)
        return sympy.Add(*terms)

    @cached_property
    def _real_monomials(self) -> dict[tuple[int, tuple[tuple[float, str, int], ...]], float]:
        """Coefficients of s^p times powers of the real functions of each rate."""
        total: dict[tuple[int, tuple[tuple[float, str, int], ...]], complex] = {}
        largest = max((abs(c) for c in self.terms.values()), default=0.0)
        for (p, exponent), c in self.terms.items():
            expanded: dict[tuple[tuple[float, str, int], ...], complex] = {(): c}
            for rate, n, m in exponent:
                expanded = _times_factor(expanded, rate, n, m)
            for factors, value in expanded.items():
                key = (p, factors)
                total[key] = total.get(key, 0j) + value
        return {
            key: value.real for key, value in total.items() if abs(value.real) > 1e-18 * largest
        }

    @classmethod
    def from_expression(cls, f: sympy.Expr, s: sympy.Symbol) -> ExponentialPolynomial | None:
        """`f` as such a sum, or None if it is none (or holds other symbols)."""
        if f.free_symbols - {s}:
            return None
        total = cls({})
        for term in sympy.Add.make_args(sympy.expand(f.rewrite(sympy.exp))):
            read = _read_term(term, s)
            if read is None:
                return None
            total = total + read
        return total


_FUNCTIONS = {
    "cos": lambda rate, s: sympy.cos(rate * s),
    "sin": lambda rate, s: sympy.sin(rate * s),
    "decay": lambda rate, s: sympy.exp(-rate * s),
    "growth": lambda rate, s: sympy.exp(-rate * (1 - s)),
}


def _collected(terms: Iterable[tuple[Key, complex]]) -> ExponentialPolynomial:
    total: dict[Key, complex] = {}
    for key, c in terms:
        total[key] = total.get(key, 0j) + c
    return ExponentialPolynomial({key: c for key, c in total.items() if c})


def _times_factor(
    expanded: dict[tuple[tuple[float, str, int], ...], complex], rate: float, n: int, m: int
) -> dict[tuple[tuple[float, str, int], ...], complex]:
    """Times exp(n rate s) (kept at most 1) and (cos +- i sin)^|m| of rate s."""
    growth: tuple[tuple[float, str, int], ...] = ()
    if n:
        growth = ((rate, "growth" if n > 0 else "decay", abs(n)),)
    result: dict[tuple[tuple[float, str, int], ...], complex] = {}
    unit = 1j if m > 0 else -1j
    for factors, c in expanded.items():
        for k in range(abs(m) + 1):
            waves = ((rate, "cos", abs(m) - k), (rate, "sin", k))
            key = factors + growth + tuple(wave for wave in waves if wave[2])
            result[key] = result.get(key, 0j) + c * math.comb(abs(m), k) * unit**k
    return result


def _read_term(term: sympy.Expr, s: sympy.Symbol) -> ExponentialPolynomial | None:
    """One term c s^p exp(a s + b)."""
    constant, rest = term.as_independent(s, as_Add=False)
    p, rate = 0, sympy.Integer(0)
    for factor in sympy.Mul.make_args(rest):
        if factor == 1:
            continue
        if isinstance(factor, sympy.exp):
            line = sympy.Poly(factor.exp, s) if factor.exp.is_polynomial(s) else None
            if line is None or line.degree() != 1:
                return None
            rate += line.coeff_monomial(s)
            constant *= sympy.exp(line.coeff_monomial(1))
        else:
            base, power = factor.as_base_exp()
            if base != s or not power.is_Integer or power < 0:
                return None
            p += int(power)
    c, a = complex(constant), complex(rate)
    exponent: Exponent = ()
    if a.real:
        exponent = _add_exponents(exponent, ((abs(a.real), 1 if a.real > 0 else -1, 0),))
    if a.imag:
        exponent = _add_exponents(exponent, ((abs(a.imag), 0, 1 if a.imag > 0 else -1),))
    return ExponentialPolynomial({(p, exponent): c * math.exp(_growth(exponent))})
