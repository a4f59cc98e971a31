"""A system given by Kane's equations."""

from __future__ import annotations

from collections.abc import Collection

from eomc.derive.lagrange.equations import SymbolicEquations
from eomc.derive.lagrange.kane import KaneDerivation, KaneEquations
from eomc.derive.lagrange.variables import Variables


class KaneSystem(SymbolicEquations[KaneDerivation]):
    """Kane's equations of a method, as named functions; made by `from_sympy`.

        q' = G(q) u + g,      M u' = f + tau + A^T lambda

    The state is q, then u, independent before dependent, in the method's order. `tau` are further
    generalized forces on all speeds; configurations are displaced by q + G(q) du.
    """

    def __init__(self, name: str, variables: Variables, given: KaneEquations) -> None:
        super().__init__(name, variables)
        self.given = given
        self.formulation(variables.constant_names)

    def _derive(self, symbolic: Collection[str]) -> KaneDerivation:
        return KaneDerivation(self.name, self.variables, self.given, symbolic)

    @property
    def traits(self) -> frozenset[str]:
        """Energies are known if the bodies are."""
        has = {
            "kinetic energy": self.given.kinetic_energy is not None,
            "potential": self.given.potential_energy is not None,
            "auxiliary speeds": bool(self.given.reactions),
        }
        return super().traits | {trait for trait, found in has.items() if found}

    def _facts(self, given: KaneDerivation, functions: Collection[str]) -> dict[str, object]:
        speeds = list(self.speeds)
        dependent = speeds[len(speeds) - self.given.dependent :]
        return super()._facts(given, functions) | {
            "dependent_speeds": dependent,
            "displacements": given.displacements,
        }
