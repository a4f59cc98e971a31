"""The limits that stand in emitted C, as arrays."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building.loaded_sources import loaded_sources
from eomc.codegen import emit
from eomc.derive.graph import Program

_READ = """\
EOMC_SEEN double eomc_{name}(int k);
double eomc_{name}(int k)
{{
    return {m}_{name}[k];
}}
"""


def emitted_limits(program: Program, compiler: Any = None) -> dict[str, NDArray[np.float64]]:
    """Arrays by name, such as "q_lower" and "tau_limit"; none where nothing is limited.

    Raises EmissionError, BuildError.

    >>> import eomc
    >>> model = eomc.Model("bob")
    >>> model.body("bob", mass=1, com=(0, 0, -1))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0), upper=1.5)
    >>> emitted_limits(eomc.equations(model).program())
    {'q_upper': array([1.5])}
    """
    if not program.limits:
        return {}
    sources = emit(program)
    text = "".join(_READ.format(m=sources.name, name=name) for name in program.limits)
    loaded = loaded_sources(sources, text, compiler, "-O0")
    return {name: _read(loaded, name, len(values)) for name, values in program.limits.items()}


def _read(loaded: ctypes.CDLL, name: str, size: int) -> NDArray[np.float64]:
    entry = getattr(loaded, f"eomc_{name}")
    entry.restype = ctypes.c_double
    return np.array([entry(k) for k in range(size)])
