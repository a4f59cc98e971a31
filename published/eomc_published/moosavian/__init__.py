"""Multi-arm space free-flyers: kinematics, dynamics, code generation.

S. A. A. Moosavian, *Dynamics and Control of Free-Flying Manipulators Capturing Space Objects*,
Ph.D. thesis, McGill University, 1996.
"""

from __future__ import annotations

from eomc_published.moosavian import (
    attitude,
    attitude_control,
    capture_planar,
    capture_spatial,
    contact_estimates,
    cooperative,
    dynamics,
    free_floating,
    generation,
    grasp,
    impedance_contact,
    impedance_linear,
    kinematics,
    limits,
    motion,
    operation_counts,
    own_impedances,
    planning,
    space_impedance,
    two_link,
    two_link_noise,
    two_link_singularity,
    unloading,
)
from eomc_published.moosavian.capture_figures import FIGURES as OF_CAPTURES
from eomc_published.moosavian.figures import FIGURES as OF_DYNAMICS
from eomc_published.moosavian.free_floating_figures import FIGURES as OF_FREE_FLOATING
from eomc_published.moosavian.impedance_figures import FIGURES as OF_IMPEDANCE
from eomc_published.moosavian.maneuvers import FIGURES as OF_MANEUVERS
from eomc_published.moosavian.two_link_figures import FIGURES as OF_TWO_LINKS
from eomc_published.work import PublishedWork

_FILES = (
    *(kinematics, dynamics, limits, attitude, motion, generation),
    *(planning, capture_planar, attitude_control, operation_counts, capture_spatial),
    *(two_link, two_link_noise, impedance_linear, impedance_contact, cooperative),
    *(contact_estimates, grasp, space_impedance, free_floating, own_impedances),
    two_link_singularity,
    unloading,
)

REFERENCE = PublishedWork(
    name="moosavian",
    title="Multi-arm space free-flyers",
    citation="S. A. A. Moosavian, Dynamics and Control of Free-Flying Manipulators Capturing Space "
    "Objects, Ph.D. thesis, McGill University, 1996",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=(
        *OF_DYNAMICS,
        *OF_CAPTURES,
        *OF_TWO_LINKS,
        *OF_IMPEDANCE,
        *OF_MANEUVERS,
        *OF_FREE_FLOATING,
    ),
)
