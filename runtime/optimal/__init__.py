"""Optimal control: a problem on a model, its transcription, its solvers, the optimal run."""

from eomc.runtime.optimal.joined import JoinedPhases
from eomc.runtime.optimal.problem import OptimalControl, ocp
from eomc.runtime.optimal.solution import OptimalRun

__all__ = ["JoinedPhases", "OptimalControl", "OptimalRun", "ocp"]
