"""Batches of states against the same states one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.soiled_memory import soil
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED = 1e-11
COUNT, LOST = 9, (2, 7)
"""States of a batch, and places in it, one on each of two threads, that are without numbers."""


@check(
    "batches",
    compares="every function of all states at once, on one thread and on two, in vectors if it is "
    "so compiled and with lanes left over, with the same function of each state; the error of a "
    "batch with two states without numbers, of which it must name the first",
    reference="the single call",
    tolerance=f"{ALLOWED:.0e} of the largest entry, times the condition number of M: vectors may "
    "round otherwise",
)
def batches(subject: Subject) -> Iterator[Comparison]:
    """Functions that refuse some of the states take part with the others."""
    states = subject.regular if "mass_matrix" in subject.functions else subject.states
    if len(states) < 2:
        raise NotApplicable("a single state")
    for name in sorted(subject.functions):
        inputs = subject.model.inputs_of(name)
        chosen, single = [], []
        for state in states if inputs else ():
            try:
                found = subject.call(name, state)
            except FloatingPointError:
                continue
            chosen.append(state)
            single.append(found if isinstance(found, tuple) else (found,))
        if len(chosen) < 2:
            continue
        stacked = [np.stack([state[word] for state in chosen]) for word in inputs]
        ways = []
        for threads in (1, 2):
            soil(*((len(chosen), *np.shape(part)) for part in single[0]))
            ways.append(subject.model.function(name)(*stacked, threads=threads))
        both = [answer if isinstance(answer, tuple) else (answer,) for answer in ways]
        for k, (state, alone) in enumerate(zip(chosen, single, strict=True)):
            error = 0.0
            for *batch, value in zip(*both, alone, strict=True):
                error = max([error, *(apart(answer[k], value) for answer in batch)])
            condition = subject.condition(state) if "mass_matrix" in subject.functions else 1.0
            yield Comparison(name, state.label, error, ALLOWED * condition)
    yield from _refused(subject, states)


def apart(got: ArrayLike, expected: ArrayLike, least: float = 0.0) -> float:
    """The largest difference over the largest number expected, or `least` if that is more; what is
    no number in both, or the same infinity, is alike.

    >>> apart([1.0, np.nan], [1.5, np.nan], least=2.0), apart([0.0], [np.nan])
    (0.25, inf)
    """
    got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    alike = (got == expected) | (np.isnan(got) & np.isnan(expected))
    size = float(np.abs(expected[np.isfinite(expected)]).max(initial=0.0))
    return largest(got[~alike], expected[~alike], max(size, least) or 1.0)


def _refused(subject: Subject, states: Sequence[TestState]) -> Iterator[Comparison]:
    """Two states among others have no numbers: the error is that of the first, whoever met it."""
    name = "forward_dynamics"
    if name not in subject.functions or not subject.model.nq:
        return
    lost = states[0].with_values(q=np.full(subject.model.nq, np.nan))
    wanted = said(lambda: subject.call(name, lost))
    if wanted is None:
        return
    chosen = list(islice(cycle(states), COUNT))
    for place in LOST:
        chosen[place] = lost
    stacked = [np.stack([s[word] for s in chosen]) for word in subject.model.inputs_of(name)]
    for threads in (1, 2):
        found = said(partial(subject.model.function(name), *stacked, threads=threads))
        error = 0.0 if found == f"{wanted} at batch index ({LOST[0]},)" else np.inf
        what = f"error of {name}, {threads} threads"
        yield Comparison(what, f"states {LOST} without numbers", error, ALLOWED)


def said(call: Callable[[], Any]) -> str | None:
    """Text of the error where a result is no number; None if there is none."""
    try:
        call()
    except FloatingPointError as error:
        return str(error)
    return None
