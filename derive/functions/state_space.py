"""State space of open chains about any state, by derivatives of forward dynamics.

With xi' = w + W xi (see `eomc.derive.functions.linearization`), x = (xi, w) and v of the
forces on all speeds, then the inputs,

    A = [ W      1     ]   B = [ 0               ]
        [ da/dq  da/du ]       [ da/dtau  da/dr  ]

    C = [ 1; rows of w' ]  D = [ 0; rows of w'   ]

so that y holds displacements, changes of speeds and changes of accelerations. Loops and other
constraints leave fewer states: emitted code reduces them at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.dynamics.forward_partials import with_loads
from eomc.derive.functions import derivatives
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument, Expression

NAME = "state_space"


@function(
    NAME,
    ("q", "u", "tau"),
    "Linearized motion of an open chain: x' = A x + B v, y = C x + D v; x displacements, speeds; "
    "v forces on speeds, inputs; y displacements, speeds, accelerations.",
    sees_forces=True,
    guards=derivatives.partials_positive,
    needs=("no constraints", "no element states"),
)
def state_space(system: Formulation) -> list[Argument]:
    """(A (2 nu, 2 nu), B (2 nu, nv), C (3 nu, 2 nu), D (3 nu, nv)) with nv = nu + inputs."""
    zero, n = system.zero, system.nu
    found = system.forward_partials
    still = [[zero] * n for _ in system.r]
    pushed = with_loads(still, found.inverse, derivatives.by_inputs(system))
    one = [[zero + int(i == k) for k in range(n)] for i in range(n)]
    by_state = _rows([*found.by_q, *found.by_u], n)
    by_force = _rows([*found.inverse, *pushed], n)
    rates = [[*row, *unit] for row, unit in zip(system.transport[0], one, strict=True)]
    shown = [[zero + int(i == k) for k in range(2 * n)] for i in range(2 * n)]
    none = [[zero] * (n + len(system.r)) for _ in range(2 * n)]
    names = system.speed_names
    speeds = tuple(f"speed({name})" for name in names)
    accelerations = tuple(f"acceleration({name})" for name in names)
    described = (
        ("A", [*rates, *by_state], "rates of the states by the states", (*names, *speeds)),
        ("B", [*none[:n], *by_force], "rates of the states by the forces", (*names, *speeds)),
        ("C", [*shown, *by_state], "outputs by the states", (*names, *speeds, *accelerations)),
        ("D", [*none, *by_force], "outputs by the forces", (*names, *speeds, *accelerations)),
    )
    return [
        matrix(name, rows, len(rows[0]) if rows else 0, description, "", row_names)
        for name, rows, description, row_names in described
    ]


def _rows(columns: Sequence[Sequence[Expression]], n: int) -> list[list[Expression]]:
    return [[column[i] for column in columns] for i in range(n)]
