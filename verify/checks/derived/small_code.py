"""Code of loops over the bodies against the graph in many digits."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.verify.checks.derived.emitted import emitted
from eomc.verify.subject.check import Comparison, NotApplicable, check
from eomc.verify.subject.derived_subject import DerivedSubject


@check(
    "small code",
    compares="every output of the functions that small=True writes as loops over the bodies",
    reference=emitted.reference,
    tolerance=emitted.tolerance,
    thorough=True,
)
def small_code(subject: DerivedSubject) -> Iterator[Comparison]:
    """As for the usual code."""
    if any(function.rolled for function in subject.program.functions):
        raise NotApplicable("the module under check is small code itself")
    yield from emitted.run(subject.beside(small=True))
