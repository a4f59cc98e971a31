"""Linear systems with symbolic coefficients: transfer functions, poles, controllability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray
from sympy.polys.matrices import DomainMatrix

from eomc.derive.equations.equations_of_motion import Equations, equations
from eomc.derive.language.near_names import near_names
from eomc.derive.model.model import Model

s = sp.Symbol("s")
"""The variable of Laplace's transform."""


@dataclass(frozen=True)
class TransferFunction:
    """y(s)/v(s) = numerator/denominator, polynomials in `s` with symbolic coefficients.

    Both are multiplied by what clears the fractions of the coefficients; nothing is cancelled, so
    that the denominator has all poles.
    """

    numerator: sp.Poly
    denominator: sp.Poly

    def with_values(self, values: Mapping[str, Any]) -> TransferFunction:
        """With numbers, or other expressions, for some of the parameters."""
        return TransferFunction(
            _substituted(self.numerator, values), _substituted(self.denominator, values)
        )

    def as_expression(self) -> sp.Expr:
        """The quotient."""
        return self.numerator.as_expr() / self.denominator.as_expr()

    def response(self, omega: ArrayLike) -> TransferResponse:
        """y/v at s = i omega [rad/s], as `eomc.runtime.plot.linear_models.bode` draws it.

        Raises ValueError where parameters have no numbers.
        """
        frequency = np.asarray(omega, dtype=np.float64)
        points = 1j * frequency
        over, under = (np.polyval(_numbers(p), points) for p in (self.numerator, self.denominator))
        return TransferResponse(frequency, over / under)

    def poles(self, parameter: str, values: ArrayLike) -> list[NDArray[np.complex128]]:
        """Of each value of a parameter, for `eomc.runtime.plot.linear_models.plot_root_locus`.

        Raises ValueError where other parameters have no numbers.
        """
        rows = np.asarray(values, dtype=np.float64).ravel().tolist()
        each = (_substituted(self.denominator, {parameter: value}) for value in rows)
        return [np.roots(_numbers(polynomial)).astype(np.complex128) for polynomial in each]


@dataclass(frozen=True)
class TransferResponse:
    """y/v over frequency.

    Attributes
    ----------
    omega : (n,) [rad/s]
    values : (n,), complex
    """

    omega: NDArray[np.float64]
    values: NDArray[np.complex128]

    def between(self, output: str, input: str) -> NDArray[np.complex128]:
        """The values; the names are those of a picture."""
        return self.values


@dataclass(frozen=True)
class LinearSystem:
    """x' = A x + B v, y = C x + D v about a state.

    References: Rosenbrock, *State-Space and Multivariable Theory* (1970); Ogata, *Modern Control
    Engineering* (2010), ch. 9.

    >>> oscillator = Model("oscillator", gravity=(0, 0, 0))
    >>> _ = [oscillator.parameter(name, 1.0) for name in ("m", "k", "b")]
    >>> oscillator.body("block", mass="m")
    >>> oscillator.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    >>> oscillator.joint_spring("spring", joint="x", stiffness="k", damping="b")
    >>> linear = linear_system(oscillator)
    >>> linear.transfer_function("x", "tau(x)").as_expression()
    1/(b*s + k + m*s**2)
    >>> linear.controllability_matrix("tau(x)").det()
    -1/m**2

    Attributes
    ----------
    A, B, C, D : sympy.Matrix
    states, inputs, outputs : tuples of str
        Names of x, v and y.
    """

    A: sp.Matrix
    B: sp.Matrix
    C: sp.Matrix
    D: sp.Matrix
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def with_values(self, values: Mapping[str, Any]) -> LinearSystem:
        """With numbers, or other expressions, for some of the parameters."""
        by = _by_symbol(values)
        return replace(
            self, A=self.A.subs(by), B=self.B.subs(by), C=self.C.subs(by), D=self.D.subs(by)
        )

    def characteristic_polynomial(self) -> sp.Poly:
        """det(s 1 - A), times what clears its fractions."""
        return _polynomials([_determinant(s * sp.eye(len(self.states)) - self.A)])[0]

    def transfer_function(
        self, output: str, inputs: str | Mapping[str, sp.Expr | float]
    ) -> TransferFunction:
        """From an input, or from one signal that enters by several.

        `inputs` is a name, or gives the factor in `s` with which the signal enters each: a
        reference that enters with its rate, ``{"r": 1, "r_rate": s}``.

            numerator = det [ s 1 - A   -B w(s) ]      denominator = det(s 1 - A)
                            [ C_y        D w(s) ]

        Raises ValueError for unknown names.
        """
        weights = {inputs: 1} if isinstance(inputs, str) else dict(inputs)
        row = _place(output, self.outputs, "output")
        factors = sp.zeros(len(self.inputs), 1)
        for name, factor in weights.items():
            factors[_place(name, self.inputs, "input")] = sp.sympify(factor)
        pencil = s * sp.eye(len(self.states)) - self.A
        whole = sp.Matrix(
            sp.BlockMatrix(
                [[pencil, -self.B * factors], [self.C[row, :], self.D[row, :] * factors]]
            )
        )
        found = _polynomials([_determinant(whole), _determinant(pencil)])
        return TransferFunction(*found)

    def controllability_matrix(self, *inputs: str) -> sp.Matrix:
        """[B, A B, ..., A^(n-1) B] of these inputs, all by default.

        Raises ValueError for unknown names.
        """
        places = [_place(name, self.inputs, "input") for name in inputs or self.inputs]
        columns = [self.B[:, places]]
        for _ in self.states[1:]:
            columns.append((self.A * columns[-1]).applyfunc(sp.together))
        return sp.Matrix.hstack(*columns)


