"""Scopes of expressions: the sorts of names that may stand in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """Sorts of names that an expression may hold, and names of its own, under one word."""

    sorts: tuple[str, ...]
    own: tuple[str, ...] = ()
    own_word: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The sorts as messages tell them."""
        return (*self.sorts, self.own_word) if self.own_word else self.sorts

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of its own, and those that mean nothing else: law(x)."""
        return (*self.own, *(f"{self.own_word}({name})" for name in self.own))

    @property
    def moves(self) -> bool:
        """True if the expression may change with the motion."""
        return "coordinates" in self.sorts

    def with_own(self, word: str, *names: str) -> Scope:
        """The same with names that mean something in this expression only."""
        return Scope(self.sorts, names, word)


#: Constants of the mechanism.
PARAMETERS = Scope(("parameters",))
#: A length or an angle that may change with time.
TIMED = Scope(("parameters", "time"))
#: An energy, or where something is.
PLACE = Scope(("parameters", "coordinates", "time"))
#: A length or an angle that is given and may move.
GIVEN = Scope(("parameters", "inputs", "coordinates", "time"))
#: What is linear in the speeds.
VELOCITY = Scope((*PLACE.sorts, "speeds", "motions"))
#: The same with variables that elements are solved for.
SOLVED = Scope((*PLACE.sorts, "unknowns"))
#: A force, or the rate of an element's state.
FORCE = Scope(
    ("parameters", "inputs", "coordinates", "speeds", "time", "states", "unknowns", "motions")
)
#: A force by the stretch x [m or rad] and its rate v [m/s or rad/s].
LAW = FORCE.with_own("law", "x", "v")
#: A surface by the coordinates in a body's axes.
SURFACE = PLACE.with_own("surface", "x", "y", "z")
