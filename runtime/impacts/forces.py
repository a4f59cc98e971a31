"""Forces of rigid contacts along a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contacts import RigidContacts
from eomc.runtime.impacts.history import ContactHistory
from eomc.runtime.impacts.phase import ContactPhase
from eomc.runtime.model.state import State

if TYPE_CHECKING:
    from eomc.runtime.record.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class ContactForces:
    """names : of the contacts; pressing : (times, contacts) [N]; friction : (times, contacts, 3) on
    the shape, in the world [N]. Impulses of impacts are not among them."""

    names: tuple[str, ...]
    pressing: Array
    friction: Array


def contact_forces(run: Trajectory) -> ContactForces:
    """Forces of the rigid contacts at the times of a run's record; at an event those before it.

    Raises ValueError for a run without rigid contacts, or that was read from a file.
    """
    if run.contacts is None or run.model is None:
        raise ValueError("the run has no rigid contacts, or was read from a file")
    if not isinstance(run.contacts, ContactHistory):
        raise ValueError("the run was made of steps; run.contacts.forces are the forces of these")
    history = run.contacts
    pressing = np.zeros((len(run.t), len(history.names)))
    friction = np.zeros((*pressing.shape, 3))
    for k, t in enumerate(run.t.tolist()):
        motion = {name: getattr(run, name)[k] for name in ("s", "s_rate", "s_acceleration")}
        excitation = Excitation(
            run.model,
            tau=run.tau[k],
            inputs=run.r[k] if run.inputs else None,
            prescribed=(lambda _, m=motion: tuple(m.values())) if run.prescribed else None,  # type: ignore[misc]
            parameters=run.parameters or None,
        )
        phase = ContactPhase(RigidContacts(run.model, excitation), history.during(t), ())
        found = phase.motion(t, State(run.q[k], run.u[k], run.z[k]))
        pressing[k], friction[k] = found.pressing, found.friction
    return ContactForces(history.names, pressing, friction)