def linear_system(model: Model | Equations, at: Mapping[str, Any] | None = None) -> LinearSystem:
    """Small motions of an open chain, with its parameters as symbols.

    For small systems; `eomc.linearize` is its numerical counterpart, for any. Outputs are the
    states, and the accelerations after them.

    Parameters
    ----------
    model : Model or its equations
    at : mapping of names to values, optional
        Where, by the names that its equations bear in SymPy (``hinge``, ``u_hinge``,
        ``tau_hinge``): numbers or expressions; all others are zero. It should be a state at rest or
        of a steady motion.

    Raises
    ------
    ValueError
        An unknown name.
    ModelError
        Loops or other constraints.
    """
    system = equations(model) if isinstance(model, Model) else model
    matrices = system.state_space
    written = {str(name) for name in matrices[0].names.values()}
    for name in at or {}:
        if name not in written:
            raise ValueError(f"at: no variable {name!r}; {near_names(name, written)}")
    values = _by_symbol(dict.fromkeys(written, 0) | dict(at or {}))
    a, b, c, d = (
        sp.nsimplify(matrix.to_sympy().subs(values), rational=True) for matrix in matrices
    )
    inputs = tuple(f"tau({name})" for name in system.speeds) + tuple(system.model.inputs)
    states, outputs = matrices[0].argument.rows, matrices[2].argument.rows
    return LinearSystem(a, b, c, d, states, inputs, outputs)


def _determinant(matrix: sp.Matrix) -> sp.Expr:
    """In the field of its entries, where nothing has to be simplified."""
    dense = DomainMatrix.from_Matrix(matrix).to_field()
    return dense.domain.to_sympy(dense.det())


def _polynomials(expressions: Sequence[sp.Expr]) -> list[sp.Poly]:
    """Polynomials in s over one common denominator, which is left out."""
    parts = [sp.fraction(sp.together(expression)) for expression in expressions]
    common = sp.lcm_list([below for _, below in parts])
    return [sp.Poly(sp.cancel(above * common / below), s) for above, below in parts]


def _numbers(polynomial: sp.Poly) -> list[float]:
    """Coefficients, highest power first; ValueError names symbols that are left."""
    if names := sorted(str(symbol) for symbol in polynomial.free_symbols_in_domain):
        raise ValueError(f"{', '.join(names)}: give numbers by with_values()")
    return [float(entry) for entry in polynomial.all_coeffs()]


def _by_symbol(values: Mapping[str, Any]) -> dict[sp.Symbol, sp.Expr]:
    return {sp.Symbol(name): sp.nsimplify(value, rational=True) for name, value in values.items()}


def _substituted(polynomial: sp.Poly, values: Mapping[str, Any]) -> sp.Poly:
    return sp.Poly(polynomial.as_expr().subs(_by_symbol(values)), s)


def _place(name: str, names: Sequence[str], what: str) -> int:
    if name not in names:
        raise ValueError(f"no {what} {name!r}; {near_names(name, names)}")
    return list(names).index(name)
