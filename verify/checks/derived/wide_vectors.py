"""Code for longer vectors than every processor has against the graph in many digits."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.building.longer_vectors import LENGTHS, written_for_vectors
from eomc.verify.checks.derived.emitted import emitted
from eomc.verify.subject.check import Comparison, NotApplicable, check
from eomc.verify.subject.derived_subject import DerivedSubject


@check(
    "wide vectors",
    compares="every output of the functions compiled for each longer vector of this machine, of "
    "256 and of 512 bits: angles turned together, columns of a matrix side by side",
    reference=emitted.reference,
    tolerance=emitted.tolerance,
    thorough=True,
)
def wide_vectors(subject: DerivedSubject) -> Iterator[Comparison]:
    """As for the usual code, if any is written for vectors and the machine has longer ones."""
    if not written_for_vectors(subject.model.manifest["functions"]):
        raise NotApplicable("no function is written for vectors")
    refused: list[str] = []
    for length in LENGTHS:
        try:
            other = subject.beside(vectors=length)
        except NotApplicable as refusal:
            refused.append(str(refusal))
            continue
        yield from emitted.run(other)
    if len(refused) == len(LENGTHS):
        raise NotApplicable(refused[0])
