"""Latches: gaps and turns of their joints, the rates of these, limits, and what closes and opens.

The rows of a latch are those of its joint where that closes a loop, before what it holds is taken
off: its gap r along some axes, and 2 tan(theta/2) e of its turn.
"""

from __future__ import annotations

from eomc.derive.constraints.cut_joint import cut_joint
from eomc.derive.functions.registry import column, function
from eomc.derive.graph import Argument, Expression
from eomc.derive.system import System


@function(
    "latches",
    ("q", "u"),
    "Gaps and turns of latches and their rates, limits within which they close, and what closes "
    "and opens them.",
    sees_forces=True,
    needs=("latches",),
)
def latches(system: System) -> list[Argument]:
    """As they are declared, whether they are closed or not; zero for what is not given."""
    found = list(system.model.latches.values())
    scene = system.scene
    rows = [row for latch in found for row in cut_joint(latch.cut_joint, scene)]
    names = [row.name for row in rows]
    rates = system.constraints.linearized(rows).velocity

    def declared(words: str) -> tuple[list[str], list[Expression]]:
        named = [(latch, word) for latch in found for word in getattr(latch, words)]
        values = [getattr(latch, word) for latch, word in named]
        entries = [f"{latch.name}.{word}" for latch, word in named]
        return entries, [system.zero if x is None else scene.scalar(x) for x in values]

    limits, events = declared("limits"), declared("events")
    return [
        column("gaps", [row.residual for row in rows], "gaps and turns", "m or rad", names),
        column("rates", rates, "their rates", "m/s or rad/s", names),
        column("limits", limits[1], "largest at which it closes", "", limits[0]),
        column("events", events[1], "close and open where they rise through 0", "", events[0]),
    ]
