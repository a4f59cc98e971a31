"""Rates of a state and their derivatives, as code generation takes them."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph.function import Argument, Function, Program

Place = tuple[int, int, int]
"""Row, column and place of a derivative in an array of them."""


@dataclass(frozen=True)
class StepSlopes:
    """A program of the functions ``rates``: f, and ``slopes``: f, e, l, g.

    Attributes
    ----------
    state, held : tuples of Argument
        Arrays of x, and all other inputs but time and parameters, v.
    parameters : Argument or None
    defaults : list of float
        Of the parameters.
    by_state : for each row of A, pairs of columns and places in e
        None as the place of a 1.
    by_held, by_parameters : rows, columns and places in e
        Of V and B.
    bodies : for each body with free inertial numbers
        Its ten columns of p, -1 where one is known, and the speeds that move it. g has the
        acceleration of its frame, U by rows and a, and its motions at units of these speeds.
    factor : for each speed, the speeds of its row of L, or None
        l has the values row by row, then the reciprocals of D.
    """

    program: Program
    state: tuple[Argument, ...]
    held: tuple[Argument, ...]
    parameters: Argument | None
    defaults: list[float]
    by_state: list[list[tuple[int, int | None]]]
    by_held: list[Place]
    by_parameters: list[Place]
    bodies: list[tuple[list[int], list[int]]]
    factor: list[list[int]] | None

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Entries of x, p and v."""
        nx, nv = (sum(len(a.entries) for a in arrays) for arrays in (self.state, self.held))
        return nx, len(self.parameters.entries) if self.parameters else 0, nv

    def functions(self) -> dict[str, Function]:
        """By name."""
        return {function.name: function for function in self.program.functions}
