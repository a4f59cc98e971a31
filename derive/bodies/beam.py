"""Euler-Bernoulli beam by assumed modes.

The axis is the body's x axis. A point of it at x moves to

    r = (x + u, v, w),   u, v, w = sums of shapes times amplitudes,

and the section there turns by the slope v' about z, then -w' about y, then the twist t about x.
The strain energy is half the integral of EI (v''^2 + w''^2) + EA u'^2 + GJ t'^2. With stiffening,
the sums stand for curvatures and twist in the axes of the turned section, and displacements and
turns have the terms of second order that go with them (see `eomc.derive.bodies.beam_second_order`),
in the kinetic energy and at attachments: the axis keeps its length in bending, so that a rotating
beam is stiffer (Kane, Ryan and Banerjee 1987), and bending couples with twist, so that a deep beam
buckles sideways. They vanish at the root (or at the origin if it lies on the beam). Admissible
shapes do; masses at stations are bodies of the model, or `point_masses`.

Reference: Meirovitch, *Fundamentals of Vibrations*, ch. 8 and 9; Shabana, *Dynamics of Multibody
Systems*, ch. 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.bodies.beam_arguments import (
    DIRECTIONS,
    counts_of_shapes,
    damping_ratios,
    entries,
    extent,
    mode_counts,
    mode_shapes,
    non_negative,
    one_or_pair,
    own_shapes,
    pair,
    positive,
    section_inertia,
    shape_of,
    station,
    table_or_one,
)
from eomc.derive.bodies.beam_inertia import BeamInertia
from eomc.derive.bodies.beam_second_order import beam_terms
from eomc.derive.bodies.form import DRAWN, Attachment, Form, Invariants, LineProperties
from eomc.derive.bodies.line_distribution import AxisSpan, Field, MassDistribution
from eomc.derive.bodies.modal_damping import damping_matrix
from eomc.derive.bodies.modal_sums import half_form, linear_sum, number_or_zero, scatter
from eomc.derive.fields.field import number, truth, unread
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, is_number, is_zero, scalar
from eomc.derive.shapes.mode_shape import ModeShape

Symbols = Sequence[sympy.Symbol]


@kind("beam")
class Beam(Form):
    """Beam along the body's x axis.

    Parameters
    ----------
    length : Scalar
        l [m].
    mass_per_length : Scalar
        [kg/m]; this, the stiffnesses and the section inertia may hold the symbol x, the place along
        the body's x axis.
    EI : Scalar or pair
        Bending stiffness [N m^2], one for both or (along y, along z).
    EA, GJ : Scalar
        Stiffness in stretch [N] and torsion [N m^2].
    modes : counts (y, z, axial, torsion), or a table of them
        Modes in each direction; their amplitudes are the coordinates y1, y2, ..., z1, ..., axial1,
        ..., torsion1, ... [m, torsion rad], with the mean square of each shape 1. By default as
        many as there are shapes of one's own, or one along y.
    shapes : str, expressions in s, or a table of str or expressions in s by direction
        "clamped-free", "tip-mass", "pinned-free", "hub", "free-free", "pinned-pinned",
        "clamped-pinned", "clamped-clamped", the orthogonal polynomials of the same ends such as
        "clamped-free polynomials", or one expression in s = (x - root)/l for each mode; without a
        direction they are along y.
    tip_mass_ratio, hub_inertia_ratio : float
        Mass at the tip by that of the beam, for the shapes "tip-mass"; moment of inertia at the
        root by mass_per_length length^3, for "hub".
    origin : "root", "middle" or number
        Where the body's origin lies: the distance [m] from the root.
    section_inertia : three Scalars
        Mass moments of inertia of the sections per length, about x, y and z [kg m]. Torsion needs
        the first.
    point_masses : pairs (station, mass)
        Fixed to the axis; a station as in `attachment`.
    damping : Scalar, or a table of them by direction or mode: modal damping ratios
    rayleigh : pair
        (alpha [1/s], beta [s]): damping alpha M + beta K, besides `damping`.
    stiffening : bool: terms of second order in the displacements (see above)

    Examples
    --------
    >>> boom = Beam(length=2, mass_per_length=3, EI=50, modes=(1, 1))
    >>> boom.coordinates
    ('y1', 'z1')
    >>> boom.invariants(sympy.symbols("y1 z1")).mass
    6
    >>> Beam(length=2, mass_per_length=3, EI=50, shapes=["s**2", "s**3"]).coordinates
    ('y1', 'y2')

    Raises
    ------
    ModelError
        Naming the argument and the mode.
    """

    length: Scalar = number("m", "along the x axis")
    mass_per_length: Scalar = number("kg/m")
    EI: Any = unread("N m^2", "bending stiffness, one or a pair", default=None)
    EA: Any = unread("N", "stiffness in stretch", default=None)
    GJ: Any = unread("N m^2", "stiffness in torsion", default=None)
    modes: Any = unread("", "counts of modes by direction", default=None)
    shapes: Any = unread(
        "", "family of mode shapes, or a table by direction", default="clamped-free"
    )
    tip_mass_ratio: Any = unread("", "mass at the tip by that of the beam", default=0.0)
    origin: Any = unread("m", "root, middle, or distance from the root", default="root")
    section_inertia: Any = unread("kg m", "of sections per length, about x, y and z", default=None)
    point_masses: Any = unread("kg", "pairs of a station and a mass", default=())
    damping: Any = unread("", "damping ratios", default=0)
    rayleigh: Any = unread("1/s, s", "alpha and beta of alpha M + beta K", default=(0, 0))
    stiffening: bool = truth("terms of second order in the displacements", default=False)
    hub_inertia_ratio: Any = unread("", "inertia of the hub by that of the beam", default=0.0)

    def __post_init__(self) -> None:
        if not isinstance(self.stiffening, bool):
            raise ModelError(f"stiffening is {self.stiffening!r}; give True or False")
        shapes = table_or_one(own_shapes(self.shapes), "shapes")
        counts = mode_counts(counts_of_shapes(shapes) if self.modes is None else self.modes)
        alpha, beta = pair(self.rayleigh, "rayleigh")
        for name, value in (
            ("length", extent(self.length, "length")),
            ("mass_per_length", positive(self.mass_per_length, "mass_per_length")),
            ("modes", tuple(counts.values())),
            ("rayleigh", (non_negative(alpha, "rayleigh"), non_negative(beta, "rayleigh"))),
            ("section_inertia", section_inertia(self.section_inertia, counts["torsion"])),
            ("EI", None if self.EI is None else one_or_pair(self.EI, "EI")),
            ("EA", None if self.EA is None else positive(self.EA, "EA")),
            ("GJ", None if self.GJ is None else positive(self.GJ, "GJ")),
            ("shapes", shapes),
            ("damping", table_or_one(self.damping, "damping")),
            ("tip_mass_ratio", scalar(self.tip_mass_ratio, "tip_mass_ratio")),
            ("hub_inertia_ratio", scalar(self.hub_inertia_ratio, "hub_inertia_ratio")),
            ("point_masses", self._read_points()),
        ):
            object.__setattr__(self, name, value)
        for name in ("_stiffnesses", "_shapes", "_ratios", "_span", "_points", "_fixed"):
            getattr(self, name)

    # -- arguments -----------------------------------------------------------------------------

    @property
    def _counts(self) -> dict[str, int]:
        return dict(zip(DIRECTIONS, self.modes, strict=True))

    @cached_property
    def _shapes(self) -> dict[str, tuple[ModeShape, ...]]:
        return mode_shapes(self.shapes, self._counts, self.tip_mass_ratio, self.hub_inertia_ratio)

    @cached_property
    def _ratios(self) -> dict[str, tuple[Scalar, ...]]:
        return damping_ratios(self.damping, self._counts)

    @cached_property
    def _stiffnesses(self) -> dict[str, Scalar]:
        bending = self.EI if isinstance(self.EI, tuple) else (self.EI, self.EI)
        given = zip(DIRECTIONS, (*bending, self.EA, self.GJ), ("EI", "EI", "EA", "GJ"), strict=True)
        result: dict[str, Scalar] = {}
        for direction, value, name in given:
            if self._counts[direction] == 0:
                continue
            if value is None:
                raise ModelError(f"mode {direction}1 needs {name}")
            result[direction] = value
        return result

    @property
    def positive(self) -> tuple[tuple[str, Scalar], ...]:
        """Length, mass and stiffnesses."""
        given = zip(DIRECTIONS, ("EI", "EI", "EA", "GJ"), strict=True)
        stiffnesses = ((name, self._stiffnesses.get(direction, 1)) for direction, name in given)
        return (("length", self.length), ("mass_per_length", self.mass_per_length), *stiffnesses)

    def _read_points(self) -> tuple[tuple[str | Scalar, Scalar], ...]:
        given = (pair(e, "point_masses") for e in entries(self.point_masses, "point_masses"))
        return tuple(
            (station(place, _STATIONS), non_negative(mass, "point_masses")) for place, mass in given
        )

    @cached_property
    def _span(self) -> AxisSpan:
        if isinstance(self.origin, str) and self.origin == "root":
            return AxisSpan(0, self.length)
        if isinstance(self.origin, str) and self.origin == "middle":
            return AxisSpan(scalar(-sympy.sympify(self.length) / 2), self.length)
        try:
            return AxisSpan(scalar(-sympy.sympify(scalar(self.origin))), self.length)
        except ModelError as error:
            raise ModelError(f"origin: {error}; give 'root', 'middle' or a distance [m]") from None

    @cached_property
    def _points(self) -> tuple[tuple[float, Scalar], ...]:
        points = []
        for place, mass in self.point_masses:
            s = self._s(place)
            if not is_number(s):
                raise ModelError(f"point_masses: the station {place} by the length is no number")
            points.append((float(s), mass))
        return tuple(points)

    @cached_property
    def _fixed(self) -> float:
        """s of the station that terms of second order leave in place."""
        if not self.stiffening:
            return 0.0
        s = scalar(sympy.sympify(-self._span.start) / self.length)
        if not is_number(s):
            raise ModelError(f"stiffening: the origin {self.origin} by the length is no number")
        return min(max(float(s), 0.0), 1.0)

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """All scalars of the declaration."""
        along = [self.mass_per_length, *self._stiffnesses.values(), *self.section_inertia]
        # the place along the beam is no name of the model
        names = sympy.Tuple(*map(sympy.sympify, along)).free_symbols - {_X}
        ratios = (ratio for ratios in self._ratios.values() for ratio in ratios)
        masses = (mass for _, mass in self._points)
        own = (self.length, self._span.start, *self.rayleigh, *masses, *ratios)
        return (*own, *sorted(names, key=str))

    # -- coordinates -----------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """y1, y2, ..., z1, ..., axial1, ..., torsion1, ..."""
        pairs = zip(DIRECTIONS, self.modes, strict=True)
        return tuple(f"{name}{j + 1}" for name, count in pairs for j in range(count))

    @property
    def units(self) -> tuple[str, ...]:
        """m, rad for torsion."""
        return tuple("rad" if name.startswith("torsion") else "m" for name in self.coordinates)

    def shape(self, mode: str) -> ModeShape:
        """The shape of the mode of a coordinate name."""
        return shape_of(self._shapes, mode)

    @property
    def stiffens(self) -> bool:
        """True if bending, if any, is stiffened."""
        return self.stiffening or not any(self.modes[:2])

    @property
    def slopes(self) -> tuple[tuple[Scalar, ...], ...]:
        """v' and w' at nine stations."""
        rows = []
        for direction in ("y", "z"):
            field, shapes = self._field(direction, 1), self._shapes[direction]
            for s in np.linspace(0.0, 1.0, 9) if shapes else ():
                row: list[Scalar] = [0] * len(self.coordinates)
                for k, shape in zip(field.coordinates, shapes, strict=True):
                    row[k] = shape.slope(float(s)) * field.scale
                rows.append(tuple(row))
        return tuple(rows)

    def _field(self, direction: str, order: int = 0, sign: int = 1) -> Field:
        """A deflection, or its derivatives by x."""
        index = DIRECTIONS.index(direction)
        first, shapes = sum(self.modes[:index]), self._shapes[direction]

        def functions(s: Array) -> Array:
            return np.stack([shape.derivative(s, order) for shape in shapes])

        scale = sign / self.length**order if order else sign
        return Field(tuple(range(first, first + len(shapes))), functions, scale)

    def _distribution(self, density: Scalar, what: str, points: bool = False) -> MassDistribution:
        masses = self._points if points else ()
        panels = 2 + max(self.modes)
        return MassDistribution(density, self._span, what, masses, panels)

    @cached_property
    def _mass(self) -> MassDistribution:
        return self._distribution(self.mass_per_length, "mass_per_length", points=True)

    @property
    def line(self) -> LineProperties:
        """The beam as declared."""
        span = self._span
        points = tuple((span.station(s), mass) for s, mass in self._points)
        own = (span.start, span.length, self.mass_per_length, self.section_inertia)
        return LineProperties(*own, self._stiffnesses, points)

    # -- energies --------------------------------------------------------------------------------

    def invariants(self, xi: Symbols) -> Invariants:
        """Moments of the deformed axis and of the turned sections, to second order."""
        return self._inertia.at(xi)

    @cached_property
    def _inertia(self) -> BeamInertia:
        along = (self._fixed, self.length, 2 + max(self.modes))
        terms = beam_terms(self._field, self._shapes, *along) if self.stiffening else {}
        sections = tuple(
            None if is_zero(given) else self._distribution(given, "section_inertia")
            for given in self.section_inertia
        )
        return BeamInertia(self._mass, sections, self._field, terms)

    @cached_property
    def _stiffness(self) -> list[list[Scalar]]:
        """K"""
        result: list[list[Scalar]] = [[0] * len(self.coordinates) for _ in self.coordinates]
        for direction, given in self._stiffnesses.items():
            curve = self._field(direction, 2 if direction in ("y", "z") else 1)
            table = self._distribution(given, "EA" if direction == "axial" else "EI or GJ")
            scatter(result, curve, curve, table.bilinear(0, curve, curve))
        return result

    @cached_property
    def _damping(self) -> list[list[Scalar]]:
        """C"""
        count = len(self.coordinates)
        symbols = sympy.symbols(f"_xi:{count}")
        mass = [
            [_at_rest(entry, symbols) for entry in row] for row in self.invariants(symbols).internal
        ]
        ratios = [ratio for name in DIRECTIONS for ratio in self._ratios[name]]
        return damping_matrix(mass, self._stiffness, ratios, self.rayleigh, self.coordinates)

    def strain_energy(self, xi: Symbols) -> Scalar:
        """xi.K xi / 2"""
        return half_form(self._stiffness, xi)

    def dissipation(self, xi: Symbols, xi_rate: Symbols) -> Scalar:
        """xi'.C xi' / 2"""
        return half_form(self._damping, xi_rate)

    # -- attachments -----------------------------------------------------------------------------

    def _s(self, at: Any) -> Scalar:
        """s of a station: "root", "tip", or x in the body's axes."""
        x = station(at, _STATIONS)
        if isinstance(x, str):
            return _STATIONS.index(x)
        s = scalar((sympy.sympify(x) - self._span.start) / self.length)
        if is_number(s) and not -1e-12 <= float(s) <= 1 + 1e-12:
            first, last = self._span.start, self._span.start + self.length
            raise ModelError(f"the station x = {x} lies outside the beam, {first} to {last}")
        return s

    def drawn_stations(self, xi: Symbols) -> tuple[Any, ...]:
        """Evenly from root to tip."""
        span = self._span
        return ("root", *(span.start + span.length * (k / DRAWN) for k in range(1, DRAWN)), "tip")

    def attachment(self, at: Any, xi: Symbols) -> Attachment:
        """Place and turns at "root", "tip" or x [m] of the undeformed axis, which may be an
        expression such as the coordinate of a carriage."""
        s = self._s(at)
        place: Any = float(s) if is_number(s) else sympy.sympify(s)

        def moved(name: str, order: int = 0) -> Scalar:
            field, shapes = self._field(name, order), self._shapes[name]
            values = [number_or_zero(f.derivative(place, order)) * field.scale for f in shapes]
            terms = self._inertia.terms.get(f"{name} slope" if order else name, ())
            second = sum(term.at(place, xi) for term in terms)
            return linear_sum(values, field, xi) + second

        along = self._span.start + self.length * s + moved("axial")
        turns = (("z", moved("y", 1)), ("y", -moved("z", 1)), ("x", moved("torsion")))
        return Attachment(
            (along, moved("y"), moved("z")),
            tuple((axis, angle) for axis, angle in turns if not is_zero(angle)),
        )


_STATIONS = ("root", "tip")
_X = sympy.Symbol("x")


def _at_rest(entry: Scalar, xi: Symbols) -> Scalar:
    return entry.subs(dict.fromkeys(xi, 0)) if isinstance(entry, sympy.Basic) else entry
