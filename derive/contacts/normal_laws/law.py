"""Normal laws: one record a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.closing import ClosingLaw
from eomc.derive.fields.part import Part
from eomc.derive.graph import Expression
from eomc.derive.language.registry import Registry
from eomc.derive.scene.loads import Scene

__all__ = ["NORMAL_LAWS", "NormalForce", "NormalLaw"]

#: Every kind by its word.
NORMAL_LAWS: Registry[type[NormalLaw]] = Registry("normal_law", "eomc.derive.contacts.normal_laws")


@dataclass(frozen=True, eq=False)
class NormalForce:
    """The force that presses bodies apart [N], never below zero; of it the share that has the
    potential `energy` [J]; and `holds`, above zero where deep bodies press."""

    force: Expression
    elastic: Expression
    energy: Expression
    holds: Expression


class NormalLaw(Part):
    """The force by depth and rate."""

    kinds = NORMAL_LAWS

    #: True if there is no depth, and laws of impact stand in for a force by it.
    is_rigid: ClassVar[bool] = False
    #: True if steps with contacts take it implicitly.
    gives_way: ClassVar[bool] = False
    #: True if what it adds to the elastic share never gives power.
    dissipates: ClassVar[bool] = False

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """At a depth."""
        raise NotImplementedError

    def closing(self, scene: Scene) -> ClosingLaw:
        """The law of a rigid contact."""
        raise NotImplementedError
