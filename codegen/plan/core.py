"""Numbers of a processor core: what bounds the time of emitted code.

Measured by ``python -m benchmarks --section core``, which prints those of the machine that it runs
on. They are the same for every emission, so that a model becomes the same bytes everywhere.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """Numbers of a core; by default those of an AMD Zen 5 at 3.9 GHz, gcc 12, fused multiply-adds.

    decoded : instructions that it keeps decoded
    instructions, bytes : that it works off in a nanosecond, within and beyond these
    step : nanoseconds from one operation to the next that waits for it
    call : nanoseconds of calls, of constants and of the loop of sines and cosines before its first
    turn : nanoseconds of one angle in that loop
    looped : instructions in a nanosecond of loops over bodies
    """

    decoded: int = 5000
    instructions: float = 14.0
    bytes: float = 64.0
    step: float = 0.75
    call: float = 8.0
    turn: float = 1.0
    looped: float = 12.2


CORE = Core()
