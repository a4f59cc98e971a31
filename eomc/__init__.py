"""eomc, a compiler for equations of motion.

    model = eomc.load("panda.urdf")        # or a TOML file, or eomc.Model(...) in Python
    equations = eomc.equations(model)         # symbolic: read, count, evaluate
    panda = eomc.build(model)              # compiled, cached: call, simulate

Names are imported when first used, so that `eomc.runtime` alone needs neither SymPy nor a compiler.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.building import (
        build,
        emit,
        emit_controller,
        emit_mpc,
        emit_sampled_loop,
        fmu,
        sampled_loop,
    )
    from eomc.derive.equations import CORE, Equations, equations
    from eomc.derive.formats.convert import convert
    from eomc.derive.formats.dh import from_dh
    from eomc.derive.formats.load import load
    from eomc.derive.lagrange import LagrangianSystem, from_sympy
    from eomc.derive.model import Model, ModelError, Placement, Point
    from eomc.fitting import fit, inverse_kinematics, optimize
    from eomc.runtime import CompiledModel, Trajectory, study
    from eomc.taking import assemble, equilibrium, linearize, ocp, simulate
    from eomc.verifier.procedure import verify

__version__ = "0.1.0"

_HOME = {
    "CORE": "eomc.derive.equations",
    "CompiledModel": "eomc.runtime",
    "Equations": "eomc.derive.equations",
    "LagrangianSystem": "eomc.derive.lagrange",
    "Model": "eomc.derive.model",
    "ModelError": "eomc.derive.model",
    "Placement": "eomc.derive.model",
    "Point": "eomc.derive.model",
    "Trajectory": "eomc.runtime",
    "assemble": "eomc.taking",
    "build": "eomc.building",
    "convert": "eomc.derive.formats",
    "emit": "eomc.building",
    "emit_controller": "eomc.building",
    "emit_mpc": "eomc.building",
    "emit_sampled_loop": "eomc.building",
    "equations": "eomc.derive.equations",
    "equilibrium": "eomc.taking",
    "fit": "eomc.fitting",
    "fmu": "eomc.building",
    "from_dh": "eomc.derive.formats.dh",
    "from_sympy": "eomc.derive.lagrange",
    "inverse_kinematics": "eomc.fitting",
    "linearize": "eomc.taking",
    "load": "eomc.derive.formats",
    "ocp": "eomc.taking",
    "optimize": "eomc.fitting",
    "sampled_loop": "eomc.building",
    "simulate": "eomc.taking",
    "study": "eomc.runtime",
    "verify": "eomc.verifier.procedure",
}
_ROOMS = ("binding", "building", "codegen", "derive", "meshes", "runtime", "systems", "verifier")

__all__ = [
    "CORE",
    "CompiledModel",
    "Equations",
    "LagrangianSystem",
    "Model",
    "ModelError",
    "Placement",
    "Point",
    "Trajectory",
    "assemble",
    "build",
    "convert",
    "emit",
    "emit_controller",
    "emit_mpc",
    "emit_sampled_loop",
    "equations",
    "equilibrium",
    "fit",
    "fmu",
    "from_dh",
    "from_sympy",
    "inverse_kinematics",
    "linearize",
    "load",
    "ocp",
    "optimize",
    "sampled_loop",
    "simulate",
    "study",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"eomc.{name}")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    from eomc.runtime.names.renamed import moved

    raise AttributeError(f"module 'eomc' has no attribute {name!r}{moved(__name__, name)}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, *_ROOMS])
