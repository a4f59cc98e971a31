"""Controllers in C, alone or with the mechanism that they drive, as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from eomc.building.controller_program import controller_program
from eomc.building.loop_sources import loop_sources
from eomc.codegen import emit, write
from eomc.codegen.integrators.known import FIRST
from eomc.codegen.plan.real import RealName
from eomc.runtime.control import Sampled


def emit_controller(
    controller: Any,
    folder: str | os.PathLike[str],
    *,
    model: Any = None,
    name: str = "controller",
    real: RealName = "double",
    self_test: bool = False,
) -> Path:
    """Write a controller, observer or shaper in C: a struct of its state, and a step.

    Parameters
    ----------
    controller : Sampled, or DifferenceEquation
        Sensors, law and actuators become one step; delay and lag belong to the mechanism, and so do
        signals that disturb, such as noise: the step has none of them.
    folder : where the files go
        They appear whole or not at all.
    model : Model, path or equations, optional
        Of the controller; needed where its law calls functions, such as inverse dynamics.
    name : prefix of all names
    real : scalar type
    self_test : also a program that tests the step where it runs, with numbers of the controller in
        Python

    Raises
    ------
    NotEmittableError
        where the law or a signal has no difference equation
    ModelError, EmissionError, OSError
    """
    if isinstance(controller, Sampled):
        controller = controller.undisturbed()
    program = controller_program(controller, model, name, real, recorded=self_test)
    return write(emit(program, real, self_test=self_test), folder)


def emit_mpc(
    problem: Any,
    folder: str | os.PathLike[str],
    *,
    name: str = "mpc",
    real: RealName = "double",
    **options: Any,
) -> Path:
    """Write a predictive controller in C: a struct with its trajectory, and a step a sample.

    Parameters
    ----------
    problem : OptimalControl, or MPC
        As `eomc.ocp` states it; its step is the period of the controller.
    folder : where the files go
        They appear whole or not at all.
    name : prefix of all names
    real : scalar type
    options : as of `MPC`, such as ``terminal="lqr"``

    Raises ValueError, EmissionError, OSError; nothing is written then.
    """
    from eomc.runtime.predictive import MPC

    if isinstance(problem, Sampled):
        raise ValueError("emit_mpc: give the problem or its MPC, not a Sampled controller of it")
    law = problem if isinstance(problem, MPC) else MPC(problem, **options)
    return emit_controller(Sampled(law, law.period, delay=law.delay), folder, name=name, real=real)


def emit_sampled_loop(
    plant: Any,
    controller: Sampled,
    folder: str | os.PathLike[str],
    *,
    model: Any = None,
    name: str = "controller",
    method: str = FIRST,
) -> Path:
    """Write a mechanism, its sampled controller and the loop around both in C.

    Arguments as of `sampled_loop` and `emit_controller`.
    """
    return write(loop_sources(plant, controller, model, name, method)[0], folder)
