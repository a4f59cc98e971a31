"""From equations to the text of files in C or another target language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eomc.building.equations import check_small, has_loops
from eomc.codegen import Sources, emit
from eomc.codegen.plan.cost import Optimize
from eomc.codegen.plan.real import RealName
from eomc.derive.graph import Program
from eomc.derive.graph.progress import heard_by
from eomc.derive.model import ModelError
from eomc.runtime.output.progress import spinner

Names = Iterable[str] | str | None


@dataclass(frozen=True)
class SourceOptions:
    """Shape of the sources, beside the choice of functions."""

    frames: Names
    tunable: Names
    real: RealName
    name: str | None
    small: bool
    lanes: int
    piece_size: int
    file_limit: int
    target: str = "c"
    self_test: bool = False
    optimize: Optimize = "speed"
    python: bool = False


def sources(equations: Any, functions: Names, choice: SourceOptions) -> Sources:
    """The sources of the asked functions of equations; raises `ModelError` or `EmissionError`.

    On terminals a sign tells which function is derived or written, and how many there are.
    """
    with spinner("deriving") as told, heard_by(told):
        return _sources(equations, functions, choice)


def _sources(equations: Any, functions: Names, choice: SourceOptions) -> Sources:
    frames = (choice.frames,) if isinstance(choice.frames, str) else choice.frames
    given = {"functions": functions, "frames": frames, "tunable": choice.tunable}
    # What is not asked for is not passed: not every system knows frames.
    chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if choice.small:
        check_small(equations, choice.lanes)
        chosen["small"] = True
    elif choice.optimize == "size" and has_loops(equations, choice.lanes, choice.tunable):
        chosen["small"] = True
    program = equations
    if not isinstance(equations, Program):
        named = chosen if choice.name is None else {**chosen, "name": choice.name}
        program = equations.program(**named)
    elif chosen:
        raise ModelError(f"a program is emitted as it is; {', '.join(chosen)} cannot be chosen")
    return emit(
        program,
        choice.real,
        prefix=choice.name,
        piece_size=choice.piece_size,
        file_limit=choice.file_limit,
        lanes=choice.lanes,
        target=choice.target,
        self_test=choice.self_test,
        python=choice.python,
        # What small asks for is not weighed.
        optimize="speed" if choice.small else choice.optimize,
    )
