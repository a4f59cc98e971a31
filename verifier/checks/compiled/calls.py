"""Ways to call a compiled function: into given arrays, broadcast, from arrays of another layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, OTHER = 1e-11, 1.03
_STATES = 3


@check(
    "calls",
    compares="every function with given arrays for its results, among them one of its own inputs "
    "and such as share a number with one, of one state, two and more, and into every other number "
    "of them; with inputs of which some have states and others have one value, or other states; "
    "with inputs that lie otherwise in memory, or are lists or plain numbers; with tunable "
    "parameters in an array and by name; that a row too many is refused",
    reference="the plain call of each state",
    tolerance=f"{ALLOWED:.0e} of the largest entry, times the condition number of M: vectors may "
    "round otherwise",
)
def calls(subject: Subject) -> Iterator[Comparison]:
    """In a few random states."""
    states = subject.regular if "mass_matrix" in subject.functions else subject.states
    states = [state for state in states if state.is_random][:_STATES]
    if not states or not _takes_out(subject, states[0]):
        raise NotApplicable("no random states, or functions that take no arrays for their results")
    drawn = states
    for name in sorted(subject.functions):
        known = [(state, found) for state in drawn if (found := _finite(subject, name, state))]
        if not subject.model.inputs_of(name) or not known:
            continue
        states, single = map(list, zip(*known, strict=True))
        condition = max(map(subject.condition, states)) if "mass_matrix" in subject.functions else 1
        for what, got, wanted in _ways(subject, name, states, single):
            size = max([1e-300, *(float(np.abs(part).max(initial=0.0)) for part in wanted)])
            pairs = zip(got, wanted, strict=True)
            error = max([0.0, *(_error(found, part, size) for found, part in pairs)])
            yield Comparison(f"{name} {what}", "random states", error, ALLOWED * condition)
        yield from _refused(subject, name, states[0], single[0])


def _finite(subject: Subject, name: str, state: TestState) -> list[Array] | None:
    """The results, of a function that gives numbers there."""
    try:
        found = _parts(subject.call(name, state))
    except FloatingPointError:
        return None
    return found if all(np.isfinite(part).all() for part in found) else None


def _refused(
    subject: Subject, name: str, state: TestState, like: Sequence[Array]
) -> Iterator[Comparison]:
    """An input, or an array for the result, that has one row too many."""
    call = subject.model.function(name)
    rows = [np.array(state[word], dtype=float) for word in subject.model.inputs_of(name)]
    for k, row in enumerate(rows):
        if row.size and row.ndim:
            longer = [*rows[:k], np.concatenate([row, row[:1]]), *rows[k + 1 :]]
            error = 0.0 if _refuses(call, longer) else np.inf
            yield Comparison(f"{name} of an input {k} too long", "random states", error, 0.0)
    if len(like) == 1 and like[0].size and like[0].ndim:
        error = 0.0 if _refuses(call, rows, np.concatenate([like[0], like[0][:1]])) else np.inf
        yield Comparison(f"{name} into an array too long", "random states", error, 0.0)


def _refuses(call: Callable[..., Any], given: Sequence[Array], out: Array | None = None) -> bool:
    try:
        call(*given, out=out)
    except ValueError:
        return True
    return False


def _takes_out(subject: Subject, state: TestState) -> bool:
    """True if functions take `out`: faces of one's own may not."""
    try:
        given = [state[word] for word in subject.model.inputs_of("coordinate_rates")]
        subject.model.function("coordinate_rates")(*given, out=None)
    except (TypeError, KeyError, AttributeError, ValueError):
        return False
    return True


def _parts(answer: Any) -> list[Array]:
    return [
        np.asarray(x, dtype=float) for x in (answer if isinstance(answer, tuple) else (answer,))
    ]


def _error(found: Array, wanted: Array, size: float) -> float:
    return largest(found, wanted, size) if found.shape == wanted.shape else np.inf


Way = tuple[str, list[Array], list[Array]]


