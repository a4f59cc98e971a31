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
    from eomc.runtime.cuda.kernels import Assemble

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
        """The same with other tunable parameters, ``body.Jxx`` and others of bodies among them."""
        from eomc.derive.equations import equations
        from eomc.derive.model.inertial_parameters import body_of_number, with_inertial_parameters

        tuned = self._equations
        if any(map(body_of_number, tunable)):
            tuned = equations(with_inertial_parameters(tuned.model, tunable))
        return Linking(tuned, tuple(tunable), self._where["compiler"], self._where["cache_dir"])

    def sensitivities(self) -> StepLibrary:
        """Steps of the classical Runge-Kutta method with their exact derivatives, for this
        machine."""
        from eomc.codegen.external.library import library
        from eomc.codegen.external.sensitivities import sensitivities_source
        from eomc.derive.equations.step_slopes import step_slopes
        from eomc.runtime.autodiff.external import ExternalArray, StepLibrary

        found = step_slopes(self._equations, self._tunable)
        made = emit(found.program)
        with spinner(f"compiling {made.name}"):
            text = sensitivities_source(made.name, found)
            path = library(made, text, "sensitivities", march_native=True, **self._where)
        x, v = (
            tuple(ExternalArray(a.name, (len(a.entries),)) for a in arrays)
            for arrays in (found.state, found.held)
        )
        names = tuple(found.parameters.rows) if found.parameters else ()
        work = 4 * found.sizes[0]
        return StepLibrary(path, x, v, names, np.array(found.defaults), work)

    def predictive(self, spec: Mapping[str, Any]) -> tuple[Any, dict[int, str]]:
        """The solver of a problem of optimal control by a Riccati recursion, compiled."""
        from eomc.building.predictive import predictive_library

        return predictive_library(self.predictive_program(spec, "predictive"), **self._where)

    def predictive_program(self, spec: Mapping[str, Any], name: str) -> Program:
        """The same as a program."""
        from eomc.building.predictive import predictive_program

        return predictive_program(self._equations, self._tunable, spec, name)

    def cuda(
        self, functions: Sequence[str], real: str, fused: bool
    ) -> tuple[dict[str, Any], Assemble]:
        """Kernels of functions: their manifest, and what compiles them for an architecture."""
        from eomc.building.kernels import kernels

        return kernels(
            self._equations,
            functions,
            tunable=self._tunable,
            real=real,
            fused=fused,
            cache_dir=self._where["cache_dir"],
        )

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
