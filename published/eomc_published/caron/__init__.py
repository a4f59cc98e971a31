"""Flexible space manipulator with slewing and deployable links.

M. Caron, *Planar Dynamics and Control of Space-Based Flexible Manipulators with Slewing and
Deployable Links*, M.A.Sc. thesis, University of British Columbia, 1996.
"""

from __future__ import annotations

from eomc_published.caron import (
    closed_loops,
    control,
    energy,
    formulation,
    frequencies,
    joint_torque,
    maneuvers,
    many_units,
    modes,
    one_unit,
    order,
    payloads,
    two_units,
)
from eomc_published.caron.control_figures import CONTROL_FIGURES
from eomc_published.caron.figures import FIGURES
from eomc_published.work import PublishedWork

_FILES = (
    *(modes, formulation, maneuvers, order, energy, frequencies),
    *(one_unit, payloads, two_units, many_units, control, closed_loops, joint_torque),
)

REFERENCE = PublishedWork(
    name="caron",
    title="Flexible space manipulators with slewing and deployable links",
    citation="M. Caron, Planar Dynamics and Control of Space-Based Flexible Manipulators with "
    "Slewing and Deployable Links, M.A.Sc. thesis, University of British Columbia, 1996",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=(*FIGURES, *CONTROL_FIGURES),
)
