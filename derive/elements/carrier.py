"""Puts elements in terms of the bodies and coordinates that are left when bodies merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from eomc.derive.joints.joint import Joint, Mimic
from eomc.derive.language.errors import ModelError
from eomc.derive.language.grammar import coordinate_symbol, speed_symbol
from eomc.derive.language.scalar import Vector3, scalar
from eomc.derive.placement.placement import Placement, Point
from eomc.derive.placement.rotation import rotate

__all__ = ["Carrier"]


@dataclass(frozen=True)
class Carrier:
    """`places`: of each body, the one that it became part of, and its frame in that body's frame;
    `joints` with their mimic rules resolved."""

    places: Mapping[str, tuple[str, Placement]]
    joints: Mapping[str, Joint]

    def place(self, body: str) -> tuple[str, Placement]:
        """The body that is left, and the frame of `body` in its frame."""
        if body not in self.places:
            raise ModelError(f"unknown body {body!r}")
        return self.places[body]

    def at(self, point: Point) -> Point:
        """The same point of a body that is left."""
        body, place = self.place(point.body)
        return Point(body, place.point(point.xyz)) if body != point.body else point

    def turned(self, direction: Vector3, body: str) -> Vector3:
        """A direction in the axes of the body that is left."""
        return rotate(self.place(body)[1].matrix, direction)

    def within(self, value: Any) -> Any:
        """A value, or a tuple of them, without coordinates that are given."""
        if isinstance(value, tuple):
            return tuple(self.within(entry) for entry in value)
        if not self.values or not isinstance(value, sympy.Basic):
            return value
        return scalar(value.xreplace(self.values))

    def stands_still(self, name: str) -> bool:
        """True for the name of a joint, coordinate or speed that is frozen."""
        return name in self._frozen

    def rule(self, speed: str) -> Mimic | None:
        """The rule by which the joint of that one speed follows another."""
        return self.joints[speed].mimic if speed in self.joints else None

    @cached_property
    def _frozen(self) -> frozenset[str]:
        return frozenset(
            name
            for joint in self.joints.values()
            if joint.is_fixed
            for name in (joint.name, *joint.coordinates, *joint.speeds)
        )

    @cached_property
    def values(self) -> dict[sympy.Symbol, sympy.Expr]:
        """Expressions for the coordinates and speeds of locked and mimicking joints, by symbol."""
        values: dict[sympy.Symbol, sympy.Expr] = {}
        for joint in self.joints.values():
            if joint.locked is not None:
                for name, value in zip(joint.coordinates, joint.locked, strict=True):
                    for symbol in (sympy.Symbol(name), coordinate_symbol(name)):
                        values[symbol] = sympy.sympify(value)
                values.update({speed_symbol(name): sympy.Integer(0) for name in joint.speeds})
            elif joint.mimic is not None:
                leader, (name,) = joint.mimic.joint, joint.coordinates
                multiplier = sympy.sympify(joint.mimic.multiplier)
                place = multiplier * coordinate_symbol(leader) + joint.mimic.offset
                values[coordinate_symbol(name)] = place
                values[sympy.Symbol(name)] = multiplier * sympy.Symbol(leader) + joint.mimic.offset
                values[speed_symbol(name)] = multiplier * speed_symbol(leader)
        return values
