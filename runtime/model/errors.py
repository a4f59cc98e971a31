"""Errors of a compiled model at run time: loading, runs, frames, linearization, equilibria."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

NUMERICAL = (FloatingPointError, OverflowError, ZeroDivisionError, np.linalg.LinAlgError)
"""Errors that compiled functions, NumPy and SciPy raise where a model has no numbers."""


@contextmanager
def numerical_as(named: Callable[[str], Exception]) -> Iterator[None]:
    """Raise `named` of the reason instead of an error that is `NUMERICAL`.

    >>> with numerical_as(EquilibriumError):
    ...     np.linalg.inv(np.zeros((2, 2)))
    Traceback (most recent call last):
    eomc.runtime.model.errors.EquilibriumError: a matrix of the equations is singular there
    """
    try:
        yield
    except np.linalg.LinAlgError as error:
        raise named("a matrix of the equations is singular there") from error
    except NUMERICAL as error:
        raise named(str(error) or "a number is too large") from error


Given = ParamSpec("Given")
Found = TypeVar("Found")


def numerical_errors(
    named: Callable[[str], Exception],
) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Decorator of functions of a model, a run or an equilibrium: `named`, with the model, instead
    of errors that are `NUMERICAL`."""

    def decorated(function: Callable[Given, Found]) -> Callable[Given, Found]:
        @wraps(function)
        def guarded(*given: Given.args, **options: Given.kwargs) -> Found:
            def told(reason: str) -> Exception:
                # Looked up here only: a compiled model takes its time to say that it has no model.
                first = next(iter([*given, *options.values()]), None)
                of = getattr(first, "model", first)
                return named(f"model {getattr(of, 'name', of)!r}: {reason}")

            try:
                return function(*given, **options)
            except NUMERICAL:
                with numerical_as(told):
                    raise

        return guarded

    return decorated


class LoadError(ImportError):
    """A file is no compiled model, or not one for this Python."""


class SimulationError(ArithmeticError):
    """A simulation could not go on; `time` [s] is when.

    >>> error = SimulationError("the run of 'arm' stopped at t = 0 s: ...", 0.0)
    >>> error.until()
    Traceback (most recent call last):
    LookupError: the run has no recorded time before t = 0 s
    """

    def __init__(self, message: str, time: float) -> None:
        super().__init__(message, time)
        self.message = message
        self.time = time
        self.again: Callable[[], Any] | None = None

    def until(self) -> Any:
        """The `Trajectory` up to the last recorded time at which the run still went on. What
        simulates keeps nothing of it; the run is made again.

        Raises LookupError for a run that stopped before a second recorded time.
        """
        if self.again is None:
            raise LookupError(f"the run has no recorded time before t = {self.time:.6g} s")
        return self.again()

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


class LawError(SimulationError, ValueError):
    """A controller failed in the middle of a run; its own error is the cause."""

    @classmethod
    def at(cls, model: Any, t: float, q: Any, u: Any, error: Exception) -> LawError:
        """With the time and the state by names."""
        rows = (("q", model.coordinates, q), ("u", model.speeds, u))
        where = "; ".join(
            f"{what}: " + ", ".join(f"{n} = {x:.4g}" for n, x in zip(names, row, strict=True))
            for what, names, row in rows
        )
        return cls(f"the run of {model.name!r} stopped at t = {t:.6g} s: {error} ({where})", t)


def stopped(model: str, t: float, reason: str) -> SimulationError:
    """The error of a run that ends before its time."""
    if reason.endswith("no_rotation"):  # the start was one
        reason += ": a quaternion is no longer finite; the motion diverges, or the step is too long"
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
