"""Constraints on coordinates: gears and screws, drivers, expressions of the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy

from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.element import Element
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import Number, coordinate, number
from eomc.derive.fields.scope import SOLVED, TIMED, VELOCITY
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene

if TYPE_CHECKING:
    from eomc.derive.elements.carrier import Carrier


@kind("expression")
class CoordinateConstraint(Constraint):
    """An expression phi(q, t) = 0 in coordinates, parameters, time and unknowns that these tell."""

    expression: Number = number(scope=SOLVED)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """phi(q, t)"""
        yield Row(self.name, "expression", scene.scalar(self.expression))


@kind("velocity")
class SpeedConstraint(Constraint):
    """An expression psi(q, u, t) = 0, linear in the speeds."""

    expression: Number = number(scope=VELOCITY)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """psi(q, u, t), linear in u"""
        yield Row(self.name, "velocity", scene.scalar(self.expression), holonomic=False)


class _Relation(Constraint):
    """A relation between coordinates, some of which may be given elsewhere."""

    @property
    def residual(self) -> sympy.Expr:
        """The expression that the relation holds at zero."""
        raise NotImplementedError

    def transformed(self, carrier: Carrier) -> Element | None:
        """Written out as an expression where coordinates are given."""
        if not carrier.values:
            return super().transformed(carrier)
        residual = carrier.within(self.residual)
        return CoordinateConstraint(self.name, residual, source=self.source)


@kind("coupling")
class Coupling(_Relation):
    """first = ratio * second + offset: a gear (1) or a screw (m/rad)."""

    first: str = coordinate("that follows")
    second: str = coordinate("that leads")
    ratio: Number = number("1, m/rad or rad/m")
    offset: Number = number("rad or m", scope=TIMED, default=0)

    @property
    def residual(self) -> sympy.Expr:
        """first - ratio second - offset"""
        first, second = map(sympy.Symbol, (self.first, self.second))
        return first - (self.ratio * second + self.offset)

    def drawn_wheels(self) -> tuple[str, str, Any]:
        """Of a gear."""
        return self.first, self.second, self.ratio

    def rows(self, scene: Scene) -> Iterator[Row]:
        """first - ratio second - offset"""
        first, second = scene.variables[self.first], scene.variables[self.second]
        ratio, shift = scene.scalar(self.ratio), scene.scalar(self.offset)
        yield Row(self.name, "coupling", first - ratio * second - shift)


@kind("driver")
class Driver(_Relation):
    """A coordinate is a function of time."""

    first: str = coordinate("that is driven")
    expression: Number = number("rad or m", scope=SOLVED)

    @property
    def residual(self) -> sympy.Expr:
        """first - f(t)"""
        return sympy.Symbol(self.first) - sympy.sympify(self.expression)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """first - f(t)"""
        first = scene.variables[self.first]
        yield Row(self.name, "driver", first - scene.scalar(self.expression))
