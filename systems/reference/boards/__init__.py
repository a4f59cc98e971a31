"""Controller boards: bits, stack and text of the emitted C, on processors that QEMU plays.

The cases are numbered as in the project's list of them. The emitted test is the subject where it
runs; what it prints on this machine, compiled by GCC, is what boards must print.
"""

from __future__ import annotations

from eomc.systems.reference.boards import bits, misra, stack
from eomc.systems.reference.reference import Reference

REFERENCE = Reference(
    name="boards",
    title="Controller boards",
    citation="Armv7-M Architecture Reference Manual, DDI 0403; MISRA C:2012",
    cases=tuple(sorted((*bits.CASES, *stack.CASES, *misra.CASES), key=lambda case: case.number)),
    figures=(),
)
