"""A check: its name, what it compares with what, how closely and why, and its outcome.

A check is one file in a folder of ``checks``: a generator function under the decorator `check`,
which yields a `Comparison` for whatever it compares in each state. A new file is found by itself.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from eomc.verifier.subject.subject import Subject


@dataclass(frozen=True)
class Comparison:
    """One quantity in one state: a breach if `error` > `allowed`, both in the check's unit.

    `of` is what of the declaration or of the emitted code it judges, as `completeness` names it.
    """

    what: str
    state: str
    error: float
    allowed: float
    of: str = ""

    @property
    def ratio(self) -> float:
        """error / allowed; infinite for what is not a number."""
        if not math.isfinite(self.error) or self.error < 0 or math.isnan(self.allowed):
            return math.inf
        if self.error == 0:
            return 0.0
        return self.error / self.allowed if self.allowed > 0 else math.inf


class NotApplicable(Exception):
    """A check has nothing to say about this model, nor anything else about `excused`; the message
    says why."""

    def __init__(self, reason: str, excused: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.excused = tuple(excused)


class Absent(NotApplicable):
    """The model has nothing that a check compares; the message names what."""


_OF_FUNCTIONS = {
    "constraint_jacobian": "loops and other constraints",
    "element_outputs": "outputs of elements",
    "element_state_rates": "states of elements",
    "element_switches": "switches of forces",
    "rigid_contacts": "rigid contacts",
}
"""Things that a model without a function does not have."""

Run: TypeAlias = "Callable[[Any], Iterator[Comparison]]"


@dataclass(frozen=True)
class Check:
    """One way to find a model wrong.

    Attributes
    ----------
    name : str
    compares, reference : str
        What is compared, and with what; where the method is from.
    tolerance : str
        How closely, in which unit, and why.
    needs : tuple of str
        Functions without which there is nothing to compare.
    run : generator of comparisons over a subject
    thorough : bool
        Whether quick verifications leave it out, if it is not asked for by name.
    """

    name: str
    compares: str
    reference: str
    tolerance: str
    needs: tuple[str, ...]
    run: Run
    thorough: bool = False

    def outcome(self, subject: Subject) -> CheckOutcome:
        """Run the check; a check that cannot be made says why."""
        missing = [name for name in self.needs if name not in subject.functions]
        if missing:
            lacking = ", ".join(_OF_FUNCTIONS.get(name, name) for name in missing)
            return CheckOutcome(self, reason=lacking, is_absent=True)
        figures: dict[str, Any] = {}
        subject.figures = figures
        comparisons: list[Comparison] = []
        try:
            comparisons.extend(self.run(subject))
        except NotApplicable as reason:
            absent = isinstance(reason, Absent)
            return CheckOutcome(self, reason=str(reason), excused=reason.excused, is_absent=absent)
        except FloatingPointError as refusal:
            # Checks ask for what has an answer: a function that refuses it is wrong.
            comparisons.append(Comparison(f"refused: {refusal}", "some state", math.inf, 0.0))
        if not comparisons:
            return CheckOutcome(self, reason="nothing to compare in these states")
        return CheckOutcome(self, tuple(comparisons), figures=figures)


@dataclass(frozen=True)
class CheckOutcome:
    """The findings of a check; without comparisons it was skipped, and `reason` says why.

    `excused` is what needs no comparison for that reason; `is_absent` says that the model has
    nothing of what `reason` names.
    """

    check: Check
    comparisons: tuple[Comparison, ...] = ()
    reason: str = ""
    excused: tuple[str, ...] = ()
    is_absent: bool = False
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """ "pass", "breach" or "skipped"."""
        if not self.comparisons:
            return "skipped"
        return "breach" if self.breaches else "pass"

    @property
    def breaches(self) -> tuple[Comparison, ...]:
        """Comparisons beyond their tolerance."""
        return tuple(c for c in self.comparisons if c.ratio > 1)

    @property
    def worst(self) -> Comparison | None:
        """The comparison nearest to its tolerance, or farthest beyond."""
        return max(self.comparisons, key=lambda c: c.ratio, default=None)


def check(
    name: str,
    *,
    compares: str,
    reference: str,
    tolerance: str,
    needs: Iterable[str] = (),
    thorough: bool = False,
) -> Callable[[Run], Check]:
    """Decorator: the generator function becomes a `Check`."""
    return lambda run: Check(name, compares, reference, tolerance, tuple(needs), run, thorough)


def checks_in(package: ModuleType) -> list[Check]:
    """The checks of all files of a package, by file name."""
    found: list[Check] = []
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        found += [value for value in vars(module).values() if isinstance(value, Check)]
    return found


def largest(got: ArrayLike, expected: ArrayLike, scale: float = 1.0) -> float:
    """max |got - expected| / scale; infinite where something is not a number.

    Not NaN, which Python's max passes over wherever it does not come first.

    >>> largest([1.0, 2.0], [1.0, 2.5], scale=2.0)
    0.25
    >>> max(0.0, largest([1.0, math.nan], [1.0, 2.5]))
    inf
    """
    difference = np.abs(np.asarray(got, dtype=float) - np.asarray(expected, dtype=float))
    if not difference.size:
        return 0.0
    top = float(difference.max())
    if math.isnan(top):
        return math.inf
    if top == 0.0:
        return 0.0
    return top / scale if scale > 0 else math.inf
