"""Quantities that costs, bounds and targets name: states, controls, outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names
from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import curvature_of, differenced
from eomc.runtime.optimal.dynamics import ControlledModel

AXES = ("x", "y", "z")
_ENERGIES = ("kinetic_energy", "potential_energy")

Expression = Callable[[Mapping[str, Array]], Array]
"""A quantity over nodes from the channels there."""


@dataclass(frozen=True)
class Quantities:
    """Names of the unknown states, of the controls and of outputs.

    Controls are the inputs of the model, or where it has none the generalized forces of all
    speeds; `chosen` names others, such as those of the joints with motors. The rest stay zero.
    """

    model: CompiledModel
    chosen: Sequence[str] | None
    states: tuple[str, ...]
    expressions: Mapping[str, Expression]

    @cached_property
    def forces(self) -> tuple[str, ...]:
        """All that can be a control: ``tau(elbow)``, ..., then inputs."""
        return (*(f"tau({name})" for name in self.model.speeds), *self.model.inputs)

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """Names of the controls; raises ValueError for unknown and for repeated ones."""
        if self.chosen is None:
            return self.model.inputs or self.forces
        names = (self.chosen,) if isinstance(self.chosen, str) else tuple(self.chosen)
        for name in names:
            if name not in self.forces:
                raise ValueError(f"controls: no {name!r}; {near_names(name, self.forces)}")
        if not names or len(set(names)) < len(names):
            raise ValueError(f"controls {names!r}: name each control once, and at least one")
        return names

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """``tip.x``, ``tip.y``, ...: positions of frames and bodies in the world [m]."""
        return tuple(f"{frame}.{axis}" for frame in self.model.frames for axis in AXES)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Positions, energies, outputs of elements, states that depend on others, expressions."""
        elements: tuple[str, ...] = ()
        if self.model.has_function("element_outputs"):
            elements = self.model.output_names("element_outputs")
        speeds = (f"speed({name})" for name in self.model.speeds)
        turned = {name[5:-1] for name in self.states if name.startswith("turn(")}
        rest = (n for n in (*self.model.coordinates, *speeds) if n not in self.states)
        rest = (n for n in rest if not (turned and n in self.quaternion_entries))
        return (*self.positions, *_ENERGIES, *elements, *rest, *self.expressions)

    @cached_property
    def quaternion_entries(self) -> set[str]:
        from eomc.runtime.model.ranges import quaternions

        joints = self.model.manifest.get("metadata", {}).get("joints", ())
        found = quaternions(joints, self.model.coordinates)
        return {self.model.coordinates[k] for places in found for k in places}

    def check(self, what: str, names: Sequence[str], *kinds: str, more: Sequence[str] = ()) -> None:
        """Raise ValueError for a name that is not of these kinds."""
        known = [*(name for kind in kinds for name in getattr(self, kind)), *more]
        for name in names:
            if name in self.quaternion_entries and name not in known:
                raise ValueError(
                    f"{what}: {name!r} is an entry of a quaternion; name positions of frames, or "
                    "give an expression in outputs="
                )
            if name not in known:
                unused = name in self.forces and "controls" in kinds
                told = "it is not among the controls" if unused else near_names(name, known)
                raise ValueError(f"{what}: no {name!r}; {told}")

    @property
    def control_places(self) -> list[int]:
        """Places of the controls among the forces."""
        return [self.forces.index(name) for name in self.controls]


