"""A deformable body with some of its coordinates held: they leave the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from eomc.derive.bodies.form import Attachment, Form, Invariants, six, vector3
from eomc.derive.bodies.shape import DeformedShape, Read
from eomc.derive.language.scalar import Scalar, Vector3


@dataclass(frozen=True)
class Frozen(Form):
    """`form` with the coordinates named in `held` at constant values.

    Nothing is made stiff: what is held has no coordinate, no speed and no row in the equations.
    """

    form: Form
    held: tuple[tuple[str, Scalar], ...]

    @property
    def _free(self) -> list[int]:
        held = dict(self.held)
        return [j for j, name in enumerate(self.form.coordinates) if name not in held]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The coordinates that are left."""
        return tuple(self.form.coordinates[j] for j in self._free)

    @property
    def neutral(self) -> tuple[float, ...]:
        """Reference values of those left."""
        return tuple(self.form.neutral[j] for j in self._free)

    @property
    def units(self) -> tuple[str, ...]:
        """Units of those left."""
        return tuple(self.form.units[j] for j in self._free)

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """Those of the form, and the values held."""
        return (*self.form.scalars, *(value for _, value in self.held))

    @property
    def slopes(self) -> tuple[tuple[Scalar, ...], ...]:
        """Those of the form by what is left."""
        free = self._free
        rows = (tuple(row[j] for j in free) for row in self.form.slopes)
        return tuple(row for row in rows if any(entry != 0 for entry in row))

    @property
    def slopes_over(self) -> tuple[str, Scalar] | None:
        """As of the form; a value that is held is the reference."""
        over = self.form.slopes_over
        return None if over is None else (over[0], dict(self.held).get(*over))

    @property
    def folds(self) -> tuple[tuple[Scalar, ...], ...]:
        """Those of the form by what is left, what is held among the constants."""
        names, held = self.form.coordinates, dict(self.held)
        places = [(names.index(name), value) for name, value in held.items()]
        return tuple(
            (*(row[j] for j in self._free), row[-1] + sum(row[j] * value for j, value in places))
            for row in self.form.folds
        )

    @property
    def stiffens(self) -> bool:
        """As the form."""
        return self.form.stiffens

    @property
    def outline(self) -> tuple[tuple[Any, Any], ...]:
        """That of the form, what is held as it is at rest."""
        free = self._free
        return tuple((place, tuple(moved[j] for j in free)) for place, moved in self.form.outline)

    def _stand_ins(self, xi: Sequence[Any]) -> tuple[list[sympy.Symbol], dict[Any, Any]]:
        """Symbols for all coordinates of the form, and what takes the place of each."""
        symbols = [sympy.Symbol(f"_xi_{name}") for name in self.form.coordinates]
        held = dict(self.held)
        free = iter(xi)
        values = {
            symbol: sympy.sympify(held[name]) if name in held else next(free)
            for symbol, name in zip(symbols, self.form.coordinates, strict=True)
        }
        return symbols, values

    def invariants(self, xi: Sequence[sympy.Symbol]) -> Invariants:
        """Those of the form, rows and columns of what is held left out."""
        symbols, values = self._stand_ins(xi)
        full, free = self.form.invariants(symbols), self._free

        def vector(entries: Vector3) -> Vector3:
            return vector3(put(entry, values) for entry in entries)

        return Invariants(
            put(full.mass, values),
            vector(full.first),
            six(put(entry, values) for entry in full.inertia),
            tuple(vector(full.linear[j]) for j in free),
            tuple(vector(full.angular[j]) for j in free),
            tuple(tuple(put(full.internal[j][k], values) for k in free) for j in free),
        )

    def strain_energy(self, xi: Sequence[sympy.Symbol]) -> Scalar:
        """That of the form; what is held may strain the body by a constant."""
        symbols, values = self._stand_ins(xi)
        return put(self.form.strain_energy(symbols), values)

    def dissipation(self, xi: Sequence[sympy.Symbol], xi_rate: Sequence[sympy.Symbol]) -> Scalar:
        """That of the form with the rates of what is held zero."""
        symbols, values = self._stand_ins(xi)
        rates = [sympy.Symbol(f"_rate_{name}") for name in self.form.coordinates]
        free = iter(xi_rate)
        held = dict(self.held)
        for rate, name in zip(rates, self.form.coordinates, strict=True):
            values[rate] = 0 if name in held else next(free)
        return put(self.form.dissipation(symbols, rates), values)

    def drawn_stations(self, xi: Sequence[sympy.Symbol]) -> tuple[Any, ...]:
        """Those of the form."""
        symbols, values = self._stand_ins(xi)
        stations = self.form.drawn_stations(symbols)
        return tuple(at if isinstance(at, str) else put(at, values) for at in stations)

    def on_graph(
        self, read: Read, held: Mapping[str, Scalar], name: str = ""
    ) -> DeformedShape | None:
        """That of the form, what is held left out."""
        return self.form.on_graph(read, {**dict(self.held), **held}, name)

    def read_station(self, at: Any) -> Any:
        """That of the form."""
        return self.form.read_station(at)

    @property
    def is_differenced(self) -> bool:
        """As the form."""
        return self.form.is_differenced

    @property
    def whole_mass(self) -> Scalar:
        """As the form."""
        return self.form.whole_mass

    def attachment(self, at: Any, xi: Sequence[sympy.Symbol]) -> Attachment:
        """That of the form."""
        symbols, values = self._stand_ins(xi)
        full = self.form.attachment(at, symbols)
        displacement = vector3(put(entry, values) for entry in full.displacement)
        turns = tuple((axis, put(angle, values)) for axis, angle in full.turns)
        return Attachment(displacement, turns)


def put(value: Scalar, values: dict[Any, Any]) -> Scalar:
    """`value` with symbols replaced; numbers stay as they are."""
    return value.xreplace(values) if isinstance(value, sympy.Basic) else value
