"""Parameters, initial states and biases of a model from recorded runs, by output error."""

from eomc.runtime.fit.estimate import Fit
from eomc.runtime.fit.fit import FitError, fit
from eomc.runtime.fit.recording import Run
from eomc.runtime.fit.unknowns import Free

__all__ = ["Fit", "FitError", "Free", "Run", "fit"]
