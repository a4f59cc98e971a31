"""Acceptance cases of the multi-arm space free-flyers; each test id carries the case's number."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reference.acceptance import acceptance

from eomc.runtime.control.free_floating import FreeBase, FreeFloatingTask
from eomc.runtime.control.impedance import ContactEstimate, cooperative_impedance
from eomc.runtime.control.task_space import ResolvedAcceleration, modified_transpose_jacobian
from eomc_published import Case, reference
from eomc_published.moosavian import capture_planar

Call = Callable[..., Any]

REFERENCE = reference("moosavian")


@pytest.mark.parametrize("case", acceptance(REFERENCE))
def test_acceptance(case: Case) -> None:
    outcome = case.run()
    assert outcome.passed, outcome.failures


def test_no_case_is_left_out() -> None:
    numbers = [case.number for case in REFERENCE.cases]
    assert numbers == list(range(1, numbers[-1] + 1)) and numbers[-1] >= 53


def test_reconstructed_values_are_marked() -> None:
    marked = {case.number for case in REFERENCE.cases if case.provenance == "reconstructed"}
    assert {6, 7, 17, 20, 23, 29, 31, 34, 35, 36, 39, 41, 43} <= marked


def unprojected(original: Call) -> Call:
    """Internal forces as they are given."""
    return lambda by, G, spread, w, inside: original(by, G, spread, w, 0 * inside) + inside


def unweighted(original: Call) -> Call:
    """W = 1"""
    return lambda by, G, spread, w, inside: original(by, G, np.eye(len(spread)), w, inside)


def backward_drift(original: Call) -> Call:
    """v + J' u for v - J' u."""

    def formed(self: Any, by: Any, moment: Any, memory: Any) -> Any:
        task = moment.task._replace(drift=-moment.task.drift)
        return original(self, by, moment._replace(task=task), memory)

    return formed


def without_rates(original: Call) -> Call:
    """F_c = M x'' - F_o - G F_e"""

    def step(self: Any, by: Any, memory: Any, rate: Any, mass: Any, bias: Any, *more: Any) -> Any:
        return original(self, by, memory, rate, mass, 0 * bias, *more)

    return step


def of_errors_alone(original: Call) -> Call:
    """k = exp(-norm(e)/e_max)"""
    return lambda size, rate, e_max, rate_max: original(size, 0 * rate, e_max, rate_max)


def light_inertias(original: Call) -> Call:
    """Masses a tenth larger, inertias as they are."""
    return lambda flyer, part: capture_planar.replace(
        original(flyer, part), inertia=flyer.inertia, manipulators=flyer.manipulators
    )


def without_coupling(original: Call) -> Call:
    """A base that stays where it is."""
    return lambda self, q: 0 * original(self, q)


def without_bias(original: Call) -> Call:
    """u_b' = -M_bb^-1 M_bj u_j'"""

    def following(self: Any, by: Any, q: Any, u: Any) -> Any:
        rows, *more = original(self, by, q, u)
        return (np.column_stack([rows[:, :-1], 0 * rows[:, -1]]), *more)

    return following


FAULTS = [
    (49, FreeBase, "coupling", without_coupling),
    (53, FreeFloatingTask, "_following", without_bias),
    (46, cooperative_impedance, "shared_forces", unprojected),
    (46, cooperative_impedance, "shared_forces", unweighted),
    (30, ResolvedAcceleration, "formed", backward_drift),
    (45, ContactEstimate, "step", without_rates),
    (37, modified_transpose_jacobian, "remoteness", of_errors_alone),
    (24, capture_planar, "heavier", light_inertias),
]


@pytest.mark.parametrize(
    ("number", "owner", "name", "fault"), FAULTS, ids=[f"{f[0]}-{f[3].__name__}" for f in FAULTS]
)
def test_a_fault_of_a_law_fails_its_case(
    number: int,
    owner: Any,
    name: str,
    fault: Callable[[Call], Call],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, name, fault(getattr(owner, name)))
    (case,) = REFERENCE.select([number])
    # The checks that see these faults come first, before the long runs of their cases.
    assert not all(check.passed for check in case.evaluate())
