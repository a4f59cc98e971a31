"""Parameters, initial states and biases of a model from recorded runs, by output error."""

from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.estimate import Fit
from eomc.runtime.fit.fit import fit
from eomc.runtime.fit.modes import MeasuredMode, ModalFit, fit_modes
from eomc.runtime.fit.recording import Run
from eomc.runtime.fit.unknowns import FreeValue

__all__ = ["Fit", "FitError", "FreeValue", "MeasuredMode", "ModalFit", "Run", "fit", "fit_modes"]
