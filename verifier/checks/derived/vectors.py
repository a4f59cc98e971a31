"""Code for vectors of every length, none included, against the graph in many digits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from eomc.building.vector_lengths import LONGER, NONE, written_for_vectors
from eomc.verifier.arithmetic.rounding import SINGLE_UNIT
from eomc.verifier.checks.compiled.batches import batches
from eomc.verifier.checks.derived.emitted import compared_with_graph, emitted
from eomc.verifier.checks.derived.lanes import LANES
from eomc.verifier.checks.derived.single_precision import in_single_precision
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.derived_subject import DerivedSubject


@check(
    "vectors",
    compares="every output of the functions compiled as for compilers that know no vectors, with "
    f"all states at once on {LANES} lanes, which are then computed one by one; of what is written "
    "for vectors (angles turned together, columns of a matrix side by side) for each longer vector "
    "of this machine, of 256 and of 512 bits, in double and in single precision",
    reference=f"{emitted.reference}; on lanes the single call",
    tolerance=f"{emitted.tolerance}; in single precision as for that; on lanes {batches.tolerance}",
    thorough=True,
)
def vectors(subject: DerivedSubject) -> Iterator[Comparison]:
    """As for the usual code, by modules of their own."""
    without = subject.beside(lanes=LANES, vectors=NONE)
    yield from emitted.run(without)
    drawn = [state for state in without.states if state.is_random]
    # Fewer than lanes would not be computed as lanes are.
    yield from batches.run(without.among([*islice(cycle(drawn), 2 * LANES)]))
    for length in LONGER if written_for_vectors(subject.model.manifest["functions"]) else ():
        try:
            other = subject.beside(vectors=length)
            floats = in_single_precision(subject, vectors=length)
        except NotApplicable:
            continue  # of this length the machine has none
        yield from emitted.run(other)
        yield from compared_with_graph(floats, SINGLE_UNIT)
