"""What is declared or emitted and judged by no check is a breach."""

from __future__ import annotations

from pathlib import Path

import pytest
from constraints.mechanisms import four_bar

import eomc
from eomc.verifier import procedure
from eomc.verifier.checks.compiled import (
    element_states,
    integrators,
    loops,
    newton_euler,
    rows,
    solvers,
)
from eomc.verifier.checks.derived import limits
from eomc.verifier.subject import Check, NotApplicable

pytestmark = pytest.mark.variants


def _framed() -> eomc.Model:
    """A hinge with a frame, a limit and a lagging motor."""
    model = eomc.Model("swing")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0), lower=-2)
    model.lag("motor", speed="hinge", command="1 - hinge", time_constant=0.2)
    model.frame("tool", body="bob", placement=(0, 0, -1))
    return model


def _looped() -> eomc.Model:
    return four_bar("c")


SILENCED = (
    (_framed, newton_euler.newton_euler, "frame tool"),
    (_framed, element_states.element_states, "state motor_effort"),
    (_framed, integrators.integrators, "integrator dopri"),
    (_framed, limits.limits, "limit q_lower"),
    (_looped, loops.loops, "loop c"),
    (_looped, rows.rows, "row c.force_x"),
    (_looped, solvers.solvers, "solver consistent_state"),
)


@pytest.mark.parametrize(
    ("make", "silent", "unjudged"), SILENCED, ids=[case[2] for case in SILENCED]
)
def test_what_a_check_passes_over(
    make: type, silent: Check, unjudged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each check in turn says that it has nothing to say."""

    def nothing(_: object) -> None:
        raise NotApplicable("it looks away")

    said = Check(silent.name, "", "", "", (), nothing)  # type: ignore[arg-type]
    every = [said if check.name == silent.name else check for check in procedure.all_checks()]
    monkeypatch.setattr(procedure, "all_checks", lambda: every)
    monkeypatch.setattr(procedure, "_outcome", _only_what_matters)
    report = eomc.verify(make(), quick=True, states=2)
    assert report.breaches == ("completeness",)
    (outcome,) = (o for o in report.outcomes if o.check.name == "completeness")
    assert unjudged in {breach.what for breach in outcome.breaches}


_JUDGES = {"emitted C", "Newton-Euler", "integrators", "loops", "rows", "solvers", "limits"}


def _only_what_matters(check: Check, subject: object) -> object:
    """Checks that judge nothing by name cost time alone."""
    if check.name in _JUDGES | {"states of elements"}:
        return check.outcome(subject)  # type: ignore[arg-type]
    return Check(check.name, "", "", "", ("no such function",), check.run).outcome(subject)  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [_framed, _looped], ids=["frame and state", "loop"])
def test_everything_is_judged(make: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procedure, "_outcome", _only_what_matters)
    report = eomc.verify(make(), quick=True, states=2)
    assert report.ok, str(report)


def test_some_checks_alone_promise_nothing(tmp_path: Path) -> None:
    report = eomc.verify(_framed(), quick=True, states=2, checks=["mass matrix"])
    assert [outcome.check.name for outcome in report.outcomes] == ["mass matrix"]
    assert report.ok
