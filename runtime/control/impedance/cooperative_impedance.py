"""Multiple impedance control of end-effectors that hold one object."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.control.impedance.contact_estimate import ContactEstimate
from eomc.runtime.control.impedance.desired_impedance import Impedance
from eomc.runtime.control.impedance.grasp import Grasp
from eomc.runtime.control.impedance.held_object import HeldObject, HeldState
from eomc.runtime.control.impedance.row_of_elements import ContactForce
from eomc.runtime.control.law import Array
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space.frame import frame_functions
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.model.state import vector


class CooperativeImpedance:
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
    impedance : Impedance
        Of k rows, for the object and for every k rows of the task.
    grips : sequence of str
        Frames of the robot's model at which it holds the object.
    contact : function (t, q, u) -> (k,), or ContactEstimate, optional
        F_c on the object, of the plant's state; none by default. An estimate remembers, so that the
        law then runs in `Sampled` only.
    internal : function (F_c) -> (m,), optional
        F_int, entries as of `grasp_matrix`; none by default.
    load : (k,), optional
        F_o, further known forces on the object.
    weights : number, (m,) or (m, m)
        W of the pseudoinverse G#; see `Grasp`.
    plant : StateMap, optional
        How the robot's state follows from the plant's; needed unless the robot's model has all of
        the plant's coordinates.

    Attributes
    ----------
    estimates : list of (t, F_c (k,))
        Estimated forces of the last run, if `contact` is an estimate.

    Raises ValueError for a task whose rows are not those of several such bodies, no grips, shapes;
    UnknownFrameError for a grip that the model has not; SingularJacobianError, when called, where J
    is singular.
    """

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        held: HeldObject,
        impedance: Impedance,
        grips: Sequence[str],
        *,
        contact: ContactForce | ContactEstimate = None,
        internal: Callable[[Array], ArrayLike] | None = None,
        load: ArrayLike | None = None,
        weights: ArrayLike = 1.0,
        plant: StateMap | None = None,
    ) -> None:
        self.task, self.held, self.impedance = task, held, impedance
        self.wanted = task.wanted(motions)
        if task.size % held.size:
            raise ValueError(
                f"the task has {task.size} rows; give {held.size}, those of the object, for each "
                "of its bodies"
            )
        impedance.matrices(held.size)
        if not grips:
            raise ValueError("grips: name the frames that hold the object")
        self._grips = [frame_functions(task.model, name) for name in grips]
        self.plant = StateMap.identity(task.model) if plant is None else plant
        if self.plant.model is not task.model:
            raise ValueError("plant: the map leads to another model than the task's")
        self._contact, self._internal, self._weights = contact, internal, weights
        self.estimates: list[tuple[float, Array]] = []
        self._load = np.zeros(held.size) if load is None else vector("load", load, held.size)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant [N m or N]"""
        if isinstance(self._contact, ContactEstimate):
            raise RuntimeError("a law that estimates forces of contact needs Sampled(law, period)")
        force = np.zeros(self.held.size)
        if self._contact is not None:
            force = vector(f"contact at t = {t:.6g} s", self._contact(t, q, u), self.held.size)
        return self._torque(t, q, u, self.held.at(t, q, u), force)

    def at_samples(self, period: float) -> Callable[[float, Array, Array], Array]:
        """As of `Remembering`: the law at each sample."""
        contact = self._contact
        if not isinstance(contact, ContactEstimate):
            return self.torque
        estimate, last = contact.begin(), np.zeros(self.plant.plant.nu)
        self.estimates = []

        def sampled(t: float, q: Array, u: Array) -> Array:
            nonlocal last
            held = self.held.at(t, q, u)
            G = self.held.grasp(held, self._points(t, q, u))
            felt = np.asarray(contact.sensor(t, q, u, last), dtype=np.float64)
            force = estimate(t, held.rate, held.mass, held.bias - self._load, G, felt)
            self.estimates.append((t, force))
            last = self._torque(t, q, u, held, force)
            return last

        return sampled

    def _points(self, t: float, q: Array, u: Array) -> Array:
        """(n, 3): where the grips are [m]."""
        state = self.plant.state(q, u)
        poses = [self.task.call(grip["pose"], t, state.q, state.u) for grip in self._grips]
        return np.array([pose[:3, 3] for pose in poses])

    def _torque(self, t: float, q: Array, u: Array, held: HeldState, contact: Array) -> Array:
        state = self.plant.state(q, u)
        seen = self.task.at(t, state.q, state.u)
        e, e_rate, acceleration = self.task.deviation(seen, self.wanted(t))
        k = self.held.size
        answer = self.impedance.answer
        rows = zip(e.reshape(-1, k), e_rate.reshape(-1, k), strict=True)
        v = acceleration + np.concatenate([answer(part, rate, contact) for part, rate in rows])
        a = self.task.inverse(seen.jacobian) @ (v - seen.drift)
        tau = self.task.call("inverse_dynamics", t, state.q, state.u, a=a)
        G = self.held.grasp(held, self._points(t, q, u))
        asked = held.acceleration + answer(held.e, held.e_rate, contact)
        needed = held.mass @ asked + held.bias - contact - self._load
        internal = None if self._internal is None else self._internal(contact)
        forces = Grasp(G, self._weights).forces(needed, internal)
        return self.plant.forces(tau + self._held_by(t, state.q, state.u, forces))

    def _held_by(self, t: float, q: Array, u: Array, forces: Array) -> Array:
        """J_e^T F_e (nu,)"""
        parts = forces.reshape(len(self._grips), -1)
        rows = self.held.force_rows
        jacobians = [self.task.call(grip["jacobian"], t, q, u)[rows] for grip in self._grips]
        found: Array = sum(
            (J.T @ part for J, part in zip(jacobians, parts, strict=True)),
            np.zeros(self.task.model.nu),
        )
        return found
