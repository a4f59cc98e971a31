"""Tree, names and scalars that follow from a model as it stands, each found once.

A model is open to changes, by its methods and in its dictionaries, but what it holds is immutable.
So a snapshot is true for as long as the model holds the very same objects in the same order, which
is looked at whenever it is asked for: it cannot go stale.
"""

from __future__ import annotations

from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING

from eomc.derive.elements.kinds import element_words
from eomc.derive.joints.joint import Joint
from eomc.derive.language.motion_name import MotionName, motion_name
from eomc.derive.model.asked_joints import asked_joints
from eomc.derive.model.declared_scalars import Scalars, scalars
from eomc.derive.model.passed_joints import passed_joints
from eomc.derive.topology.spanning_tree import Spanning, spanning
from eomc.derive.topology.tree import check_ends, depth_first

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["Snapshot"]

#: What may be said of impossible inertias, the strictest first.
_CHECKS = ("error", "warn", "ignore")


class Snapshot:
    """A model at one moment; whoever asks makes sure by `shows` that it is still that."""

    def __init__(self, model: Model) -> None:
        self._content = _content(model)
        self.model = model.copy()
        self.model._snapshot = self
        self._passed: set[str] = set()

    def shows(self, model: Model) -> bool:
        """True if the model holds what it held."""
        content = _content(model)
        return len(content) == len(self._content) and all(map(is_, content, self._content))

    # ---- topology

    @cached_property
    def _spanning(self) -> Spanning:
        model = self.model
        check_ends(model.bodies, model.joints)
        # Without loops every joint is in the tree, whoever asks for it.
        if len(model.joints) <= len(model.bodies):
            return spanning(model.bodies, model.joints)
        return spanning(model.bodies, model.joints, self.asked_joints, passed_joints(model))

    @cached_property
    def tree(self) -> tuple[Joint, ...]:
        """Joints of the spanning tree, depth first."""
        return tuple(depth_first(self.model.bodies, self._spanning.tree))

    @property
    def cuts(self) -> tuple[Joint, ...]:
        """Joints that close loops."""
        return self._spanning.cut

    @cached_property
    def reduced(self) -> Model:
        """An equal mechanism without fixed and locked joints."""
        from eomc.derive.model.merge import merged

        return merged(self.on_bodies)

    @cached_property
    def on_bodies(self) -> Model:
        """An equal model whose elements name bodies where they named frames."""
        from eomc.derive.model.elements_on_bodies import elements_on_bodies

        return elements_on_bodies(self.model)

    # ---- names

    @cached_property
    def prescribed(self) -> frozenset[str]:
        """Names of the prescribed coordinates."""
        given = self.model.prescribed_motions.values()
        return frozenset(name for element in given for name in element.coordinates(self.model))

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the free coordinates."""
        return self._free("coordinates")

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """Names of the free speeds."""
        return self._free("speeds")

    def _free(self, what: str) -> tuple[str, ...]:
        names: list[str] = []
        for joint in self.tree:
            if joint.mimic is None and not joint.is_fixed:
                names += getattr(joint, what)
            if joint.child in self.model.deformables:
                names += self.model.deformables[joint.child].coordinates
        return tuple(name for name in names if name not in self.prescribed)

    @cached_property
    def asked_joints(self) -> dict[str, str]:
        """Joints whose coordinates are asked for, and what asks."""
        return asked_joints(self.model)

    @cached_property
    def scalars(self) -> dict[tuple[str, str], Scalars]:
        """Every scalar of each element, by the word of its kind and its name."""
        tables = self.model.tables().items()
        return {
            (word, name): scalars(word, element)
            for word, table in tables
            for name, element in table.items()
        }

    @cached_property
    def motions(self) -> dict[str, MotionName]:
        """The velocities that stand in expressions, by the names of their symbols."""
        held = {
            name: motion_name(name)
            for found in self.scalars.values()
            for _, _, names in found
            for name in names
        }
        return {name: motion for name, motion in held.items() if motion is not None}

    @cached_property
    def uses_time(self) -> bool:
        """True if an element depends on time explicitly."""
        own = set(element_words())
        for (word, _), found in self.scalars.items():
            for _, _, names in found:
                if "t" in names and word in own:
                    return True
        return False

    # ---- checks

    def has_passed(self, inertia: str) -> bool:
        """True if the checks would say nothing that they have not said, see `Model.validate`."""
        told = _CHECKS if inertia == "ignore" else _CHECKS[:1]  # a warning is told again
        return inertia in _CHECKS and not self._passed.isdisjoint(told)

    def passes(self, inertia: str) -> None:
        """Remember that the checks were passed."""
        self._passed.add(inertia)


def _content(model: Model) -> list[object]:
    """All that a model holds, in order; kinds of which it holds nothing do not count."""
    content: list[object] = [model.name, model.description, model.source, model.inertia]
    content += model.gravity
    for table in model.held():
        content += table
        content += table.values()
    return content
