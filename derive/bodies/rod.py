"""Rod that bends far: geometrically exact, with its strains as coordinates.

A section at X stands at g(X), g' = g xi^, with the strain xi = (twist, curvature about y and z; 1 +
stretch, shears along y and z) in its own axes, x along the rod. The strain is that of the
stress-free rod and functions of X times coordinates: whatever these are, every shape that comes out
is one that the rod can take, and rotations of any size are exact. The elastic energy

    V = 1/2 integral of (xi - xi0)^T S (xi - xi0) dX = q^T K q / 2

has a constant matrix K: stiffening by turning or by tension, buckling, follower forces come out of
kinematics alone, never of a term of their own. A component without functions is held by
construction, so that a rod without stretch and shear (Kirchhoff's) needs neither constraint nor
penalty. Mass and section inertia stand at Gauss points, from one of which to the next the pose is
the exponential of a Magnus expansion. References: Simo, *A finite strain beam formulation*, Comp.
Meth. Appl. Mech. Eng. 49 (1985); Renda and others, IEEE Robotics and Automation Letters 5 (2020);
Boyer and others, IEEE Transactions on Robotics 37 (2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.derive.bodies.beam_arguments import extent, non_negative, one_or_pair, positive
from eomc.derive.bodies.form import DRAWN, Form
from eomc.derive.bodies.rod_arguments import (
    COMPONENTS,
    Strains,
    couplings,
    radii,
    section_moments,
    strain_bases,
)
from eomc.derive.bodies.rod_body import RodShape
from eomc.derive.bodies.shape import Read
from eomc.derive.fields.field import Whole, number, of_kind, unread
from eomc.derive.geometry import Inertia, Symmetric, Vector
from eomc.derive.graph import Graph, constant
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, is_number, is_zero, scalar, vector3
from eomc.derive.language.value import value_of
from eomc.derive.rods.bent_rod import GaussSection, RodOnGraph
from eomc.derive.rods.folding import fold_rows, gyration
from eomc.derive.rods.magnus import ORDERS
from eomc.derive.rods.properties import PLACE, at_place, quadratic_form, stiffness_matrix
from eomc.derive.rods.strain_basis import StrainBasis, increasing, strain_basis

__all__ = ["COMPONENTS", "Rod"]

_SHORT = ("kx", "ky", "kz", "stretch", "sheary", "shearz")
_STIFFNESS = ("GJ", "EI", "EI", "EA", "GA", "GA")
_STATIONS = ("root", "tip")
_MOST_REACH = 7.0
_MOST_POINTS = 500
_PLANAR, _SPATIAL, _MOST = 150, 1000, 20_000
"""Operations of inverse dynamics for a section, and of its derivatives at most."""


@kind("rod")
class Rod(Form):
    """Geometrically exact rod along the body's x axis, its root at the body's origin.

    Examples
    --------
    >>> whip = Rod(length=2, mass_per_length=3, EI=50, strains={"bend_z": 3})
    >>> whip.coordinates
    ('kz1', 'kz2', 'kz3')

    Parameters
    ----------
    length : Scalar
        L [m].
    mass_per_length : Scalar
        [kg/m]; this, the stiffnesses, the section inertia and the curvature may hold the symbol x,
        the distance from the root [m].
    strains : table by component
        "twist", "bend_y", "bend_z" (curvature about y and z), "stretch", "shear_y", "shear_z": a
        number of Legendre functions, or a table {basis, ...} with the basis "legendre" (functions),
        "polynomial" (degree) or "b-spline" (degree, knots as fractions of the length). Components
        that are left out are held. Coordinates are kx1, ..., ky1, ..., kz1, ..., stretch1, ...,
        sheary1, ..., shearz1, ...: curvatures as angles a length [rad], the others as they are.
    EI, GA : Scalar or pair
        Stiffness in bending [N m^2] about y and z, and in shear [N] along y and z.
    GJ, EA : Scalar
        Stiffness in torsion [N m^2] and stretch [N].
    coupling : (component, component, Scalar) each
        Further entries of the stiffness of the section, in N m^2, N m or N.
    section_inertia : three Scalars
        Mass moments of inertia of the sections per length, about x, y and z [kg m]. Twist needs the
        first, shear along y the third and along z the second.
    curvature : three Scalars
        Twist and curvatures of the stress-free rod [1/m].
    damping : Scalar
        Retardation time [s] of Kelvin and Voigt's law: the stress is S (strain + damping strain').
    points : int
        Gauss points in each piece, for mass and, between them, the pose.
    order : 2, 4 or 6
        Of the Magnus expansion.
    breaks : fractions of the length at which what the rod is made of has kinks
    reach : float
        Largest angle [rad] from one point to the next; beyond it functions of the model fail with
        a code such as "rod_beyond_reach_in_rod_segment_3".
    radius : Scalar or pair
        How far the sections reach [m] along y and z; it may hold x. Runs and equilibria tell where
        sections fold over their neighbours (`folds`). Without it they are taken to reach as far as
        their radii of gyration, by `section_inertia`, at least do.

    Raises
    ------
    ModelError
        Naming the argument and the component.
    """

    length: Scalar = number("m", "along the x axis")
    mass_per_length: Scalar = number("kg/m")
    strains: Any = of_kind(Strains("functions of each component"))
    EI: Any = unread("N m^2", "bending stiffness, one or a pair", default=None)
    GJ: Any = unread("N m^2", "stiffness in torsion", default=None)
    EA: Any = unread("N", "stiffness in stretch", default=None)
    GA: Any = unread("N", "stiffness in shear, one or a pair", default=None)
    coupling: Any = unread("N m^2, N m or N", "component, component, stiffness", default=())
    section_inertia: Any = unread(
        "kg m", "of sections per length, about x, y and z", default=(0, 0, 0)
    )
    curvature: Any = unread("1/m", "twist and curvatures without stress", default=(0, 0, 0))
    damping: Scalar = number("", "damping ratios", default=0)
    points: Any = unread("", "Gauss points in each piece", default=None)
    order: Any = unread("", "of the Magnus expansion: 2, 4 or 6", default=4)
    breaks: Any = unread("", "fractions of the length with kinks", default=())
    reach: Any = unread("rad", "largest angle between points", default=1.5)
    radius: Any = unread("m", "reach of the sections along y and z", default=None)

    def __post_init__(self) -> None:
        for name, value in (
            ("length", extent(self.length, "length")),
            ("mass_per_length", positive(self.mass_per_length, "mass_per_length")),
            ("strains", strain_bases(self.strains)),
            ("EI", None if self.EI is None else one_or_pair(self.EI, "EI")),
            ("GA", None if self.GA is None else one_or_pair(self.GA, "GA")),
            ("EA", None if self.EA is None else positive(self.EA, "EA")),
            ("GJ", None if self.GJ is None else positive(self.GJ, "GJ")),
            ("damping", non_negative(self.damping, "damping")),
            ("section_inertia", section_moments(self.section_inertia)),
            ("curvature", vector3(self.curvature, "curvature")),
            ("breaks", increasing(self.breaks, "breaks")),
            ("coupling", couplings(self.coupling)),
            ("radius", None if self.radius is None else radii(self.radius)),
        ):
            object.__setattr__(self, name, value)
        if self.order not in ORDERS:
            raise ModelError(f"order is {self.order!r}; valid: {', '.join(map(str, ORDERS))}")
        if isinstance(self.reach, bool) or not isinstance(self.reach, int | float):
            raise ModelError(f"reach is {self.reach!r}; give an angle in rad")
        if not 0 < self.reach <= _MOST_REACH:
            raise ModelError(f"reach is {self.reach:g} rad; give an angle between 0 and 7")
        self._check_inertia()
        for name in ("_stiffness", "_points"):
            getattr(self, name)

    # -- arguments -------------------------------------------------------------------------------

    @cached_property
    def bases(self) -> tuple[tuple[int, StrainBasis], ...]:
        """(component, basis) of those that are not held by construction."""
        return tuple((COMPONENTS.index(name), strain_basis(given)) for name, given in self.strains)

    @cached_property
    def _kinks(self) -> tuple[float, ...]:
        """Fractions of the length at which a basis or a property of the rod has kinks."""
        found = {*self.breaks}
        for _, basis in self.bases:
            found.update(basis.kinks)
        return tuple(sorted(found))

    def _check_inertia(self) -> None:
        """Twist and shear move nothing without section inertia."""
        needs = {0: "x", 4: "z", 5: "y"}
        for component, _ in self.bases:
            axis = needs.get(component)
            if axis is not None and is_zero(self.section_inertia["xyz".index(axis)]):
                raise ModelError(
                    f"component {COMPONENTS[component]!r} needs section_inertia about {axis} > 0: "
                    "without it the mass matrix is singular, or nearly so"
                )

    @cached_property
    def _stiffness(self) -> dict[tuple[int, int], Scalar]:
        """By pairs of components."""
        bend = self.EI if isinstance(self.EI, tuple) else (self.EI, self.EI)
        shear = self.GA if isinstance(self.GA, tuple) else (self.GA, self.GA)
        own = (self.GJ, *bend, self.EA, *shear)
        found: dict[tuple[int, int], Scalar] = {}
        for component, _ in self.bases:
            value = own[component]
            if value is None:
                raise ModelError(
                    f"component {COMPONENTS[component]!r} needs {_STIFFNESS[component]}"
                )
            found[component, component] = value
        active = {component for component, _ in self.bases}
        for first, second, value in self.coupling:
            a, b = sorted((COMPONENTS.index(first), COMPONENTS.index(second)))
            if a == b:
                raise ModelError(f"coupling: {first!r} with itself; give {_STIFFNESS[a]}")
            for component in (a, b):
                if component not in active:
                    raise ModelError(f"coupling: component {COMPONENTS[component]!r} is held")
            found[a, b] = value
        return found

    @cached_property
    def _points(self) -> int:
        """Gauss points in each piece: twice the functions that live there, at least five."""
        most = max(basis.per_piece for _, basis in self.bases)
        if self.points is None:
            return max(5, 2 * most)
        given = Whole(least=1, most=_MOST_POINTS).read(self.points, "points")
        for component, basis in self.bases:
            if given < basis.per_piece + 1:
                raise ModelError(
                    f"points is {given}: component {COMPONENTS[component]!r} has "
                    f"{basis.per_piece} functions in a piece and needs {basis.per_piece + 1}, as "
                    "functions that the points cannot see move no mass"
                )
        return given

    @cached_property
    def gauss(self) -> tuple[tuple[float, float], ...]:
        """(s, weight) of all Gauss points, from root to tip, as fractions of the length."""
        nodes, weights = np.polynomial.legendre.leggauss(self._points)
        edges = [0.0, *self._kinks, 1.0]
        return tuple(
            (a + (b - a) * (float(x) + 1) / 2, (b - a) * float(w) / 2)
            for a, b in pairwise(edges)
            for x, w in zip(nodes, weights, strict=True)
        )

    @property
    def positive(self) -> tuple[tuple[str, Scalar], ...]:
        """Length, mass and stiffnesses, at the root and at the tip."""
        found: list[tuple[str, Scalar]] = [("length", self.length)]
        given = [("mass_per_length", self.mass_per_length)]
        given += [(_STIFFNESS[c], self._stiffness[c, c]) for c, _ in self.bases]
        for x in (0, self.length):
            found += [(name, at_place(value, x)) for name, value in given]
        found += [
            ("stretch of the stress-free rod at its radius", 1 - sympy.sqrt(bent))
            for s in (0.0, 1.0)
            if self.radius is not None and (bent := self._bent_at_rest(s)) != 0
        ]
        return tuple(found)

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """All scalars of the declaration."""
        along = [self.mass_per_length, *self._stiffness.values(), *self.section_inertia]
        along += [*self.curvature, *(self.radius or ())]
        names = sympy.Tuple(*map(sympy.sympify, along)).free_symbols - {PLACE}
        return (self.length, self.damping, *sorted(names, key=str))

    # -- the form --------------------------------------------------------------------------------

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """kx1, ..., ky1, ..., kz1, ..., stretch1, ..., sheary1, ..., shearz1, ..."""
        return tuple(f"{_SHORT[c]}{j + 1}" for c, basis in self.bases for j in range(basis.size))

    @property
    def units(self) -> tuple[str, ...]:
        """rad for curvatures times the length, 1 for stretch and shear."""
        return tuple("rad" if c < 3 else "1" for c, basis in self.bases for _ in range(basis.size))

    @property
    def is_differenced(self) -> bool:
        """Beyond some hundred thousand operations, told by sections and functions."""
        planar = all(c in (2, 3, 4) for c, _ in self.bases)
        a_section = _PLANAR if planar else _SPATIAL
        return 2 * a_section * len(self.gauss) * len(self.coordinates) > _MOST

    @property
    def whole_mass(self) -> Scalar:
        """The integral of mass_per_length [kg]."""
        total = sum(
            weight * sympy.sympify(at_place(self.mass_per_length, self._place(s)))
            for s, weight in self.gauss
        )
        return scalar(total * self.length)

    def _place(self, s: float) -> Scalar:
        return s * self.length if is_number(self.length) else scalar(sympy.Float(s) * self.length)

    @cached_property
    def stiffness(self) -> list[list[Scalar]]:
        """K (k, k)"""
        return stiffness_matrix(self.length, self.bases, self._stiffness, self._kinks)

    @cached_property
    def folds(self) -> tuple[tuple[Scalar, ...], ...]:
        """At the Gauss points and the ends: see `eomc.derive.rods.folding`."""
        stations = (0.0, *(s for s, _ in self.gauss), 1.0)
        return fold_rows(stations, self.length, self.bases, self._radii, self._bent)

    def _radii(self, s: float) -> tuple[Scalar, Scalar]:
        """Reach of the section along y and z: `radius` if given, else radii of gyration."""
        x = self._place(s)
        if self.radius is not None:
            y, z = (at_place(entry, x) for entry in self.radius)
            return y, z
        _, about_y, about_z = (at_place(entry, x) for entry in self.section_inertia)
        mass = at_place(self.mass_per_length, x)
        return gyration(about_z, mass), gyration(about_y, mass)

    def _bent(self, s: float) -> list[Scalar]:
        """Twist and curvatures of the stress-free rod."""
        return [at_place(entry, self._place(s)) for entry in self.curvature]

    def _bent_at_rest(self, s: float) -> Scalar:
        """(r_y kappa_z)^2 + (r_z kappa_y)^2 of the stress-free rod."""
        (y, z), (_, about_y, about_z) = self._radii(s), map(sympy.sympify, self._bent(s))
        return scalar((y * about_z) ** 2 + (z * about_y) ** 2)

    def strain_energy(self, xi: Sequence[sympy.Symbol]) -> Scalar:
        """xi^T K xi / 2"""
        energy: Scalar = quadratic_form(self.stiffness, xi)
        return energy

    def dissipation(self, xi: Sequence[sympy.Symbol], xi_rate: Sequence[sympy.Symbol]) -> Scalar:
        """damping xi'^T K xi' / 2"""
        if is_zero(self.damping):
            return 0
        losses: Scalar = self.damping * quadratic_form(self.stiffness, xi_rate)
        return losses

    def read_station(self, at: Any) -> float:
        """ "root", "tip", or the distance from the root [m], as a fraction of the length."""
        if isinstance(at, str) and at in _STATIONS:
            return float(_STATIONS.index(at))
        words = "give 'root', 'tip' or a distance [m] from the root"
        try:
            s = scalar(sympy.sympify(scalar(at, "station")) / self.length)
        except ModelError:
            raise ModelError(f"no station {at!r}; {words}") from None
        if not is_number(s):
            raise ModelError(
                f"station {at}: by the length of the rod it is no number; {words}, fixed on the rod"
            )
        if not 0 <= float(s) <= 1:
            raise ModelError(f"station {at} lies outside of the rod, 0 to {self.length} m")
        return float(s)

    def drawn_stations(self, xi: Sequence[sympy.Symbol]) -> tuple[Any, ...]:
        """From the root to the tip."""
        steps = 2 * DRAWN
        inner = (sympy.Rational(k, steps) * self.length for k in range(1, steps))
        return ("root", *inner, "tip")

    def on_graph(self, read: Read, held: Mapping[str, Scalar], name: str = "") -> RodShape:
        """The rod on a graph, without the coordinates that are `held`."""
        zero = read(0)
        sections = []
        for s, weight in self.gauss:
            x = self._place(s)
            share = read(self.length) * weight
            mass = read(at_place(self.mass_per_length, x)) * share
            x_, y_, z_ = (read(at_place(entry, x)) * share for entry in self.section_inertia)
            about = Symmetric(x_, y_, z_, zero, zero, zero)
            inertia = Inertia.of_body(mass, Vector(zero, zero, zero), about)
            sections.append(GaussSection(s, inertia))

        def curvature(s: float) -> list[Any]:
            return [read(entry) for entry in self._bent(s)]

        places = [(k, read(held[n])) for k, n in enumerate(self.coordinates) if n in held]
        rod = RodOnGraph(
            read(self.length),
            self.bases,
            curvature,
            tuple(sections),
            self.order,
            float(self.reach),
            tuple(places),
            name,
        )
        return RodShape(rod)

    def poses(self, q: Sequence[float], at: Sequence[Any]) -> NDArray[np.float64]:
        """Poses (n, 4, 4) of stations in the body's frame at coordinates q (k,), for a rod whose
        length and curvature are numbers.

        Examples
        --------
        >>> hoop = Rod(length=1, mass_per_length=1, EI=1, strains={"bend_z": 1}, points=8)
        >>> float(np.round(hoop.poses([np.pi], ["tip"])[0, 1, 3], 12) == round(2 / np.pi, 12))
        1.0
        """
        graph = Graph()
        shape = self.on_graph(lambda value: constant(graph, value_of(value)), {})
        given = [constant(graph, float(entry)) for entry in q]
        found = np.zeros((len(at), 4, 4))
        for pose, station in zip(found, at, strict=True):
            rotation, origin = shape.place(self.read_station(station)).pose(given)
            rows = (*rotation.matrix(constant(graph, 0)).rows, origin)
            numbers = [[float(graph.number(entry.node) or 0) for entry in row] for row in rows]
            pose[:3, :3], pose[:3, 3], pose[3, 3] = numbers[:3], numbers[3], 1.0
        return found

    def strains_at(self, q: Sequence[float], at: Sequence[Any]) -> NDArray[np.float64]:
        """Strains (n, 6) at stations beyond those of the stress-free rod, for a rod whose length is
        a number: twist, curvatures [1/m], stretch, shears.

        Examples
        --------
        >>> hoop = Rod(length=2, mass_per_length=1, EI=1, strains={"bend_z": 1})
        >>> hoop.strains_at([np.pi], ["root"]).round(6).tolist()
        [[0.0, 0.0, 1.570796, 0.0, 0.0, 0.0]]
        """
        found = np.zeros((len(at), 6))
        sizes = [1 / value_of(self.length) if c < 3 else 1.0 for c, _ in self.bases]
        for row, station in zip(found, at, strict=True):
            rest = list(q)
            for (component, basis), size in zip(self.bases, sizes, strict=True):
                values = basis(self.read_station(station))
                row[component] = size * float(np.dot(values, rest[: len(values)]))
                del rest[: len(values)]
        return found

    def resultants(self, q: Sequence[float], at: Sequence[Any]) -> NDArray[np.float64]:
        """Stress resultants (n, 6) at stations, S (xi - xi0) in section axes: moments [N m] about
        x, y and z, normal force and shear forces [N]; zero of components that are held, whose
        resultants are constraint forces. For a rod whose stiffness holds no parameters.

        Examples
        --------
        >>> hoop = Rod(length=2, mass_per_length=1, EI="3 - x", strains={"bend_z": 1})
        >>> hoop.resultants([np.pi], ["root", 1.0]).round(6)[:, 2].tolist()
        [4.712389, 3.141593]
        """
        strains = self.strains_at(q, at)
        found = np.zeros_like(strains)
        for row, strain, station in zip(found, strains, at, strict=True):
            x = self._place(self.read_station(station))
            for (a, b), density in self._stiffness.items():
                value = value_of(at_place(density, x))
                row[a] += value * strain[b]
                if a != b:
                    row[b] += value * strain[a]
        return found
