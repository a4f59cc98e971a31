"""Strains of elements as functions of place, and the forces that a change of strain would make.

    eps'' = J a + j(q, u),   A = sum of -on_length dL/dq + on_rest dL0/dq

A is the slope of the generalized forces by a strain that changes while everything else stands
still: a column for each element, the force of an extra tension.
"""

from __future__ import annotations

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.functions.registry import column, function, matrix
from eomc.derive.graph import Argument
from eomc.derive.system import System


@function(
    "element_strains",
    ("q", "u"),
    "Strains eps of elements, eps'' = J a + j, and generalized forces A for a unit of each.",
    sees_forces=True,
    needs=("strains",),
)
def element_strains(system: System) -> list[Argument]:
    """(eps, J, j, A); inputs, time and prescribed motion count as standing still."""
    elements = system.model.stretching()
    found = [element.strained(system.scene) for element in elements.values()]
    names, nu = tuple(elements), system.nu
    values = [e for s in found for e in (s.strain, s.length, s.rest)]
    # One entry a direction of q, of (eps, L, L0) of each element.
    along = swept_columns(system, values, system.directions())
    jacobian = [[along[k][3 * i] for k in range(nu)] for i in range(len(found))]
    forces = [
        [
            s.on_rest * along[k][3 * i + 2] - s.on_length * along[k][3 * i + 1]
            for i, s in enumerate(found)
        ]
        for k in range(nu)
    ]
    motion = system.configuration_rates
    (rates,) = swept_columns(system, [s.strain for s in found], [motion])
    (drift,) = swept_columns(system, rates, [motion])
    return [
        column("strain", [s.strain for s in found], "strains", "", names),
        matrix("J", jacobian, nu, "strains by displacements", "", names),
        column("drift", drift, "eps'' without accelerations", "1/s^2", names),
        matrix("A", forces, len(found), "forces of a unit of strain", "", system.speed_names),
    ]
