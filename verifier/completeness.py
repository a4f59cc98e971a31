"""Everything that is declared or emitted is judged: what no check has compared is a breach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from eomc.verifier.checks.derived.limits import declared_limits
from eomc.verifier.subject.check import Check, CheckOutcome, Comparison
from eomc.verifier.subject.derived_subject import DerivedSubject


def completeness(subject: DerivedSubject, outcomes: Iterable[CheckOutcome]) -> CheckOutcome:
    """The rest of what is declared and emitted after the comparisons of all checks."""
    judged: set[str] = set()
    for outcome in outcomes:
        judged |= {comparison.of for comparison in outcome.comparisons} | {*outcome.excused}

    def rest(_: DerivedSubject) -> Iterator[Comparison]:
        for item in _declared(subject):
            yield Comparison(item, "all states", 0.0 if item in judged else np.inf, 0.0, item)

    return Check(
        "completeness",
        "what is declared (frames, limits, joints that close loops, rows of constraints, states of "
        "elements, what they tell) and emitted (functions, integrators, solvers) with what the "
        "checks compared",
        "the declaration and the manifest of the module",
        "each has been compared by a check, which says so, in some state; or a check says why it "
        "need not be",
        (),
        rest,
    ).outcome(subject)


def _declared(subject: DerivedSubject) -> Iterator[str]:
    """Kind and name of everything that a check must judge."""
    model = subject.model
    yield from (f"function {name}" for name in sorted(subject.functions))
    for entry in model.manifest.get("integrators", ()):
        if model.integrator(entry["name"]) is not None:
            yield f"integrator {entry['name']}"
    yield from (f"solver {entry['name']}" for entry in model.manifest.get("solvers", ()))
    if subject.declared is not None:
        limited = {*declared_limits(subject), *subject.program.limits}
        yield from (f"limit {array}" for array in sorted(limited))
        yield from (f"frame {name}" for name in subject.declared.frames)
        yield from (f"loop {joint.name}" for joint in subject.declared.cuts())
    if "constraint_velocity" in subject.functions:
        yield from (f"row {name}" for name in model.output_names("constraint_velocity"))
    yield from (f"state {name}" for name in model.element_states)
    if "element_outputs" in subject.functions:
        yield from (f"output {name}" for name in model.output_names("element_outputs"))
    if "rigid_contacts" in subject.functions:
        yield from (f"closing {name}" for name in model.output_names("rigid_contacts"))
