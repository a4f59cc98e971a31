"""Forms of deformable bodies, declared in SymPy by energies and attachments, and nothing else.

A form has internal coordinates xi (modal amplitudes, a deployed length, whatever shapes the body).
Its material points move with the twist (w, v) of the body frame and with xi', so that its kinetic
energy is a quadratic form whose coefficients depend on xi alone,

    T = m v.v / 2 + v.(w x h) + w.J w / 2 + v.P xi' + w.H xi' + xi'.M xi' / 2,

all vectors in body axes about the body origin. These coefficients are the `Invariants`. A form
gives either the invariants or the energy; each follows from the other. Weight, inertia, coupling,
linearization and emission follow from them. Reference: Shabana, *Dynamics of Multibody Systems*,
ch. 5 (floating frame of reference), with Meirovitch's quasi-velocities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, dataclass_transform

import sympy

from eomc.derive.bodies.shape import DeformedShape, Read
from eomc.derive.fields.field import Fields, number, of_kind, truth, unread, words
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import Scalar, Vector3

#: Pieces of the line as which pictures show a beam.
DRAWN = 12

Six = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]


@dataclass(frozen=True)
class Invariants:
    """Coefficients of the kinetic energy, functions of xi, in body axes about the body origin.

    Attributes
    ----------
    mass : Scalar
        m [kg].
    first : Vector3
        First moment h, the integral of r dm [kg m].
    inertia : six Scalars
        J (ixx, iyy, izz, ixy, ixz, iyz) [kg m^2], products with their sign in the matrix.
    linear : k Vector3
        P: linear momentum of each unit internal speed.
    angular : k Vector3
        H: angular momentum about the body origin of each unit internal speed.
    internal : k rows of k Scalars
        M: mass matrix of the internal speeds.
    """

    mass: Scalar
    first: Vector3
    inertia: Six
    linear: tuple[Vector3, ...]
    angular: tuple[Vector3, ...]
    internal: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class Attachment:
    """Pose on a deformed body at which a child joint, a force or a frame sits.

    displacement : position in body axes [m]; turns : successive rotations (axis, angle), axis one
    of "x", "y", "z" of the frame turned so far, angle in rad. Both are functions of xi.
    """

    displacement: Vector3
    turns: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True)
class LineProperties:
    """Mass, inertia and stiffness of a form along its undeformed x axis, for integrals of energies.

    All scalars but the first two may hold the symbol x. `stiffness` [N m^2 or N] is by direction:
    bending "y" and "z", "axial", "torsion". `section_inertia` is per length about x, y and z;
    `points` are (x, mass).
    """

    start: Scalar
    length: Scalar
    mass_per_length: Scalar
    section_inertia: tuple[Scalar, Scalar, Scalar]
    stiffness: Mapping[str, Scalar]
    points: tuple[tuple[Scalar, Scalar], ...] = ()


FORMS: Registry[type[Form]] = Registry("form", "eomc.derive.bodies", "eomc.derive.structures")


@dataclass_transform(frozen_default=True, field_specifiers=(number, truth, unread, words, of_kind))
@dataclass(frozen=True)
class Form(Fields, ABC):
    """A kind of deformable body.

    Override `coordinates`, one of `invariants` and `kinetic_energy`, and what applies of
    `strain_energy`, `dissipation` and `attachment`. Parameters of the model may stand in every
    expression as symbols of their names. Fields are declared as those of elements, see
    `eomc.derive.fields.field`, and read here; a form with a `__post_init__` of its own reads its
    fields itself.
    """

    kinds = FORMS
    kind: ClassVar[str] = ""
    """The word of its class in model files; of a class that is not registered none."""
    paths: ClassVar[tuple[str, ...]] = ()
    """Arguments that may name files; of a model file they start at its folder."""

    @staticmethod
    def named(made: type[Form], word: str) -> None:
        """Remember the word of a kind."""
        made.kind = word

    def __post_init__(self) -> None:
        self.read_fields()

    @property
    @abstractmethod
    def coordinates(self) -> tuple[str, ...]:
        """Short names of xi; the model calls them <body>_<name>."""

    @property
    def neutral(self) -> tuple[float, ...]:
        """xi of the reference configuration."""
        return (0.0,) * len(self.coordinates)

    @property
    def units(self) -> tuple[str, ...]:
        """Units of xi, for the manifest."""
        return ("m",) * len(self.coordinates)

    @property
    def slopes(self) -> tuple[tuple[Scalar, ...], ...]:
        """Rows over xi of turns that the theory of the form takes as small [rad], at as many places
        as it takes to see them; none where nothing is taken as small."""
        return ()

    @property
    def slopes_over(self) -> tuple[str, Scalar] | None:
        """The coordinate by which `slopes` are divided, and its reference value, of a body whose
        length is one."""
        return None

    @property
    def folds(self) -> tuple[tuple[Scalar, ...], ...]:
        """Rows (a, b, c) over (xi, 1), three for each place at which the form is looked at, of a
        body whose strains have an end: its sections fold where hypot(a, b) - c comes to 1."""
        return ()

    @property
    def stiffens(self) -> bool:
        """False if the form leaves geometric stiffness out, which matters where it turns fast."""
        return True

    @property
    def outline(self) -> tuple[tuple[Any, Any], ...]:
        """A polyline for pictures: (position, displacements (k, 3) of unit xi) of each point."""
        return ()

    @property
    def line(self) -> LineProperties | None:
        """Mass, inertia and stiffness of the form, if they lie along a line; `eomc.verify` then
        integrates energies of its own."""
        return None

    def invariants(self, xi: Sequence[sympy.Symbol]) -> Invariants:
        """Coefficients of the kinetic energy; by default the second derivatives of
        `kinetic_energy`."""
        return invariants_of(self, xi)

    def kinetic_energy(
        self,
        v: Sequence[sympy.Expr],
        w: Sequence[sympy.Expr],
        xi: Sequence[sympy.Symbol],
        xi_rate: Sequence[sympy.Expr],
    ) -> sympy.Expr:
        """T(v, w, xi, xi') [J]; by default the quadratic form of `invariants`."""
        return energy_of(self.invariants(xi), v, w, xi_rate)

    def strain_energy(self, xi: Sequence[sympy.Symbol]) -> Scalar:
        """V(xi) [J]"""
        return 0

    def dissipation(self, xi: Sequence[sympy.Symbol], xi_rate: Sequence[sympy.Symbol]) -> Scalar:
        """Rayleigh's function D(xi, xi') [W]; the internal forces are -dD/dxi'."""
        return 0

    def attachment(self, at: Any, xi: Sequence[sympy.Symbol]) -> Attachment:
        """The frame at the station `at`: a name such as "tip", or a number or expression [m].

        Raises `ModelError` with the valid stations.
        """
        raise ModelError(f"a {type(self).__name__} has no station {at!r} to attach to")

    def drawn_stations(self, xi: Sequence[sympy.Symbol]) -> tuple[Any, ...]:
        """Stations through which pictures draw the body as a line; none by default."""
        return ()

    def on_graph(
        self, read: Read, held: Mapping[str, Scalar], name: str = ""
    ) -> DeformedShape | None:
        """The form of the body `name` on a graph without the coordinates `held`, if it works out
        its own equations there; None if `invariants` and `attachment` tell all of it."""
        return None

    def read_station(self, at: Any) -> Any:
        """The station `at` as the shape on the graph takes it.

        Raises `ModelError` with the valid stations.
        """
        return at

    @property
    def is_differenced(self) -> bool:
        """True if exact derivatives of its equations would be too long to compile: what linearizes
        then takes differences."""
        return False

    @property
    def whole_mass(self) -> Scalar:
        """m [kg]; asked of forms with a shape of their own."""
        return 0

    def check_held(self, coordinate: str, value: Scalar) -> None:
        """Raise `ModelError` if `coordinate` cannot be held at `value`."""
        return

    @property
    def positive(self) -> tuple[tuple[str, Scalar], ...]:
        """Arguments, by name, that must be positive at the default values of parameters."""
        return ()

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """All scalars of the declaration, for the check of names; numbers need not be among
        them."""
        return ()


def energy_of(
    body: Invariants,
    v: Sequence[sympy.Expr],
    w: Sequence[sympy.Expr],
    xi_rate: Sequence[sympy.Expr],
) -> sympy.Expr:
    """The kinetic energy with the coefficients `body`."""
    v_, w_, first = sympy.Matrix(v), sympy.Matrix(w), sympy.Matrix(body.first)
    xx, yy, zz, xy, xz, yz = body.inertia
    inertia = sympy.Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    energy = body.mass * v_.dot(v_) / 2 + v_.dot(w_.cross(first)) + w_.dot(inertia * w_) / 2
    for j, rate in enumerate(xi_rate):
        carried = v_.dot(sympy.Matrix(body.linear[j])) + w_.dot(sympy.Matrix(body.angular[j]))
        energy += rate * carried
        energy += sum(rate * other * body.internal[j][k] / 2 for k, other in enumerate(xi_rate))
    return sympy.sympify(energy)


def invariants_of(form: Form, xi: Sequence[sympy.Symbol]) -> Invariants:
    """Coefficients of `form.kinetic_energy`.

    Raises `ModelError` if the energy is not that of a body: not quadratic in the velocities, or
    with a mass that depends on direction or deformation.
    """
    if type(form).kinetic_energy is Form.kinetic_energy:
        raise ModelError(
            f"a {type(form).__name__} declares neither invariants nor kinetic_energy; give one"
        )
    v = sympy.symbols("_vx _vy _vz")
    w = sympy.symbols("_wx _wy _wz")
    rates = sympy.symbols(f"_r:{len(xi)}")
    energy = sympy.sympify(form.kinetic_energy(v, w, xi, rates))
    velocities = [*v, *w, *rates]
    slopes = [energy.diff(velocity) for velocity in velocities]
    hessian = sympy.zeros(len(velocities))
    for i, slope in enumerate(slopes):
        for j, velocity in enumerate(velocities[: i + 1]):
            hessian[i, j] = hessian[j, i] = slope.diff(velocity)
    if hessian.free_symbols & set(velocities):
        raise ModelError(
            f"the kinetic energy of a {type(form).__name__} is not quadratic in v, w and xi'"
        )
    mass = hessian[0, 0]
    about = hessian[:3, 3:6]
    skew = sympy.simplify(about + about.T) == sympy.zeros(3, 3)
    if sympy.simplify(hessian[:3, :3] - mass * sympy.eye(3)) != sympy.zeros(3, 3) or not skew:
        raise ModelError(
            f"the kinetic energy of a {type(form).__name__} belongs to no body: its terms in v "
            "must be m v.v/2 + v.(w x h) + v.P xi'"
        )
    if mass.free_symbols & set(xi):
        raise ModelError(f"the mass of a {type(form).__name__} depends on its deformation")
    turning = hessian[3:6, 3:6]
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    count = len(rates)
    return Invariants(
        mass=mass,
        # v.(w x h) = v.(-[h]x w): the block of (v, w) is -[h]x
        first=(about[1, 2], about[2, 0], about[0, 1]),
        inertia=six(turning[i, j] for i, j in pairs),
        linear=tuple(vector3(hessian[:3, 6 + j]) for j in range(count)),
        angular=tuple(vector3(hessian[3:6, 6 + j]) for j in range(count)),
        internal=tuple(tuple(hessian[6 + j, 6 + k] for k in range(count)) for j in range(count)),
    )


def vector3(entries: Iterable[Scalar]) -> Vector3:
    """Three entries."""
    x, y, z = entries
    return (x, y, z)


def six(entries: Iterable[Scalar]) -> Six:
    """Six entries."""
    xx, yy, zz, xy, xz, yz = entries
    return (xx, yy, zz, xy, xz, yz)
