"""Deformable body on the graph: a form's invariants in the equations of motion.

With the coefficients m, h, J, P, H, M of the kinetic energy (see `eomc.derive.bodies.form`), all
but m functions of xi, and d/dt along xi',

    f = m a + U h + w x (h' + P xi') + (P xi')'
    n = J w' + w x J w + h x a + J' w + w x H xi' + (H xi')'
    s = P.a + H.w' + (M xi')' + H'.w - d/dxi (w.J w / 2 + w.H xi' + xi'.M xi' / 2)

Strain energy and dissipation act as loads. The derivatives by xi are taken on the graph, where
constant coefficients vanish by structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derive.bodies.body import Forces
from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.geometry import (
    Acceleration,
    Inertia,
    SpatialForce,
    SpatialMomentum,
    SpatialMotion,
    Symmetric,
    Vector,
)
from eomc.derive.graph import Expression, ForwardSweep


@dataclass(frozen=True)
class FormOnGraph:
    """Invariants of a form with expressions of a graph as entries; see
    `eomc.derive.bodies.form.Invariants`."""

    mass: Expression
    first: tuple[Expression, ...]
    inertia: tuple[Expression, ...]
    linear: tuple[tuple[Expression, ...], ...] = ()
    angular: tuple[tuple[Expression, ...], ...] = ()
    internal: tuple[tuple[Expression, ...], ...] = ()

    def body(self, rigid: Inertia, xi: Sequence[Expression]) -> DeformableBody | RigidBody:
        """The body at internal coordinates xi; a rigid one if there are none."""
        if not xi:
            return RigidBody(rigid + rigid_part(self))
        return DeformableBody(rigid, xi, self)

    def place(self, station: object) -> None:
        """Places are told by attachments."""
        return


class DeformableBody:
    """Rigid part and invariants of a form in the axes of the link, on the graph.

    Parameters
    ----------
    rigid : Inertia
        What is fixed to the body's own frame.
    xi : list of Expression
        Internal coordinates: symbols of the graph.
    form : OnGraph
        Coefficients of the kinetic energy.
    """

    is_rigid = False

    def __init__(self, rigid: Inertia, xi: Sequence[Expression], form: FormOnGraph) -> None:
        self.xi = tuple(xi)
        self.form = form
        self.rotational = Symmetric(*form.inertia)
        self.first = Vector(*form.first)
        self.inertia = rigid + rigid_part(form)
        self.linear = [Vector(*column) for column in form.linear]
        self.angular = [Vector(*column) for column in form.angular]
        self.mass = [list(row) for row in form.internal]

    def with_rigid_part(self, rigid: Inertia) -> DeformableBody:
        """The same form with another inertia fixed to the body's frame."""
        return DeformableBody(rigid, self.xi, self.form)

    # -- derivatives by xi ---------------------------------------------------------------------

    @cached_property
    def _coefficients(self) -> list[Expression]:
        entries = [*self.first, *self.rotational.entries]
        for column in (*self.linear, *self.angular):
            entries += column
        return entries + [entry for row in self.mass for entry in row]

    @cached_property
    def _sweep(self) -> ForwardSweep:
        return ForwardSweep(self.xi[0].graph, [entry.node for entry in self._coefficients])

    def _along(self, direction: Sequence[Expression]) -> _Coefficients:
        """Derivative of all coefficients along a direction of xi."""
        seeds = {xi.node: dot.node for xi, dot in zip(self.xi, direction, strict=True)}
        graph, k = self.xi[0].graph, len(self.xi)
        entries = [Expression(graph, node) for node in self._sweep(seeds)]
        vectors = [Vector(*entries[i : i + 3]) for i in range(9, 9 + 6 * k, 3)]
        rest = entries[9 + 6 * k :]
        return _Coefficients(
            Vector(*entries[:3]),
            Symmetric(*entries[3:9]),
            vectors[:k],
            vectors[k:],
            [rest[i * k : (i + 1) * k] for i in range(k)],
        )

    @cached_property
    def _partials(self) -> list[_Coefficients]:
        zero = self.inertia.mass * 0
        return [
            self._along([zero + int(i == j) for i in range(len(self.xi))])
            for j in range(len(self.xi))
        ]

    # -- equations of motion ---------------------------------------------------------------------

    def forces(
        self, motion: Acceleration, rates: Sequence[Expression], accelerations: Sequence[Expression]
    ) -> Forces:
        """f, n and s for the motion of the link and of the internal coordinates."""
        body, w, a = self.inertia, motion.w, motion.a
        dot = self._along(rates)
        zero = Vector(*(body.mass * 0,) * 3)
        p, h = _sum(self.linear, rates, zero), _sum(self.angular, rates, zero)
        p_rate = _sum(self.linear, accelerations, zero) + _sum(dot.linear, rates, zero)
        h_rate = _sum(self.angular, accelerations, zero) + _sum(dot.angular, rates, zero)
        force = a * body.mass + motion.u @ body.first + w.cross(dot.first + p) + p_rate
        moment = motion.u.moment(body.second) + body.first.cross(a)
        moment = moment + dot.rotational @ w + w.cross(h) + h_rate
        wrench = SpatialForce(linear=force, angular=moment)
        return Forces(wrench, self._internal(motion, rates, accelerations, dot))

    def _internal(
        self,
        motion: Acceleration,
        rates: Sequence[Expression],
        accelerations: Sequence[Expression],
        dot: _Coefficients,
    ) -> list[Expression]:
        """s = d/dt dT/dxi' - dT/dxi"""
        w = motion.w
        result = []
        for j, partial in enumerate(self._partials):
            s = self.linear[j].dot(motion.a) + self.angular[j].dot(motion.alpha)
            s = s + _dot(self.mass[j], accelerations) + _dot(dot.mass[j], rates)
            s = s + dot.angular[j].dot(w)
            s = s - _quadratic(partial.rotational, w)
            for k, rate in enumerate(rates):
                s = s - rate * partial.angular[k].dot(w)
                for i, other in enumerate(rates[: k + 1]):
                    entry = partial.mass[k][i] * rate * other
                    s = s - (entry / 2 if i == k else entry)
            result.append(s)
        return result

    def momentum(
        self, twist: SpatialMotion, rates: Sequence[Expression]
    ) -> tuple[SpatialMomentum, list[Expression]]:
        """(p, h) and pi of (v, w) and xi'."""
        held = self.inertia @ twist
        p = _sum(self.linear, rates, held.linear)
        h = _sum(self.angular, rates, held.angular)
        v, w = twist.linear, twist.angular
        internal = [
            self.linear[j].dot(v) + self.angular[j].dot(w) + _dot(row, rates)
            for j, row in enumerate(self.mass)
        ]
        return SpatialMomentum(linear=p, angular=h), internal

    def coupling(self) -> list[SpatialMomentum]:
        """(P_j, H_j)"""
        pairs = zip(self.linear, self.angular, strict=True)
        return [SpatialMomentum(linear=p, angular=h) for p, h in pairs]

    def internal_mass(self) -> list[list[Expression]]:
        """M"""
        return self.mass


