"""A system given by Kane's equations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from eomc.derive.lagrange.equations import Kind, SymbolicEquations
from eomc.derive.lagrange.kane import KaneDerivation, KaneEquations
from eomc.derive.lagrange.kane_functions import KINDS
from eomc.derive.lagrange.variables import Variables


class KaneSystem(SymbolicEquations[KaneDerivation]):
    """Kane's equations of a method, as named functions; made by `from_sympy`.

        q' = G(q) u + g,      M u' = f + tau

    The state is q, then u, independent before dependent, in the method's order. `tau` are further
    generalized forces on all speeds. Derivatives by q are partial derivatives (not tangent
    directions), since nothing is known of the manifold of q.
    """

    def __init__(self, name: str, variables: Variables, given: KaneEquations) -> None:
        super().__init__(name, variables)
        self.given = given
        self.derivation(variables.constant_names)

    def _derive(self, symbolic: Collection[str]) -> KaneDerivation:
        return KaneDerivation(self.name, self.variables, self.given, symbolic)

    def _all_kinds(self) -> Mapping[str, Kind[KaneDerivation]]:
        return KINDS

    def _metadata(self) -> dict[str, object]:
        speeds = list(self.speeds)
        return {"dependent_speeds": speeds[len(speeds) - self.given.dependent :]}

    @cached_property
    def _uses_time(self) -> bool:
        d = self.derivation(self.variables.constant_names)
        given = [*d.rates, *d.forcing, *(entry for row in d.mass for entry in row)]
        return bool(d.names_of(given, [d.time]))
