"""Methods whose whole step is a function of the equations of motion.

The method `name` steps by the emitted function ``<name>_step`` (q, u, ..., h) -> (q_next, u_next),
which programs on the expression graph also differentiate.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepFunction:
    """One method: its name, its order, and a title for comments and the manifest."""

    name: str
    order: int
    title: str = ""

    @property
    def function(self) -> str:
        """Name of the function of a step."""
        return f"{self.name}_step"

    @property
    def stages(self) -> int:
        """1"""
        return 1

    @property
    def is_adaptive(self) -> bool:
        """False: there is no estimate of the error."""
        return False
