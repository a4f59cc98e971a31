"""Cost of a form of a function on a core: instructions, bytes, and the time that follows.

Three things bound the time of straight-line code: the longest chain of operations that wait for
each other; the instructions that a core carries out in a nanosecond; and, beyond what it keeps of
decoded instructions, the bytes that it decodes in one. The numbers are those of one core
(`eomc.derive.graph.tuning`): others differ, the order of two forms hardly does.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from eomc.derive.graph import Graph, reachable
from eomc.derive.graph.tuning import (
    BYTES_PER_INSTRUCTION,
    CALLING_LOOP_BYTES,
    CORE,
    DUAL_BYTES,
    FIRST_TOUCH,
    INNER_LOOP_END,
    INSTRUCTIONS_PER_DUAL,
    INSTRUCTIONS_PER_LANE,
    INSTRUCTIONS_PER_OPERATION,
    INSTRUCTIONS_PER_ROW,
    KEPT_SHARE,
    ROW_BYTES,
    SIDE_BY_SIDE_RATE,
    SINE_LOOP_BYTES,
    STATEMENT_BYTES,
    Core,
)

Optimize = Literal["speed", "size"]
"""Criterion by which the form of each function is chosen."""
OPTIMIZE: tuple[Optimize, ...] = ("speed", "size")

_STEPS = {"div": 4, "sqrt": 5, "sin": 20, "cos": 20}


@dataclass(frozen=True)
class CostEstimate:
    """Of one form of one function.

    instructions : carried out in one call; of loops, with those that could be while they wait
    bytes : of machine code, and of the tables of loops
    time : nanoseconds of a call
    angles : sines and cosines before the rest
    path : additions' worth of the longest chain of operations that wait for each other
    by_depth : whether statements stand by depth, so that columns hide each other's waiting
    in_loops : whether steps are called in loops
    """

    instructions: int
    bytes: int
    time: int
    angles: int = 0
    path: int = 0
    by_depth: bool = False
    in_loops: bool = False


def call_time(cost: CostEstimate, core: Core = CORE) -> float:
    """Nanoseconds of a call on a core."""
    if cost.in_loops:
        return core.call + cost.instructions / core.looped
    if cost.instructions > KEPT_SHARE * core.decoded:
        line = cost.bytes / core.bytes
    else:
        line = cost.instructions / core.instructions / (SIDE_BY_SIDE_RATE if cost.by_depth else 1)
    waiting = cost.path - (_STEPS["sin"] if cost.angles else 0)  # sines are turned before
    return core.call + cost.angles * core.turn + max(line, waiting * core.step)


def slabbed(cost: CostEstimate) -> CostEstimate:
    """The same with its statements by depth."""
    found = replace(cost, by_depth=True)
    return replace(found, time=round(call_time(found)))


def estimate(
    operations: int,
    stores: int,
    angles: int,
    path: int,
    core: Core = CORE,
    per: float = INSTRUCTIONS_PER_OPERATION,
    each: float = BYTES_PER_INSTRUCTION,
) -> CostEstimate:
    """``operations`` and ``stores`` in a line, ``path`` of them waiting for each other; so many
    instructions for an operation, of so many bytes each."""
    instructions = round(operations * per) + stores
    size = round(instructions * each) + (SINE_LOOP_BYTES if angles else 0)
    found = CostEstimate(instructions, size, 0, angles, path)
    return replace(found, time=round(call_time(found, core)))


def estimate_rows(
    operations: int, stores: int, results: int, angles: int, path: int, core: Core = CORE
) -> CostEstimate:
    """The same on rows: many operands are in memory, and each of ``results`` is taken from a vector
    before it is stored, once or, in symmetric matrices, twice."""
    lanes = round((stores + results) * INSTRUCTIONS_PER_LANE)
    return estimate(operations, lanes, angles, path, core, INSTRUCTIONS_PER_ROW, ROW_BYTES)


def estimate_duals(
    operations: int, stores: int, angles: int, path: int, core: Core = CORE
) -> CostEstimate:
    """The same on duals: values that others are multiplied by are spread over them."""
    return estimate(operations, stores, angles, path, core, INSTRUCTIONS_PER_DUAL, DUAL_BYTES)


@dataclass(frozen=True)
class Work:
    """Of loops: operations, numbers that steps read and write where no register carries them,
    numbers that arrays start with, and inner loops that end after turns of their own."""

    operations: int
    moved: int
    started: int
    climbs: int


def estimate_loops(
    work: Work, statements: int, tables: int, real_bytes: int, core: Core = CORE
) -> CostEstimate:
    """``work`` done by ``statements`` of steps, with ``tables`` of so many numbers."""
    size = statements * STATEMENT_BYTES + CALLING_LOOP_BYTES + tables * real_bytes
    instructions = (
        work.operations + work.moved + FIRST_TOUCH * work.started + INNER_LOOP_END * work.climbs
    )
    found = CostEstimate(instructions, size, 0, in_loops=True)
    return replace(found, time=round(call_time(found, core)))


def longest_path(graph: Graph, nodes: Iterable[int]) -> int:
    """Additions' worth of the longest chain of operations that wait for each other."""
    return max(depths(graph, reachable(graph, nodes)).values(), default=0)


def depths(graph: Graph, order: Iterable[int]) -> dict[int, int]:
    """The same up to each node; ``order`` has arguments before their users."""
    depth: dict[int, int] = {}
    for node in order:
        op = graph.op[node]
        step = 0 if op in ("const", "symbol", "neg") else _STEPS.get(op, 1)
        depth[node] = step + max(map(depth.__getitem__, graph.args[node]), default=0)
    return depth


@dataclass(frozen=True)
class CodeForm:
    """Form of a function: ``plain``, ``pairs``, ``rows``, ``duals`` or ``loops``; the reason; its
    costs."""

    name: str
    why: str
    cost: CostEstimate
