"""Composite control of bodies that bend: computed torque as if they did not, and their vibrations.

The joints theta and the elastic amplitudes b of a tree; f(theta, b) are the forces at rest that
bending takes. Inverse dynamics of the motion without bending gives both the slow forces and minus
the elastic ones in it, so that one sweep serves two subsystems:

    (tau-, -f-) = M (v, 0) + c  at b = 0, b' = 0,   v = a_d + kd (u_d - u) + kp e
    tau = tau- - F_p (f - f-) - F_d b'

Reference: Siciliano and Book, A singular perturbation approach to control of lightweight flexible
manipulators, Int. J. Robotics Research 7 (1988) 79.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.functions.feedback import law, wanted_accelerations
from eomc.derive.functions.registry import column
from eomc.derive.graph import Argument, Expression, nodes, symbols
from eomc.derive.graph.traverse import substitute
from eomc.derive.system import System


def _at_zero(system: System, rows: Sequence[Expression], names: Sequence[str]) -> list[Expression]:
    """The rows where the coordinates and speeds of these names vanish."""
    places = zip(system.coordinate_names, system.q, strict=True)
    rates = zip(system.speed_names, system.u, strict=True)
    at = {
        entry.node: system.zero.node
        for name, entry in (*places, *((f"speed({name})", u) for name, u in rates))
        if name in names
    }
    return [Expression(system.graph, n) for n in substitute(system.graph, nodes(rows), at)]


@law(
    "composite_control",
    ("q", "u", "q_d", "u_d", "a_d", "kp", "kd", "force_gain", "vibration_gain"),
    "Computed torque of the mechanism that does not bend, and feedback of its vibrations: "
    "tau = tau_rigid - force_gain (f - f_rigid) - vibration_gain b'.",
    sees_forces=True,
    needs=("elastic amplitudes", "no constraints"),
)
def composite_control(system: System) -> list[Argument]:
    """Rows of `q_d`, `kp`, ... of elastic amplitudes do not matter; these get no force."""
    places = [system.speed_names.index(name) for name in system.elastic_names]
    joints = [k for k in range(system.nu) if k not in places]
    v = wanted_accelerations(system)
    for place in places:
        v[place] = system.zero
    amplitudes = system.elastic_names
    straight = (*amplitudes, *(f"speed({name})" for name in amplitudes))
    rigid = _at_zero(system, system.forces_at(v), straight)
    still = [f"speed({name})" for name in system.speed_names]
    bent = _at_zero(system, system.forces_at([system.zero] * system.nu), still)
    unbent = _at_zero(system, bent, straight)
    force = [bent[k] - unbent[k] + rigid[k] for k in places]
    m = len(places)
    by_force, by_rate = (
        symbols(system.graph, name, len(joints) * m) for name in ("force_gain", "vibration_gain")
    )
    tau = [system.zero] * system.nu
    for i, joint in enumerate(joints):
        tau[joint] = rigid[joint]
        for j, place in enumerate(places):
            tau[joint] = tau[joint] - by_force[m * i + j] * force[j]
            tau[joint] = tau[joint] - by_rate[m * i + j] * system.u[place]
    return [column("tau", tau, "generalized forces", "N m or N", system.speed_names)]
