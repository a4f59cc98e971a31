"""Equations of motion given in SymPy, as named functions to be read, evaluated and emitted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import nan
from typing import Any, TypeVar

from eomc.derive.equations.named import NamedEquations
from eomc.derive.functions.registry import KINDS, Kind
from eomc.derive.graph import Function, Program, TunableParameter, reachable
from eomc.derive.lagrange.formulation import SymbolicFormulation
from eomc.derive.lagrange.variables import Variables
from eomc.derive.language.errors import ModelError

D = TypeVar("D", bound=SymbolicFormulation)


class SymbolicEquations(NamedEquations[D]):
    """Named functions of a system in the user's own symbols; a subclass derives them."""

    def __init__(self, name: str, variables: Variables) -> None:
        super().__init__()
        self.name = name
        self.variables = variables

    # -- names -----------------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of q in order."""
        return self.variables.coordinate_names

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of u in order."""
        return self.variables.speed_names

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of r in order."""
        return self.variables.input_names

    @property
    def parameters(self) -> dict[str, float | None]:
        """Values of the constants by name; None where none was given."""
        return {constant.name: constant.value for constant in self.variables.constants}

    @property
    def general(self) -> D:
        """The derivation with all constants as symbols."""
        return self.formulation(self.variables.constant_names)

    @property
    def traits(self) -> frozenset[str]:
        """Traits that every such system has, and those of this one."""
        constrained = self.general.is_constrained
        found = ["SymPy", "forces free of multipliers", "regular mass"]
        found.append("constraints" if constrained else "no constraints")
        found += ["inputs"] * bool(self.inputs)
        prescribed = bool(self.variables.prescribed)
        found += ["prescribed_motions"] * prescribed
        found += ["free steps"] * (not (constrained or prescribed))
        found += ["speeds as rates", "tangent displacements"] * self.general.speeds_are_rates
        return frozenset(found)

    # -- reading and emission --------------------------------------------------------------------

    @property
    def declared(self) -> Mapping[str, TunableParameter]:
        return {
            c.name: TunableParameter(
                c.name, c.name, nan if c.value is None else c.value, c.units, c.description
            )
            for c in self.variables.constants
        }

    @property
    def _values(self) -> dict[str, float]:
        return self.general.values

    @property
    def _tunable(self) -> tuple[str, ...]:
        return tuple(constant.name for constant in self.variables.constants if constant.tunable)

    def _written(self, function: Function, given: D) -> Mapping[str, Any]:
        return {**super()._written(function, given), **self.variables.written()}

    def _further_inputs(self, kind: Kind) -> Sequence[str]:
        """The same however many constants are baked in."""
        d = self.general
        outputs = [node for output in kind.make(d) for node in output.entries]
        reached = set(reachable(d.graph, outputs))
        time = d.time.node in reached or ((kind.sees_forces or kind.sees_time) and d.uses_time)
        inputs = any(entry.node in reached for entry in d.r)
        return [*["r"] * inputs, *["t"] * time]

    def program(
        self,
        functions: Iterable[str] | str | None = None,
        frames: Iterable[str] | None = None,
        tunable: Iterable[str] | str | None = None,
        name: str | None = None,
        small: bool = False,
    ) -> Program:
        """Program that code generation emits; as of `NamedEquations`, without frames and loops.

        Raises ModelError where a constant has no value.
        """
        self._of_frames(functions, frames)
        self.tunable(tunable)
        missing = [c.name for c in self.variables.constants if c.value is None]
        if missing:
            raise ModelError(
                f"{self.name!r}: no value for parameter {', '.join(missing)}; give "
                f"parameters={{{missing[0]!r}: ...}}"
            )
        return super().program(functions, frames, tunable, name, small)

    def _facts(self, given: D, functions: Collection[str]) -> dict[str, object]:
        rows = list(given.constraints.names) if given.is_constrained else []
        rheonomic = {"rheonomic": True} if self.general.is_rheonomic(self.traits) else {}
        lacking = {
            name: reason for name, kind in KINDS.items() if (reason := kind.lacks(self.traits))
        }
        return {"joints": [], "constraints": rows, "unavailable": lacking, **rheonomic}
