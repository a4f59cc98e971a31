"""Multi-arm space free-flyers: kinematics, dynamics, code generation.

S. A. A. Moosavian, *Dynamics and Control of Free-Flying Manipulators Capturing Space Objects*,
Ph.D. thesis, McGill University, 1996.
"""

from __future__ import annotations

from eomc.systems.reference.moosavian import (
    attitude,
    dynamics,
    generation,
    kinematics,
    limits,
    motion,
)
from eomc.systems.reference.moosavian.figures import FIGURES
from eomc.systems.reference.reference import Reference

_FILES = (kinematics, dynamics, limits, attitude, motion, generation)

REFERENCE = Reference(
    name="moosavian",
    title="Multi-arm space free-flyers",
    citation="S. A. A. Moosavian, Dynamics and Control of Free-Flying Manipulators Capturing Space "
    "Objects, Ph.D. thesis, McGill University, 1996",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=FIGURES,
)
