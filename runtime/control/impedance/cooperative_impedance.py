"""Multiple impedance control of end-effectors that hold one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import FORCE, HELD, MEASURED
from eomc.runtime.control.impedance.contact_estimate import ContactEstimate
from eomc.runtime.control.impedance.desired_impedance import Impedance
from eomc.runtime.control.impedance.grasp import grasp_weights, shared_forces
from eomc.runtime.control.impedance.held_object import HeldObject, HeldState
from eomc.runtime.control.impedance.row_of_elements import ContactForce
from eomc.runtime.control.sensor import Feeling, Sensor, sensors_of
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space.frame import frame_functions
from eomc.runtime.control.task_space.modified_transpose_jacobian import ModifiedTransposeJacobian
from eomc.runtime.control.task_space.output import OutputError
from eomc.runtime.control.task_space.resolved_acceleration import ResolvedAcceleration
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import FOLLOWED, Moment, TaskLaw
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector


class CooperativeImpedance(Feeling):
    """One impedance for the object, all end-effectors that hold it, and the base that carries them.

        Q = M a + c + J_e^T F_e
        a = J^-1 (y_d'' + M_des^-1 (k_d e~' + k_p e~ + F_c) - J' u)
        F_e = G# (M_o v + F_w - F_c - F_o) + (1 - G# G) F_int
        v = x_d'' + M_des^-1 (k_d e' + k_p e + F_c)

    with the errors e~ of the task's outputs y and e of the object's x. With exact data, and where
    the wanted motions can be had together, every error obeys M_des e'' + k_d e' + k_p e = -F_c, in
    contact and out of it, without a change of the law. End-effectors that hold a rigid object off
    its centre of mass share its error as long as its attitude has none.

    Reference: Moosavian, Rastegari and Papadopoulos, Multiple impedance control for space
    free-flying robots, J. Guidance, Control, and Dynamics 28 (2005); Moosavian 1996, sections 6.3.1
    and 6.4, equations 6.15 to 6.26 and 6.63 to 6.71.

    Parameters
    ----------
    task : Task
        Of the robot's model, without the object: base if it floats, and end-effectors, each with
        the rows that the object has.
    motions : sequence, one entry for each output of the task
    held : HeldObject
        The object in the plant.
    impedance : Impedance, or sequence of them
        Of k rows, for the object and for every k rows of the task; or one for each of the task's
        bodies, in order, and the object's last. Where impedances differ, rigid couplings leave of
        the equations of all errors only their sum, weighted by the inertias,

            sum_i G_i M^_i (v_i - y_i'') + M_o (v - x'') = 0.
    grips : sequence of str
        Frames of the robot's model at which it holds the object.
    contact : function (t, q, u) -> (k,), Sensor or ContactEstimate, optional
        F_c on the object, of the plant's state; none by default. An estimate remembers, so that the
        law then runs in `Sampled` only.
    internal : function (F_c) -> (m,), optional
        F_int, entries as of `grasp_matrix`; none by default.
    load : (k,), optional
        F_o, further known forces on the object.
    weights : number, (m,) or (m, m)
        W of the pseudoinverse G#; see `Grasp`.
    motion : TaskLaw, optional
        What moves the bodies, for the same task; by default `ResolvedAcceleration`. Of gains 0, an
        `OperationalSpace` is for arms with more joints than the task has rows, which its posture
        moves without effect on the impedance. A `ModifiedTransposeJacobian` is for arms of unknown
        dynamics: Q^ = Kp e~ + Kd e~' + F_c + k Q^(t - T), so that k_d e~' + k_p e~ = -F_c
        approximately with its own gains; it remembers, and runs in `Sampled` only.
    plant : StateMap, optional
        How the robot's state follows from the plant's; needed unless the robot's model has all of
        the plant's coordinates.

    Attributes
    ----------
    estimates : list of (t, F_c (k,))
        Estimated forces of the last run, if `contact` is an estimate.

    Raises ValueError for a task whose rows are not those of several such bodies, no grips, shapes,
    another number of impedances, a motion of another task or with gains of its own;
    UnknownFrameError for a grip that the model has not; SingularJacobianError, when called, where J
    is singular.
    """

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        held: HeldObject,
        impedance: Impedance | Sequence[Impedance],
        grips: Sequence[str],
        *,
        contact: ContactForce | ContactEstimate = None,
        internal: Callable[[Array], ArrayLike] | None = None,
        load: ArrayLike | None = None,
        weights: ArrayLike = 1.0,
        motion: TaskLaw | None = None,
        plant: StateMap | None = None,
    ) -> None:
        self.task, self.held = task, held
        self.acts = task.acts(type(self).__name__)
        self.wanted = task.wanted(motions)
        if task.size % held.size:
            raise ValueError(
                f"the task has {task.size} rows; give {held.size}, those of the object, for each "
                "of its bodies"
            )
        bodies = task.size // held.size
        self.impedances = _for_each(impedance, bodies + 1)
        for entry in self.impedances:
            entry.matrices(held.size)
        self.motion = ResolvedAcceleration(task, motions, 0.0, 0.0) if motion is None else motion
        has_gains = bool(self.motion.kp.any() or self.motion.kd.any())
        if has_gains and not isinstance(self.motion, ModifiedTransposeJacobian):
            raise ValueError("motion: its gains are those of the impedance; give kp = kd = 0")
        if self.motion.task is not task:
            raise ValueError("motion: a law of another task; give it the same")
        if not grips:
            raise ValueError("grips: name the frames that hold the object")
        self._grips = [frame_functions(task.model, name) for name in grips]
        self.plant = StateMap.identity(task.model) if plant is None else plant
        if self.plant.model is not task.model:
            raise ValueError("plant: the map leads to another model than the task's")
        self._contact, self._internal = contact, internal
        size = len(grips) * len(held.force_rows)
        self._spread: Array = np.asarray(np.linalg.inv(grasp_weights(weights, size)), np.float64)
        self.estimates: list[tuple[float, Array]] = []
        self._load = np.zeros(held.size) if load is None else vector("load", load, held.size)

    @property
    def model(self) -> CompiledModel:
        """The controller's: the robot's."""
        return self.task.model

    @property
    def sensors(self) -> dict[str, Sensor]:
        """Sensors beside the robot's, by input: of the object, its contact or its holders."""
        contact = self._contact
        felt = (HELD, contact.sensor) if isinstance(contact, ContactEstimate) else (FORCE, contact)
        return self.held.sensors | sensors_of(*felt)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant [N m or N]"""
        if isinstance(self._contact, ContactEstimate) or self.motion.start.size:
            raise RuntimeError(
                "a law that remembers forces, or estimates those of contact, needs "
                "Sampled(law, period)"
            )
        return self._torque(t, q, u, self.held.at(t, q, u), self._measured(t, q, u), np.zeros(0))[1]

    def at_samples(self, period: float) -> Callable[[float, Array, Array], Array]:
        """As of `Remembering`: the law at each sample."""
        contact, stored = self._contact, self.motion.start
        if not isinstance(contact, ContactEstimate):
            if not stored.size:
                return self.torque
            memory = np.zeros(0)
        else:
            memory = contact.start(self.held.size, period)
        self.estimates = []

        def sampled(t: float, q: Array, u: Array) -> Array:
            nonlocal memory, stored
            held = self.held.at(t, q, u)
            if isinstance(contact, ContactEstimate):
                state = self.plant.state(q, u)
                by = self.task.operations(t, state.q, state.u)
                G = self.held.grasp(held, self._points(by, state.q, state.u))
                tau = np.zeros(self.plant.plant.nu) if self._felt is None else self._felt
                felt = vector(f"sensor at t = {t:.6g} s", contact.sensor(t, q, u, tau), G.shape[1])
                memory, force = self._estimated(by, memory, held, G, felt, contact, period)
                self.estimates.append((t, force))
            else:
                force = self._measured(t, q, u)
            stored, tau = self._torque(t, q, u, held, force, stored)
            return tau

        return sampled

    def _measured(self, t: float, q: Array, u: Array) -> Array:
        """F_c (k,) as it is given."""
        contact = self._contact
        if contact is None or isinstance(contact, ContactEstimate):
            return np.zeros(self.held.size)
        return self.measured("contact", contact, t, q, u, self.held.size)

    def reference(self, t: float) -> dict[str, Array]:
        """Wanted motions of base, end-effectors, object, by the names of the step's arguments."""
        rows = [np.concatenate(part) for part in zip(*self.wanted(t), strict=True)]
        wanted = dict(zip(FOLLOWED, rows, strict=True)) | self.held.reference(t)
        return wanted | self.motion.beside(t)

    def equation(self, period: float) -> DifferenceEquation:
        """The law at samples, for C: of the robot's state, of the object's place and rate, of the
        force of the contact or those of the holders, and of what is followed.

        Raises NotEmittableError for outputs and internal forces that are not written in the
        operations of a difference equation.
        """
        model, contact, held = self.model, self._contact, self.held
        start, size = np.zeros(0), len(self._grips) * len(held.force_rows)
        inputs = dict(zip(MEASURED, (model.coordinates, model.speeds), strict=True))
        inputs |= {name: sensor.names for name, sensor in held.sensors.items()}
        if isinstance(contact, ContactEstimate):
            start = contact.start(held.size, period)
            inputs[HELD] = tuple(f"held_{k}" for k in range(size))
        elif contact is not None:
            inputs[FORCE] = held.task.names
        seen_first = len(inputs)
        followed = {FOLLOWED[0]: self.task.entries}
        followed |= dict.fromkeys(FOLLOWED[1:], self.task.names)
        beside = {k: rows for k, rows in self.motion.followed().items() if k not in FOLLOWED}
        inputs |= followed | held.followed | beside
        estimating = len(start)

        def step(by: Operations, memory: Any, w: Any, *given: Any) -> tuple[Any, Any]:
            q, u, place, rate, *felt = given[:seen_first]
            wanted = given[seen_first : seen_first + 3]
            goals = dict(zip(beside, given[seen_first + 6 :], strict=True))
            state = held.seen(by, place, rate, *given[seen_first + 3 : seen_first + 6])
            memory, stored = memory[:estimating], memory[estimating:]
            force = np.zeros(held.size) if contact is None else felt[0]
            if isinstance(contact, ContactEstimate):
                G = held.grasp(state, self._points(by, q, u))
                memory, force = self._estimated(by, memory, state, G, felt[0], contact, period)
            stored, tau = self._formed(by, q, u, wanted, state, force, stored, goals)
            return np.concatenate([memory, stored]), self.acts.only(tau)

        return DifferenceEquation(
            np.concatenate([start, self.motion.start]),
            inputs,
            "tau",
            model.speeds,
            step,
            0,
            self._functions(),
            self.task.assumed_parameters(),
        )

    def _functions(self) -> tuple[str, ...]:
        grips = [grip[name] for grip in self._grips for name in ("pose", "jacobian")]
        return tuple(dict.fromkeys((*self.task.functions(), *grips, *self.motion.calls)))

    def _points(self, by: Operations, q: Any, u: Any) -> Any:
        """(n, 3): where the grips are [m]."""
        return np.array([by.call(grip["pose"], q=q, u=u)[:3, 3] for grip in self._grips])

    def _estimated(
        self,
        by: Operations,
        memory: Any,
        held: HeldState,
        G: Any,
        felt: Any,
        contact: ContactEstimate,
        period: float,
    ) -> tuple[Any, Any]:
        bias = held.bias - self._load
        return contact.step(by, memory, held.rate, held.mass, bias, G, felt, period)

    def _torque(
        self, t: float, q: Array, u: Array, held: HeldState, contact: Array, stored: Array
    ) -> tuple[Array, Array]:
        """Memory of the motion, and the torques (nu,) of the plant."""
        state = self.plant.state(q, u)
        by = self.task.operations(t, state.q, state.u)
        wanted = [np.concatenate(part) for part in zip(*self.wanted(t), strict=True)]
        beside = self.motion.beside(t)
        stored, tau = self._formed(by, state.q, state.u, wanted, held, contact, stored, beside)
        return stored, self.plant.forces(self.acts.only(np.asarray(tau, dtype=np.float64)))

    def _formed(
        self,
        by: Operations,
        q: Any,
        u: Any,
        wanted: Sequence[Any],
        held: HeldState,
        contact: Any,
        stored: Any,
        beside: Mapping[str, Any],
    ) -> tuple[Any, Any]:
        """Memory of the motion, and Q (nu,) of the robot's model."""
        seen = self.task.seen(by, q, u)
        e, e_rate, acceleration = self.task.deviation(seen, self.task.parted(*wanted), by)
        k, *bodies, of_object = self.held.size, *self.impedances
        rows = zip(bodies, e.reshape(-1, k), e_rate.reshape(-1, k), strict=True)
        answers = [body.answer(part, rate, contact) for body, part, rate in rows]
        deviation = OutputError(e, e_rate, acceleration + np.concatenate(answers))
        more = {**beside, "contact": np.tile(contact, len(bodies))}
        stored, tau = self.motion.formed(by, Moment(q, u, seen, deviation, more), stored)
        G = self.held.grasp(held, self._points(by, q, u))
        asked = held.acceleration + of_object.answer(held.e, held.e_rate, contact)
        needed = held.mass @ asked + held.bias - contact - self._load
        forces = shared_forces(by, G, self._spread, needed, self._inside(contact, G.shape[1]))
        return stored, tau + self._held_by(by, q, u, forces)

    def _inside(self, contact: Any, size: int) -> Any:
        """F_int (m,)"""
        if self._internal is None:
            return np.zeros(size)
        try:
            found = np.asarray(self._internal(contact))
        except TypeError as error:
            if np.asarray(contact).dtype != object:
                raise
            raise NotEmittableError(
                f"internal: this function is of numbers alone ({error}); write it in +, -, * and / "
                "on arrays"
            ) from None
        if found.shape != (size,):
            raise ValueError(f"internal gives shape {found.shape}, expected ({size},)")
        return found

    def _held_by(self, by: Operations, q: Any, u: Any, forces: Any) -> Any:
        """J_e^T F_e (nu,)"""
        parts, rows = forces.reshape(len(self._grips), -1), self.held.force_rows
        jacobians = [by.call(grip["jacobian"], q=q, u=u)[rows] for grip in self._grips]
        return sum(J.T @ part for J, part in zip(jacobians, parts, strict=True))


def _for_each(given: Impedance | Sequence[Impedance], count: int) -> tuple[Impedance, ...]:
    """One for each of the bodies."""
    if isinstance(given, Impedance):
        return (given,) * count
    if len(given) != count:
        raise ValueError(
            f"impedance: {len(given)} of them; give one, or {count}: for each body of the task, "
            "and for the object"
        )
    return tuple(given)
