"""Thin runtime of compiled models: load, simulate, look. Needs NumPy, at times SciPy.

panda = eomc.runtime.load("panda.so")
run = eomc.runtime.simulate(panda, q, u, t_span=(0, 2))
run.plot()

Names are imported when first used, the folders of this package too.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if getattr(sys.modules["eomc"], "__file__", None) is None:  # a folder of that name
    raise ImportError(
        f"{sys.modules['eomc'].__path__[0]} is a source tree of eomc, not the package: Python "
        "found it by its name beside your program or on PYTHONPATH; start elsewhere, or put the "
        "tree itself on PYTHONPATH"
    )

if TYPE_CHECKING:
    from eomc.runtime import study as study
    from eomc.runtime.constraints import (
        assemble,
        independent_coordinates,
        joint_reactions,
        loop_inverse_dynamics,
        multipliers,
    )
    from eomc.runtime.equilibria import continuation, equilibrium
    from eomc.runtime.impacts import contact_forces, contact_rollouts, impact
    from eomc.runtime.linearization import LinearModel, UserForce, linearize, linearize_along
    from eomc.runtime.model.compiled import CompiledModel, load
    from eomc.runtime.model.state import State
    from eomc.runtime.record.trajectory import Trajectory
    from eomc.runtime.simulation.simulate import simulate
    from eomc.runtime.statics import form_finding, prestress

__all__ = [
    "CompiledModel",
    "LinearModel",
    "State",
    "Trajectory",
    "UserForce",
    "assemble",
    "contact_forces",
    "contact_rollouts",
    "continuation",
    "equilibrium",
    "form_finding",
    "impact",
    "independent_coordinates",
    "joint_reactions",
    "linearize",
    "linearize_along",
    "load",
    "loop_inverse_dynamics",
    "multipliers",
    "prestress",
    "simulate",
    "study",
]

_HOME = {
    "CompiledModel": "eomc.runtime.model.compiled",
    "LinearModel": "eomc.runtime.linearization",
    "State": "eomc.runtime.model.state",
    "Trajectory": "eomc.runtime.record.trajectory",
    "UserForce": "eomc.runtime.linearization",
    "assemble": "eomc.runtime.constraints",
    "contact_forces": "eomc.runtime.impacts",
    "contact_rollouts": "eomc.runtime.impacts",
    "continuation": "eomc.runtime.equilibria",
    "equilibrium": "eomc.runtime.equilibria",
    "form_finding": "eomc.runtime.statics",
    "impact": "eomc.runtime.impacts",
    "independent_coordinates": "eomc.runtime.constraints",
    "joint_reactions": "eomc.runtime.constraints",
    "linearize": "eomc.runtime.linearization",
    "linearize_along": "eomc.runtime.linearization",
    "load": "eomc.runtime.model.compiled",
    "loop_inverse_dynamics": "eomc.runtime.constraints",
    "multipliers": "eomc.runtime.constraints",
    "prestress": "eomc.runtime.statics",
    "simulate": "eomc.runtime.simulation.simulate",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
        return import_module(f"{__name__}.{name}")
    from eomc.runtime.names.renamed import moved

    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{moved(__name__, name)}")
