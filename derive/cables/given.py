"""A declared length or angle that may move: its value, its rate, and the force that acts on it."""

from __future__ import annotations

from functools import cached_property

from eomc.derive.graph import Expression, nodes, reverse_gradient
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.scene.loads import Loads, Scene


class Given:
    """An expression in coordinates, inputs, parameters and time. Inputs count as constant.

    `is_driven` tells whether it holds inputs or other names that have no force to act on.
    """

    def __init__(self, scene: Scene, declared: Scalar) -> None:
        self.scene = scene
        self.value = scene.scalar(declared)
        names = symbols_of(declared)
        self._coordinates = [name for name in names if name in scene.tree.speed_of]
        self._timed = "t" in names
        others = {name for name in names if name in scene.variables and name != "t"}
        self.is_driven = bool(others - set(self._coordinates))

    @cached_property
    def _slopes(self) -> list[Expression]:
        """By its coordinates, and by time if it holds it."""
        scene, names = self.scene, [*self._coordinates, *(["t"] if self._timed else [])]
        graph, variables = scene.tree.graph, [scene.variables[name] for name in names]
        found = reverse_gradient(graph, self.value.node, nodes(variables))
        return [Expression(graph, node) for node in found]

    @property
    def rate(self) -> Expression:
        """Its time derivative."""
        total = self.scene.tree.zero
        for name, slope in zip(self._coordinates, self._slopes, strict=False):
            total = total + slope * self.scene.variables[f"speed({name})"]
        return total + self._slopes[-1] if self._timed else total

    def act(self, loads: Loads, force: Expression) -> None:
        """A generalized force on it, which goes to the coordinates that it holds."""
        for name, slope in zip(self._coordinates, self._slopes, strict=False):
            loads.add_generalized(self.scene.tree.speed_of[name], slope * force)
