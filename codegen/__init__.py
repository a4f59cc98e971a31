"""Code generation: functions on the expression graph become C99, a Cython module and a build."""

from eomc.codegen.build import build
from eomc.codegen.emit import emit
from eomc.codegen.plan.errors import BuildError, EmissionError
from eomc.codegen.sources import Sources, write

__all__ = ["BuildError", "EmissionError", "Sources", "build", "emit", "write"]
