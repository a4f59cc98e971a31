"""Elements that declare that they dissipate take power, or give back what they stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.elements.state import ElementState
from eomc.derive.forces.dissipation import RATE, REACTION, dissipated
from eomc.derive.graph import evaluate
from eomc.derive.language.value import value_of
from eomc.derive.system import System
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.derived_subject import DerivedSubject

ALLOWED = 1e-12
SPEEDS = (1.0, -1.0, 1e-8, -1e-4, 1e-2, 30.0, -1e4)


@check(
    "losses",
    compares="the power of each element that declares that it dissipates, of joints' losses and of "
    "damping in bodies, with the energy that it stores beside a potential",
    reference="the sum is not above zero (Willems, Dissipative dynamical systems, 1972): in every "
    "state, its speeds as they are, reversed, tiny and large, under random reactions of joints",
    tolerance=f"{ALLOWED:.0e} of the sum of the terms of force times velocity",
)
def losses(subject: DerivedSubject) -> Iterator[Comparison]:
    """The worst of all motions, element by element, on a graph of their laws alone."""
    model = subject.declared
    if model is None:
        raise NotApplicable("the laws are not known here")
    values: dict[str, float] = model.defaults()
    system: System = subject.given.system(subject.given.tunable(None))
    found = dissipated(system.scene, model, values)
    if not found:
        raise NotApplicable("nothing declares that it dissipates")
    at = _motions(subject, system, values)
    labels = [state.label for _ in SPEEDS for state in subject.states]
    for name, terms in found.items():
        parts = evaluate(system.graph, [term.node for term in terms], at)
        powers = np.array([np.broadcast_to(part, len(labels)) for part in parts])
        size = np.abs(powers).sum(axis=0)
        share: Array = powers.sum(axis=0) / np.where(size > 0, size, 1.0)
        # As drawn, states have a value; at other speeds a law may have none.
        drawn = np.arange(len(labels)) < len(subject.states)
        share = np.where(np.isfinite(share), share, np.where(drawn, np.inf, 0.0))
        worst = int(np.argmax(share))
        yield Comparison(f"power of {name}", labels[worst], max(float(share[worst]), 0.0), ALLOWED)


def _motions(
    subject: DerivedSubject, system: System, values: Mapping[str, float]
) -> dict[Any, Any]:
    """Values of all symbols: every state with its speeds times each of `SPEEDS`."""
    count, drawn = len(subject.states), subject.states * len(SPEEDS)
    factors = np.repeat(SPEEDS, count)
    rng = np.random.default_rng(subject.seed)
    at: dict[Any, Any] = dict(values)
    at |= {system.time.node: np.array([float(s["t"]) for s in drawn])}
    arrays = {"q": system.q, "s": system.s, "r": system.r, "u": system.u, "s_rate": system.s_rate}
    for word, symbols in arrays.items():
        table = np.array([np.ravel(state[word]) for state in drawn])
        if word in ("u", "s_rate"):
            table = table * factors[:, np.newaxis]
        at |= {entry.node: table[:, k] for k, entry in enumerate(symbols)}
    bounds = system.model.element_states().values()
    for entry, state in zip(system.z, bounds, strict=True):
        at[entry.node] = _own_state(state, values, rng.normal(size=len(drawn)))
    at |= {name: rng.normal(size=len(drawn)) * 10 ** rng.uniform(-3, 5) for name in REACTION}
    at[RATE] = rng.normal(size=len(drawn)) * factors
    return at


def _own_state(state: ElementState, values: Mapping[str, float], drawn: Array) -> Array:
    """Within the size that it does not exceed, and at it."""
    if state.within is None:
        return drawn
    return np.clip(drawn, -1, 1) * value_of(state.within, values)
