"""Parameters from recorded runs, inverse kinematics and designs.

The cases are numbered as in the project's list of them. Records are exact flows of equations
written by hand, with seeded noise; optima and covariances were found by other programs.
"""

from __future__ import annotations

from eomc_published.fit import designs, machines, pendulums, reaching, whole_bodies
from eomc_published.work import PublishedWork

_PARTS = (designs, machines, pendulums, reaching, whole_bodies)

REFERENCE = PublishedWork(
    name="fit",
    title="Parameters from recorded runs, inverse kinematics and designs",
    citation="Ljung, System Identification: Theory for the User, 2nd ed., Prentice Hall 1999",
    cases=tuple(
        sorted((case for part in _PARTS for case in part.CASES), key=lambda case: case.number)
    ),
    figures=(),
)
