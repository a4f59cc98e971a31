"""The methods that are known, by their names: those of this folder, and those of users."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeVar

from eomc.codegen.integrators.numerical_damping import GeneralizedAlpha
from eomc.codegen.integrators.rosenbrock import Rosenbrock
from eomc.codegen.integrators.step_function import StepFunction
from eomc.codegen.integrators.tableau import Tableau

Implicit = Rosenbrock | GeneralizedAlpha | StepFunction
Method = TypeVar("Method", Tableau, Rosenbrock, GeneralizedAlpha, StepFunction)

FIRST = "rk4"

_METHODS: dict[str, Tableau | Implicit] = {}


def register(method: Method) -> Method:
    """Make a method known: models that are built from now on have it, by its name.

    Raises ValueError if another method has the name.
    """
    if _METHODS.setdefault(method.name, method) != method:
        raise ValueError(f"integrator {method.name!r} is registered with other coefficients")
    return method


def tableaus() -> tuple[Tableau, ...]:
    """All explicit methods that are known, those of this folder first. Closed loops, rollouts and
    pages take `FIRST`, whose steps are fixed."""
    return _known(Tableau)


def rosenbrock_methods() -> tuple[Rosenbrock, ...]:
    """All linearly implicit methods that are known, those of this folder first."""
    return _known(Rosenbrock)


def implicit_methods() -> tuple[Implicit, ...]:
    """All implicit methods that are known."""
    return *rosenbrock_methods(), *_known(GeneralizedAlpha), *_known(StepFunction)


def _known(kind: type[Method]) -> tuple[Method, ...]:
    folder = [file.name for file in iter_modules([str(Path(__file__).parent)])]
    for name in folder:
        import_module(f"eomc.codegen.integrators.{name}")
    found = (method for method in _METHODS.values() if isinstance(method, kind))
    return tuple(sorted(found, key=lambda m: (m.name != FIRST, m.name not in folder, m.name)))
