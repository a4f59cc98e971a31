"""Forces of joints beside those of bodies, linear in unknown numbers: one record a kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array


@dataclass(frozen=True)
class JointTerm:
    """A force f(u, a) x on each speed, of an unknown x; `units` are those of x for a turn."""

    word: str
    of: Callable[[Array, Array], Array]
    units: str
    is_positive: bool


TERMS = {
    term.word: term
    for term in (
        JointTerm("viscous", lambda u, a: u, "N m s/rad", True),
        JointTerm("coulomb", lambda u, a: np.sign(u), "N m", True),
        JointTerm("armature", lambda u, a: a, "kg m^2", True),
        JointTerm("offset", lambda u, a: np.ones_like(u), "N m", False),
    )
}
"""Terms of joints that `identify` can find beside the bodies, by word."""


def columns(words: tuple[str, ...], u: Array, a: Array) -> Array:
    """(motions, nu, words nu): forces of a unit of each term at each joint, joints innermost."""
    nu = u.shape[-1]
    found = np.zeros((len(u), nu, len(words) * nu))
    for k, word in enumerate(words):
        found[:, range(nu), range(k * nu, (k + 1) * nu)] = TERMS[word].of(u, a)
    return found
