"""Many runs of a compiled model: sweeps, random draws, optimization; here or on a cluster.

runs = eomc.study.Random(1_000_000, {"q": eomc.study.Uniform(-1, 1)}, seed=1)
results = eomc.study.run(arm, runs, t_span=1.0, step=1e-3, folder="drop")
results["q"]                                  # (runs, nq) at the end
"""

from eomc.runtime.study.distributions import Choice, LogUniform, Normal, Uniform
from eomc.runtime.study.optimize import Optimum, optimize
from eomc.runtime.study.results import Results, StudyError, read
from eomc.runtime.study.run import run
from eomc.runtime.study.runs import Grid, Listed, Random, Runs

__all__ = [
    "Choice",
    "Grid",
    "Listed",
    "LogUniform",
    "Normal",
    "Optimum",
    "Random",
    "Results",
    "Runs",
    "StudyError",
    "Uniform",
    "optimize",
    "read",
    "run",
]
