"""Case of the performance: 38."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.derivatives.tree import Method
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.linearization import Steps, linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.four_bar_chain import four_bar_chain
from eomc_published.case import Case, CaseCheck, holds
from eomc_published.trom.models import (
    bars,
    circle,
    conical,
    conical_at,
    five_axles,
    five_axles_turning,
    seven,
    seven_at_rest,
    slider,
    truck,
    truck_turning,
)
from eomc_published.trom.suspensions import at_rest, model_of, tyre_force

# The thesis's ratios, differences over analytical; of systems it does not time, what is faster.
TARGETS = {
    "slider-pendulum": 1.39,
    "chain": 1.38,
    "four-bar": 1.15,
    "strut": 1.69,
    "twist axle": 1.77,
    "semitrailer": 1.0,
    "rotating pendulum": 1.0,
    "planar truck": 1.0,
    "particle on a circle": 1.0,
}

Example = tuple[CompiledModel, Any, tuple[UserForce, ...]]


@cache
def ladder() -> CompiledModel:
    """A chain of ten four-bars."""
    return build(four_bar_chain(10))


EXAMPLES: dict[str, Callable[[], Example]] = {
    "slider-pendulum": lambda: (slider(), None, ()),
    "chain": lambda: (seven(), seven_at_rest(), ()),
    "four-bar": lambda: (bars(), None, ()),
    "strut": lambda: (model_of("strut", False), at_rest("strut"), (tyre_force("strut"),)),
    "twist axle": lambda: (
        model_of("twist axle", False),
        at_rest("twist axle"),
        (tyre_force("twist axle"),),
    ),
    "semitrailer": lambda: (five_axles(), five_axles_turning(), ()),
    "rotating pendulum": lambda: (conical(), conical_at(), ()),
    "planar truck": lambda: (truck("body"), truck_turning("body"), ()),
    "particle on a circle": lambda: (circle(), (np.array([0.0, -2.0]), np.zeros(2)), ()),
    "chain of 10 four-bars": lambda: (ladder(), None, ()),
}
"""Every system with its state and the forces of the user that act."""


def operations(name: str) -> tuple[int, int]:
    """(operations of the exact derivatives, of one differenced pass).

    A pass of one-sided differences by coordinates, speeds and accelerations calls the inverse
    dynamics at the point and once a direction.
    """
    model, _, _ = EXAMPLES[name]()
    exact = model.operations_of("linearization")
    return exact, (1 + 3 * model.nu) * model.operations_of("inverse_dynamics")


def force_calls(name: str, method: Method) -> int:
    """Calls of the user's forces in a whole linearization, differenced with one step."""
    model, state, (force,) = EXAMPLES[name]()
    calls = count()

    def law(t: float, q: Array, u: Array) -> ArrayLike:
        next(calls)
        return force.law(t, q, u)

    steps, counting = Steps("one-sided", fixed=1e-6), replace(force, law=law)
    linearize(model, state, forces=counting, method=method, steps=steps).modes()
    return next(calls)


def _cheaper() -> Iterator[CaseCheck]:
    for name, target in TARGETS.items():
        counted = {"operations": operations(name)}
        if EXAMPLES[name]()[2]:
            counted["calls of tyres"] = (force_calls(name, "exact"), force_calls(name, "one-sided"))
        for what, (exact, differenced) in counted.items():
            text = f"{differenced} and {exact} {what}"
            quantity = f"{name}: {what} of one differenced pass and of exact derivatives"
            yield holds(quantity, f">= {target:g} times", text, differenced >= target * exact)


CASES = (
    Case(
        38,
        "Exact linearization against one pass of differences",
        "tables 3.5, 3.6, 4.1, 4.2",
        "operations of the emitted functions and calls of tyres that both take",
        _cheaper,
        note="The thesis compares times. A test must not depend on a clock: this case asks its "
        "ratios of what is counted, and `python -m benchmarks --section linearization` asks "
        "them of the CPU time of a whole `linearize` with its eigenvalues, and fails below them.",
        slow=True,
    ),
)