def _ways(
    subject: Subject, name: str, states: Sequence[TestState], single: Sequence[list[Array]]
) -> Iterator[Way]:
    call, words = subject.model.function(name), subject.model.inputs_of(name)
    rows = [[np.array(state[word], dtype=float) for word in words] for state in states]
    batch = [np.stack(column) for column in zip(*rows, strict=True)]
    stacked = [np.stack(column) for column in zip(*single, strict=True)]
    yield "into an array", _into(call, rows[0], single[0]), single[0]
    yield "into every other number", _into(call, rows[0], single[0], apart=2), single[0]
    yield "of a batch into an array", _into(call, batch, stacked), stacked
    pair = [part[:2] for part in stacked]
    # New arrays may lie where the same numbers were before; given ones begin as no numbers.
    yield "of a pair of states", _into(call, [column[:2] for column in batch], pair), pair
    yield from _over_inputs(call, rows[0], single[0])
    if any(row.ndim == 0 for row in rows[0]):
        plain = [row if row.ndim else float(row) for row in rows[0]]
        yield "of arrays and numbers", _parts(call(*plain)), single[0]
    yield "of lists", _parts(call(*(row.tolist() for row in rows[0]))), single[0]
    apart = [
        np.repeat(column, 2, axis=-1)[..., ::2] if column.ndim > 1 else column for column in batch
    ]
    yield "of every other number", _parts(call(*apart)), stacked
    turned = [column[:, None] for column in batch]
    yield "of a column of states", _parts(call(*turned)), [part[:, None] for part in stacked]
    for k, word in enumerate(words):
        mixed = [
            column if i == k else row
            for i, (column, row) in enumerate(zip(batch, rows[0], strict=True))
        ]
        at = [states[0].with_values(**{word: state[word]}) for state in states]
        try:
            alone = [_parts(subject.call(name, state)) for state in at]
        except FloatingPointError:
            continue
        wanted = [np.stack(column) for column in zip(*alone, strict=True)]
        if all(np.isfinite(part).all() for part in wanted):
            yield f"of several {word}", _parts(call(*mixed)), wanted
    yield from _grid(call, batch)
    yield from _parameters(subject, call, rows[0], single[0])


def _parameters(
    subject: Subject, call: Callable[..., Any], given: Sequence[Array], like: Sequence[Array]
) -> Iterator[Way]:
    """The defaults as an array, and others by name as in an array."""
    known = subject.model.parameters
    if not known:
        return
    defaults = np.array([*known.values()])
    yield "of parameters in an array", _parts(call(*given, parameters=defaults)), [*like]
    others = defaults * OTHER
    try:
        wanted = _parts(call(*given, parameters=others))
    except FloatingPointError:
        return
    if all(np.isfinite(part).all() for part in wanted):
        named = dict(zip(known, others.tolist(), strict=True))
        yield "of parameters by name", _parts(call(*given, parameters=named)), wanted


def _grid(call: Callable[..., Any], batch: Sequence[Array]) -> Iterator[Way]:
    """The first input of two states in a column, the others in a row."""
    if len(batch) < 2 or len(batch[0]) < 2:
        return
    column, rows = batch[0][:2, None], [part[None, :2] for part in batch[1:]]
    try:
        alone = [
            _parts(call(batch[0][i], *(part[j] for part in batch[1:])))
            for i in range(2)
            for j in range(2)
        ]
    except FloatingPointError:
        return
    wanted = [np.stack(parts).reshape(2, 2, *parts[0].shape) for parts in zip(*alone, strict=True)]
    if all(np.isfinite(part).all() for part in wanted):
        yield "of a grid of states", _parts(call(column, *rows)), wanted


def _into(
    call: Callable[..., Any], given: Sequence[Array], like: Sequence[Array], apart: int = 1
) -> list[Array]:
    """Contents of the arrays after the call, and not what is given back; of arrays of which every
    ``apart``-th number is given."""
    places = tuple(np.full((*part.shape, apart), np.nan)[..., 0] for part in like)
    back = call(*given, out=places if len(places) > 1 else places[0])
    same = back if isinstance(back, tuple) else (back,)
    if not all(x is y for x, y in zip(same, places, strict=True)):
        return [np.full(part.shape, np.inf) for part in like]
    return [*places]


def _over_inputs(
    call: Callable[..., Any], given: Sequence[Array], like: Sequence[Array]
) -> Iterator[Way]:
    """Results written over each input of their shape, and over the first or last number of each;
    inputs are read first."""
    if len(like) > 1 or not like[0].size:
        return
    for k, row in enumerate(given):
        if not row.size:
            continue
        places = {"beginning": (like[0].size - 1, 0), "end": (0, row.size - 1)}
        if row.shape == like[0].shape:
            places["whole"] = (0, 0)
        for what, (read, written) in places.items():
            memory = np.full(row.size + like[0].size, np.nan)
            inputs = [x.copy() for x in given]
            inputs[k] = memory[read : read + row.size].reshape(row.shape)
            inputs[k][...] = row
            out = memory[written : written + like[0].size].reshape(like[0].shape)
            call(*inputs, out=out)
            yield f"over the {what} of input {k}", [out], [like[0]]
