r"""A variable w without inertia: an equation finds it, or that an energy is stationary.

    g(q, u, w, t, r) = 0,   or   V(q, w, t) with dV/dw = 0,  which acts with Q_k = -dV/dq_k

at fixed w: where V is stationary no more is left of the derivative by q. So a slider between two
springs needs no small mass, which would make equations stiff, and a wheel on a curve finds where it
touches. See `eomc.derive.system.unknowns` for how w is found and differentiated. Reference:
Lanczos, *The Variational Principles of Mechanics*, 4th ed., ch. V.3, ignoration of variables
without rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput, ElementUnknown
from eomc.derive.fields.field import FieldKind, Number, OptionalNumber, number, of_kind
from eomc.derive.fields.part import positive
from eomc.derive.fields.scope import FORCE, GIVEN, SOLVED
from eomc.derive.graph import Expression, symbol
from eomc.derive.graph.columns import swept
from eomc.derive.graph.traverse import substitute
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Scene
from eomc.derive.tree.link import LinkCoordinate


@kind("algebraic", plural="algebraic variables")
class Algebraic(ForceElement):
    """A variable without inertia, named as the element, that its `equation` finds, or that makes
    its `energy` stationary.

    The equation is an expression that vanishes at the solution. Newton's method begins at `guess`;
    its steps are kept between `lower` and `upper` and are judged against `scale`, a typical size.
    The name may stand in laws, forces and rates; as an output it is ``<name>.value``.
    """

    equation: OptionalNumber = number("", "what vanishes", scope=FORCE, default=None)
    energy: OptionalNumber = number("J", "that is stationary and acts", scope=SOLVED, default=None)
    initial_guess: Number = number("units of w", scope=GIVEN, default=0)
    scale: Number = number("units of w", "typical size", default=1)
    lower: OptionalNumber = number("units of w", scope=GIVEN, default=None)
    upper: OptionalNumber = number("units of w", scope=GIVEN, default=None)
    units: str = of_kind(FieldKind("units of w, as text"), default="")

    def unknowns(self) -> tuple[ElementUnknown, ...]:
        """w"""
        return (
            ElementUnknown("", self.units, self.initial_guess, self.scale, self.lower, self.upper),
        )

    def conditions(self, scene: Scene) -> Sequence[Expression]:
        """g, or dV/dw."""
        return [scene.scalar(self.vanishing)]

    @property
    def vanishing(self) -> Any:
        """g, or dV/dw by SymPy."""
        if self.energy is None:
            return self.equation
        return sympy.diff(sympy.sympify(self.energy), sympy.Symbol(self.name))

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """V, and Q_k = -dV/dq along each speed at fixed w; of an equation nothing."""
        if self.energy is None:
            return
        graph, share, found = scene.tree.graph, loads.conservative, scene.variables[self.name]
        w = symbol(graph, f"held {self.name}")
        energy = scene.scalar(self.energy, {self.name: w})
        one = (scene.tree.zero + 1).node
        along = [*scene.directions(), *({s.node: one} for s in scene.state.s)]
        slopes = [column[0].node for column in swept(graph, [energy], along)]
        values = substitute(graph, [energy.node, *slopes], {w.node: found.node})
        share.potential = share.potential + Expression(graph, values[0])
        free = len(along) - len(scene.state.s)
        for k, slope in enumerate(values[1:]):
            speed = LinkCoordinate(k) if k < free else LinkCoordinate(k - free, prescribed=True)
            share.add_generalized(speed, -Expression(graph, slope))

    def outputs(self) -> tuple[ElementOutput, ...]:
        """w"""
        return (ElementOutput("value", self.units),)

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """w"""
        return [scene.variables[self.name]]

    def check(self) -> None:
        """Either of both, and w in it."""
        if (self.equation is None) == (self.energy is None):
            both = "neither equation nor energy" if self.energy is None else "equation and energy"
            raise ModelError(f"has {both}; give one of them")
        given = self.equation if self.energy is None else self.energy
        if self.name not in symbols_of(given):
            word = "equation" if self.energy is None else "energy"
            raise ModelError(
                f"{word} does not hold {self.name!r}, the variable that it should find"
            )

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """A size, ends in order, no other unknown in an energy."""
        positive(self.scale, "scale", values)
        if self.energy is not None:
            for name in symbols_of(self.energy):
                if name != self.name and name in model.element_unknowns():
                    raise ModelError(
                        f"energy holds {name!r}, the unknown of another element; give one energy "
                        "to both by an equation each"
                    )
        ends = [end for end in (self.lower, self.upper) if end is not None]
        if len(ends) == 2 and not {*symbols_of(*ends)} - {*values}:
            low, high = (value_of(end, values) for end in ends)
            if not low < high:
                raise ModelError(f"lower is {low:g} and upper {high:g}; give lower < upper")
