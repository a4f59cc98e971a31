"""Dynamics x' = f(x, v, p) at many nodes, and steps x_next = F(x, v, p, h) of them, with
derivatives.

Columns of derivatives are x, v, p, and of steps h. First derivatives come from compiled functions;
second ones too in trees without quaternions, else, and by p and h, they are differences of these.

Reference: Hager, *Runge-Kutta methods in optimal control and the transformed adjoint system*,
Numer. Math. 87 (2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import curvature_of, differenced
from eomc.runtime.optimal.coordinates import QuaternionCoordinates, TreeCoordinates

StepMethod = Literal["rk4", "midpoint"]
"""Steps of shooting."""


@dataclass(frozen=True)
class ControlledModel:
    """Coordinates of a model, its controls among tau and inputs, its parameters fixed and free."""

    coordinates: TreeCoordinates
    controls: Sequence[int]
    fixed: dict[str, float]
    free: tuple[str, ...]

    @property
    def model(self) -> CompiledModel:
        return self.coordinates.model

    @property
    def nx(self) -> int:
        return len(self.coordinates.names)

    @property
    def width(self) -> int:
        """Of x, v and p."""
        return self.nx + len(self.controls) + len(self.free)

    def parameters(self, p: Array) -> dict[str, float] | None:
        """All values that are not those of the model; p (K, np) is the same at all nodes."""
        return (self.fixed | dict(zip(self.free, p[0].tolist(), strict=True))) or None

    def parted(self, z: Array) -> tuple[Array, Array, Array]:
        """x, v, p of rows z."""
        m = self.nx + len(self.controls)
        return z[:, : self.nx], z[:, self.nx : m], z[:, m : self.width]

    def known(self, z: Array, at: Array, t: Array) -> dict[str, Array]:
        """Arguments of functions of the model by name."""
        x, v, p = self.parted(z)
        q, u = self.coordinates.full(x, at, self.parameters(p))
        n = self.model.nu
        forces = np.zeros((len(z), n + len(self.model.inputs)))
        forces[:, self.controls] = v
        return {"q": q, "u": u, "tau": forces[:, :n], "r": forces[:, n:], "t": t}

    def call(self, name: str, known: dict[str, Any], z: Array) -> Any:
        """A function of the model."""
        parameters = self.parameters(self.parted(z)[2])
        options = {} if parameters is None else {"parameters": parameters}
        arguments = [known[x] for x in self.model.inputs_of(name)]
        return self.model.function(name)(*arguments, **options)


class Dynamics:
    """f = (rates of coordinates, accelerations) at rows z = (x, v, p)."""

    def __init__(self, motion: ControlledModel) -> None:
        self.motion = motion
        names = ["forward_dynamics", "forward_dynamics_derivatives"]
        names += ["forward_dynamics_parameter_derivatives"] if motion.free else []
        names += ["input_matrix"] if self._by_inputs else []
        names += ["forward_dynamics_hessian"] if motion.coordinates.exact else []
        motion.model.prepare(*names)

    @property
    def _by_inputs(self) -> bool:
        return any(k >= self.motion.model.nu for k in self.motion.controls)

    def value(self, z: Array, at: Array, t: Array) -> Array:
        """(K, nx)"""
        motion = self.motion
        found = motion.call("forward_dynamics", motion.known(z, at, t), z)
        a = found[0] if isinstance(found, tuple) else found
        n = motion.coordinates.n
        return np.hstack([z[:, n : 2 * n], a[:, motion.coordinates.places]])

    def slopes(self, z: Array, at: Array, t: Array) -> Array:
        """(K, nx, columns of z)"""
        motion, c = self.motion, self.motion.coordinates
        known = motion.known(z, at, t)
        by_q, by_u, by_tau = motion.call("forward_dynamics_derivatives", known, z)
        x, _, p = motion.parted(z)
        moved, faster = c.slopes(x, at, motion.parameters(p))
        by_force = by_tau
        if self._by_inputs:
            known["a"] = np.zeros_like(known["u"])
            by_force = np.concatenate(
                [by_tau, by_tau @ motion.call("input_matrix", known, z)], axis=2
            )
        parts = [by_q @ moved + by_u @ faster, by_force[:, :, motion.controls]]
        if motion.free:
            of_p = motion.call("forward_dynamics_parameter_derivatives", known, z)
            order = list(motion.model.parameters)
            parts.append(of_p[..., [order.index(name) for name in motion.free]])
        a = np.concatenate(parts, axis=2)[:, c.places]
        if motion.free and not c.exact:  # the other coordinates move with p too
            own = slice(motion.width - len(motion.free), None)
            a[:, :, own] = differenced(
                lambda p: self.value(np.hstack([z[:, : own.start], p]), at, t)[:, c.n :], z[:, own]
            )
        rate = np.zeros_like(a)
        rate[:, np.arange(c.n), c.n + np.arange(c.n)] = 1.0
        return np.concatenate([rate, a], axis=1)

    def curvature(self, z: Array, at: Array, t: Array, weights: Array) -> Array:
        """Second derivatives of weights^T f, (K, nz, nz)."""
        motion = self.motion
        if not motion.coordinates.exact:
            return curvature_of(
                lambda y: np.einsum("ki,kij->kj", weights, self.slopes(y, at, t)), z
            )
        known = motion.known(z, at, t) | {"a_bar": weights[:, motion.coordinates.n :]}
        whole = motion.call("forward_dynamics_hessian", known, z)
        start = motion.nx + motion.model.nu + len(motion.model.inputs)
        order = list(motion.model.parameters)
        kept = [*range(motion.nx), *(motion.nx + k for k in motion.controls)]
        kept += [start + order.index(name) for name in motion.free]
        found: Array = whole[:, kept][:, :, kept]
        return found


class CompiledStep:
    """The classical Runge-Kutta step, or the implicit midpoint step, as compiled functions; columns
    are x, v, p, h.

    `to` are the numbers of the nodes where steps end, whose quaternions have their own reference.
    """

    def __init__(self, motion: ControlledModel, method: StepMethod) -> None:
        self.motion, self._step = motion, f"{method}_step"
        self._exact = motion.coordinates.exact
        endings = ("", "_derivatives", "_hessian") if self._exact else ("", "_derivatives")
        motion.model.prepare(*(self._step + ending for ending in endings))

    def _known(self, z: Array, at: Array, t: Array) -> dict[str, Any]:
        # One length is given once, so that steps of one length give the same bits.
        return self.motion.known(z, at, t) | {"h": z[:, -1]}

    def value(self, z: Array, at: Array, t: Array, to: Array | None = None) -> Array:
        """x_next (K, nx)"""
        q, u = self.motion.call(self._step, self._known(z, at, t), z)
        return self.motion.coordinates.reduced(q, u, at + 1 if to is None else to)

    def slopes(self, z: Array, at: Array, t: Array, to: Array | None = None) -> Array:
        """(K, nx, columns of z)"""
        motion, c = self.motion, self.motion.coordinates
        found = motion.call(f"{self._step}_derivatives", self._known(z, at, t), z)
        q, _, a, b, *by_p, by_h = found
        parts = [a, b[..., list(motion.controls)]]
        if motion.free:
            order = list(motion.model.parameters)
            parts.append(by_p[0][..., [order.index(name) for name in motion.free]])
        whole = np.concatenate([*parts, by_h[..., None]], axis=2)
        if isinstance(c, QuaternionCoordinates):
            whole[:, : c.n] = c.rates(q, at + 1 if to is None else to) @ whole[:, : c.n]
            start = c.slopes(z[:, : motion.nx], at)[0][:, :, : c.n]
            whole[:, :, : c.n] = whole[:, :, : c.n] @ start
        return whole

    def curvature(self, z: Array, at: Array, t: Array, weights: Array, moving: Array) -> Array:
        """Second derivatives of weights^T x_next; only of columns that are `moving`."""
        motion = self.motion
        found = np.zeros((len(z), z.shape[1], z.shape[1]))
        m = motion.nx + len(motion.controls)
        far = moving
        if self._exact:
            known = self._known(z, at, t) | {"weights": weights}
            kept = [*range(motion.nx), *(motion.nx + k for k in motion.controls)]
            whole = motion.call(f"{self._step}_hessian", known, z)
            found[:, :m, :m] = whole[:, kept][:, :, kept]
            far = moving & (np.arange(len(moving)) >= m)
        if far.any():
            own = np.flatnonzero(far)

            def gradient(part: Array) -> Array:
                y = z.copy()
                y[:, own] = part
                result: Array = np.einsum("ki,kij->kj", weights, self.slopes(y, at, t))
                return result

            columns = differenced(gradient, z[:, own])
            found[:, :, own] = columns
            found[:, own] = np.swapaxes(columns, 1, 2)
            inner = columns[:, own]
            found[:, own[:, None], own] = (inner + np.swapaxes(inner, 1, 2)) / 2
        return found


class ChainedStep:
    """The classical Runge-Kutta step of `Dynamics` in independent coordinates, stage by stage."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.motion, self._of = dynamics.motion, dynamics

    def _stages(self, z: Array, at: Array, t: Array, slopes: bool) -> tuple[Array, Array]:
        nx, h = self.motion.nx, z[:, -1:]
        one = np.broadcast_to(np.eye(nx, z.shape[1]), (len(z), nx, z.shape[1]))
        x, end, k = z[:, :nx], z[:, :nx], np.zeros((len(z), nx))
        s, end_s, by = one, one, np.zeros(one.shape)
        for c, b in ((0.0, 1 / 6), (0.5, 1 / 3), (0.5, 1 / 3), (1.0, 1 / 6)):
            if slopes:
                s = one + c * h[..., None] * by
                s[:, :, -1] += c * k
            here = np.hstack([x + c * h * k, z[:, nx:-1]])
            k = self._of.value(here, at, t + c * h[:, 0])
            end = end + b * h * k
            if slopes:
                f = self._of.slopes(here, at, t + c * h[:, 0])
                by = f[:, :, :nx] @ s
                by[:, :, nx:-1] += f[:, :, nx:]
                end_s = end_s + b * h[..., None] * by
                end_s[:, :, -1] += b * k
        return end, end_s

    def value(self, z: Array, at: Array, t: Array, to: Array | None = None) -> Array:
        return self._stages(z, at, t, False)[0]

    def slopes(self, z: Array, at: Array, t: Array, to: Array | None = None) -> Array:
        return self._stages(z, at, t, True)[1]

    def curvature(self, z: Array, at: Array, t: Array, weights: Array, moving: Array) -> Array:
        return curvature_of(lambda y: np.einsum("ki,kij->kj", weights, self.slopes(y, at, t)), z)


Step = CompiledStep | ChainedStep
