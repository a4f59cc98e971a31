"""State space of open chains about any state, by derivatives of forward dynamics.

With xi' = w + W xi (see `eomc.derive.functions.linearization`), x = (xi, w, z), z the states of
elements with z' = f, and v of the forces on all speeds, then the inputs,

    A = [ W      1      0     ]   B = [ 0               ]
        [ da/dq  da/du  da/dz ]       [ da/dtau  da/dr  ]
        [ df/dq  df/du  df/dz ]       [ 0        df/dr  ]

    C = [ 1; rows of w' ]         D = [ 0; rows of w'   ]

so that y holds changes of x and of the accelerations. Loops and other
constraints leave fewer states: emitted code reduces them at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.dynamics.forward_partials import with_loads
from eomc.derive.functions import derivatives
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument, Expression
from eomc.derive.graph.columns import Columns

NAME = "state_space"


@function(
    NAME,
    ("q", "u", "tau"),
    "Linearized motion of an open chain: x' = A x + B v, y = C x + D v; x displacements, speeds, "
    "states of elements; v forces on speeds, inputs; y as x, then accelerations.",
    sees_forces=True,
    guards=derivatives.partials_positive,
    needs=("no constraints",),
)
def state_space(system: Formulation) -> list[Argument]:
    """(A (nx, nx), B (nx, nv), C (nx + nu, nx), D (nx + nu, nv)), nx = 2 nu + nz, nv = nu + nr."""
    zero, n, nz = system.zero, system.nu, len(system.z)
    found = system.forward_partials

    def pushed(array: Sequence[Expression]) -> Columns:
        still = [[zero] * n for _ in array]
        return with_loads(still, found.inverse, derivatives.forces_by(system, array))

    def unit(size: int) -> list[list[Expression]]:
        return [[zero + int(i == k) for k in range(size)] for i in range(size)]

    by_state = _rows([*found.by_q, *found.by_u, *pushed(system.z)], n)
    by_force = _rows([*found.inverse, *pushed(system.r)], n)
    still = [zero] * nz
    rates = [[*row, *one, *still] for row, one in zip(system.transport[0], unit(n), strict=True)]
    own_by_state, own_by_force = _own_rates(system)
    none = [[zero] * len(by_force[0]) for _ in range(2 * n + nz)]
    speeds = tuple(f"speed({name})" for name in system.speed_names)
    accelerations = tuple(f"acceleration({name})" for name in system.speed_names)
    names = (*system.speed_names, *speeds, *system.element_state_names)
    of_states, of_outputs = "rates of the states by the", "outputs by the"
    described = (
        ("A", [*rates, *by_state, *own_by_state], f"{of_states} states", names),
        ("B", [*none[:n], *by_force, *own_by_force], f"{of_states} forces", names),
        ("C", [*unit(len(names)), *by_state], f"{of_outputs} states", (*names, *accelerations)),
        ("D", [*none, *by_force], f"{of_outputs} forces", (*names, *accelerations)),
    )
    return [
        matrix(name, rows, len(rows[0]) if rows else 0, description, "", row_names)
        for name, rows, description, row_names in described
    ]


def _own_rates(system: Formulation) -> tuple[list[list[Expression]], list[list[Expression]]]:
    """Rows of z' by the states and by the forces."""
    if not system.z:
        return [], []
    one = (system.zero + 1).node
    by_array = [[{x.node: one} for x in array] for array in (system.u, system.z, system.r)]
    by_u, by_z, by_r = by_array
    states = [*system.directions(), *by_u, *by_z]
    columns = derivatives.swept_columns(system, system.element_state_rates, [*states, *by_r])
    rows = _rows(columns, len(system.z))
    still = [system.zero] * system.nu
    count = len(states)
    return [row[:count] for row in rows], [[*still, *row[count:]] for row in rows]


def _rows(columns: Sequence[Sequence[Expression]], n: int) -> list[list[Expression]]:
    return [[column[i] for column in columns] for i in range(n)]
