"""Independent speeds or coordinates that the user names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.rank import numerical_rank
from eomc.runtime.names.near_names import near_names


def named_places(
    subject: str,
    jacobian: NDArray[np.float64],
    names: Sequence[str],
    chosen: Sequence[str] | str,
    argument: str,
    noun: str,
    error: type[ArithmeticError],
) -> list[int]:
    """Places of the `chosen` among `names`, those of the columns of a `jacobian` of full rank.

    The other columns must determine the rest: their rank is the number of rows. Raises ValueError,
    naming the `argument`, for unknown and repeated names, else `error` about the model `subject`.
    """
    chosen = [chosen] if isinstance(chosen, str) else list(chosen)
    for place, name in enumerate(chosen):
        if name not in names:
            raise ValueError(f"{argument}: no {noun} {name!r}; {near_names(str(name), names)}")
        if name in chosen[:place]:
            raise ValueError(f"{argument}: {name!r} stands twice")
    free = [names.index(name) for name in chosen]
    m, n = jacobian.shape
    if len(free) != n - m:
        raise error(
            f"model {subject!r}: {n} {noun}s under {m} constraints leave {n - m} independent, "
            f"but {len(free)} were named ({', '.join(chosen) or 'none'})"
        )
    bound = [k for k in range(n) if k not in free]
    rank = numerical_rank(jacobian[:, bound])
    if rank < m:
        _, _, right = np.linalg.svd(jacobian[:, bound])
        loose = names[bound[int(np.argmax(np.abs(right[-1])))]]
        raise error(
            f"model {subject!r}: {', '.join(chosen)} cannot be independent: with them held the "
            f"constraints have rank {rank} of {m} in the other {noun}s and leave {loose!r} free"
        )
    return free
