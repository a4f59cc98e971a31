"""Points as outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eomc.runtime.control.task_space.frame import chosen, frame_functions
from eomc.runtime.control.task_space.output import (
    NUMERIC,
    Ask,
    OutputError,
    OutputReference,
    OutputState,
    See,
    plain_deviation,
)
from eomc.runtime.difference import Operations
from eomc.runtime.model.compiled import CompiledModel


@dataclass(frozen=True)
class Position:
    """y = x_E, or x_E - x_O: where the origin of a frame is, or how it lies from another's.

    In world axes [m]; `axes` are those that the task controls.

    Raises ValueError for other axes and UnknownFrameError for frames that the model has not.
    """

    frame: str
    axes: str = "xyz"
    relative_to: str = ""

    def __post_init__(self) -> None:
        chosen(f"position of {self.frame!r}: axes", tuple(self.axes), ("x", "y", "z"))

    @property
    def size(self) -> int:
        """Number of axes."""
        return len(self.axes)

    def names(self, model: CompiledModel) -> tuple[str, ...]:
        """``<frame>_x`` and so on."""
        frame_functions(model, self.frame)
        of = f"{self.frame}_from_{self.relative_to}" if self.relative_to else self.frame
        return tuple(f"{of}_{axis}" for axis in self.axes)

    def begin(self, model: CompiledModel) -> See:
        """As of `Output`."""
        rows = chosen("axes", tuple(self.axes), ("x", "y", "z"))
        tip = frame_functions(model, self.frame)

        def of(ask: Ask, known: dict[str, str]) -> OutputState:
            return OutputState(
                ask(known["pose"])[rows, 3],
                ask(known["velocity"])[rows],
                ask(known["jacobian"])[rows],
                ask(known["acceleration"])[rows],
            )

        if not self.relative_to:
            return lambda ask, at, by=NUMERIC: of(ask, tip)
        origin = frame_functions(model, self.relative_to)

        def between(ask: Ask, at: Mapping[str, Any], by: Operations = NUMERIC, /) -> OutputState:
            return OutputState(*(a - b for a, b in zip(of(ask, tip), of(ask, origin), strict=True)))

        return between

    def deviation(
        self, seen: OutputState, wanted: OutputReference, by: Operations = NUMERIC
    ) -> OutputError:
        """e = y_d - y"""
        return plain_deviation(seen, wanted)
