"""Thin runtime of compiled models: load, simulate, look. Needs NumPy, at times SciPy.

panda = eomc.runtime.load("panda_module.cpython-311-x86_64-linux-gnu.so")
run = eomc.runtime.simulate(panda, q, u, t=(0, 2))
run.plot()
"""

from eomc.runtime import study as study
from eomc.runtime.constraints import (
    AssemblyError,
    ConsistentState,
    ConstraintError,
    LoopForces,
    Multipliers,
    Partition,
    Reactions,
    assemble,
    independent,
    joint_reactions,
    loop_inverse_dynamics,
    multipliers,
)
from eomc.runtime.equilibrium import Equilibrium, continuation, equilibrium, turn
from eomc.runtime.excitation.excitation import Controller
from eomc.runtime.impact import ContactForces, Impact, PainleveError, contact_forces, impact
from eomc.runtime.linearization import (
    LinearModel,
    Steps,
    UserForce,
    linearize,
    linearize_along,
)
from eomc.runtime.model.compiled import CompiledModel, load
from eomc.runtime.model.errors import (
    EquilibriumError,
    LawError,
    LinearizationError,
    LoadError,
    SimulationError,
    UnknownFrameError,
)
from eomc.runtime.model.frame_kinematics import FrameKinematics
from eomc.runtime.model.state import State
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc.runtime.statics import Form, Prestress, form_finding, prestress

__all__ = [
    "AssemblyError",
    "CompiledModel",
    "ConsistentState",
    "ConstraintError",
    "ContactForces",
    "Controller",
    "Equilibrium",
    "EquilibriumError",
    "Form",
    "FrameKinematics",
    "Impact",
    "LawError",
    "LinearModel",
    "LinearizationError",
    "LoadError",
    "LoopForces",
    "Multipliers",
    "PainleveError",
    "Partition",
    "Prestress",
    "Reactions",
    "SimulationError",
    "State",
    "Steps",
    "Trajectory",
    "UnknownFrameError",
    "UserForce",
    "assemble",
    "contact_forces",
    "continuation",
    "equilibrium",
    "form_finding",
    "impact",
    "independent",
    "joint_reactions",
    "linearize",
    "linearize_along",
    "load",
    "loop_inverse_dynamics",
    "multipliers",
    "prestress",
    "simulate",
    "study",
    "turn",
]
