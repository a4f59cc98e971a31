"""A compiled function as a function of CasADi, with exact first and second derivatives."""

from __future__ import annotations

from typing import Any

from eomc.runtime.autodiff.external import Linker, require


def casadi_function(linker: Linker, name: str, second: bool) -> Any:
    """The function `name` of the linker's model; see `CompiledModel.casadi`."""
    casadi = require("casadi", "casadi", "a function of CasADi")
    external = linker.casadi(name, second)
    return casadi.external(external.name, str(external.library))
