"""What is wrong where constraints lose rank, in the model's words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.errors import ConstraintError
from eomc.runtime.constraints.rows import Rows, numerical_rank
from eomc.runtime.state import State

Array = NDArray[np.float64]


def singular(rows: Rows, t: float, state: State, doing: str = "") -> ConstraintError | None:
    """The error of a singular configuration; None if the rows are independent there.

    It names the rank, the row that depends on the others, and the speed that no row holds.
    """
    jacobian = rows.jacobian(t, state)
    m, rank = len(jacobian), numerical_rank(jacobian)
    if rank == m:
        return None
    left, _, _ = np.linalg.svd(jacobian)
    row = rows.names[int(np.argmax(np.abs(left[:, -1])))]
    loose = rows.model.speeds[int(np.argmin(np.linalg.norm(jacobian, axis=0)))]
    return ConstraintError(
        f"model {rows.model.name!r}: singular configuration{doing}: its {m} constraints have rank "
        f"{rank} there; {row!r} depends on the others, and coordinate {loose!r} moves them least"
    )