def rigid_part(form: FormOnGraph) -> Inertia:
    """Mass, first and second moment of a form on the graph, its internal coordinates held."""
    j = Symmetric(*form.inertia)
    half = (j.xx + j.yy + j.zz) / 2
    second = Symmetric(half - j.xx, half - j.yy, half - j.zz, -j.xy, -j.xz, -j.yz)
    return Inertia(form.mass, Vector(*form.first), second)


class _Coefficients:
    """A derivative of all coefficients."""

    __slots__ = ("angular", "first", "linear", "mass", "rotational")

    def __init__(
        self,
        first: Vector,
        rotational: Symmetric,
        linear: list[Vector],
        angular: list[Vector],
        mass: list[list[Expression]],
    ) -> None:
        self.first, self.rotational = first, rotational
        self.linear, self.angular, self.mass = linear, angular, mass


def _sum(vectors: Sequence[Vector], factors: Sequence[Expression], start: Vector) -> Vector:
    for vector, factor in zip(vectors, factors, strict=True):
        start = start + vector * factor
    return start


def _dot(row: Sequence[Expression], factors: Sequence[Expression]) -> Expression:
    total = factors[0] * 0
    for entry, factor in zip(row, factors, strict=True):
        total = total + entry * factor
    return total


def _quadratic(j: Symmetric, w: Vector) -> Expression:
    """w.J w / 2"""
    diagonal = j.xx * (w.x * w.x) + j.yy * (w.y * w.y) + j.zz * (w.z * w.z)
    products = j.xy * (w.x * w.y) + j.xz * (w.x * w.z) + j.yz * (w.y * w.z)
    return diagonal / 2 + products
