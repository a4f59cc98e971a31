"""From a model to C files and to a compiled module, in one call each.

What is named here is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.building.compilation import build, emit
    from eomc.building.compiled_loop import sampled_loop
    from eomc.building.controller_files import emit_controller, emit_mpc, emit_sampled_loop
    from eomc.building.equations import check_small, derived
    from eomc.building.mock_up_unit import fmu

__all__ = [
    "build",
    "check_small",
    "derived",
    "emit",
    "emit_controller",
    "emit_mpc",
    "emit_sampled_loop",
    "fmu",
    "sampled_loop",
]

_HOME = {
    "build": "compilation",
    "check_small": "equations",
    "derived": "equations",
    "emit": "compilation",
    "emit_controller": "controller_files",
    "emit_mpc": "controller_files",
    "emit_sampled_loop": "controller_files",
    "fmu": "mock_up_unit",
    "sampled_loop": "compiled_loop",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
