"""What can go wrong with a compiled model at run time."""

from __future__ import annotations

from collections.abc import Mapping


class LoadError(ImportError):
    """A file is no compiled model, or not one for this Python."""


class SimulationError(ArithmeticError):
    """A simulation could not go on; `time` [s] is when."""

    def __init__(self, message: str, time: float) -> None:
        super().__init__(message, time)
        self.message = message
        self.time = time

    def __str__(self) -> str:
        return self.message


class SingularityError(SimulationError):
    """A run came to a singular configuration of the constraints.

    `configuration` is q there by names of coordinates, `singular_value` the smallest one of the
    constraint Jacobian in the metric of the mass matrix, its rows scaled.
    """

    def __init__(
        self, message: str, time: float, configuration: Mapping[str, float], singular_value: float
    ) -> None:
        super().__init__(message, time)
        self.configuration = dict(configuration)
        self.singular_value = singular_value


def stopped(model: str, t: float, reason: str) -> SimulationError:
    """The error of a run that ends before its time."""
    return SimulationError(f"the run of {model!r} stopped at t = {t:.6g} s: {reason}", t)


class UnknownFrameError(KeyError):
    """A frame that the model does not have, or that is not compiled and cannot be compiled here."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the text quoted


class LinearizationError(ArithmeticError):
    """A model cannot be linearized in this way in this state; the message names what hinders."""


class EquilibriumError(ArithmeticError):
    """There is no equilibrium near the guess, or not one of the kind that was asked for."""


class ViewError(LookupError):
    """A model cannot be shown in a page; the message names what it takes."""
