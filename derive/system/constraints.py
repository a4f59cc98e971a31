"""All constraints of a model on its graph: residuals, Jacobian, what they ask of accelerations.

Holonomic rows phi(q, t) = 0 and nonholonomic ones A(q, t) u + b(q, t) = 0 together ask

    G u + b = 0,        G u' + g = 0,

with G the derivative of phi along the tangent directions of q, or A, and g the rate of G u + b at
u' = 0. Rows that depend on others at every configuration are left out of the equations; they are
found by rank and can be told (`eomc.derive.system.redundancy`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from eomc.derive.constraints.cut_joint import cut_joint
from eomc.derive.constraints.linear import Condition, Linear, linearized, on_prescribed
from eomc.derive.elements.rows import Row
from eomc.derive.graph import Expression, ForwardSweep, nodes
from eomc.derive.graph.ends import law_of
from eomc.derive.graph.traverse import reachable
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import scalar
from eomc.derive.tree.finite import finite

if TYPE_CHECKING:
    from eomc.derive.system import System
    from eomc.derive.system.redundancy import Independent


class ConstraintRows:
    """The rows of a model; `rows` are those kept, `all_rows` also those that depend on others."""

    def __init__(self, system: System) -> None:
        self.system = system

    @cached_property
    def all_rows(self) -> list[Row]:
        """Every row that is not identically zero, in order of declaration."""
        model, scene = self.system.model, self.system.scene
        found = [row for joint in model.cuts() for row in cut_joint(joint, scene)]
        found = list(self._latched(found))
        for element in model.constraints.values():
            what = finite(f"constraint {element.name!r}", element.source)
            with what, law_of(self.system.graph, element.name):
                found += element.rows(scene)
        return found

    def _latched(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Rows of latches less the gaps and turns at which these have closed, all others as they
        are, and those that hold everywhere."""
        offsets = {name: iter(each.offsets) for name, each in self.system.model.latches.items()}
        for row in rows:
            if row.element in offsets:
                offset = self.system.scene.scalar(scalar(next(offsets[row.element])))
                if not row.residual.is_constant:
                    row = replace(row, residual=row.residual - offset)
            yield row

    @cached_property
    def independent(self) -> Independent:
        """Independent rows, and what their choice rests on."""
        from eomc.derive.system.redundancy import independent

        self._check_linear()
        self._check_places()
        return independent(self)

    @property
    def rows(self) -> list[Row]:
        """Independent rows."""
        return self.independent.rows

    @property
    def names(self) -> tuple[str, ...]:
        """Of the independent rows."""
        return tuple(row.name for row in self.rows)

    @property
    def holonomic(self) -> list[Row]:
        """Independent rows that have a residual in q."""
        return [row for row in self.rows if row.holonomic]

    @property
    def live(self) -> list[Row]:
        """All rows that are no numbers, the redundant ones too."""
        return [row for row in self.all_rows if not row.residual.is_constant]

    @property
    def closing(self) -> list[Row]:
        """The holonomic ones of them."""
        return [row for row in self.live if row.holonomic]

    @cached_property
    def linear(self) -> Linear:
        """Of the independent rows."""
        return self.linearized(self.rows)

    def linearized(self, chosen: Sequence[Condition]) -> Linear:
        """G, G u + b and g of the chosen rows."""
        system = self.system
        return linearized(system.graph, chosen, system.u, system.directions(), system.passing)

    def on_prescribed(self, multipliers: Sequence[Expression]) -> list[Expression]:
        """Forces of the constraints on the prescribed coordinates: G_s^T lambda."""
        system = self.system
        return on_prescribed(system.graph, self.rows, multipliers, system.s, system.s_rate)

    def _check_linear(self) -> None:
        """Raise `ModelError` for a velocity constraint that is not linear in the speeds."""
        system = self.system
        own = [row for row in self.all_rows if not row.holonomic]
        sweep = ForwardSweep(system.graph, nodes([row.residual for row in own]))
        speeds, one = {u.node for u in system.u}, (system.tree.zero + 1).node
        for slopes in [sweep({u: one}) for u in sorted(speeds)] if own else ():
            for row, slope in zip(own, slopes, strict=True):
                if not speeds.isdisjoint(reachable(system.graph, [slope])):
                    raise ModelError(
                        f"constraint {row.element!r}: not linear in the speeds; "
                        "give A(q, t) u + b(q, t)",
                        system.model.constraints[row.element].source,
                    )

    def _check_places(self) -> None:
        """Raise `ModelError` for a place that depends on more than places, by an unknown."""
        system = self.system
        others = {e.node for e in (*system.u, *system.s_rate, *system.r, *system.z)}
        for row in self.all_rows if system.model.element_unknowns() else ():
            if row.holonomic and not others.isdisjoint(
                reachable(system.graph, [row.residual.node])
            ):
                raise ModelError(
                    f"constraint {row.element!r}: an unknown in it depends on speeds, inputs or "
                    "states; give one that coordinates and time tell",
                    system.model.constraints[row.element].source,
                )
