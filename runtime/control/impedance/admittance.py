"""Admittance control: what is pushed gives way, by an inner law that follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import FORCE, MEASURED
from eomc.runtime.control.impedance.desired_impedance import Impedance
from eomc.runtime.control.sensor import Feeling, Sensor, sensors_of
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import FOLLOWED, TaskLaw
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.excitation.law_arguments import check_law_arguments
from eomc.runtime.linearization.discretization import zero_order_hold
from eomc.runtime.model.compiled import CompiledModel

LawOf = Callable[[Task, Sequence[OutputMotion]], TaskLaw]
"""A law for a task and the motions of its outputs."""


class Admittance(Feeling):
    """M c'' + D c' + K c = F: the outputs follow y_d + c, by a law of their own; for `Sampled`.

    F is the force of the contact on the outputs, as measured at samples; between them it is held,
    and c is exact. Impedance control does the reverse: it measures motion and commands force.

    Reference: Seraji, Adaptive admittance control: an approach to explicit force control in
    compliant motion, IEEE ICRA (1994); Siciliano et al., *Robotics* (2009), sec. 9.3.

    Parameters
    ----------
    task : Task
        Of outputs whose values are as many as their rates: places, coordinates, Euler angles.
    motions : as of `TransposeJacobian`
    impedance : Impedance
        M, D, K of the outputs.
    force : function of (t, q, u), or Sensor
        F (m,), in the rows of the task [N or N m].
    law : function of (task, motions)
        Makes the inner law, such as ``lambda task, motions: ResolvedAcceleration(task, motions,
        400.0, 40.0)``.

    Attributes
    ----------
    offsets : list of (t, c (m,))
        Those of the last run.

    Raises ValueError for other outputs, and as of `TransposeJacobian` and `Impedance`.
    """

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        impedance: Impedance,
        force: Callable[[float, Array, Array], ArrayLike],
        law: LawOf,
    ) -> None:
        if not isinstance(force, Sensor):
            check_law_arguments("force", force, "t", "q", "u")
        sizes = [len(output.names(task.model)) for output in task.outputs]
        for output, size in zip(task.outputs, sizes, strict=True):
            if output.size != size:
                raise ValueError(
                    f"{type(output).__name__}: its {output.size} values cannot be moved aside by "
                    f"{size} numbers; take EulerAngles"
                )
        self.task, self.force = task, force
        mass, damping, stiffness = impedance.matrices(task.size)
        m, inverse = task.size, np.linalg.inv(mass)
        self._rate = np.block(
            [[np.zeros((m, m)), np.eye(m)], [-inverse @ stiffness, -inverse @ damping]]
        )
        self._effect = np.vstack([np.zeros((m, m)), inverse])
        self._state, self._push = np.zeros(2 * m), np.zeros(m)
        self.offsets: list[tuple[float, Array]] = []
        self._wanted = task.wanted(motions)
        ends = np.cumsum([0, *sizes])
        moved = [self._moved(k, slice(*ends[k : k + 2])) for k in range(len(sizes))]
        self.law = law(task, moved)

    def at_samples(self, period: float) -> Callable[[float, Array, Array], ArrayLike]:
        """The law of one run, called at each sample with what is measured."""
        flow, effect = zero_order_hold(self._rate, self._effect, period)
        m = self.task.size
        self._state, self.offsets = np.zeros(2 * m), []
        remembers = getattr(self.law, "at_samples", None)
        inner = self.law.torque if remembers is None else remembers(period)

        def step(t: float, q: Array, u: Array) -> ArrayLike:
            self._push = self.measured("force", self.force, t, q, u, m).copy()
            self.offsets.append((t, self._state[:m].copy()))
            tau: ArrayLike = inner(t, q, u)
            self._state = flow @ self._state + effect @ self._push
            return tau

        return step

    @property
    def model(self) -> CompiledModel:
        """The controller's."""
        return self.task.model

    @property
    def sensors(self) -> dict[str, Sensor]:
        """Sensors beside coordinates and speeds, by input: that of the force, if there is one."""
        return sensors_of(FORCE, self.force)

    def reference(self, t: float) -> dict[str, Array]:
        """Motion to follow where nothing pushes, by the names of the step's arguments."""
        rows = (np.concatenate(part) for part in zip(*self._wanted(t), strict=True))
        return dict(zip(FOLLOWED, rows, strict=True)) | self.law.beside(t)

    def equation(self, period: float) -> DifferenceEquation:
        """The law at samples, for C; the force is one more argument, ``force``.

        Raises NotEmittableError where the inner law has no equation.
        """
        inner, m = self.law.equation(period), self.task.size
        flow, effect = zero_order_hold(self._rate, self._effect, period)
        inputs = {name: inner.inputs[name] for name in MEASURED} | {FORCE: self.task.names}
        followed = {name: rows for name, rows in inner.inputs.items() if name not in MEASURED}

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, force: Any, *given: Any
        ) -> tuple[Any, Any]:
            c, memory = state[: 2 * m], state[2 * m :]
            whole = self._rate @ c + self._effect @ force
            aside = dict(zip(FOLLOWED, (c[:m], c[m:], whole[m:]), strict=True))
            moved = [row + aside.get(name, 0.0) for name, row in zip(followed, given, strict=True)]
            memory, tau = inner.step(by, memory, w, q, u, *moved)
            return np.concatenate([flow @ c + effect @ force, memory]), tau

        start = np.concatenate([np.zeros(2 * m), inner.start])
        return DifferenceEquation(
            start, inputs | followed, "tau", inner.rows, step, 0, inner.functions, inner.parameters
        )

    def _moved(self, k: int, rows: slice) -> Callable[[float], tuple[Array, Array, Array]]:
        """The motion of an output, moved aside."""
        m = self.task.size

        def motion(t: float) -> tuple[Array, Array, Array]:
            y, rate, acceleration = self._wanted(t)[k]
            whole = self._rate @ self._state + self._effect @ self._push
            c, c_rate, c_acceleration = self._state[:m], self._state[m:], whole[m:]
            return y + c[rows], rate + c_rate[rows], acceleration + c_acceleration[rows]

        return motion
