"""Compiled functions with their derivatives, as packages that differentiate take them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import numpy as np

VALUE, JACOBIAN = "value", "jacobian"
ADJOINT, ADJOINT_JACOBIAN = "adjoint", "adjoint_jacobian"


@dataclass(frozen=True)
class ExternalArray:
    """An input or output: its name and shape."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class External:
    """A function y(x) with its derivatives.

    Attributes
    ----------
    name : str
        Of the library's functions, ``panda_forward_dynamics``.
    library : Path or module
        A shared library with the interface of the package, or an extension module of functions of
        NumPy arrays.
    inputs, outputs : tuples of Array
        x and y. Blocks of the Jacobian are (y, x), flat, in the order of y, then of x.
    defaults : mapping of str to array
        Inputs that may be left out, tunable parameters.
    """

    name: str
    library: Path | ModuleType
    inputs: tuple[ExternalArray, ...]
    outputs: tuple[ExternalArray, ...]
    defaults: Mapping[str, np.ndarray]

    def with_defaults(self, given: tuple[object, ...]) -> tuple[object, ...]:
        """All inputs; raises TypeError, naming them, for too few or too many."""
        missing = self.inputs[len(given) :]
        if len(given) > len(self.inputs) or any(x.name not in self.defaults for x in missing):
            names = ", ".join(x.name for x in self.inputs)
            raise TypeError(f"{self.name} takes ({names}); {len(given)} arguments were given")
        return (*given, *(self.defaults[x.name] for x in missing))


@dataclass(frozen=True)
class StepLibrary:
    """A library of Runge-Kutta steps with derivatives by state and parameters.

    `state` are the arrays of x in order, `held` other inputs in the order of v, `parameters` the
    names of the entries of p and `defaults` their values, `work` the numbers that a column needs.
    """

    library: Path
    state: tuple[ExternalArray, ...]
    held: tuple[ExternalArray, ...]
    parameters: tuple[str, ...]
    defaults: np.ndarray
    work: int


class Linker(Protocol):
    """Compiles a function of a model with its derivatives for a package."""

    def casadi(self, name: str, second: bool) -> External:
        """By CasADi's interface of external functions."""

    def xla(self, name: str, include: str) -> External:
        """By XLA's interface of foreign functions, whose headers are in the folder `include`."""

    def arrays(self, name: str, second: bool = True) -> External:
        """As functions of NumPy arrays; the function and its Jacobian alone if not `second`."""

    def tuned(self, tunable: Sequence[str]) -> Linker:
        """The same with other tunable parameters."""

    def sensitivities(self) -> StepLibrary:
        """Steps of the classical Runge-Kutta method with their exact derivatives."""

    def cuda(
        self, functions: Sequence[str], real: str, fused: bool
    ) -> tuple[Mapping[str, Any], Callable[[str], tuple[bytes, Mapping[str, Any]]]]:
        """Kernels of functions: their manifest, and what compiles them for an architecture."""

    def predictive(self, spec: Mapping[str, Any]) -> tuple[Any, dict[int, str]]:
        """A solver or controller of `eomc.runtime.predictive` as a library, its codes by number."""

    def predictive_program(self, spec: Mapping[str, Any], name: str) -> Any:
        """The same as a program for `eomc.codegen.emit`."""


def require(package: str, extra: str, what: str) -> ModuleType:
    """The package; ImportError that says how to install it."""
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs {package}: pip install 'eomc[{extra}]'") from error
