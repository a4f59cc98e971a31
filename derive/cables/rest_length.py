"""The rest length of the cable that is off its winches, L0, and the strain eps = L/L0 - 1."""

from __future__ import annotations

from functools import cached_property

from eomc.derive.cables.given import RestLengthExpression
from eomc.derive.cables.path import Path, Winding
from eomc.derive.cables.tension import Tension
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar
from eomc.derive.scene.loads import Loads, Scene


class RestLength:
    """L0 = length + sum of s r (gamma - theta) over the winches, and what acts on it."""

    def __init__(self, scene: Scene, path: Path, length: Scalar) -> None:
        self.scene, self.path, self.length = scene, path, RestLengthExpression(scene, length)
        self.turns = [RestLengthExpression(scene, winding.turn) for winding in path.windings]

    @property
    def is_driven(self) -> bool:
        """True if inputs or speeds stand in it: then no potential holds the cable's energy."""
        return any(given.is_driven for given in (self.length, *self.turns))

    @cached_property
    def value(self) -> Expression:
        """L0 [m]"""
        total = self.length.value
        for winding, turn in zip(self.path.windings, self.turns, strict=True):
            total = total + winding.lever * (winding.gamma - turn.value)
        return total

    @cached_property
    def rate(self) -> Expression:
        """L0' [m/s]"""
        total = self.length.rate
        for winding, turn in zip(self.path.windings, self.turns, strict=True):
            total = total + self._paid_out(winding, turn)
        return total

    @cached_property
    def strain(self) -> Expression:
        """eps; functions fail with ``no_rest_length_of_<name>`` where all of the cable is wound."""
        rest = self.value.required(f"no_rest_length_of_{self.path.code_name}")
        return self.path.length / rest - 1

    @cached_property
    def strain_rate(self) -> Expression:
        """eps' = (L' - (1 + eps) L0')/L0"""
        return (self.path.rate - (1 + self.strain) * self.rate) / self.value

    @cached_property
    def span_rates(self) -> list[Expression]:
        """Rates at which the spans get longer [m/s], less what a winch pays out by its turning;
        what the cable's swing unwinds is part of the stretch of the span."""
        rates = [part.stretch.rate for part in self.path.spans]
        for winding, turn in zip(self.path.windings, self.turns, strict=True):
            end = 0 if winding.first else -1
            rates[end] = rates[end] + winding.lever * turn.rate
        return rates

    def act(self, loads: Loads, tension: Tension, ratios: tuple[Expression, Expression]) -> None:
        """Add the forces of a tension at the winches and on lengths that are given; `ratios` are
        those of the first and the last span. By how much friction changes the tension there turns
        the drum; it leaves the work on the rest length."""
        for winding, turn in zip(self.path.windings, self.turns, strict=True):
            more = tension.on_length * (ratios[0 if winding.first else 1] - 1)
            winding.swing.pull(loads, (tension.on_length - tension.on_rest) * winding.lever)
            turn.act(loads, -((tension.on_rest + more) * winding.lever))
        self.length.act(loads, tension.on_rest)

    def _paid_out(self, winding: Winding, turn: RestLengthExpression) -> Expression:
        return winding.lever * (winding.swing.rate - turn.rate)
