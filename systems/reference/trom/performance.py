"""Case of the performance: 38."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.runtime.derivatives.operating_point import Surroundings, operating_point
from eomc.runtime.derivatives.tree import Method, tree_derivatives
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.linearization import Steps, linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.four_bar_chain import four_bar_chain
from eomc.systems.reference.case import Case, Check, holds
from eomc.systems.reference.trom.models import (
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
from eomc.systems.reference.trom.suspensions import at_rest, model_of, tyre_force

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
# Of the whole `linearize`, checks and reduction by Python on both sides.
WHOLE = dict.fromkeys(TARGETS, 1.0)
_PASS = Steps("one-sided", fixed=1e-6)
_ROUNDS, _CALLS = 7, 20


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
        model_of("twist axle", False), at_rest("twist axle"), (tyre_force("twist axle"),)
    ),
    "semitrailer": lambda: (five_axles(), five_axles_turning(), ()),
    "rotating pendulum": lambda: (conical(), conical_at(), ()),
    "planar truck": lambda: (truck("body"), truck_turning("body"), ()),
    "particle on a circle": lambda: (circle(), (np.array([0.0, -2.0]), np.zeros(2)), ()),
    "chain of 10 four-bars": lambda: (ladder(), None, ()),
}  # fmt: skip
"""Every system with its state and the forces of the user that act."""


def _seconds(call: Callable[[], Any]) -> float:
    start = time.thread_time()
    for _ in range(_CALLS):
        call()
    return (time.thread_time() - start) / _CALLS


def ratio(name: str) -> tuple[float, float, float]:
    """(seconds of exact derivatives, of one differenced pass, their ratio), medians of rounds.

    Both give df/dq, df/du, df/da in the same state through the same calls; forces of the user
    without derivative are differenced in both.
    """
    model, state, forces = EXAMPLES[name]()
    inputs = getattr(state, "inputs", None) or None
    around = Surroundings.of(model, inputs=inputs, forces=forces)
    point = operating_point(around, state)
    return _medians(
        lambda: tree_derivatives(around, point, "exact", _PASS),
        lambda: tree_derivatives(around, point, "one-sided", _PASS),
    )


def _medians(
    exact: Callable[[], Any], differenced: Callable[[], Any]
) -> tuple[float, float, float]:
    exact(), differenced()  # what is compiled at first use
    rounds = np.array([[_seconds(exact), _seconds(differenced)] for _ in range(_ROUNDS)])
    fast, slow = (float(median) for median in np.median(rounds, axis=0))
    return fast, slow, slow / fast


def whole(name: str) -> tuple[float, float, float]:
    """The same of `linearize` as a whole with its eigenvalues: checks and reduction included."""
    model, state, forces = EXAMPLES[name]()

    def run(method: Method) -> None:
        linearize(model, state, forces=forces, method=method, steps=_PASS).modes()

    return _medians(lambda: run("exact"), lambda: run("one-sided"))


def _faster() -> Iterator[Check]:
    for name, target in TARGETS.items():
        for what, measure, wanted in (
            ("derivatives", ratio, target),
            ("whole, eigenvalues included", whole, WHOLE[name]),
        ):
            fast, slow, factor = measure(name)
            text = f"{factor:.2f} ({1e6 * slow:.0f} us, {1e6 * fast:.0f} us)"
            quantity = f"{name}, {what}: one differenced pass over exact"
            yield holds(quantity, f">= {wanted:g}", text, factor >= wanted)


CASES = (
    Case(
        38, "Exact linearization against one pass of differences", "tables 3.5, 3.6, 4.1, 4.2",
        "thread CPU time, medians of interleaved rounds in one process", _faster,
        note="The thesis's ratios are asked of the derivatives; a whole `linearize` with its "
        "eigenvalues, most of it checks and reduction on both sides, is only asked to be faster, "
        "and does not reach the 1.39, 1.69 and 1.77 of the thesis. Tyres of the "
        "suspensions are functions of the user, differenced on both sides by "
        "coordinates, as in the thesis.",
    ),
)  # fmt: skip
