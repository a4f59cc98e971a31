"""Functions of a model with their derivatives, compiled for packages that differentiate."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.codegen.build import compiled
from eomc.codegen.emit import emit
from eomc.runtime.model.load import load_module
from eomc.runtime.output.progress import spinner

if TYPE_CHECKING:
    from eomc.derive.equations.differentiable import Differentiable
    from eomc.derive.graph import Program
    from eomc.runtime.autodiff.external import External, StepLibrary

_STEPPED = ("value", "jacobian")


class Linking:
    """A `Linker` of derived equations; `tunable` are the parameters that are arguments."""

    def __init__(
        self,
        equations: Any,
        tunable: Any,
        compiler: str | os.PathLike[str] | None,
        cache_dir: str | os.PathLike[str] | None,
    ) -> None:
        self._equations, self._tunable = equations, tunable
        self._where: dict[str, Any] = {"compiler": compiler, "cache_dir": cache_dir}

    def casadi(self, name: str, second: bool) -> External:
        """By CasADi's interface of external functions."""
        from eomc.codegen.external.casadi import casadi_source
        from eomc.codegen.external.library import library

        found = self._differentiable(name, second)
        made = emit(found.program)
        with spinner(f"compiling {made.name} for CasADi"):
            wrapper = casadi_source(made.name, made.name, found.functions())
            path = library(made, wrapper, "casadi", **self._where)
        return self._external(found, made.name, path)

    def xla(self, name: str, include: str) -> External:
        """By XLA's interface of foreign functions."""
        from eomc.codegen.external.library import library
        from eomc.codegen.external.xla import xla_source

        found = self._differentiable(name)
        made = emit(found.program)
        with spinner(f"compiling {made.name} for JAX"):
            wrapper = xla_source(made.name, made.name, found.functions())
            flags = [f"-I{include}"]
            path = library(made, wrapper, "xla", include=flags, **self._where)
        return self._external(found, made.name, path)

    def arrays(self, name: str, second: bool = True) -> External:
        """As functions of NumPy arrays; the function and its Jacobian alone if not `second`."""
        found = self._differentiable(name, second)
        chosen = (f for f in found.program.functions if second or f.name in _STEPPED)
        made = emit(replace(found.program, functions=tuple(chosen)))
        with spinner(f"building {made.name}"), compiled(made, **self._where) as path:
            return self._external(found, made.name, load_module(path))

    def tuned(self, tunable: Sequence[str]) -> Linking:
        """The same with other tunable parameters."""
        where = self._where["compiler"], self._where["cache_dir"]
        return Linking(self._equations, tuple(tunable), *where)

    def sensitivities(self) -> StepLibrary:
        """Steps of the classical Runge-Kutta method with their exact derivatives."""
        from eomc.codegen.external.library import library
        from eomc.codegen.external.sensitivities import sensitivities_source
        from eomc.runtime.autodiff.external import ExternalArray, StepLibrary

        state, parts = self._rates()
        pairs = [(part.functions()["value"], part.functions()["jacobian"]) for part in parts]
        known = {a.name: a for value, _ in pairs for a in value.inputs}
        held = [a for name, a in known.items() if name not in (*state, "t", "p")]
        functions = [
            (replace(f, name=f"{part.name}_{f.name}"), replace(J, name=f"{part.name}_{J.name}"))
            for part, (f, J) in zip(parts, pairs, strict=True)
        ]
        base = parts[0].program
        program = self._equations.program(["coordinate_rates"], tunable=self._tunable)
        defaults = np.array([parameter.default for parameter in program.parameters])
        name = f"{program.name}_fit"
        made = emit(
            replace(base, name=name, functions=tuple(f for pair in functions for f in pair))
        )
        arrays = [known[name] for name in state]
        p = known.get("p")
        names = tuple(p.rows) if p else ()
        with spinner(f"compiling {name}"):
            text = sensitivities_source(name, arrays, held, len(names), functions)
            path = library(made, text, "sensitivities", **self._where)
        x, v = (
            tuple(ExternalArray(a.name, (len(a.entries),)) for a in given)
            for given in (arrays, held)
        )
        return StepLibrary(path, x, v, names, defaults)

    def predictive(self, told: Mapping[str, Any]) -> tuple[Any, dict[int, str]]:
        """The solver of a problem of optimal control by a Riccati recursion, compiled."""
        from eomc.building.predictive import predictive_library

        return predictive_library(self.predictive_program(told, "predictive"), **self._where)

    def predictive_program(self, told: Mapping[str, Any], name: str) -> Program:
        """The same as a program."""
        from eomc.building.predictive import predictive_program

        return predictive_program(self._equations, self._tunable, told, name)

    def _rates(self) -> tuple[tuple[str, ...], list[Differentiable]]:
        """Arrays of the state, and the functions that give their rates."""
        found = ["coordinate_rates", "forward_dynamics"]
        if self._equations.formulation(()).element_state_names:
            found.append("element_state_rates")
        return ("q", "u", "z")[: len(found)], [self._differentiable(n, False) for n in found]

    def _differentiable(self, name: str, second: bool = True) -> Differentiable:
        from eomc.derive.equations.differentiable import differentiable

        return differentiable(self._equations, name, self._tunable, second)

    def _external(self, found: Differentiable, name: str, made: Path | ModuleType) -> External:
        from eomc.runtime.autodiff.external import External, ExternalArray

        program = self._equations.program(functions=[found.name], tunable=self._tunable)
        values = np.array([parameter.default for parameter in program.parameters])
        inputs = tuple(ExternalArray(x.name, x.shape) for x in found.inputs)
        outputs = tuple(ExternalArray(y.name, y.shape) for y in found.outputs)
        return External(name, made, inputs, outputs, {"p": values} if len(values) else {})
