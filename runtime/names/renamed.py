"""Old names of arguments, options and functions, and the names that replace them.

An old name is an error, in one sentence that tells the new one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["ARGUMENTS", "MOVED", "OPTIONS", "current_arguments", "moved"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

ARGUMENTS = {
    "actuated": "actuators",
    "calm": "free_damping",
    "held": "fixed",
    "hold": "fixed",
    "impacts": "impact_law",
    "law": "impact_law",
    "most": "max_steps",
    "motion": "prescribed",
    "t": "t_span",
    "wanted": "targets",
}
"""Of functions; a function that takes the new name, and not the old one, is meant."""

_OF_ONE = {
    "FeedbackLinearization": {"motion": "target"},
    "NearRigid": {"motion": "target"},
    "RigidMotion": {"motion": "target"},
    "RowOfElements": {"motion": "target"},
    "ServoConstraints": {"motion": "target"},
    "allocate": {"form": "method"},
    "run": {"held": "arguments"},
}
"""Of functions and classes whose argument has another new name."""

OPTIONS = {
    "--as-given": "--no-equilibrium",
    "--channels": "--output",
    "--film": "--animation",
    "--film-speed": "--animation-speed",
    "--hold": "--fixed",
    "--locus": "--root-locus",
    "--prescribe": "--prescribed",
    "--time": "--t-span",
    "--turn": "--steady-turn",
    "--want": "--targets",
}
"""Of the command line."""

MOVED = {
    "eomc.runtime.control.Reference": "eomc.runtime.control.reference.Reference",
    "eomc.actuation": "eomc.runtime.control.actuation",
    "eomc.allocate": "eomc.runtime.control.allocate",
    "eomc.contact_forces": "eomc.runtime.contact_forces",
    "eomc.form_finding": "eomc.runtime.form_finding",
    "eomc.impact": "eomc.runtime.impacts",
    "eomc.independent": "eomc.runtime.independent_coordinates",
    "eomc.joint_reactions": "eomc.runtime.joint_reactions",
    "eomc.loop_inverse_dynamics": "eomc.runtime.loop_inverse_dynamics",
    "eomc.multipliers": "eomc.runtime.multipliers",
    "eomc.prestress": "eomc.runtime.prestress",
    "eomc.runtime.AssemblyError": "eomc.runtime.errors.AssemblyError",
    "eomc.runtime.ConsistentState": "eomc.runtime.constraints.ConsistentState",
    "eomc.runtime.ConstraintError": "eomc.runtime.errors.ConstraintError",
    "eomc.runtime.ContactForces": "eomc.runtime.impacts.ContactForces",
    "eomc.runtime.Controller": "eomc.runtime.excitation.excitation.Controller",
    "eomc.runtime.Equilibrium": "eomc.runtime.equilibria.Equilibrium",
    "eomc.runtime.EquilibriumError": "eomc.runtime.errors.EquilibriumError",
    "eomc.runtime.Form": "eomc.runtime.statics.FormFindingResult",
    "eomc.runtime.FrameKinematics": "eomc.runtime.model.frame_kinematics.FrameKinematics",
    "eomc.runtime.Impact": "eomc.runtime.impacts.Impact",
    "eomc.runtime.LawError": "eomc.runtime.errors.LawError",
    "eomc.runtime.LinearizationError": "eomc.runtime.errors.LinearizationError",
    "eomc.runtime.LoadError": "eomc.runtime.errors.LoadError",
    "eomc.runtime.LoopForces": "eomc.runtime.constraints.LoopForces",
    "eomc.runtime.Multipliers": "eomc.runtime.constraints.Multipliers",
    "eomc.runtime.PainleveError": "eomc.runtime.errors.PainleveError",
    "eomc.runtime.Partition": "eomc.runtime.constraints.IndependentSpeeds",
    "eomc.runtime.Prestress": "eomc.runtime.statics.Prestress",
    "eomc.runtime.Reactions": "eomc.runtime.constraints.Reactions",
    "eomc.runtime.SimulationError": "eomc.runtime.errors.SimulationError",
    "eomc.runtime.Steps": "eomc.runtime.linearization.Steps",
    "eomc.runtime.UnknownFrameError": "eomc.runtime.errors.UnknownFrameError",
    "eomc.runtime.control.Actuation": "eomc.runtime.control.actuation.Actuation",
    "eomc.runtime.control.Allocation": "eomc.runtime.control.allocation.Allocation",
    "eomc.runtime.control.AllocationError": "eomc.runtime.control.least_effort.AllocationError",
    "eomc.runtime.control.Controllability": "eomc.runtime.control.controllability.Controllability",
    "eomc.runtime.control.ControllabilityError": (
        "eomc.runtime.control.controllability.ControllabilityError"
    ),
    "eomc.runtime.control.Driven": "eomc.runtime.control.ServoConstraints",
    "eomc.runtime.control.Gains": "eomc.runtime.control.settling.Gains",
    "eomc.runtime.control.NearRigidForces": "eomc.runtime.control.near_rigid.NearRigidForces",
    "eomc.runtime.control.Regulator": "eomc.runtime.control.regulator.Regulator",
    "eomc.runtime.control.StateMap": "eomc.runtime.control.state_map.StateMap",
    "eomc.runtime.control.held": "eomc.runtime.control.zero_order_hold",
    "eomc.runtime.control.least_effort": "eomc.runtime.control.least_effort.least_effort",
    "eomc.runtime.control.settling_product": "eomc.runtime.control.settling.settling_product",
    "eomc.runtime.independent": "eomc.runtime.independent_coordinates",
    "eomc.runtime.turn": "eomc.runtime.equilibria.steady_turn",
}
"""Of functions and classes of a package."""


def current_arguments(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorator: an old name of an argument is a TypeError that tells the new name.

    >>> @current_arguments
    ... def simulate(t_span: float) -> float:
    ...     return t_span
    >>> simulate(t=1.0)
    Traceback (most recent call last):
    TypeError: simulate: the argument 't' is now 't_span'
    """

    @functools.wraps(function)
    def checked(*args: Arguments.args, **given: Arguments.kwargs) -> Result:
        try:
            return function(*args, **given)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise  # from within the function
            for old in given:
                if new := _new_name(function, old):
                    raise TypeError(
                        f"{_name(function)}: the argument {old!r} is now {new!r}"
                    ) from None
            raise

    return checked


def _name(function: Callable[..., object]) -> str:
    """Name of the function, or of the class that it initializes."""
    *_, owner, name = ("", *function.__qualname__.split("."))
    return owner if name == "__init__" else name


def _new_name(function: Callable[..., object], old: str) -> str | None:
    code = function.__code__
    takes = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    new = _OF_ONE.get(_name(function), {}).get(old) or ARGUMENTS.get(old)
    return new if new in takes and old not in takes else None


def moved(package: str, name: str) -> str:
    """End of the message about a name that a package does not have."""
    new = MOVED.get(f"{package}.{name}")
    return f"; it is now {new}" if new else ""
