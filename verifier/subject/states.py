"""The states a model is checked in: random states, and those where formulas tend to fail.

Edge states: neutral and at rest; the limits of the coordinates; within 1e-3 rad of a quarter turn,
where Euler angles of three different axes are singular; within 1e-9 rad of a half turn, where
logarithms of rotations are; half-turn and negated quaternions; tiny, slow and high speeds;
displacements of 1e-9 from the neutral position. Deformable bodies deform by what is typical of
them, and as fast. Of models with constraints each state is the nearest one that satisfies them;
what has none nearby, or is singular or degenerate, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model import ranges
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.ranges import length_coordinates, quaternions
from eomc.verifier.subject.closed_states import closed, sensitivity

NEAR_GIMBAL, NEAR_HALF_TURN = 1e-3, 1e-9
FAR = 6.0, 12.0
"""Powers of ten between which angles of many turns are [rad]."""
HIGH_SPEED, SLOW, TINY = 50.0, (1e-2, 1e-4), 1e-9
MOST_SENSITIVE = 30.0
"""Times the usual change of G by displacements: beyond it a configuration counts as degenerate."""
_DRAWS, _HOPELESS = 20, 3


@dataclass(frozen=True)
class TestState:
    """Arguments of all functions by name: q, u, a, tau, r, t, s, s_rate, s_acceleration, du,
    q0, q1."""

    __test__ = False

    label: str
    values: dict[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.values[name]

    @property
    def is_random(self) -> bool:
        """True for states that are drawn, not built."""
        return self.label.startswith("random")

    def with_values(self, **values: Array) -> TestState:
        """A copy with some arguments changed."""
        return TestState(self.label, {**self.values, **values})


def test_states(model: CompiledModel, count: int, seed: int, share: float = 1.0) -> list[TestState]:
    """`count` random states and the edge states of a model, the same for the same seed.

    Of random configurations those between, at a `share` of the way to them from the neutral one.
    """
    rng = np.random.default_rng(seed)
    brought = _Brought(model)
    states: list[TestState | None] = []
    for k in range(count):
        if k == _HOPELESS and not any(states):
            break  # dozens of draws have led to none
        states.append(_random(model, rng, f"random {k}", brought, share))
    for label, q, speed in _edges(model, rng):
        states.append(brought(_state(model, rng, label, q, speed)))
    return [state for state in states if state is not None]


class _Brought:
    """Brings states onto the constraints, where G is not much more sensitive than elsewhere."""

    def __init__(self, model: CompiledModel) -> None:
        self.model, self.most = model, np.inf
        if model.is_constrained and "integrate" in model.functions:
            # Numbers of their own, so that the states are those that they were.
            self.rng = np.random.default_rng(0)
            drawn = [model.random_configuration(self.rng) for _ in range(_DRAWS)]
            states = [_state(model, self.rng, "", q, 1.0).values for q in drawn]
            usual = [sensitivity(model, values, self.rng) for values in states]
            self.most = MOST_SENSITIVE * float(np.median(usual))

    def __call__(self, state: TestState) -> TestState | None:
        found = closed(self.model, state)
        if found is None or not np.isfinite(self.most) or self.most == 0.0:
            return found
        return found if sensitivity(self.model, found.values, self.rng) <= self.most else None


def _random(
    model: CompiledModel, rng: np.random.Generator, label: str, brought: _Brought, share: float
) -> TestState | None:
    """A random state on the constraints; None if some draws lead to none."""
    for _ in range(_DRAWS):
        q = model.random_configuration(rng)
        state = _state(model, rng, label, q, 1.0)
        if share < 1.0:
            q = _between(model, state, share)
            state = state.with_values(q=q, q0=q, du=share * state["du"])
        found = brought(state)
        if found is not None:
            return found
    return None


def _between(model: CompiledModel, state: TestState, share: float) -> Array:
    """A share of the way from the neutral configuration to that of the state."""
    neutral = np.array(model.function("neutral")(), dtype=float)
    if not {"difference", "integrate"} <= {*model.functions}:
        between: Array = neutral + share * (state["q"] - neutral)
        return between
    values = {**state.values, "q": neutral, "q0": neutral, "q1": state["q"]}
    names = model.inputs_of("difference")
    way = np.asarray(model.function("difference")(*(values[name] for name in names)))
    values["du"] = share * way
    names = model.inputs_of("integrate")
    found: Array = np.asarray(model.function("integrate")(*(values[name] for name in names)))
    return found


test_states.__test__ = False  # type: ignore[attr-defined]


def _state(
    model: CompiledModel, rng: np.random.Generator, label: str, q: Array, speed: float
) -> TestState:
    nu, ns = model.nu, len(model.prescribed)
    # Inputs and prescribed coordinates stay as they are for tiny and for high speeds alike.
    size = min(speed, 1.0)
    known = ranges.deviations(model.manifest.get("metadata", {}))
    unit, middle = ranges.sizes(known, model.speeds), np.zeros(ns)
    driven = ranges.sizes(known, model.prescribed)
    for place, name in enumerate(model.prescribed):
        middle[place] = known.get(name, (0.0, 1.0))[0]
    values = {
        "q": q,
        "u": speed * unit * rng.normal(size=nu),
        "a": size * unit * rng.normal(size=nu),
        "tau": rng.normal(size=nu),
        "r": rng.normal(size=len(model.inputs)),
        "t": np.array(rng.uniform()),
        "s": middle + driven * rng.uniform(-1, 1, size=ns),
        "s_rate": size * driven * rng.normal(size=ns),
        "s_acceleration": size * driven * rng.normal(size=ns),
        "du": unit * rng.uniform(-1, 1, size=nu),
        "q0": q,
        "q1": model.random_configuration(rng),
    }
    # Arguments of functions that only some systems have.
    for function in model.manifest["functions"].values():
        for argument in function["inputs"]:
            if argument["name"] not in values:
                values[argument["name"]] = rng.normal(size=argument["shape"])
    if model.has_reaction_friction and "multipliers" not in values:
        # No constraint loads any of the bearings.
        rows = len(model.output_names("constraint_jacobian"))
        values["multipliers"] = rng.normal(size=rows)
    return TestState(label, values)


def far_turned(model: CompiledModel, state: TestState, seed: int) -> Iterator[TestState]:
    """The state with every other angle of many turns, which are reduced another way, in single
    precision too, and with the rest of them."""
    rng, angles = np.random.default_rng(seed), _turning(model)[1]
    for number, far in enumerate((angles[::2], angles[1::2])):
        if far:
            q = np.array(state["q"], dtype=float)
            turns = rng.choice([-1.0, 1.0], len(far)) * 10.0 ** rng.uniform(*FAR, len(far))
            q[far] = turns.astype(np.float32)
            yield TestState(f"many turns {number}", {**state.values, "q": q})


def _turning(model: CompiledModel) -> tuple[list[list[int]], list[int]]:
    """Places in q of each quaternion, and of coordinates that are angles."""
    metadata = model.manifest.get("metadata", {})
    joints = metadata.get("joints", ())
    lengths = length_coordinates(joints) | ranges.deviations(metadata).keys()
    places = quaternions(joints, model.coordinates)
    inside = {place for quaternion in places for place in quaternion}
    angles = [
        k for k, name in enumerate(model.coordinates) if name not in lengths and k not in inside
    ]
    return places, angles


def _edges(model: CompiledModel, rng: np.random.Generator) -> Iterator[tuple[str, Array, float]]:
    """(label, q, size of speeds) of each edge state."""
    neutral = np.array(model.function("neutral")(), dtype=float)
    places, angles = _turning(model)

    def at(angle: float, quaternion: Callable[[], Array] | None = None) -> Array:
        q = neutral.copy()
        q[angles] = angle
        if quaternion is not None:
            for place in places:
                q[place] = quaternion()
        return q

    yield "neutral, at rest", neutral, 0.0
    yield "neutral, moving", neutral, 1.0
    yield "random, at rest", model.random_configuration(rng), 0.0
    yield "random, high speeds", model.random_configuration(rng), HIGH_SPEED
    yield "random, tiny speeds", model.random_configuration(rng), TINY
    if np.isfinite(model.lower).any():
        yield "lower limits", np.where(np.isfinite(model.lower), model.lower, neutral), 1.0
    if np.isfinite(model.upper).any():
        yield "upper limits", np.where(np.isfinite(model.upper), model.upper, neutral), 1.0
    if angles:
        yield "near a quarter turn", at(np.pi / 2 - NEAR_GIMBAL), 1.0
        yield "near minus a quarter turn", at(-np.pi / 2 + NEAR_GIMBAL), 1.0
        yield "near 1e-3 rad", at(NEAR_GIMBAL), 1.0
        yield "tiny angles", at(TINY), TINY
    if angles or places:
        half = at(np.pi - NEAR_HALF_TURN, lambda: _turned(rng, np.pi - NEAR_HALF_TURN))
        yield "near a half turn", half, 1.0
    if places:
        yield "half turns", at(0.0, lambda: _turned(rng, np.pi)), 1.0
        yield "quaternions negated", at(0.0, lambda: -_turned(rng, 1.0)), 1.0
        yield "tiny rotations", at(0.0, lambda: _turned(rng, TINY)), TINY
    for speed in SLOW:
        yield f"random, speeds of {speed:.0e}", model.random_configuration(rng), speed


def _turned(rng: np.random.Generator, angle: float) -> Array:
    """Unit quaternion of a turn by `angle` about a random axis."""
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis])
