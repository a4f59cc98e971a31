"""Batches of states against the same states one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verify.subject.check import Comparison, NotApplicable, check, largest
from eomc.verify.subject.subject import Subject

ALLOWED = 1e-11


@check(
    "batches",
    compares="every function of all states at once, on one thread and on two, in vectors if it is "
    "so compiled and with lanes left over, with the same function of each state",
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
        ways = [subject.model.function(name)(*stacked, threads=threads) for threads in (1, 2)]
        both = [answer if isinstance(answer, tuple) else (answer,) for answer in ways]
        for k, (state, alone) in enumerate(zip(chosen, single, strict=True)):
            error = 0.0
            for *batch, value in zip(*both, alone, strict=True):
                value = np.asarray(value)
                if np.isfinite(value).all():
                    size = float(np.abs(value).max(initial=0.0)) or 1.0
                    error = max([error, *(largest(answer[k], value, size) for answer in batch)])
            condition = subject.condition(state) if "mass_matrix" in subject.functions else 1.0
            yield Comparison(name, state.label, error, ALLOWED * condition)
