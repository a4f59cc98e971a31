"""The textbook recursions written by hand on CasADi's scalar graph, as its users do.

Newton-Euler and composite bodies in link axes, with the structure used: constant rotations times
plane rotations, inertias as (mass, first moment, tensor), M = L^T D L along the branches of the
tree, or the articulated-body algorithm; structural zeros are dropped by CasADi itself.
"""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from benchmarks.mechanism import Mechanism

_SMALL = 1e-14


def _constant(values: Any) -> Any:
    """A constant with its zeros left out."""
    array = np.array(values, dtype=float)
    array[np.abs(array) < _SMALL] = 0.0
    return ca.sparsify(ca.SX(ca.DM(array)))


def _zeros(*shape: int) -> Any:
    return ca.SX(*shape)


def _turn(axis: int, q: Any) -> Any:
    """Rotation about a coordinate axis, child to parent."""
    c, s = ca.cos(q), ca.sin(q)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    matrix = ca.SX(3, 3)
    matrix[axis, axis] = 1
    matrix[j, j], matrix[j, k], matrix[k, j], matrix[k, k] = c, -s, s, c
    return matrix


def _cross(a: Any, b: Any) -> Any:
    return _hat(a) @ b


def _hat(a: Any) -> Any:
    x, y, z = a[0], a[1], a[2]
    matrix = ca.SX(3, 3)
    matrix[0, 1], matrix[0, 2], matrix[1, 2] = -z, y, -x
    matrix[1, 0], matrix[2, 0], matrix[2, 1] = z, -y, x
    return ca.sparsify(matrix)


def _acceleration_matrix(w: Any, alpha: Any) -> Any:
    """[alpha] + [w][w]: what turns a point's place into its acceleration."""
    xx, yy, zz = (w[i] * w[i] for i in range(3))
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    matrix = ca.SX(3, 3)
    matrix[0, 0], matrix[1, 1], matrix[2, 2] = -(yy + zz), -(xx + zz), -(xx + yy)
    matrix[0, 1], matrix[1, 0] = xy - alpha[2], xy + alpha[2]
    matrix[0, 2], matrix[2, 0] = xz + alpha[1], xz - alpha[1]
    matrix[1, 2], matrix[2, 1] = yz - alpha[0], yz + alpha[0]
    return ca.sparsify(matrix)


def _unit(axis: int) -> Any:
    vector = ca.SX(3, 1)
    vector[axis] = 1
    return vector


