"""Body of any shape by modes: a floating frame of reference with numbers for its moments.

The numbers come from a structure of finite elements, from matrices of another program, or from the
user. The body's frame is fixed to the structure at its root, or, without a root, moves such that
the elastic modes carry no momentum at rest. Reference: Shabana, *Dynamics of Multibody Systems*,
ch. 6; Craig and Bampton 1968.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from eomc.derive.bodies.beam_arguments import entries, non_negative, pair, table_or_one
from eomc.derive.bodies.form import Attachment, Form, Invariants, six, vector3
from eomc.derive.bodies.mass_properties import inertia_entries
from eomc.derive.bodies.modal_damping import damping_matrix
from eomc.derive.bodies.modal_sums import half_form
from eomc.derive.fields.field import number, unread
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, is_number, scalar

Symbols = Sequence[sympy.Symbol]
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class ModalStation:
    """A place to attach to: position (3,) at rest, displacements and rotations (k, 3) of the modes.

    `second`, if any: displacements and turns about x, y, z of second order, (k, k, 3) each, of
    e_i e_j. A tuple of the entries stands for it in model files.
    """

    position: tuple[Scalar, ...]
    displacements: tuple[tuple[Scalar, ...], ...]
    rotations: tuple[tuple[Scalar, ...], ...]
    second: Any = ()


@kind("modal_body")
class ModalBody(Form):
    """Body that deforms in k modes e1, e2, ....

    `from_structure` and `from_matrices` in `eomc.derive.finite_elements.modal_reduction` compute
    all its arguments.

    Parameters
    ----------
    mass : Scalar
        [kg]
    first : (3,)
        First moment h at rest [kg m].
    inertia : (3, 3)
        J at rest, about the origin.
    internal, stiffness : (k, k)
        M and K of the modes.
    linear, angular : (k, 3)
        P, and H at rest: momenta of unit modal speeds.
    angular_rates : (k, k, 3)
        Entry [i][j] is dH_j / d e_i; zero if not given.
    inertia_rates : (k, 3, 3)
        dJ / d e_i; zero if not given.
    inertia_second : (k, k, 3, 3)
        J holds e_i e_j times entry [i][j]; zero if not given.
    first_second : (k, k, 3)
        So does h.
    internal_rates : (k, k, k)
        dM / d e_i; zero if not given.
    stations : table of `ModalStation`, or of (position, displacements, rotations[, second])
    damping : Scalar, or a table of them by mode
        Modal damping ratios.
    rayleigh : pair
        (alpha, beta): damping alpha M + beta K.
    viscous : (k, k)
        Damping C besides; zero if not given.
    drawn : (n, 1 + k, 3)
        Points of a polyline for pictures: each its position, and its displacements by the modes.
    turns : (n, k)
        Turns of parts of the body by the modes: slopes that the theory takes as small, besides
        those at stations.

    Examples
    --------
    >>> body = ModalBody(2, (0, 0, 0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((2,),), ((8,),),
    ...                  linear=((0, 0, 0),), angular=((0, 0, 0),), damping=0.25)
    >>> body.dissipation(sympy.symbols(["e1"]), sympy.symbols(["r1"]))
    1.0*r1**2

    Raises
    ------
    ModelError
        Naming the argument and the mode.
    """

    mass: Scalar = number("kg")
    first: Any = unread("kg m", "first moment")
    inertia: Any = unread("kg m^2", "about the origin, 3 x 3")
    internal: Any = unread("", "mass matrix of the modes")
    stiffness: Any = unread("", "stiffness matrix of the modes")
    linear: Any = unread("", "linear momenta of unit modal speeds")
    angular: Any = unread("", "angular momenta of unit modal speeds")
    angular_rates: Any = unread(default=())
    inertia_rates: Any = unread(default=())
    inertia_second: Any = unread(default=())
    stations: Any = unread("", "nodes by which others are attached", default=())
    damping: Any = unread("", "damping ratios", default=0)
    rayleigh: Any = unread("1/s, s", "alpha and beta of alpha M + beta K", default=(0, 0))
    first_second: Any = unread(default=())
    internal_rates: Any = unread(default=())
    viscous: Any = unread(default=())
    drawn: Any = unread(default=())
    turns: Any = unread(default=())

    def __post_init__(self) -> None:
        count = len(entries(self.internal, "internal"))
        object.__setattr__(self, "mass", non_negative(self.mass, "mass"))
        for name, shape, optional in (
            ("first", (3,), False),
            ("inertia", (3, 3), False),
            ("internal", (count, count), False),
            ("stiffness", (count, count), False),
            ("linear", (count, 3), False),
            ("angular", (count, 3), False),
            ("angular_rates", (count, count, 3), True),
            ("inertia_rates", (count, 3, 3), True),
            ("inertia_second", (count, count, 3, 3), True),
            ("first_second", (count, count, 3), True),
            ("internal_rates", (count, count, count), True),
            ("viscous", (count, count), True),
        ):
            value = getattr(self, name)
            given = (
                () if optional and len(entries(value, name)) == 0 else _array(value, shape, name)
            )
            object.__setattr__(self, name, given)
        xx, yy, zz, xy, xz, yz = inertia_entries(self.inertia)
        rows = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        object.__setattr__(self, "inertia", rows)
        for name in ("internal", "stiffness", "viscous"):
            _check_symmetric(name, getattr(self, name))
        alpha, beta = pair(self.rayleigh, "rayleigh")
        both = (non_negative(alpha, "rayleigh"), non_negative(beta, "rayleigh"))
        object.__setattr__(self, "rayleigh", both)
        object.__setattr__(self, "damping", table_or_one(self.damping, "damping"))
        points = entries(self.drawn, "drawn")
        read = tuple(_array(point, (1 + count, 3), "drawn") for point in points)
        object.__setattr__(self, "drawn", read)
        turns = tuple(_array(row, (count,), "turns") for row in entries(self.turns, "turns"))
        object.__setattr__(self, "turns", turns)
        given = self.stations
        table = given.items() if isinstance(given, Mapping) else entries(given, "stations")
        named = (pair(entry, "stations") for entry in table)
        stations = tuple((str(name), self._read_station(name, entry)) for name, entry in named)
        object.__setattr__(self, "stations", stations)
        self._ratios  # noqa: B018  (raises for ratios of no mode)

    def _read_station(self, name: str, given: Any) -> tuple[Any, ...]:
        if isinstance(given, ModalStation):
            more = (given.second,) if len(given.second) else ()
            given = (given.position, given.displacements, given.rotations, *more)
        count = len(self.internal)
        if not isinstance(given, list | tuple) or len(given) not in (3, 4):
            raise ModelError(f"station {name!r}: give position, displacements and rotations")
        entries = (
            _array(given[0], (3,), f"station {name!r}: position"),
            _array(given[1], (count, 3), f"station {name!r}: displacements"),
            _array(given[2], (count, 3), f"station {name!r}: rotations"),
        )
        second = (2, count, count, 3)
        return (*entries, *(_array(e, second, f"station {name!r}: second") for e in given[3:]))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """e1, e2, ..."""
        return tuple(f"e{j + 1}" for j in range(len(self.internal)))

    @property
    def slopes(self) -> tuple[tuple[Scalar, ...], ...]:
        """Rotations at the stations, and `turns`."""
        turned = (rotations for _, (_, _, rotations, *_) in self.stations)
        rows = (tuple(mode[a] for mode in rotations) for rotations in turned for a in range(3))
        return tuple(row for row in (*rows, *self.turns) if any(entry != 0 for entry in row))

    @property
    def outline(self) -> tuple[tuple[Any, Any], ...]:
        """As `drawn`."""
        return tuple((place, tuple(moved)) for place, *moved in self.drawn)

    @property
    def stiffens(self) -> bool:
        """True if the first moment has terms of second order."""
        return bool(self.first_second)

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """Every entry that is no number."""
        entries = [self.mass, *self.rayleigh, *self._ratios]
        for array in (self.first, self.inertia, self.internal, self.stiffness, self.linear):
            entries += sympy.flatten(array)
        entries += sympy.flatten(
            [self.angular, self.angular_rates, self.inertia_rates, self.first_second, self.viscous]
        )
        entries += sympy.flatten([self.inertia_second, [entry for _, entry in self.stations]])
        return tuple(entry for entry in entries if not is_number(entry))

    @cached_property
    def _ratios(self) -> tuple[Scalar, ...]:
        names = self.coordinates
        if not isinstance(self.damping, tuple):
            return (non_negative(self.damping, "damping"),) * len(names)
        table = dict(self.damping)
        for name in table:
            if name not in names:
                raise ModelError(f"damping of {name!r}: no such mode; {near_names(name, names)}")
        return tuple(non_negative(table.get(name, 0), f"damping of {name}") for name in names)

    def invariants(self, xi: Symbols) -> Invariants:
        """The moments, linear in the modes but for J."""
        modes = range(len(xi))
        h = _along(self.first, self.linear, self.first_second, xi)
        angular = []
        for j in modes:
            column = list(self.angular[j])
            if self.angular_rates:
                for i in modes:
                    rates = self.angular_rates[i][j]
                    column = [entry + rates[a] * xi[i] for a, entry in enumerate(column)]
            angular.append(vector3(column))
        return Invariants(
            mass=self.mass,
            first=vector3(h),
            inertia=six(self._inertia_entry(a, b, xi) for a, b in _PAIRS),
            linear=tuple(
                vector3(_along(column, _doubled(self.first_second, j), (), xi))
                for j, column in enumerate(self.linear)
            ),
            angular=tuple(angular),
            internal=tuple(
                tuple(_along(row, [rates[j] for rates in self.internal_rates], (), xi))
                for j, row in enumerate(self.internal)
            ),
        )

    def _inertia_entry(self, a: int, b: int, xi: Symbols) -> Scalar:
        total = self.inertia[a][b]
        for i, amplitude in enumerate(xi):
            if self.inertia_rates:
                total += self.inertia_rates[i][a][b] * amplitude
            for j, other in enumerate(xi):
                if self.inertia_second:
                    total += self.inertia_second[i][j][a][b] * amplitude * other
        return total

    def strain_energy(self, xi: Symbols) -> Scalar:
        """e.K e / 2"""
        return half_form(self.stiffness, xi)

    def dissipation(self, xi: Symbols, xi_rate: Symbols) -> Scalar:
        """e'.C e' / 2"""
        names, mass = self.coordinates, self.internal
        damping = damping_matrix(mass, self.stiffness, self._ratios, self.rayleigh, names)
        total = half_form(damping, xi_rate)
        return total + half_form(self.viscous, xi_rate) if self.viscous else total

    def drawn_stations(self, xi: Symbols) -> tuple[Any, ...]:
        """All that it has, in order."""
        return tuple(name for name, *_ in self.stations)

    def attachment(self, at: Any, xi: Symbols) -> Attachment:
        """Place and turns, about z, then y, then x, at a station."""
        table, name = dict(self.stations), str(at)  # a node may be called "2"
        if name not in table:
            raise ModelError(f"no station {name!r}; {near_names(name, table)}")
        position, displacements, rotations, *rest = table[name]
        moved, turned = rest[0] if rest else ((), ())
        place = vector3(_along(position, displacements, moved, xi))
        angles = _along((0, 0, 0), rotations, turned, xi)
        turns = tuple((axis, angles[a]) for axis, a in (("z", 2), ("y", 1), ("x", 0)))
        return Attachment(place, tuple((axis, angle) for axis, angle in turns if angle != 0))


def _along(start: Any, first: Any, second: Any, xi: Symbols) -> list[Scalar]:
    """start + first[i] e_i + second[i][j] e_i e_j, vectors."""
    result = list(start)
    for row, amplitude in zip(first, xi, strict=False):
        result = [entry + row[a] * amplitude for a, entry in enumerate(result)]
    for rows, amplitude in zip(second, xi, strict=False):
        for row, other in zip(rows, xi, strict=True):
            result = [entry + row[a] * amplitude * other for a, entry in enumerate(result)]
    return result


def _doubled(second: Any, j: int) -> Any:
    """Derivatives of second[i][k] e_i e_k by e_j, in the same form."""
    return [[rows[j][a] + second[j][i][a] for a in range(3)] for i, rows in enumerate(second)]


def _check_symmetric(what: str, matrix: Any) -> None:
    """Refuse a matrix of modes that is not symmetric, or with a negative number on its diagonal."""
    size = max((abs(float(e)) for row in matrix for e in row if is_number(e)), default=0.0)
    for i, row in enumerate(matrix):
        if is_number(row[i]) and float(row[i]) < -1e-9 * size:
            raise ModelError(f"{what} of mode e{i + 1} is {row[i]}; give a number >= 0")
        for j, entry in enumerate(row[:i]):
            other = matrix[j][i]
            numbers = is_number(entry) and is_number(other)
            if numbers and abs(float(entry) - float(other)) > 1e-9 * size:
                raise ModelError(f"{what} is not symmetric in modes e{j + 1} and e{i + 1}")


def _array(value: Any, shape: tuple[int, ...], what: str) -> Any:
    """Nested tuples of scalars of a shape."""
    if not shape:
        return scalar(value, what)
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != shape[0]:
        dimensions = " x ".join(map(str, shape))
        raise ModelError(f"{what}: needs {dimensions} entries")
    return tuple(_array(entry, shape[1:], what) for entry in value)
