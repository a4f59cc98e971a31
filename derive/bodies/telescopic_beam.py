"""Beam of two telescoping links: its length l is a coordinate.

The slewing link occupies 0 <= x <= a (its own length), the deployable link, of length b, occupies
l - b <= x <= l and moves along with l; where they overlap mass and stiffness add. One deflection
with shapes that follow the length serves both,

    r = (x - c, v, w),   v = sum of phi_j(s) y_j,   s = x / l.

A material element of the slewing link keeps x (dx/dl = 0), one of the deployable link moves with
dx/dl = 1. With l it changes its place by

    dr/dl = (dx/dl, v_l, w_l),   v_l = sum of phi_j'(s) (dx/dl - s) / l  y_j,

and the energy of r' = dr/dl l' + sum of dr/dy_j y_j' holds all terms of the deployment rate and
acceleration. Integrals over the links have l in their limits and are closed forms of l. A payload
at the tip has dr/dl = (1, 0, 0). With stiffening, c is half the integral of v'^2 + w'^2 from the
root, to second order in the energy. Reference: Pradhan, Modi and Misra 1996; Caron, *Planar
Dynamics and Control of Space-Based Flexible Manipulators with Slewing and Deployable Links* (1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import sympy

from eomc.derive.bodies.beam_arguments import (
    damping_ratios,
    extent,
    mode_counts,
    mode_shapes,
    non_negative,
    one_or_pair,
    pair,
    positive,
    shape_of,
    station,
    table_or_one,
)
from eomc.derive.bodies.form import DRAWN, Attachment, Form, Invariants, vector3
from eomc.derive.bodies.modal_damping import damping_matrix
from eomc.derive.bodies.modal_sums import half_form, number_or_zero
from eomc.derive.bodies.telescopic_link import TelescopicLink, double_sum, power, row_sum
from eomc.derive.fields.field import number, truth, unread
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, Vector3, is_number, scalar
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial
from eomc.derive.shapes.mode_shape import ModeShape

Symbols = Sequence[sympy.Symbol]
Matrix = list[list[Scalar]]
_DIRECTIONS = ("y", "z")
_STATIONS = ("root", "tip", "sleeve")


@kind("telescopic_beam")
class TelescopicBeam(Form):
    """Two telescoping links along the body's x axis, from the body's origin.

    Parameters
    ----------
    slewing_length, slewing_mass : Scalar
        Length a [m] and mass [kg] of the link that keeps its place.
    deployable_length, deployable_mass : Scalar
        Length b [m] and mass [kg] of the link that slides.
    EI : Scalar, or pair (slewing, deployable)
        Bending stiffness [N m^2]; each a scalar, or a pair (along y, along z).
    length : float
        Reference value [m] of the coordinate `length`; b <= length <= a + b makes sense.
    modes : counts (along y, along z), or a table of them
        Amplitudes y1, y2, ..., z1, ... [m]; `length` [m] is the last coordinate.
    shapes : str, or a table of str or expressions in s by direction
        As in `Beam`; expressions must have closed antiderivatives (sums of powers times sin, cos,
        sinh, cosh, exp).
    tip_mass_ratio : float
        Mass outboard by that of the beam, for "tip-mass" (the default shapes).
    payload : Scalar
        Point mass at the tip [kg].
    damping, rayleigh : as in `Beam`
        Of the bending modes at the reference length.
    stiffening : bool
        Foreshortening by bending.

    Examples
    --------
    >>> unit = TelescopicBeam(7.5, 200, 7.5, 200, EI=5.5e5, length=10)
    >>> unit.coordinates, unit.neutral
    (('y1', 'length'), (0.0, 10.0))

    Raises
    ------
    ModelError
        Naming the argument and the mode.
    """

    slewing_length: Scalar = number("m", "of the link that keeps its place")
    slewing_mass: Scalar = number("kg", "of the link that keeps its place")
    deployable_length: Scalar = number("m", "of the link that slides")
    deployable_mass: Scalar = number("kg", "of the link that slides")
    EI: Any = unread("N m^2", "bending stiffness, one or a pair")
    length: Any = unread("m", "along the x axis")
    modes: Any = unread("", "counts of modes by direction", default=(1, 0))
    shapes: Any = unread("", "family of mode shapes, or a table by direction", default="tip-mass")
    tip_mass_ratio: Any = unread("", "mass at the tip by that of the beam", default=0.0)
    payload: Scalar = number("kg", "at the tip", default=0)
    damping: Any = unread("", "damping ratios", default=0)
    rayleigh: Any = unread("1/s, s", "alpha and beta of alpha M + beta K", default=(0, 0))
    stiffening: bool = truth("terms of second order in the displacements", default=False)

    def __post_init__(self) -> None:
        if not isinstance(self.stiffening, bool):
            raise ModelError(f"stiffening is {self.stiffening!r}; give True or False")
        counts = mode_counts(self.modes, _DIRECTIONS)
        alpha, beta = pair(self.rayleigh, "rayleigh")
        reference = extent(self.length, "length")
        if not is_number(reference):
            raise ModelError(f"length is {reference}; its reference value is a number")
        lengths = ("slewing_length", "deployable_length")
        masses = ("slewing_mass", "deployable_mass", "payload")
        for name, value in (
            *((name, extent(getattr(self, name), name)) for name in lengths),
            *((name, non_negative(getattr(self, name), name)) for name in masses),
            ("EI", self._read_stiffness()),
            ("length", float(reference)),
            ("modes", tuple(counts.values())),
            ("shapes", table_or_one(self.shapes, "shapes")),
            ("tip_mass_ratio", scalar(self.tip_mass_ratio, "tip_mass_ratio")),
            ("damping", table_or_one(self.damping, "damping")),
            ("rayleigh", (non_negative(alpha, "rayleigh"), non_negative(beta, "rayleigh"))),
        ):
            object.__setattr__(self, name, value)
        self._check_length(self.length)
        for name in ("_ratios", "_slopes"):
            getattr(self, name)

    def _read_stiffness(self) -> Any:
        if isinstance(self.EI, list | tuple):
            return tuple(one_or_pair(value, "EI") for value in pair(self.EI, "EI"))
        return positive(self.EI, "EI")

    @property
    def stiffens(self) -> bool:
        """True if bending is stiffened."""
        return self.stiffening

    def check_held(self, coordinate: str, value: Scalar) -> None:
        """The length must be one that the links can have."""
        if coordinate == "length" and is_number(value):
            self._check_length(float(value))

    def _check_length(self, length: float) -> None:
        a, b = self.slewing_length, self.deployable_length
        for name, value in (("slewing_length", a), ("deployable_length", b)):
            if is_number(value) and length < float(value) * (1 - 1e-12):
                raise ModelError(f"length is {length}, less than {name} = {value}")
        if is_number(a) and is_number(b) and length > float(a + b) * (1 + 1e-12):
            raise ModelError(f"length is {length}, more than both links together, {float(a + b)}")

    @property
    def positive(self) -> tuple[tuple[str, Scalar], ...]:
        """Lengths of the links, and their stiffnesses."""
        stiffnesses = (("EI", value) for link in self._links for value in link.stiffness)
        lengths = ((name, getattr(self, name)) for name in ("slewing_length", "deployable_length"))
        return (*lengths, *stiffnesses)

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """All scalars of the declaration."""
        stiffnesses = sympy.flatten([link.stiffness for link in self._links])
        ratios = [ratio for ratios in self._ratios.values() for ratio in ratios]
        lengths = (self.slewing_length, self.deployable_length)
        masses = (self.slewing_mass, self.deployable_mass, self.payload)
        return (*lengths, *masses, *stiffnesses, *ratios, *self.rayleigh)

    # -- coordinates and shapes ------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """y1, y2, ..., z1, ..., length"""
        pairs = zip(_DIRECTIONS, self.modes, strict=True)
        bending = (f"{name}{j + 1}" for name, count in pairs for j in range(count))
        return (*bending, "length")

    @property
    def neutral(self) -> tuple[float, ...]:
        """Straight, at the reference length."""
        return (*(0.0 for _ in range(sum(self.modes))), float(self.length))

    @property
    def slopes(self) -> tuple[tuple[Scalar, ...], ...]:
        """v' and w' at eight stations, times the length."""
        shapes = [(name, shape) for name in _DIRECTIONS for shape in self._shapes[name]]
        return tuple(
            (*(shape.slope(k / 8) if name == direction else 0 for name, shape in shapes), 0)
            for direction in dict(shapes)
            for k in range(1, 9)
        )

    @property
    def slopes_over(self) -> tuple[str, Scalar] | None:
        """The length."""
        return "length", self.length

    @cached_property
    def _shapes(self) -> dict[str, tuple[ModeShape, ...]]:
        counts = dict(zip(_DIRECTIONS, self.modes, strict=True))
        return mode_shapes(self.shapes, counts, self.tip_mass_ratio)

    def shape(self, mode: str) -> ModeShape:
        """The shape of the mode of a coordinate name."""
        return shape_of(self._shapes, mode)

    @cached_property
    def _ratios(self) -> dict[str, tuple[Scalar, ...]]:
        return damping_ratios(self.damping, dict(zip(_DIRECTIONS, self.modes, strict=True)))

    def _functions(self, order: int) -> tuple[list[ExponentialPolynomial], ...]:
        return tuple(
            [shape.closed_form(order) for shape in self._shapes[name]] for name in _DIRECTIONS
        )

    @cached_property
    def _values(self) -> tuple[list[ExponentialPolynomial], ...]:
        return self._functions(0)

    @cached_property
    def _slopes(self) -> tuple[list[ExponentialPolynomial], ...]:
        return self._functions(1)

    @cached_property
    def _links(self) -> tuple[TelescopicLink, TelescopicLink]:
        slewing, deployable = self.EI if isinstance(self.EI, tuple) else (self.EI, self.EI)
        a, b = sympy.sympify(self.slewing_length), sympy.sympify(self.deployable_length)

        def both(value: Any) -> tuple[Scalar, Scalar]:
            return value if isinstance(value, tuple) else (value, value)

        return (
            TelescopicLink(self.slewing_mass / a, both(slewing), lambda _: 0, lambda x: a / x, 0),
            TelescopicLink(
                self.deployable_mass / b, both(deployable), lambda x: 1 - b / x, lambda _: 1, 1
            ),
        )

    # -- integrals over the links ----------------------------------------------------------------

    def _moment(
        self, n: int, function: ExponentialPolynomial, length: sympy.Symbol, slide: int = 0
    ) -> Scalar:
        """Integral of x^n (dx/dl - s)^slide f dm, the payload apart."""
        total: Scalar = 0
        for link in self._links:
            weight = power(n) * link.lag if slide else power(n)
            inner = link.integral(weight * function, length)
            total += link.density * length ** (n + 1) * inner
        return total

    def _tip(self, i: int, j: int) -> Scalar:
        """phi_j at the tip."""
        return number_or_zero(self._values[i][j](1.0))

    def _first(self, i: int, n: int, xi: Symbols) -> Scalar:
        """Integral of x^n v dm, i = 0 for v and 1 for w."""
        length, total = xi[-1], sympy.Integer(0)
        for j, amplitude in enumerate(self._amplitudes(i, xi)):
            moment = self._moment(n, self._values[i][j], length)
            total += amplitude * (moment + self.payload * length**n * self._tip(i, j))
        return total

    def _first_rate(self, i: int, xi: Symbols) -> Scalar:
        """Integral of v_l dm."""
        amplitudes = self._amplitudes(i, xi)
        return row_sum([self._swept(0, xi[-1], f) for f in self._values[i]], amplitudes)

    def _amplitudes(self, i: int, xi: Symbols) -> Symbols:
        first = sum(self.modes[:i])
        return xi[first : first + self.modes[i]]

    def _products(self, i: int, k: int, length: sympy.Symbol) -> Matrix:
        """Integrals of phi_a phi_b dm."""
        return [
            [
                self._moment(0, f * g, length) + self.payload * self._tip(i, a) * self._tip(k, b)
                for b, g in enumerate(self._values[k])
            ]
            for a, f in enumerate(self._values[i])
        ]

    def _swept(self, n: int, length: sympy.Symbol, *factors: ExponentialPolynomial) -> Scalar:
        """Integral of x^n df/dl dm, f the product of the factors."""
        return sum(link.swept(n, factors, length) for link in self._links)

    def _twisted(self, i: int, k: int, length: sympy.Symbol) -> Matrix:
        """Integrals of phi_a (d phi_b / dl) - phi_b (d phi_a / dl) dm."""
        first, second = (list(zip(self._values[m], self._slopes[m], strict=True)) for m in (i, k))
        return [
            [
                0
                if f.terms == g.terms
                else self._moment(0, f * g_slope - g * f_slope, length, 1) / length
                for g, g_slope in second
            ]
            for f, f_slope in first
        ]

    def _stretched(self, i: int, length: sympy.Symbol) -> Matrix:
        """Integrals of (d phi_a / dl) (d phi_b / dl) dm."""
        slopes = self._slopes[i]
        return [
            [sum(link.stretched(f, g, length) for link in self._links) for g in slopes]
            for f in slopes
        ]

    # -- energies --------------------------------------------------------------------------------

    def invariants(self, xi: Symbols) -> Invariants:
        """Moments of the deformed axis; momenta of the amplitudes and of the length."""
        length = xi[-1]
        y, z = (self._amplitudes(i, xi) for i in (0, 1))
        products = {pair: self._products(*pair, length) for pair in ((0, 0), (1, 1), (0, 1))}
        yy, zz = double_sum(products[0, 0], y, y), double_sum(products[1, 1], z, z)
        moments = [self._axial(n, length) for n in range(3)]
        short = [self._shortening(n, xi) for n in (0, 1)]
        h = (moments[1] - sum(short[0]), self._first(0, 0, xi), self._first(1, 0, xi))
        along = moments[2] - 2 * sum(short[1])
        inertia = (
            yy + zz,
            along + zz,
            along + yy,
            -self._first(0, 1, xi),
            -self._first(1, 1, xi),
            -double_sum(products[0, 1], y, z),
        )
        linear = [vector3([sympy.diff(entry, symbol) for entry in h]) for symbol in xi[:-1]]
        rates = [self._first_rate(i, xi) for i in (0, 1)]
        linear.append(vector3([sympy.diff(h[0], length), *rates]))
        return Invariants(
            mass=moments[0],
            first=vector3(h),
            inertia=inertia,
            linear=tuple(linear),
            angular=self._angular(xi, products[0, 1]),
            internal=self._internal(xi, products, short[0][1]),
        )

    def _axial(self, n: int, length: sympy.Symbol) -> Scalar:
        """Integral of x^n dm."""
        a, b = self.slewing_length, self.deployable_length
        slewing = self.slewing_mass * a**n / (n + 1)
        deployed = (length ** (n + 1) - (length - b) ** (n + 1)) / ((n + 1) * b)
        moment = slewing + self.deployable_mass * sympy.expand(deployed)
        return moment + self.payload * length**n

    def _shortening(self, n: int, xi: Symbols) -> tuple[Scalar, Scalar]:
        """Integrals of x^n c dm over what keeps its place, and over what slides with the tip."""
        length = xi[-1]
        parts: list[Scalar] = [0, 0]
        if not self.stiffening:
            return (0, 0)
        for i, slopes in enumerate(self._slopes):
            amplitudes = self._amplitudes(i, xi)
            for a, f in enumerate(slopes):
                for b, g in enumerate(slopes):
                    to_here = (f * g).antiderivative()
                    to_here = to_here - to_here(0.0)
                    factor = amplitudes[a] * amplitudes[b] / (2 * length)
                    for part, link in enumerate(self._links):
                        inner = link.integral(power(n) * to_here, length)
                        parts[part] += factor * link.density * length ** (n + 1) * inner
                    parts[1] += factor * self.payload * length**n * to_here(1.0)
        return (parts[0], parts[1])

    def _angular(self, xi: Symbols, yz: Matrix) -> tuple[Vector3, ...]:
        """H: integrals of r x dr/dxi_j dm."""
        length = xi[-1]
        y, z = (self._amplitudes(i, xi) for i in (0, 1))
        columns = [vector3([-row_sum(yz[j], z), 0, self._arm(0, j, length)]) for j in range(len(y))]
        for j in range(len(z)):
            beside = row_sum([row[j] for row in yz], y)
            columns.append(vector3([beside, -self._arm(1, j, length), 0]))
        twist = double_sum(self._twisted(0, 1, length), y, z)
        columns.append(vector3([twist, -self._sheared(1, z, length), self._sheared(0, y, length)]))
        return tuple(columns)

    def _arm(self, i: int, j: int, length: sympy.Symbol) -> Scalar:
        """Integral of x phi_j dm."""
        moment = self._moment(1, self._values[i][j], length)
        return moment + self.payload * length * self._tip(i, j)

    def _sheared(self, i: int, amplitudes: Symbols, length: sympy.Symbol) -> Scalar:
        """Integral of x v_l - v dx/dl dm."""
        total: Scalar = 0
        sliding = self._links[1]
        for j, amplitude in enumerate(amplitudes):
            lag = self._swept(1, length, self._values[i][j])
            moved = sliding.density * length * sliding.integral(self._values[i][j], length)
            total += amplitude * (lag - moved - self.payload * self._tip(i, j))
        return total

    def _internal(
        self, xi: Symbols, products: dict[tuple[int, int], Matrix], sliding: Scalar
    ) -> tuple[tuple[Scalar, ...], ...]:
        """M: integrals of dr/dxi_j . dr/dxi_k dm; `sliding` is the integral of c over what slides,
        whose dr/dl has 1 - dc/dl along x."""
        length, count = xi[-1], len(xi)
        matrix: Matrix = [[0] * count for _ in xi]
        last: Scalar = self.deployable_mass + self.payload - 2 * sympy.diff(sliding, length)
        first = 0
        for i in (0, 1):
            amplitudes = self._amplitudes(i, xi)
            functions, twisted = self._values[i], self._twisted(i, i, length)
            for j, amplitude in enumerate(amplitudes):
                coupling = -sympy.diff(sliding, amplitude)
                for k, other in enumerate(amplitudes):
                    matrix[first + j][first + k] = products[i, i][j][k]
                    both = self._swept(0, length, functions[j], functions[k])
                    coupling += other * (both + twisted[j][k]) / 2
                matrix[first + j][-1] = matrix[-1][first + j] = coupling
            last += double_sum(self._stretched(i, length), amplitudes, amplitudes)
            first += len(amplitudes)
        matrix[-1][-1] = last
        return tuple(tuple(row) for row in matrix)

    def _stiffness(self, length: sympy.Symbol) -> Matrix:
        """K of the amplitudes at a length."""
        count = sum(self.modes)
        matrix: Matrix = [[0] * count for _ in range(count)]
        first = 0
        for i, curves in enumerate(self._functions(2)):
            for a, f in enumerate(curves):
                for b, g in enumerate(curves):
                    matrix[first + a][first + b] = sum(
                        link.stiffness[i] * link.integral(f * g, length) / length**3
                        for link in self._links
                    )
            first += len(curves)
        return matrix

    def strain_energy(self, xi: Symbols) -> Scalar:
        """Half the integral of EI (v''^2 + w''^2) over both links."""
        return half_form(self._stiffness(xi[-1]), xi[:-1])

    def dissipation(self, xi: Symbols, xi_rate: Symbols) -> Scalar:
        """Damping of the bending modes, constant, from their matrices at the reference length."""
        return half_form(self._damping, xi_rate[:-1])

    @cached_property
    def _damping(self) -> Matrix:
        count = sum(self.modes)
        ratios = [ratio for name in _DIRECTIONS for ratio in self._ratios[name]]
        if not any(value != 0 for value in (*ratios, *self.rayleigh)):
            return [[0] * count for _ in range(count)]
        symbol = sympy.Symbol("_length")
        xi = (*sympy.symbols(f"_xi:{count}"), symbol)
        mass, stiffness = (
            [[scalar(sympy.sympify(e).subs(symbol, self.length)) for e in row] for row in matrix]
            for matrix in (
                [row[:count] for row in self.invariants(xi).internal[:count]],
                self._stiffness(symbol),
            )
        )
        return damping_matrix(mass, stiffness, ratios, self.rayleigh, self.coordinates)

    def drawn_stations(self, xi: Symbols) -> tuple[Any, ...]:
        """Evenly from root to tip as it is now."""
        inner = tuple(xi[-1] * sympy.Rational(k, DRAWN) for k in range(1, DRAWN))
        return ("root", *inner, "tip")

    # -- attachments -----------------------------------------------------------------------------

    def attachment(self, at: Any, xi: Symbols) -> Attachment:
        """Place and turns at "root", "tip", "sleeve" (the end of the slewing link), or x [m] from
        the root, a number or an expression."""
        length, place = xi[-1], station(at, _STATIONS)
        fixed: dict[Any, tuple[Any, Any]] = {"root": (0.0, 0), "tip": (1.0, length)}
        x: Any = self.slewing_length if place == "sleeve" else place
        s, x = fixed[place] if place in ("root", "tip") else (sympy.sympify(x) / length, x)
        if is_number(x) and float(x) < 0:
            raise ModelError(f"the station x = {x} lies outside the beam, 0 to its length")
        deflections, slopes, short = [], [], sympy.Integer(0)
        for i in (0, 1):
            amplitudes = self._amplitudes(i, xi)
            values = [number_or_zero(f.at(s)) for f in self._values[i]]
            inclines = [number_or_zero(f.at(s)) / length for f in self._slopes[i]]
            deflections.append(row_sum(values, amplitudes))
            slopes.append(row_sum(inclines, amplitudes))
            if self.stiffening:
                table = [
                    [number_or_zero((f * g).integral(0.0, s)) for g in self._slopes[i]]
                    for f in self._slopes[i]
                ]
                short += double_sum(table, amplitudes, amplitudes) / (2 * length)
        turns = (("z", slopes[0]), ("y", -slopes[1]))
        return Attachment(
            (x - short, deflections[0], deflections[1]),
            tuple((axis, angle) for axis, angle in turns if angle != 0),
        )
