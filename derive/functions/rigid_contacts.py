"""Rigid contacts: gaps, their rates, and the laws of impact and friction there.

A contact k has four rows: its gap, and the velocity of the one material point against the other
along x, y, z. Their rates are J u + b, those of the rates J u' + g.
"""

from __future__ import annotations

from eomc.derive.elements.rows import Row
from eomc.derive.functions.registry import column, function, matrix
from eomc.derive.graph import Argument
from eomc.derive.system import System


@function(
    "rigid_contacts",
    ("q", "u"),
    "Gaps of rigid contacts, rows of their rates and of slips, and laws of impact and friction.",
    sees_forces=True,
    needs=("rigid contacts",),
)
def rigid_contacts(system: System) -> list[Argument]:
    """As the elements say."""
    elements = [e for table in system.model.acting().values() for e in table.values()]
    found = [site for e in elements if e.closes() for site in e.closing(system.scene)]
    names = system.model.rigid_contacts()
    rows = []
    for name, site in zip(names, found, strict=True):
        rows.append(Row(name, "gap", site.gap))
        rows += [
            Row(name, x, v, holonomic=False) for x, v in zip("xyz", site.velocity, strict=True)
        ]
    linear = system.constraints.linearized(rows)
    labels = [row.name for row in rows]
    zero, n = system.zero, system.nu
    jacobian = [[row.get(k, zero) for k in range(n)] for row in linear.jacobian]
    laws = [x for s in found for x in (s.law.restitution, s.law.rest_speed, s.static, s.kinetic)]
    return [
        column("gaps", [site.gap for site in found], "positive apart", "m", names),
        matrix("J", jacobian, n, "rates J u + b, their rates J u' + g", "", labels),
        column("rate", linear.velocity, "J u + b", "m/s", labels),
        column("g", linear.bias, "rate of J u + b at u' = 0", "m/s^2", labels),
        column("normals", [x for s in found for x in s.normal], "along which gaps open"),
        column("laws", laws, "restitution, speed of rest, static and kinetic friction, by contact"),
        column("traction", [x for s in found for x in s.traction], "smooth friction per newton"),
    ]
