"""Faults planted in units: the case that is named for each must fail.

On one example and one version of the standard, where the case has several.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from eomc_published import reference

pytestmark = pytest.mark.in_thirds

REFUSED = pytest.importorskip("fmpy.fmi1").FMICallException
QUATERNION = importlib.import_module("eomc.derive.motions.quaternion")
WRITING = importlib.import_module("eomc.codegen.fmi.wrapper")
FACTS = importlib.import_module("eomc.building.mock_up_unit")

# Of the C of a unit: what stands there, and what stands there instead.
IN_C = {
    "start values": (2, "memcpy(unit->value, start, sizeof start);", ""),
    "steps too long": (3, "h/fmax(count, 1.0), (int)", "h, (int)"),
    "a step that is not told": (3, "memcpy(unit->value + 1, x, sizeof x);", ""),
    "a state that is not resumed": (6, "((const Saved *)state)->value", "unit->value"),
    "setting what follows": (7, "if (!settable)", "if (0)"),
    "any token": (8, "strcmp(asked, token) == 0", "asked[0] != 0"),
    "a further exported name": (
        8,
        "static const char magic[8]",
        "FMI3_Export extern int more;\nint more = 0;\nstatic const char magic[8]",
    ),
    "derivatives in another order": (5, "along[knownPlace(knowns[k])]", "along[k]"),
    "a transpose that forgets": (5, "weight[foundPlace(unknowns[k])] +=", "weight[0] +="),
}


def raw_quaternions(true: Any) -> Callable[..., Any]:
    """Nothing is evaluated at the unit quaternion; constant rotations are as they were."""
    return lambda q: list(q) if any(x.graph.op[x.node] == "symbol" for x in q) else true(q)


def half_inputs(true: Any) -> Callable[..., Any]:
    return lambda what, given, names: true(what, given, names) / (2 if what == "inputs" else 1)


IN_PYTHON = {
    "raw quaternions": (4, QUATERNION, "normalized", raw_quaternions),
    "half the inputs": (2, FACTS, "entries", half_inputs),
}


def forget() -> None:
    """Units and runs that the cases keep."""
    for name, module in list(sys.modules.items()):
        if name.startswith("eomc_published.fmi"):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    parts = ("unit", "motion", "derivatives", "instances")
    for part in parts:
        module = importlib.import_module(f"eomc_published.fmi.{part}")
        for name, value in (
            ("VERSIONS", ("3",)),
            ("EXAMPLES", ("quadcopter",)),
            ("_MOVED", {"quadcopter": []}),
        ):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)
    forget()
    yield
    forget()


def fails(number: int) -> bool:
    (case,) = reference("fmi").select([number])
    try:
        return any(not check.passed for check in case.evaluate())
    except REFUSED:
        return True


@pytest.mark.slow
@pytest.mark.parametrize("fault", IN_C)
def test_a_fault_in_c(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, right, wrong = IN_C[fault]
    true, planted = WRITING._fill, []

    def filled(name: str, marks: dict[str, object]) -> str:
        text: str = true(name, marks)
        if name not in ("instance.c", "adjoint.c") or right not in text:
            return text
        planted.append(name)
        return text.replace(right, wrong)

    monkeypatch.setattr(WRITING, "_fill", filled)
    assert fails(number), f"case {number} is blind to it"
    assert planted


@pytest.mark.slow
@pytest.mark.parametrize("fault", IN_PYTHON)
def test_a_fault_in_python(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, owner, call, change = IN_PYTHON[fault]
    monkeypatch.setattr(owner, call, change(getattr(owner, call)))
    assert fails(number), f"case {number} is blind to it"
