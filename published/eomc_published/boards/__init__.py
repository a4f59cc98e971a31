"""Controller boards: sines, bits, stack and text of the emitted C, on processors that QEMU plays.

The cases are numbered as in the project's list of them. The emitted test is the subject where it
runs; what it prints on this machine, compiled by GCC, is what boards must print.
"""

from __future__ import annotations

from eomc_published.boards import allocation, angles, bits, misra, stack
from eomc_published.work import PublishedWork

_CASES = (*allocation.CASES, *angles.CASES, *bits.CASES, *stack.CASES, *misra.CASES)
REFERENCE = PublishedWork(
    name="boards",
    title="Controller boards",
    citation="Armv7-M Architecture Reference Manual, DDI 0403; MISRA C:2012",
    cases=tuple(sorted(_CASES, key=lambda case: case.number)),
    figures=(),
)
