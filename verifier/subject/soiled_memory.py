"""Memory that holds no number, and derivatives that are not finite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Comparison
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

_KEPT = 8


"""Arrays of one size whose memory NumPy keeps, and one more."""


def soil(*shapes: Sequence[int]) -> None:
    """Fill with NaN what new arrays of these shapes are likely to take.

    What a compiled function leaves out shows then: memory of the last results, which it would take
    otherwise, holds the same numbers.

    >>> soil((3,))
    >>> bool(np.isnan(np.empty(3)).all())
    True
    """
    for shape in shapes:
        arrays = [np.empty(tuple(shape)) for _ in range(_KEPT)]
        for array in arrays:
            array.fill(np.nan)


CODE = "no_derivative"


"""In the error of a function that refuses a state where a law has no derivative."""


def without_refusal(call: Callable[[], Any], shapes: Sequence[tuple[int, ...]]) -> tuple[Any, str]:
    """(arrays, no text), or arrays of NaN and the error of a function that finds no derivative."""
    try:
        answer = call()
    except FloatingPointError as error:
        if CODE not in str(error):
            raise
        return tuple(np.full(shape, np.nan) for shape in shapes), str(error)
    return answer if isinstance(answer, tuple) else (answer,), ""


def lost(
    subject: Subject, state: TestState, what: str, got: Array, expected: Array
) -> Iterator[Comparison]:
    """A breach for the first entry, by names, that is not finite and should be, or is and should
    not be; nothing is known of `expected` where it is infinite."""
    wrong = np.isfinite(got) & np.isnan(expected) | ~np.isfinite(got) & np.isfinite(expected)
    if not wrong.any():
        return
    row, column = np.argwhere(wrong)[0]
    by = subject.model.speeds if what[-2:] != " p" else [*subject.model.parameters]
    told = "is a number and has no limit" if np.isfinite(got[row, column]) else "is not finite"
    entry = f"{subject.model.speeds[row]!r} by {by[column]!r} {told}"
    yield Comparison(f"{what}: {entry}", state.label, np.inf, 0.0)


def known(got: Array, expected: Array) -> tuple[Array, Array]:
    """Both with 0 where one of them is not finite."""
    both = np.isfinite(got) & np.isfinite(expected)
    return np.where(both, got, 0.0), np.where(both, expected, 0.0)
