"""Deformable bodies of a declared model as functions of numbers, by SymPy's own differentiation.

Of a form only its energies and attachments are read, never the invariants as such.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.model import Model
from eomc.verifier.witness.numbers import Numbers
from eomc.verifier.witness.section_chain import SectionChain, Substitution

Function: TypeAlias = "Callable[..., Any]"


def chain_of(model: Model, name: str, parameters: Substitution) -> SectionChain | None:
    """The sections of a body whose energy has no closed expression."""
    body = model.deformables[name]
    return None if body.is_expanded else SectionChain(body.form, parameters)


class Energies:
    """T(v, w, xi, xi'), V(xi) and D(xi, xi') of a form with the parameters' values in it.

    `y` are symbols of (v, w, xi'), `xi` of the internal coordinates.
    """

    def __init__(
        self, model: Model, name: str, parameters: Substitution, *, whole: bool = False
    ) -> None:
        body = model.deformables[name]
        form, held = body.given, {} if whole else dict(body.held)
        names = form.coordinates
        count = sum(word not in held for word in names)
        self.xi = sympy.symbols(f"xi_0:{count}")
        self.y = sympy.symbols(f"y_0:{6 + count}")
        v, w = self.y[:3], self.y[3:6]
        xi, rates = (sympy.symbols([f"{what}_of_{word}" for word in names]) for what in "qr")
        held = {word: sympy.sympify(value).xreplace(parameters) for word, value in held.items()}
        put = {
            **parameters,
            **_held_put(names, xi, self.xi, held),
            **_held_put(names, rates, self.y[6:], dict.fromkeys(held, 0)),
        }

        def read(energy: Any) -> sympy.Expr:
            return sympy.sympify(energy).xreplace(put)

        self.chain = chain_of(model, name, parameters)
        if self.chain is None:
            self.kinetic = read(form.kinetic_energy(v, w, xi, rates))
        self.strain = read(form.strain_energy(xi))
        self.losses = read(form.dissipation(xi, rates))

    def mass(self) -> tuple[Function, Function]:
        """H (n, n) and dH/dxi (k, n, n) as functions of xi.

        For T = y^T H y / 2 the imaginary part of T(e_j + i e_i) is H_ij, nothing subtracted; dT/dxi
        gives dH/dxi in the same way.
        """
        if self.chain is not None:
            return self.chain.energy()
        slopes = self._forms([self.kinetic.diff(symbol) for symbol in self.xi])
        return self.mass_alone(), (lambda xi: _symmetric(slopes(xi)))

    def mass_alone(self) -> Function:
        """H."""
        whole = self._forms([self.kinetic])
        return lambda xi: _symmetric(whole(xi))[0]

    def _forms(self, energies: list[sympy.Expr]) -> Function:
        """Upper triangles (energies, n, n) of what is quadratic in y."""
        n = len(self.y)
        rows, columns = np.triu_indices(n)
        units = np.eye(n)[:, columns] + 1j * np.eye(n)[:, rows]
        function = _compiled([*self.xi, *self.y], energies)

        def call(xi: Array) -> Array:
            result = np.zeros((len(energies), n, n))
            with np.errstate(all="ignore"):
                for place, value in enumerate(function(*xi, *units)):
                    result[place, rows, columns] = np.imag(value)
            return result

        return call


def _held_put(
    names: Sequence[str], symbols: Sequence[Any], free: Sequence[Any], held: Mapping[str, Any]
) -> dict[Any, Any]:
    """Stand-ins for the symbol of each name: the next free one, or the value held."""
    left = iter(free)
    return {
        symbol: sympy.sympify(held[name]) if name in held else next(left)
        for name, symbol in zip(names, symbols, strict=True)
    }


def whole_energies(model: Model, name: str, numbers: Numbers) -> tuple[Any, Any, Any, Any]:
    """H(xi), V(xi), dV/dxi and dD/dxi' of a body of which nothing is held."""
    body, energies = model.deformables[name], Energies(model, name, numbers.parameters, whole=True)
    if not body.is_expanded:
        mass = SectionChain(body.given, numbers.parameters).energy()[0]
    else:
        mass = energies.mass_alone()
    xi, rates, k = energies.xi, energies.y[6:], len(energies.xi)
    strain = numeric(xi, [energies.strain], ())
    return (
        mass,
        lambda values: float(strain(values)),
        numeric(xi, gradient(energies.strain, xi), (k,)),
        numeric([*xi, *rates], gradient(energies.losses, rates), (k,)),
    )


def _symmetric(upper: Array) -> Array:
    """Full matrices from their upper triangles."""
    diagonal = np.einsum("...ii->...i", upper)
    full = upper + np.swapaxes(upper, -1, -2)
    np.einsum("...ii->...i", full)[...] = diagonal
    return full


def place(model: Model, joint: Any, parameters: Substitution) -> tuple[list[str], Any, Any]:
    """(names, symbols, 4x4 matrix) of the station of a joint on its deformable parent.

    The names are those of the coordinates that it depends on.
    """
    body = model.deformables[joint.parent]
    known = list(body.symbols)
    station: Any = joint.at
    if joint.coordinates:  # it rides along
        station = sympy.Symbol(joint.coordinates[0])
        known.append(station)
    names = body.given.coordinates
    symbols = sympy.symbols([f"q_of_{word}" for word in names])
    attachment = body.given.attachment(station, symbols)
    stand_ins = sympy.symbols(f"q_0:{len(known)}")
    given = dict(zip(known, stand_ins, strict=True))
    whole = _held_put(names, symbols, stand_ins[: len(body.symbols)], dict(body.held))

    def read(value: Any) -> sympy.Expr:
        return sympy.sympify(value).xreplace({**given, **whole}).xreplace(parameters)

    pose = sympy.eye(4)
    pose[:3, 3] = sympy.Matrix([read(entry) for entry in attachment.displacement])
    for axis, angle in attachment.turns:
        pose = pose * _turn(axis, read(angle))
    used = [pair for pair in zip(known, stand_ins, strict=True) if pose.has(pair[1])]
    return [symbol.name for symbol, _ in used], [symbol for _, symbol in used], pose


def _turn(axis: str, angle: sympy.Expr) -> Any:
    """About a coordinate axis: the other two go round in cyclic order."""
    i, j = (("xyz".index(axis) + k) % 3 for k in (1, 2))
    matrix = sympy.eye(4)
    matrix[i, i] = matrix[j, j] = sympy.cos(angle)
    matrix[j, i], matrix[i, j] = sympy.sin(angle), -sympy.sin(angle)
    return matrix


def numeric(symbols: Sequence[Any], expressions: Any, shape: tuple[int, ...]) -> Function:
    """Nested expressions as a function of arrays of the values of `symbols`."""
    flat = list(np.array(expressions, dtype=object).reshape(-1))
    different = list(dict.fromkeys(flat))
    where = [different.index(entry) for entry in flat]
    function = _compiled(symbols, different)

    def call(*arrays: Array) -> Array:
        with np.errstate(all="ignore"):
            results = np.array(function(*np.concatenate(arrays)), dtype=float)
        return results[where].reshape(shape)

    return call


def _compiled(symbols: Sequence[Any], expressions: list[Any]) -> Function:
    """In double precision; constants are bound, as printing would cut them to fifteen digits."""
    floats = sorted({x for e in expressions for x in sympy.sympify(e).atoms(sympy.Float)})
    bound = dict(zip(floats, sympy.symbols(f"c_0:{len(floats)}"), strict=True))
    function = sympy.lambdify(
        [*symbols, *bound.values()],
        [sympy.sympify(e).xreplace(bound) for e in expressions],
        modules=["scipy", "numpy"],
        cse=True,
    )
    constants = [float(x) for x in floats]

    def call(*values: Any) -> Any:
        return function(*values, *constants)

    return call


def gradient(expression: Any, symbols: Sequence[Any]) -> list[Any]:
    """Slopes of an expression, or nested lists of them for nested expressions."""
    known: dict[Any, list[Any]] = {}

    def slopes(entry: Any) -> list[Any]:
        if not isinstance(entry, list):
            if entry not in known:
                known[entry] = [sympy.sympify(entry).diff(symbol) for symbol in symbols]
            return known[entry]
        columns = [slopes(part) for part in entry]
        return [[column[k] for column in columns] for k in range(len(symbols))]

    return slopes(expression)
