"""Starts on the constraints: one rule for runs, studies, pages and units.

A start that violates the constraints is refused, or assembled where that is asked for. Assembling
keeps what is held, and of what is named as much as the constraints allow, in the order in which it
is named; everything else goes to the nearest state that closes.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.clearance import cleared
from eomc.runtime.constraints.consistency import AssemblyError, ConstraintError, violation
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.search import ConstraintSearch, groups
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.start_values import starts_by
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names
from eomc.runtime.output.warning_level import outside

_SEEN = 1e-9
"""Changes, relative to 1 and the value, that are told."""


class MovedStartWarning(UserWarning):
    """Assembling could not keep a value that was given by name."""


@dataclass(frozen=True)
class GivenByName:
    """Values of a start that were given by name: groups of displacements, and speeds, as places."""

    places: tuple[tuple[int, ...], ...] = ()
    rates: tuple[int, ...] = ()

    @classmethod
    def of(cls, model: CompiledModel, q: Any, u: Any) -> GivenByName:
        """Of arguments as `simulate` takes them; a whole array names nothing, it is a guess."""
        given = list(q) if isinstance(q, Mapping) else []
        places: dict[str, tuple[int, ...]] = {
            name: (k,) for k, name in enumerate(model.displacements) if name in model.coordinates
        }
        for names, speeds in groups(model):
            if names and set(names) <= set(given):
                places[names[0]] = tuple(model.speeds.index(speed) for speed in speeds)
        rates = [model.speeds.index(name) for name in u] if isinstance(u, Mapping) else []
        return cls(tuple(places[name] for name in given if name in places), tuple(rates))


@dataclass(frozen=True)
class ConsistentStart:
    """A state on the constraints.

    Attributes
    ----------
    state : State
    moved : mapping of names to (value given, value at the start)
        Of coordinates, and of speeds as "speed(hinge)", that assembling changed.
    """

    state: State
    moved: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """Changes in words; empty if there are none."""
        return ", ".join(f"{name} {a:.6g} -> {b:.6g}" for name, (a, b) in self.moved.items())


def start_on_constraints(
    constraints: IndependentConstraints,
    t: float,
    guess: State,
    *,
    assemble: bool = False,
    fixed: Sequence[str] | str = (),
    named: GivenByName | None = None,
) -> ConsistentStart:
    """The state that a run starts from.

    Raises ValueError for `fixed` without `assemble` or with unknown names, `ConstraintError` for a
    guess that violates the constraints and is not to be assembled, `AssemblyError` for one that
    cannot be.
    """
    if not assemble:
        if fixed:
            raise ValueError("fixed: give it with assemble=True (--assemble)")
        if (text := violation(constraints.at(t, guess))) is not None:
            advice = "start from eomc.assemble(model, q, u), or with assemble=True (--assemble)"
            raise ConstraintError(f"{text}; {advice}")
        return ConsistentStart(guess)
    places, rates = fixed_places(constraints.model, fixed)
    state, _ = assembled(constraints, t, guess, None, places, rates, named)
    return ConsistentStart(state, moved(constraints.model, guess, state))


def start_of_model(
    model: CompiledModel,
    guess: State,
    *,
    assemble: bool,
    fixed: Sequence[str] | str = (),
    named: GivenByName | None = None,
    t: float = 0.0,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
    warn: bool = True,
) -> ConsistentStart:
    """The same of a model, whether it has constraints or not, and what acts on it."""
    if not model.is_constrained:
        return ConsistentStart(guess)
    excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
    constraints = IndependentConstraints(model, excitation)
    found = start_on_constraints(constraints, t, guess, assemble=assemble, fixed=fixed, named=named)
    if warn:
        warn_of_moved(model, found, named)
    return found


def _shown(
    model: CompiledModel,
    values: Mapping[str, Any],
    q: Any,
    u: Any,
    assemble: bool,
    fixed: Sequence[str] | str,
) -> dict[str, Array]:
    """q and u that pages show; `values` are arguments of functions, q and u as given."""
    motion = values["s"] if model.prescribed else None
    found = start_of_model(
        model,
        State(values["q"], values["u"], values["z"]),
        assemble=assemble,
        fixed=fixed,
        named=GivenByName.of(model, q, u),
        inputs=values["r"],
        prescribed=motion,
        parameters=dict(zip(model.parameters, values["p"].tolist(), strict=True)),
    )
    return {"q": found.state.q, "u": found.state.u}


def assembled(
    constraints: IndependentConstraints,
    t: float,
    guess: State,
    weights: Array | None = None,
    places: Sequence[int] = (),
    rates: Sequence[int] = (),
    named: GivenByName | None = None,
) -> tuple[State, int]:
    """The consistent state nearest to the guess, and the steps it took; see `assemble`.

    `places` are those of speeds whose coordinates are held, `rates` whose own values are; what is
    `named` is held besides where the constraints allow it.
    """
    search = ConstraintSearch(constraints, t, weights)
    try:
        closed, steps = search.positions(guess, places)
    except AssemblyError:
        closed, steps = search.reached(guess, places), 0
    named = named or GivenByName()
    if steps or not np.array_equal(closed, guess.q):
        closed = _keeping(search, guess, closed, list(places), named.places)
    here = cleared(
        constraints,
        t,
        guess.moved(closed, guess.u),
        lambda at, rows, wanted: search.least(at, rows, wanted, places),
    )
    kept = list(rates)
    u = search.speeds(here, kept)
    for k in named.rates:
        if k not in kept and u[k] != guess.u[k]:
            try:
                u = search.speeds(here, [*kept, k])
            except AssemblyError:
                continue
        kept.append(k)
    return guess.moved(here.q, u), steps


def _keeping(
    search: ConstraintSearch,
    guess: State,
    closed: Array,
    kept: list[int],
    wished: Sequence[Sequence[int]],
) -> Array:
    """A configuration that closes and keeps more of the guess than `closed`, group by group."""
    for group in wished:
        more = [*kept, *(k for k in group if k not in kept)]
        here = guess.moved(closed, guess.u)
        if len(more) == len(kept) or not search.leaves_free(here, more):
            continue
        try:
            closed = search.reached(guess, more, here)
        except AssemblyError:
            continue
        kept = more
    return closed


def moved(model: CompiledModel, guess: State, found: State) -> dict[str, tuple[float, float]]:
    """Names of coordinates and speeds that differ, with both values."""
    names = [*model.coordinates, *(f"speed({name})" for name in model.speeds)]
    before = np.concatenate([guess.q, guess.u]).tolist()
    after = np.concatenate([found.q, found.u]).tolist()
    return {
        name: (a, b)
        for name, a, b in zip(names, before, after, strict=True)
        if abs(b - a) > _SEEN * (1 + abs(a))
    }


def warn_of_moved(model: CompiledModel, start: ConsistentStart, named: GivenByName | None) -> None:
    """Warn of values that were named and could not be kept."""
    if named is None or not start.moved:
        return
    own = {model.displacements[k] for group in named.places for k in group}
    own |= {f"speed({model.speeds[k]})" for k in named.rates}
    lost = {name: pair for name, pair in start.moved.items() if name in own}
    if lost:
        warnings.warn(
            f"model {model.name!r}: the constraints do not allow what was given of the start: "
            f"{ConsistentStart(start.state, lost).summary}",
            MovedStartWarning,
            stacklevel=outside(),
        )


def fixed_places(model: CompiledModel, fixed: Sequence[str] | str) -> tuple[list[int], list[int]]:
    """Places of speeds whose coordinates are held, and of those held themselves."""
    names = model.displacements
    by_speed = {f"speed({name})": k for k, name in enumerate(model.speeds)}
    by_speed |= {name: k for k, name in enumerate(model.speeds) if name not in names}
    places: list[int] = []
    rates: list[int] = []
    for name in [fixed] if isinstance(fixed, str) else fixed:
        if name in names:
            places.append(names.index(name))
        elif name in by_speed:
            rates.append(by_speed[name])
        elif name in model.coordinates:  # of a joint whose speeds are no rates
            known = near_names(f"displacement({name})", names)
            raise ValueError(f"fixed: coordinate {name!r} has no rate among the speeds; {known}")
        else:
            known = near_names(str(name), [*names, *by_speed])
            raise ValueError(f"fixed: no coordinate or speed {name!r}; {known}")
    return places, rates


starts_by(_shown)
