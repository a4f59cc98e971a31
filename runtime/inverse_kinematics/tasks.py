"""Tasks of inverse kinematics: an error and its derivative along tangent displacements each.

Errors of rotations are e = log(R R_d^T) in world axes, with

    de = J_l^{-1}(e) J_w dq,
    J_l^{-1} = 1 - [e]/2 + (1/|e|^2 - (1 + cos|e|)/(2 |e| sin|e|)) [e]^2

The logarithm, other than the skew part of R R_d^T, does not vanish at half a turn. Reference:
Sola, Deray and Atchuthan, *A micro Lie theory for state estimation in robotics* (2018), eq. (144).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference import Operations
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import QUESTIONS, function_names, word_of
from eomc.runtime.names.near_names import require_known

_SMALL = 1e-4


@dataclass(frozen=True, kw_only=True)
class PoseTask(ABC):
    """A condition on a configuration.

    Attributes
    ----------
    weight : float
        Of the square of the error, among tasks of the same priority.
    priority : int
        Tasks of a higher number act only where those of lower ones leave freedom.
    """

    weight: float = 1.0
    priority: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.weight < np.inf:
            raise ValueError(f"{self}: the weight is {self.weight}; give a positive number")

    @abstractmethod
    def error(self, model: CompiledModel, q: Array) -> tuple[Array, Array]:
        """(e, de/dxi) with xi (nu,) a tangent displacement."""

    def check(self, model: CompiledModel) -> None:  # noqa: B027
        """Raise KeyError or ValueError for names that the model does not have."""

    def at(self, k: int) -> PoseTask:
        """The task at sample k of a path."""
        return self

    @property
    def samples(self) -> int:
        """Number of samples of a path, 0 of one target."""
        return 0

    def targets_of_step(self) -> Mapping[str, tuple[str, ...]]:
        """Inputs of a step by name, with the names of their entries."""
        return {}

    def functions_of_step(self) -> tuple[str, ...]:
        """Functions of the model that `rows_of_step` calls."""
        return ()

    @abstractmethod
    def rows_of_step(
        self, by: Operations, model: CompiledModel, q: Any, targets: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        """As `error`, in operations that C has; with inputs `targets` instead of the targets."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameTask(PoseTask):
    """A position and a rotation of a frame, either of which may be left out.

    `position` is (3,) [m], entries that are NaN are free; `rotation` (3, 3). Both may have a
    leading dimension, along a path.
    """

    frame: str
    position: ArrayLike | None = None
    rotation: ArrayLike | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = set()
        for name, value, shape in (
            ("position", self.position, (3,)),
            ("rotation", self.rotation, (3, 3)),
        ):
            if value is None:
                continue
            array = np.array(value, dtype=np.float64)
            if array.shape[-len(shape) :] != shape or array.ndim > len(shape) + 1:
                raise ValueError(f"{self}: {name} has shape {array.shape}, expected {shape}")
            if name == "rotation" and np.abs(array @ array.mT - np.eye(3)).max() > 1e-6:
                raise ValueError(f"{self}: the rotation is not orthogonal")
            sizes.add(array.shape[: -len(shape)])
            object.__setattr__(self, name, array)
        if len(sizes) != 1:
            raise ValueError(f"{self}: give position, rotation, or both of the same length")

    def __str__(self) -> str:
        return f"frame {self.frame!r}"

    @property
    def samples(self) -> int:
        """Number of samples of a path, 0 of one target."""
        given, size = (self.rotation, 3) if self.position is None else (self.position, 2)
        array = np.asarray(given)
        return len(array) if array.ndim == size else 0

    def at(self, k: int) -> FrameTask:
        """The task at sample k of a path."""
        if not self.samples:
            return self
        position = None if self.position is None else np.asarray(self.position)[k]
        rotation = None if self.rotation is None else np.asarray(self.rotation)[k]
        return replace(self, position=position, rotation=rotation)

    def check(self, model: CompiledModel) -> None:
        """Raise KeyError for an unknown frame."""
        model.frame(self.frame)

    def error(self, model: CompiledModel, q: Array) -> tuple[Array, Array]:
        """Rows of the position before those of the rotation."""
        frame = model.frame(self.frame)
        pose, jacobian = np.asarray(frame.pose(q)), np.asarray(frame.jacobian(q))
        e, J = [np.zeros(0)], [np.zeros((0, model.nu))]
        if self.position is not None:
            wanted = np.asarray(self.position)
            told = ~np.isnan(wanted)
            e.append((pose[:3, 3] - wanted)[told])
            J.append(jacobian[:3][told])
        if self.rotation is not None:
            turn = rotation_vector(pose[:3, :3] @ np.asarray(self.rotation).T)
            e.append(turn)
            J.append(inverse_left_jacobian(turn) @ jacobian[3:])
        return np.concatenate(e), np.concatenate(J)

    def targets_of_step(self) -> Mapping[str, tuple[str, ...]]:
        """As of `PoseTask`."""
        word, found = word_of(self.frame), dict[str, tuple[str, ...]]()
        if self.position is not None:
            told = ~np.isnan(np.asarray(self.position)).reshape(-1, 3)[0]
            found[f"{word}_position"] = tuple(np.array(["x", "y", "z"])[told].tolist())
        if self.rotation is not None:
            found[f"{word}_rotation"] = tuple(f"r{i}{j}" for i in "123" for j in "123")
        return found

    def functions_of_step(self) -> tuple[str, ...]:
        """As of `PoseTask`."""
        names = dict(zip(QUESTIONS, function_names(self.frame), strict=True))
        return names["pose"], names["jacobian"]

    def rows_of_step(
        self, by: Operations, model: CompiledModel, q: Any, targets: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        """As of `PoseTask`; at half a turn the error vanishes."""
        pose, jacobian = (by.call(name, q=q) for name in self.functions_of_step())
        word, e, J = word_of(self.frame), list[Any](), list[Any]()
        if self.position is not None:
            told = np.flatnonzero(~np.isnan(np.asarray(self.position)).reshape(-1, 3)[0])
            e += [pose[k, 3] - x for k, x in zip(told, targets[f"{word}_position"], strict=True)]
            J += [jacobian[k] for k in told]
        if self.rotation is not None:
            desired = np.reshape(targets[f"{word}_rotation"], (3, 3))
            e_r, J_l = _turn_of_step(by, _products(pose[:3, :3], desired.T))
            e += list(e_r)
            J += list(_products(J_l, jacobian[3:]))
        return e, J


@dataclass(frozen=True, kw_only=True, eq=False)
class CenterOfMassTask(PoseTask):
    """A position (3,) [m] of the centre of mass; entries that are NaN are free."""

    position: ArrayLike

    def __str__(self) -> str:
        return "the centre of mass"

    def error(self, model: CompiledModel, q: Array) -> tuple[Array, Array]:
        """Of the entries that are not free."""
        wanted = np.array(self.position, dtype=np.float64)
        told = ~np.isnan(wanted)
        value = np.asarray(model.function("center_of_mass")(q))
        J = np.asarray(model.function("center_of_mass_jacobian")(q))
        return (value - wanted)[told], J[told]

    def targets_of_step(self) -> Mapping[str, tuple[str, ...]]:
        """As of `PoseTask`."""
        told = ~np.isnan(np.array(self.position, dtype=np.float64))
        return {"center_of_mass": tuple(np.array(["x", "y", "z"])[told].tolist())}

    def functions_of_step(self) -> tuple[str, ...]:
        """As of `PoseTask`."""
        return "center_of_mass", "center_of_mass_jacobian"

    def rows_of_step(
        self, by: Operations, model: CompiledModel, q: Any, targets: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        """As of `PoseTask`."""
        value, J = (by.call(name, q=q) for name in self.functions_of_step())
        told = np.flatnonzero(~np.isnan(np.array(self.position, dtype=np.float64)))
        return np.ravel(value)[told] - targets["center_of_mass"], np.asarray(J)[told]


@dataclass(frozen=True, kw_only=True, eq=False)
class CoordinateTask(PoseTask):
    """Values of coordinates by name, of joints whose speed is the rate of the coordinate.

    `scale` divides the errors, by name: ranges of joints, to stay in the middle of them.
    """

    targets: Mapping[str, float]
    scale: Mapping[str, float] | None = None

    def __str__(self) -> str:
        return f"coordinates {', '.join(self.targets)}"

    def check(self, model: CompiledModel) -> None:
        """Raise ValueError for an unknown coordinate."""
        known = tuple(set(model.coordinates) & set(model.displacements))
        require_known(self.targets, known, f"model {model.name!r} has no joint coordinate")

    def error(self, model: CompiledModel, q: Array) -> tuple[Array, Array]:
        """(q - target)/scale."""
        e, J = np.zeros(len(self.targets)), np.zeros((len(self.targets), model.nu))
        for k, (name, value) in enumerate(self.targets.items()):
            factor = 1.0 / (self.scale or {}).get(name, 1.0)
            e[k] = (q[model.coordinates.index(name)] - value) * factor
            J[k, model.displacements.index(name)] = factor
        return e, J

    def rows_of_step(
        self, by: Operations, model: CompiledModel, q: Any, targets: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        """As of `PoseTask`; the targets are constants."""
        _, J = self.error(model, np.zeros(model.nq))
        scale = self.scale or {}
        return [
            (q[model.coordinates.index(name)] - value) / scale.get(name, 1.0)
            for name, value in self.targets.items()
        ], J


@dataclass(frozen=True, kw_only=True, eq=False)
class LoopTask(PoseTask):
    """Closure of the loops of a model, before all else."""

    priority: int = -1

    def __str__(self) -> str:
        return "the loops"

    def error(self, model: CompiledModel, q: Array) -> tuple[Array, Array]:
        """(Phi, G)"""
        residual, jacobian = (
            model.function(name) for name in ("constraint_residual", "constraint_jacobian")
        )
        e, G = np.asarray(_first(residual(q))), np.asarray(_first(jacobian(q)))
        return e, G[: len(e)]

    def functions_of_step(self) -> tuple[str, ...]:
        """As of `PoseTask`."""
        return "constraint_residual", "constraint_jacobian"

    def rows_of_step(
        self, by: Operations, model: CompiledModel, q: Any, targets: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        """As of `PoseTask`."""
        e, G = (_first(by.call(name, q=q)) for name in self.functions_of_step())
        return np.ravel(e), np.asarray(G)[: np.size(e)]


def _products(a: Any, b: Any) -> Any:
    """a b of matrices of numbers or expressions, summed from left to right."""
    rows = [[sum(x * y for x, y in zip(r, c, strict=True)) for c in np.transpose(b)] for r in a]
    return np.array(rows, dtype=np.asarray(rows).dtype)


def _turn_of_step(by: Operations, R: Any) -> tuple[Any, Any]:
    """log R short of half a turn, and J_l^{-1} of it, in operations that C has."""
    skew = [(R[2, 1] - R[1, 2]) / 2, (R[0, 2] - R[2, 0]) / 2, (R[1, 0] - R[0, 1]) / 2]
    sine = scalar_of(by.elementary("sqrt", sum(x * x for x in skew)))
    angle = scalar_of(by.angle(sine, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2))
    least = scalar_of(by.bounded(sine, 1e-12, np.inf))
    factor = scalar_of(by.less(sine, 1e-12, 1.0, angle / least))
    e = np.array([factor * x for x in skew])
    large = scalar_of(by.bounded(angle, _SMALL, np.inf))
    half = large / 2
    cotangent = scalar_of(by.elementary("cos", half)) / scalar_of(by.elementary("sin", half))
    second = 1 / (large * large) - cotangent / (2 * large)
    share = scalar_of(by.less(angle, _SMALL, 1 / 12, second))
    x = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    return e, np.eye(3) - x / 2 + share * _products(x, x)


def scalar_of(x: Any) -> Any:
    """The only entry of an array in no dimension."""
    return x.item() if isinstance(x, np.ndarray) else x


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


def rotation_vector(R: Array) -> Array:
    """log R, of a length up to pi.

    >>> rotation_vector(np.diag([1.0, -1.0, -1.0])).round(6).tolist()
    [3.141593, 0.0, 0.0]
    """
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    sine, cosine = float(np.linalg.norm(skew)), (float(np.trace(R)) - 1) / 2
    angle = float(np.arctan2(sine, cosine))
    if sine > _SMALL:
        return np.asarray(skew * angle / sine)
    if cosine > 0:
        return np.asarray(skew * (1 + angle**2 / 6))
    # Near half a turn R + R^T = 2 cos 1 + 2 (1 - cos) n n^T tells the axis, the skew part its sign.
    outer = ((R + R.T) / 2 - cosine * np.eye(3)) / (1 - cosine)
    column = outer[:, int(np.argmax(np.diag(outer)))]
    axis = column / np.linalg.norm(column)
    return np.asarray(axis * angle * (-1.0 if axis @ skew < 0 else 1.0))


def inverse_left_jacobian(e: Array) -> Array:
    """J_l^{-1}(e), see above.

    >>> inverse_left_jacobian(np.zeros(3)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    x = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    angle = float(np.linalg.norm(e))
    # (1 + cos)/sin is the cotangent of half the angle, which does not lose digits near pi.
    factor = 1 / 12 if angle < _SMALL else 1 / angle**2 - 1 / (2 * angle * np.tan(angle / 2))
    return np.asarray(np.eye(3) - x / 2 + factor * (x @ x))
