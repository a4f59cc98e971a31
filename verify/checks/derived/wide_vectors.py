"""Code for longer vectors than every processor has against the graph in many digits."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.building.longer_vectors import LENGTHS, written_for_vectors
from eomc.verify.arithmetic.rounding import SINGLE_UNIT
from eomc.verify.checks.derived.emitted import compared_with_graph, emitted
from eomc.verify.checks.derived.single_precision import in_single_precision
from eomc.verify.subject.check import Comparison, NotApplicable, check
from eomc.verify.subject.derived_subject import DerivedSubject


@check(
    "wide vectors",
    compares="every output of the functions compiled for each longer vector of this machine, of "
    "256 and of 512 bits, in double and in single precision: angles turned together, columns of a "
    "matrix side by side",
    reference=emitted.reference,
    tolerance=f"{emitted.tolerance}; in single precision as for that",
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
            floats = in_single_precision(subject, vectors=length)
        except NotApplicable as refusal:
            refused.append(str(refusal))
            continue
        yield from emitted.run(other)
        yield from compared_with_graph(floats, SINGLE_UNIT)
    if len(refused) == len(LENGTHS):
        raise NotApplicable(refused[0])