class _NodeChannels(Mapping[str, Array]):
    """All channels at rows z, computed when they are read."""

    def __init__(self, motion: ControlledModel, z: Array, at: Array, t: Array) -> None:
        self._motion, self._z, self._known = motion, z, motion.known(z, at, t)
        self._known["a"] = np.zeros_like(self._known["u"])
        model, q, u = motion.model, self._known["q"], self._known["u"]
        self._own = dict(zip(model.coordinates, q.T, strict=True))
        self._own |= {f"speed({n})": x for n, x in zip(model.speeds, u.T, strict=True)}
        tau = zip(model.speeds, self._known["tau"].T, strict=True)
        self._own |= {f"tau({n})": x for n, x in tau}
        self._own |= dict(zip(model.inputs, self._known["r"].T, strict=True))
        self._own["t"] = t

    def __getitem__(self, name: str) -> Array:
        if name in self._own:
            result: Array = self._own[name]
            return result
        model, frame = self._motion.model, name.rpartition(".")
        if name in _ENERGIES:
            return np.ravel(self._motion.call(name, self._known, self._z))
        if frame[0] in model.frames and frame[2] in AXES:
            parameters = self._motion.parameters(self._motion.parted(self._z)[2])
            options = {} if parameters is None else {"parameters": parameters}
            pose = model.frame(frame[0]).pose(self._known["q"], **options)
            return np.asarray(pose)[:, AXES.index(frame[2]), 3]
        if model.has_function("element_outputs"):
            rows = model.output_names("element_outputs")
            if name in rows:
                found = self._motion.call("element_outputs", self._known, self._z)
                return np.asarray(found)[:, rows.index(name)]
        raise KeyError(f"no channel {name!r}; {near_names(name, [*self._own, *model.frames])}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


class NodeOutputs:
    """NodeOutputs over nodes with derivatives by z = (x, v, p).

    Positions of frames have the frame's Jacobian J, whose rate along e_j is dJ/dq_j; derivatives of
    other outputs, and by p, are differences.
    """

    def __init__(
        self, motion: ControlledModel, names: Sequence[str], expressions: Mapping[str, Expression]
    ) -> None:
        self.names, self.motion, self._expressions = tuple(names), motion, expressions
        self._frames: dict[str, list[tuple[int, int]]] = {}
        self._others: list[int] = []
        for k, name in enumerate(names):
            frame, _, axis = name.rpartition(".")
            if frame in motion.model.frames and axis in AXES and name not in expressions:
                self._frames.setdefault(frame, []).append((k, AXES.index(axis)))
            else:
                self._others.append(k)
        self._asked = {frame: motion.model.frame(frame) for frame in self._frames}
        self._exact = motion.coordinates.exact and not motion.free and not self._others

    def value(self, z: Array, at: Array, t: Array) -> Array:
        """(K, number of outputs)"""
        if not self.names:
            return np.zeros((len(z), 0))
        channels = _NodeChannels(self.motion, self._padded(z), at, t)
        found = np.zeros((len(z), len(self.names)))
        for k, name in enumerate(self.names):
            expression = self._expressions.get(name)
            found[:, k] = channels[name] if expression is None else expression(channels)
        return found

    def _padded(self, z: Array) -> Array:
        """z with controls of zero where it has none, as at the end."""
        motion, lacking = self.motion, self.motion.width - z.shape[1]
        still = np.zeros((len(z), lacking))
        return np.hstack([z[:, : motion.nx], still, z[:, motion.nx :]]) if lacking else z

    def slopes(self, z: Array, at: Array, t: Array) -> Array:
        """(K, number of outputs, nz)"""
        motion = self.motion
        found = np.zeros((len(z), len(self.names), z.shape[1]))
        if self._others:
            own = differenced(lambda y: self.value(y, at, t)[:, self._others], z)
            found[:, self._others] = own
        if not self._frames:
            return found
        _, _, p = motion.parted(self._padded(z))
        parameters = motion.parameters(p)
        x = z[:, : motion.nx]
        q, _ = motion.coordinates.full(x, at, parameters)
        moved, _ = motion.coordinates.slopes(x, at, parameters)
        options = {} if parameters is None else {"parameters": parameters}
        for frame, places in self._frames.items():
            by_q = self._asked[frame].jacobian(q, **options)
            for k, axis in places:
                found[:, k, : motion.nx] = np.einsum("kj,kjl->kl", by_q[..., axis, :], moved)
        if motion.free:
            start = z.shape[1] - len(motion.free)
            exact = [k for places in self._frames.values() for k, _ in places]

            def moved_by(p: Array) -> Array:
                return self.value(np.hstack([z[:, :start], p]), at, t)[:, exact]

            found[:, exact, start:] = differenced(moved_by, z[:, start:])
        return found

    def curvature(self, z: Array, at: Array, t: Array, weights: Array) -> Array:
        """(K, nz, nz): second derivatives of weights^T outputs."""
        if not self._exact:
            return curvature_of(
                lambda y: np.einsum("ki,kij->kj", weights, self.slopes(y, at, t)), z
            )
        n, parameters = self.motion.coordinates.n, self.motion.fixed
        options = {"parameters": parameters} if parameters else {}
        found = np.zeros((*z.shape, z.shape[1]))
        for frame, places in self._frames.items():
            rate = self._asked[frame].jacobian_rate(z[:, None, :n], np.eye(n), **options)
            for k, axis in places:
                found[:, :n, :n] += weights[:, k, None, None] * rate[..., axis, :]
        return found


def numbers(what: str, given: Mapping[str, Any]) -> dict[str, float]:
    """Finite numbers by name; raises ValueError."""
    found = {}
    for name, value in given.items():
        try:
            found[name] = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{what}: {name!r} is {value!r}; give a number") from None
        if not np.isfinite(found[name]):
            raise ValueError(f"{what}: {name!r} is {value!r}; give a finite number")
    return found
