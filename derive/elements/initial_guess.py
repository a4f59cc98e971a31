"""Guesses of coordinates, at which a model starts and from which its loops are closed."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.element import Element, Mechanism
from eomc.derive.fields.field import Number, number
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of

__all__ = ["InitialGuess", "initial_guesses"]


@kind("initial_guess", plural="initial_guesses")
class InitialGuess(Element):
    """A value of the coordinate of this name near which the model's loops close, or at which it
    begins, as on an orbit whose neutral radius is zero.

    Loops may close in branches that no motion joins, and some may hold more there than on others:
    the guesses say which branch is meant. Coordinates without a guess are neutral. States of the
    compiled model start there.
    """

    value: Number = number("rad or m")

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """It names a coordinate of the tree."""
        if self.name not in model.coordinates:
            known = near_names(self.name, model.coordinates)
            raise ModelError(f"no free coordinate {self.name!r}; {known}")


def initial_guesses(model: Mechanism, values: Mapping[str, float]) -> dict[str, float]:
    """The guessed coordinates, at values of the parameters."""
    return {name: value_of(guess.value, values) for name, guess in model.of(InitialGuess).items()}
