"""Outputs stacked to a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import ActuatedSpeeds, Actuators
from eomc.runtime.control.law import ModelBased
from eomc.runtime.control.task_space.output import (
    NUMERIC,
    OutputError,
    OutputReference,
    OutputState,
    TaskOutput,
)
from eomc.runtime.difference import Numeric, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector
from eomc.runtime.names.renamed import current_arguments

OutputMotion = ArrayLike | Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]]
"""A value to hold, or t -> (y, y', y''), as the profiles of `eomc.runtime.trajectories`."""


class SingularJacobianError(ValueError):
    """The outputs do not move independently in this configuration."""


class TaskState(NamedTuple):
    """A task in a state: its outputs one by one, and stacked J (m, nu) and J' u (m,)."""

    seen: tuple[OutputState, ...]
    jacobian: Array
    drift: Array

    @property
    def rate(self) -> Array:
        """y' (m,)"""
        return np.concatenate([part.rate for part in self.seen])


class Task(ModelBased):
    """Outputs y of a model, chosen and put in order by its user.

        y' = J u,    y'' = J u' + J' u

    Parameters
    ----------
    model : CompiledModel
        The controller's model.
    outputs : sequence of `TaskOutput`
        `Position`, `EulerAngles`, `Attitude`, `Coordinates`.
    inputs, prescribed, parameters : as of `simulate`
        The model as the controller knows it.
    actuators : sequence of str, optional
        Speeds that the laws of the task act on, as of `PD`.

    The m rows of the rate bear names: ``task.names``.

    Raises ValueError for a name that the model has not, and for an empty task.

    References: Khatib, A unified approach for motion and force control of robot manipulators, IEEE
    J. Robotics and Automation 3 (1987); Moosavian 1996, equations 4.7 and 4.8.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        outputs: Sequence[TaskOutput],
        *,
        actuators: Actuators = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.outputs = tuple(outputs)
        if not self.outputs:
            raise ValueError("outputs: the task has none")
        self._rows = [output.names(model) for output in self.outputs]
        self.names = tuple(name for rows in self._rows for name in rows)
        self._see = [output.begin(model) for output in self.outputs]
        self._still = np.zeros(model.nu)
        self._actuators = actuators

    def acts(self, law: str) -> ActuatedSpeeds:
        """The speeds that a law of the task acts on."""
        return ActuatedSpeeds(self.model, self._actuators, law)

    @property
    def size(self) -> int:
        """m, the number of rows."""
        return len(self.names)

    def at(self, t: float, q: Array, u: Array) -> TaskState:
        """The outputs at time t in the state (q, u)."""
        return self.seen(self.operations(t, q, u), q, u)

    def seen(self, by: Operations, q: Any, u: Any) -> TaskState:
        """The outputs as `at` has them, in the operations of a difference equation."""
        known = {"q": q, "u": u, "a": self._still}

        def ask(function: str) -> Array:
            return np.asarray(by.call(function, **known))

        seen = tuple(see(ask, known, *_written(by)) for see in self._see)
        return TaskState(
            seen,
            np.concatenate([part.jacobian for part in seen]),
            np.concatenate([part.drift for part in seen]),
        )

    def wanted(
        self, motions: Sequence[OutputMotion]
    ) -> Callable[[float], tuple[OutputReference, ...]]:
        """The checked motions of the outputs over time: one for each of them, in their order.

        Raises ValueError for another number or shape of them, also at later times.
        """
        if len(motions) != len(self.outputs):
            raise ValueError(
                f"motions: {len(motions)} for {len(self.outputs)} outputs; give one for each"
            )
        laws = [
            _checked(output, rows, motion)
            for output, rows, motion in zip(self.outputs, self._rows, motions, strict=True)
        ]
        return lambda t: tuple(law(t) for law in laws)

    def functions(self) -> tuple[str, ...]:
        """Names of the functions of the model that `seen` calls."""
        asked: dict[str, None] = {}
        q, u = np.asarray(self.model.function("neutral")(), dtype=np.float64), self._still
        by = self.operations(0.0, q, u)

        def recorded(function: str, **values: Any) -> Any:
            asked[function] = None
            return by.call(function, **values)

        self.seen(Numeric(recorded), q, u)
        return tuple(asked)

    @property
    def entries(self) -> tuple[str, ...]:
        """Names of the entries of y: those of the rows, but of an attitude."""
        return tuple(
            name
            for output, rows in zip(self.outputs, self._rows, strict=True)
            for name in _entries(output, self.model, rows)
        )

    def parted(self, y: Any, rate: Any, acceleration: Any) -> tuple[OutputReference, ...]:
        """Wanted values of each output, from those of all outputs in a row."""
        places = np.cumsum([output.size for output in self.outputs])[:-1]
        rows = np.cumsum([len(names) for names in self._rows])[:-1]
        parts = np.split(y, places), np.split(rate, rows), np.split(acceleration, rows)
        return tuple(OutputReference(*part) for part in zip(*parts, strict=True))

    def deviation(
        self, state: TaskState, wanted: Sequence[OutputReference], by: Operations = NUMERIC
    ) -> OutputError:
        """(e, e', acceleration), (m,) each."""
        parts = [
            output.deviation(seen, goal, *_written(by))
            for output, seen, goal in zip(self.outputs, state.seen, wanted, strict=True)
        ]
        return OutputError(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def forces(self, by: Operations, q: Any, u: Any, a: Any) -> Any:
        """Q = M a + c (nu,), of a law that wants the accelerations `a`."""
        return by.call("inverse_dynamics", q=q, u=u, a=a)

    def inverse(self, J: Array, damping: float = 0.0) -> Array:
        """J^-1, or damped J^T (J J^T + damping^2 1)^-1, (nu, m); see `solve`."""
        return np.asarray(self.solve(NUMERIC, J, np.eye(len(J)), damping))

    def solve(self, by: Operations, J: Any, y: Any, damping: float = 0.0) -> Any:
        """J^-1 y, or damped J^T (J J^T + damping^2 1)^-1 y, (nu,).

        Damping bounds what an inverse asks for near a singular configuration, at the price of an
        error there. Nakamura and Hanafusa, Inverse kinematic solutions with singularity robustness,
        ASME J. Dyn. Syst. Meas. Control 108 (1986).

        Raises SingularJacobianError, with the direction that is lost, of a J that is singular or
        not square, without damping; emitted C returns the code ``singular_jacobian``.
        """
        if damping > 0:
            return J.T @ by.solve_positive(J @ J.T + damping**2 * np.eye(len(J)), y)
        if J.shape[0] != J.shape[1]:
            raise SingularJacobianError(
                f"the task has {J.shape[0]} rows for {J.shape[1]} speeds; give as many, or damping"
            )
        return by.solve(J, y, "singular_jacobian", self._lost)

    def _lost(self, J: Array) -> SingularJacobianError:
        left, sizes, _ = np.linalg.svd(J)
        parts = sorted(zip(np.abs(left[:, -1]), self.names, strict=True), reverse=True)
        largest = ", ".join(name for part, name in parts[:3] if part > 0.1)
        return SingularJacobianError(
            f"the Jacobian of the task is singular (smallest singular value {sizes[-1]:.2g}): "
            f"{largest} cannot move independently; keep away, or give damping"
        )


def _written(by: Operations) -> tuple[Operations, ...]:
    """The operations as further arguments of outputs; none for numbers, which are their default."""
    return () if isinstance(by, Numeric) else (by,)


def _entries(output: TaskOutput, model: CompiledModel, rows: tuple[str, ...]) -> tuple[str, ...]:
    named = getattr(output, "entries", None)
    return rows if named is None else tuple(named(model))


def _checked(
    output: TaskOutput, rows: tuple[str, ...], motion: OutputMotion
) -> Callable[[float], OutputReference]:
    """The motion of one output, its shapes checked."""
    m, name = len(rows), f"motion of {rows[0]}"
    if not callable(motion):
        resting = OutputReference(vector(name, motion, output.size), np.zeros(m), np.zeros(m))
        return lambda t: resting

    def law(t: float) -> OutputReference:
        given = motion(t)
        if not isinstance(given, tuple | list) or len(given) != 3:
            raise ValueError(f"{name} at t = {t:.6g} s: give (y, y', y'')")
        found = OutputReference(
            *(np.asarray(value, dtype=np.float64).reshape(-1) for value in given)
        )
        if [len(part) for part in found] != [output.size, m, m]:
            shapes = [len(part) for part in found]
            raise ValueError(
                f"{name} at t = {t:.6g} s has sizes {shapes}, expected {[output.size, m, m]}"
            )
        return found

    return law