class Recursion:
    """All algorithms at symbolic q, u."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        n = mechanism.size
        self.q, self.u = ca.SX.sym("q", n), ca.SX.sym("u", n)
        links = mechanism.links
        self.offset = [_constant(link.offset) for link in links]
        self.center = [_constant(link.mass * link.center) for link in links]
        self.tensor = [_constant(_about_origin(link)) for link in links]
        # Fixed placement first: a vector then passes one constant and one plane rotation.
        self.fixed = [_constant(link.rotation) for link in links]
        self.turn = [_turn(link.axis, self.q[k]) for k, link in enumerate(links)]

    def _down(self, k: int, vector: Any) -> Any:
        """Components in link k of a vector given in its parent's axes."""
        return self.turn[k].T @ (self.fixed[k].T @ vector)

    def _up(self, k: int, vector: Any) -> Any:
        return self.fixed[k] @ (self.turn[k] @ vector)

    def inverse_dynamics(self, a: Any) -> Any:
        """Recursive Newton-Euler."""
        links = self.mechanism.links
        spins, forces = [], []
        motions: list[Any] = []
        base = (_zeros(3, 1), _zeros(3, 1), _zeros(3, 3), _constant(-self.mechanism.gravity))
        for k, link in enumerate(links):
            w_p, alpha_p, matrix_p, a_p = base if link.parent < 0 else motions[link.parent]
            axis = _unit(link.axis)
            w_r = axis * self.u[k]
            w_in = self._down(k, w_p)
            w = w_in + w_r
            alpha = self._down(k, alpha_p) + _cross(w_in, w_r) + axis * a[k]
            linear = self._down(k, a_p + matrix_p @ self.offset[k])
            matrix = _acceleration_matrix(w, alpha)
            motions.append((w, alpha, matrix, linear))
            h = self.center[k]
            force = link.mass * linear + matrix @ h
            moment = self.tensor[k] @ alpha + _cross(h, linear) + _cross(w, self.tensor[k] @ w)
            spins.append(moment)
            forces.append(force)
        tau: list[Any] = [None] * len(links)
        for k in reversed(range(len(links))):
            link = links[k]
            tau[k] = spins[k][link.axis]
            if link.parent >= 0:
                force = self._up(k, forces[k])
                forces[link.parent] = forces[link.parent] + force
                spins[link.parent] = (
                    spins[link.parent] + self._up(k, spins[k]) + _cross(self.offset[k], force)
                )
        return ca.vertcat(*tau)

    def mass_matrix(self) -> Any:
        """Composite bodies; the lower triangle is mirrored."""
        links = self.mechanism.links
        n = len(links)
        mass = [ca.SX(link.mass) for link in links]
        first, tensor = list(self.center), list(self.tensor)
        for k in reversed(range(n)):
            parent = links[k].parent
            if parent < 0:
                continue
            p, h = self.offset[k], self._up(k, first[k])
            turned = self.fixed[k] @ (self.turn[k] @ tensor[k] @ self.turn[k].T) @ self.fixed[k].T
            # I about the parent's origin: I' - [h][p] - [p][h] - m [p][p]
            shifted = turned - _hat(h) @ _hat(p) - _hat(p) @ _hat(h)
            shifted = shifted - mass[k] * (_hat(p) @ _hat(p))
            tensor[parent] = tensor[parent] + shifted
            first[parent] = first[parent] + h + mass[k] * p
            mass[parent] = mass[parent] + mass[k]
        matrix = ca.SX(n, n)
        for k, link in enumerate(links):
            axis = _unit(link.axis)
            moment, force = tensor[k] @ axis, _cross(axis, first[k])
            matrix[k, k] = moment[link.axis]
            j = k
            while links[j].parent >= 0:
                force = self._up(j, force)
                moment = self._up(j, moment) + _cross(self.offset[j], force)
                j = links[j].parent
                matrix[k, j] = matrix[j, k] = moment[links[j].axis]
        return matrix

    def factored(self, right: Any) -> Any:
        """M^-1 right with M = L^T D L, no fill-in; a column or several."""
        links = self.mechanism.links
        n = len(links)
        matrix = self.mass_matrix()
        h = {(i, j): matrix[i, j] for i in range(n) for j in range(i + 1)}
        inverse: list[Any] = [None] * n
        for k in reversed(range(n)):
            inverse[k] = 1 / h[k, k]
            i = links[k].parent
            while i >= 0:
                factor = h[k, i] * inverse[k]
                j = i
                while j >= 0:
                    h[i, j] = h[i, j] - factor * h[k, j]
                    j = links[j].parent
                h[k, i] = factor
                i = links[i].parent
        rows = [right[i, :] for i in range(n)]
        for k in reversed(range(n)):
            i = links[k].parent
            while i >= 0:
                rows[i] = rows[i] - h[k, i] * rows[k]
                i = links[i].parent
        for k in range(n):
            rows[k] = rows[k] * inverse[k]
            i = links[k].parent
            while i >= 0:
                rows[k] = rows[k] - h[k, i] * rows[i]
                i = links[i].parent
        return ca.vertcat(*rows)

    def by_factor(self, tau: Any) -> Any:
        """Forward dynamics through M."""
        bias = self.inverse_dynamics(_zeros(self.mechanism.size, 1))
        return self.factored(tau - bias)

    def by_articulated_bodies(self, tau: Any) -> Any:
        """Forward dynamics by articulated bodies, spatial vectors (angular, linear)."""
        links = self.mechanism.links
        spatial: list[Any] = []
        velocity: list[Any] = []
        bias, inertia, wrench = [], [], []
        for k, link in enumerate(links):
            rotation = (self.fixed[k] @ self.turn[k]).T
            x = ca.SX(6, 6)
            x[:3, :3] = x[3:, 3:] = rotation
            x[3:, :3] = -rotation @ _hat(self.offset[k])
            x = ca.sparsify(x)
            spatial.append(x)
            s = ca.vertcat(_unit(link.axis), ca.SX(3, 1))
            before = _zeros(6, 1) if link.parent < 0 else x @ velocity[link.parent]
            v = before + s * self.u[k]
            velocity.append(v)
            w, linear = v[:3], v[3:]
            turn = _unit(link.axis) * self.u[k]
            bias.append(ca.vertcat(_cross(w, turn), _cross(linear, turn)))
            body = ca.SX(6, 6)
            body[:3, :3], body[:3, 3:] = self.tensor[k], _hat(self.center[k])
            body[3:, :3], body[3:, 3:] = -_hat(self.center[k]), link.mass * ca.SX.eye(3)
            body = ca.sparsify(body)
            inertia.append(body)
            momentum = body @ v
            moment = _cross(w, momentum[:3]) + _cross(linear, momentum[3:])
            wrench.append(ca.vertcat(moment, _cross(w, momentum[3:])))
        columns: list[Any] = [None] * len(links)
        inverse, rest = list(columns), list(columns)
        for k in reversed(range(len(links))):
            axis, parent = links[k].axis, links[k].parent
            columns[k] = inertia[k][:, axis]
            inverse[k] = 1 / columns[k][axis]
            rest[k] = tau[k] - wrench[k][axis]
            if parent >= 0:
                left = inertia[k] - (columns[k] * inverse[k]) @ columns[k].T
                passed = wrench[k] + left @ bias[k] + columns[k] * (inverse[k] * rest[k])
                inertia[parent] = inertia[parent] + spatial[k].T @ left @ spatial[k]
                wrench[parent] = wrench[parent] + spatial[k].T @ passed
        motion: list[Any] = []
        result = []
        base = ca.vertcat(_zeros(3, 1), _constant(-self.mechanism.gravity))
        for k, link in enumerate(links):
            a = spatial[k] @ (base if link.parent < 0 else motion[link.parent]) + bias[k]
            rate = inverse[k] * (rest[k] - columns[k].T @ a)
            result.append(rate)
            a[link.axis] = a[link.axis] + rate
            motion.append(a)
        return ca.vertcat(*result)


def _about_origin(link: Any) -> Any:
    """Tensor about the joint frame's origin."""
    c = link.center
    return link.tensor + link.mass * ((c @ c) * np.eye(3) - np.outer(c, c))
