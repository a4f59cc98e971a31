"""The verdict of a report: one sentence that tells whether to rely on the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eomc.verifier.report.report import Report
    from eomc.verifier.subject.check import CheckOutcome


def sentence(report: Report) -> str:
    """The verdict, and behind it what no check has judged."""
    made = [outcome for outcome in report.outcomes if outcome.comparisons]
    if report.breaches:
        said = f"breached: {', '.join(report.breaches)}; do not rely on this code"
    elif not report.ok:
        said = "nothing was compared; do not rely on this code yet"
    else:
        is_whole = any(outcome.check.name == "completeness" for outcome in made)
        which = f"{len(made)} checks" if is_whole else ", ".join(o.check.name for o in made)
        rely = "rely on this code" if is_whole else "judged by these checks alone"
        said = (
            f"no breach; {rely}: {which} in {len(report.states)} states, seed {report.seed}, "
            "against independent references"
        )
    rest = unjudged(report)
    return f"{report.model}: {said}{'; not judged: ' if rest else ''}{'; '.join(rest)}"


def unjudged(report: Report) -> list[str]:
    """Checks that could not be made though the model has what they compare, by reason; states
    without a value."""
    by_reason: dict[str, list[str]] = {}
    for outcome in report.outcomes:
        if not outcome.comparisons and not outcome.is_absent:
            by_reason.setdefault(outcome.reason, []).append(outcome.check.name)
    found = [f"{', '.join(names)} ({reason})" for reason, names in by_reason.items()]
    if report.undefined:
        found.append(f"{len(report.undefined)} states in which the equations have no value")
    return found


def absent(report: Report) -> str:
    """List in one line what the model does not have; empty if it has everything."""
    things = dict.fromkeys(outcome.reason for outcome in report.outcomes if outcome.is_absent)
    return f"not in this model: {', '.join(things)}" if things else ""


def in_order(report: Report) -> list[CheckOutcome]:
    """Breaches first, then what passed."""
    made = [outcome for outcome in report.outcomes if outcome.comparisons]
    return sorted(made, key=lambda outcome: outcome.verdict != "breach")
