"""What a form of a function costs on a core: instructions, bytes, and the time that follows.

Three things bound the time of straight-line code: the longest chain of operations that wait for
each other; the instructions that a core carries out in a nanosecond; and, beyond what it keeps of
decoded instructions, the bytes that it decodes in one. The numbers are those of one core, measured
by straight lines of instructions of growing length (AMD Zen 5, 3.9 GHz, gcc 12 with fused
multiply-adds): others differ, the order of two forms hardly does.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from eomc.derive.graph import Graph, reachable


@dataclass(frozen=True)
class Core:
    """Numbers of a core.

    decoded : instructions that it keeps decoded
    instructions, bytes : that it works off in a nanosecond, within and beyond these
    step : nanoseconds from one operation to the next that waits for it
    call : nanoseconds of calls, of constants and of the loop of sines and cosines before its first
    turn : nanoseconds of one angle in that loop
    """

    decoded: int = 4500
    instructions: float = 13.5
    bytes: float = 62.0
    step: float = 0.9
    call: float = 10.0
    turn: float = 1.0


CORE = Core()
PER_OPERATION = 1.12
"""Instructions, with what is loaded and stored; some products and sums are fused."""
BYTES = 6.5
"""Of an instruction on the average."""
_LOOP_BYTES = 800  # of sines and cosines
_STEPS = {"div": 4, "sqrt": 5, "sin": 20, "cos": 20}


@dataclass(frozen=True)
class Estimate:
    """Of one form of one function; `time` in nanoseconds."""

    instructions: int
    bytes: int
    time: int


def estimate(operations: int, stores: int, angles: int, path: int, core: Core = CORE) -> Estimate:
    """``operations`` and ``stores`` in a line, ``path`` of them waiting for each other."""
    instructions = round(operations * PER_OPERATION) + stores
    size = round(instructions * BYTES) + (_LOOP_BYTES if angles else 0)
    is_decoded = instructions <= core.decoded
    line = instructions / core.instructions if is_decoded else size / core.bytes
    time = core.call + max(line + angles * core.turn, path * core.step)
    return Estimate(instructions, size, round(time))


def longest_path(graph: Graph, nodes: Iterable[int]) -> int:
    """Additions' worth of the longest chain of operations that wait for each other."""
    length: dict[int, int] = {}
    for node in reachable(graph, nodes):
        op = graph.op[node]
        step = 0 if op in ("const", "symbol", "neg") else _STEPS.get(op, 1)
        length[node] = step + max((length[arg] for arg in graph.args[node]), default=0)
    return max(length.values(), default=0)


@dataclass(frozen=True)
class Form:
    """How a function is written: ``plain``, ``pairs`` or ``loops``, why, and what it costs."""

    name: str
    why: str
    cost: Estimate | None = None
