"""From a model to C files and to a compiled module, in one call each."""

from eomc.building.compilation import build, emit
from eomc.building.compiled_loop import emit_controller, emit_sampled_loop, sampled_loop
from eomc.building.equations import check_small, derived
from eomc.building.mock_up_unit import fmu

__all__ = [
    "build",
    "check_small",
    "derived",
    "emit",
    "emit_controller",
    "emit_sampled_loop",
    "fmu",
    "sampled_loop",
]
