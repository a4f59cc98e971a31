"""Thin runtime of compiled models: load, simulate, look. Needs NumPy, and SciPy to simulate.

panda = eomc.runtime.load("panda_module.cpython-311-x86_64-linux-gnu.so")
run = eomc.runtime.simulate(panda, q, u, t=(0, 2))
run.plot()
"""

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
    LinearizationError,
    LoadError,
    SimulationError,
    UnknownFrameError,
)
from eomc.runtime.model.frame_kinematics import FrameKinematics
from eomc.runtime.model.state import State
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate

__all__ = [
    "AssemblyError",
    "CompiledModel",
    "ConsistentState",
    "ConstraintError",
    "Controller",
    "Equilibrium",
    "EquilibriumError",
    "FrameKinematics",
    "LinearModel",
    "LinearizationError",
    "LoadError",
    "LoopForces",
    "Multipliers",
    "Partition",
    "Reactions",
    "SimulationError",
    "State",
    "Steps",
    "Trajectory",
    "UnknownFrameError",
    "UserForce",
    "assemble",
    "continuation",
    "equilibrium",
    "independent",
    "joint_reactions",
    "linearize",
    "linearize_along",
    "load",
    "loop_inverse_dynamics",
    "multipliers",
    "simulate",
    "turn",
]
