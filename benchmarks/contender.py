"""One function of one contender, ready to be checked and timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.compiling import c_function, copies
from eomc.binding.arrays import Array

#: Relative, of what is exact but for rounding.
TOLERANCE = 1e-10


class Unavailable(Exception):
    """A contender that cannot take part; the text says why."""


SHAPES = {
    "forward_dynamics": 1,
    "inverse_dynamics": 1,
    "mass_matrix": 2,
    "forward_dynamics_derivatives": 2,
    "inverse_dynamics_second_derivatives": 3,
    "rk4_step": 1,
}
_BLOCKS = {
    "forward_dynamics_derivatives": 3,
    "inverse_dynamics_second_derivatives": 4,
    "rk4_step": 2,
}


def inputs(function: str) -> int:
    """Number of vectors (q, u, and accelerations or forces) that a function takes."""
    return 1 if function == "mass_matrix" else 3


def output_size(function: str, size: int) -> int:
    """Numbers that a function gives for `size` joints."""
    return int(_BLOCKS.get(function, 1) * size ** SHAPES[function])


Call = Callable[[int, int], None]


@dataclass
class Contender:
    """`call(x, y)` in C; x is one row of the states. Costs that do not apply are None.

    derive, emit, compile : seconds; operations : of one call; code : bytes
    tolerance : how far its values may be off those of the judge
    copies : `call` of copies of its library; the fastest counts
    """

    name: str
    call: Call
    derive: float | None = None
    emit: float | None = None
    compile: float | None = None
    operations: int | None = None
    code: int | None = None
    tolerance: float = TOLERANCE
    before_check: Callable[[], None] = lambda: None
    after_check: Callable[[], None] = lambda: None
    copies: Sequence[Call] = ()

    def values(self, states: Array, size: int) -> Array:
        """Results at each state."""
        self.before_check()
        results = np.full((len(states), size), np.nan)
        for state, result in zip(states, results, strict=True):
            self.call(state.ctypes.data, result.ctypes.data)
        self.after_check()
        return results


def copied(library: Path, name: str) -> Contender:
    """`call` of a library, and of copies on other pages."""
    others = [c_function(copy, "call") for copy in copies(library)]
    return Contender(name, c_function(library, "call"), copies=others)
