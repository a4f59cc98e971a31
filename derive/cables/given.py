"""A declared length or angle that may move: its value, its rate, and the force that acts on it."""

from __future__ import annotations

from functools import cached_property

from eomc.derive.graph import Expression, nodes, reverse_gradient
from eomc.derive.language.grammar import bare_name
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.scene.loads import Loads, Scene


class RestLengthExpression:
    """An expression in coordinates, inputs, parameters and time. Inputs count as constant.

    `is_driven` tells whether it holds inputs or other names that have no force to act on.
    """

    def __init__(self, scene: Scene, declared: Scalar) -> None:
        self.scene = scene
        self.value = scene.scalar(declared)
        names = symbols_of(declared)
        places = dict.fromkeys(bare_name(n) for n in names if not n.startswith("speed("))
        self._coordinates = [name for name in places if name in scene.tree.speed_of]
        self._timed = ["t"] if "t" in names else []
        others = {name for name in names if name in scene.variables and name != "t"}
        own = {*self._coordinates, *(f"coordinate({name})" for name in self._coordinates)}
        self.is_driven = bool(others - own)

    def _slopes(self, names: list[str]) -> list[Expression]:
        """Derivatives by variables."""
        graph = self.scene.tree.graph
        variables = [self.scene.variables[name] for name in names]
        found = reverse_gradient(graph, self.value.node, nodes(variables))
        return [Expression(graph, node) for node in found]

    @cached_property
    def _by_coordinates(self) -> list[Expression]:
        return self._slopes(self._coordinates)

    @cached_property
    def rate(self) -> Expression:
        """Its time derivative."""
        total = self.scene.tree.zero
        for name, slope in zip(self._coordinates, self._by_coordinates, strict=True):
            total = total + slope * self.scene.variables[f"speed({name})"]
        return sum(self._slopes(self._timed), total)

    def act(self, loads: Loads, force: Expression) -> None:
        """A generalized force on it, which goes to the coordinates that it holds."""
        for name, slope in zip(self._coordinates, self._by_coordinates, strict=True):
            loads.add_generalized(self.scene.tree.speed_of[name], slope * force)
