"""Rigid contacts at run time: impacts, rest, stick and slip, and the forces that hold.

Between events the contacts that are closed are constraints with forces that only press; where a gap
closes the speeds jump. Reference: Pfeiffer and Glocker, *Multibody Dynamics with Unilateral
Contacts*; Brogliato, *Nonsmooth Mechanics*.
"""

from eomc.runtime.impacts.contact_rollouts import ContactRollouts, contact_rollouts
from eomc.runtime.impacts.errors import PainleveError
from eomc.runtime.impacts.forces import ContactForces, contact_forces
from eomc.runtime.impacts.impact import Impact, impact

__all__ = [
    "ContactForces",
    "ContactRollouts",
    "Impact",
    "PainleveError",
    "contact_forces",
    "contact_rollouts",
    "impact",
]
