"""The recursions of textbooks written by hand on CasADi's scalar graph, as its best users do.

Newton-Euler and composite bodies in link axes, M = L^T D L along the branches of the tree, or the
articulated-body algorithm; inertias by base parameters (mass, first moment, tensor), constant
rotations times plane rotations, upper halves of what is symmetric. CasADi drops structural zeros.
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
        inertia = _regrouped(mechanism)
        self.mass = [_constant(mass) for mass, _, _ in inertia]
        self.center = [_constant(first) for _, first, _ in inertia]
        self.tensor = [_constant(tensor) for _, _, tensor in inertia]
        # Fixed placement first: a vector then passes one constant and one plane rotation.
        self.fixed = [_constant(link.rotation) for link in links]
        self.turn = [_turn(link.axis, self.q[k]) for k, link in enumerate(links)]

    def _down(self, k: int, vector: Any) -> Any:
        """Components in link k of a vector given in its parent's axes."""
        return self.turn[k].T @ (self.fixed[k].T @ vector)

    def _up(self, k: int, vector: Any) -> Any:
        return self.fixed[k] @ (self.turn[k] @ vector)

    def _up_both(self, k: int, matrix: Any) -> Any:
        """Components in the parent's axes of a symmetric matrix given in those of link k."""
        a = self.mechanism.links[k].axis
        i, j = (a + 1) % 3, (a + 2) % 3
        c, s = ca.cos(self.q[k]), ca.sin(self.q[k])
        turned = ca.SX(matrix)
        mixed = s * (matrix[i, i] - matrix[j, j]) + 2 * c * matrix[i, j]
        turned[i, i], turned[j, j] = matrix[i, i] - s * mixed, matrix[j, j] + s * mixed
        turned[i, j] = turned[j, i] = c * mixed - matrix[i, j]
        turned[a, i] = turned[i, a] = c * matrix[a, i] - s * matrix[a, j]
        turned[a, j] = turned[j, a] = s * matrix[a, i] + c * matrix[a, j]
        return _symmetric(self.fixed[k] @ ca.sparsify(turned) @ self.fixed[k].T)

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
            force = self.mass[k] * linear + matrix @ h
            moment = _cross(h, linear) + _turning(self.tensor[k], matrix)
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
        mass, first, tensor = list(self.mass), list(self.center), list(self.tensor)
        for k in reversed(range(n)):
            parent = links[k].parent
            if parent < 0:
                continue
            p, h = self.offset[k], self._up(k, first[k])
            # I about the parent's origin: I' - [h][p] - [p][h + m p]
            at_parent = h + mass[k] * p
            shift = _hat(h) @ _hat(p) + _hat(p) @ _hat(at_parent)
            tensor[parent] = tensor[parent] + self._up_both(k, tensor[k]) - _symmetric(shift)
            first[parent] = first[parent] + at_parent
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
        """Forward dynamics by articulated bodies, on accelerations of the links' origins.

        A link with what hangs on it answers n = A alpha + B a + n0, f = B' alpha + C a + f0. Once
        its joint gives way, row and column of the axis are zero in A, and the row in B.
        """
        links = self.mechanism.links
        n = len(links)
        spin, lag, reach = self._velocity_products()
        a_block, b_block = list(self.tensor), [_hat(h) for h in self.center]
        c_block = [mass * ca.SX.eye(3) for mass in self.mass]
        moment: list[Any] = [_turning(self.tensor[k], spin[k]) for k in range(n)]
        force: list[Any] = [spin[k] @ self.center[k] for k in range(n)]
        column: list[Any] = [None] * n
        inverse, rest = list(column), list(column)
        for k in reversed(range(n)):
            axis, parent = links[k].axis, links[k].parent
            whole = ca.vertcat(a_block[k][:, axis], b_block[k][axis, :].T)
            inverse[k] = 1 / whole[axis]
            column[k] = whole * inverse[k]
            column[k][axis] = 1
            rest[k] = tau[k] - moment[k][axis]
            if parent < 0:
                continue
            turning, sliding, mixed = column[k][:3], column[k][3:], whole[3:]
            a = _symmetric(a_block[k] - turning @ whole[:3].T)
            a[axis, :] = a[:, axis] = 0
            b = b_block[k] - turning @ mixed.T
            b[axis, :] = 0
            a, b = ca.sparsify(a), ca.sparsify(b)
            c = _symmetric(c_block[k] - sliding @ mixed.T)
            f = self._up(k, force[k] + b.T @ lag[k] + sliding * rest[k])
            m = self._up(k, moment[k] + a @ lag[k] + turning * rest[k])
            a, c = self._up_both(k, a), self._up_both(k, c)
            b = self.fixed[k] @ (self.turn[k] @ b @ self.turn[k].T) @ self.fixed[k].T
            f, m = f + c @ reach[k], m + b @ reach[k]
            p = _hat(self.offset[k])
            b_there = b + p @ c
            a_block[parent] = a_block[parent] + _symmetric(a - b @ p + p @ b_there.T)
            b_block[parent] = b_block[parent] + b_there
            c_block[parent] = c_block[parent] + c
            force[parent] = force[parent] + f
            moment[parent] = moment[parent] + m + _cross(self.offset[k], f)
        motion: list[Any] = []
        rates = []
        base = (_zeros(3, 1), _constant(-self.mechanism.gravity))
        for k, link in enumerate(links):
            alpha, linear = base if link.parent < 0 else motion[link.parent]
            linear = self._down(k, linear + _cross(alpha, self.offset[k]) + reach[k])
            alpha = self._down(k, alpha) + lag[k]
            at_rest = column[k][:3].T @ alpha + column[k][3:].T @ linear
            rates.append(rest[k] * inverse[k] - at_rest)
            alpha[link.axis] = alpha[link.axis] + rates[k]
            motion.append((alpha, linear))
        return ca.vertcat(*rates)

    def _velocity_products(self) -> tuple[list[Any], list[Any], list[Any]]:
        """[w][w] of each link, w x (axis u) of its joint, and [w][w] p where it sits."""
        velocity: list[Any] = []
        spin: list[Any] = []
        lag, reach = [], []
        for k, link in enumerate(self.mechanism.links):
            is_first = link.parent < 0
            w = _zeros(3, 1) if is_first else self._down(k, velocity[link.parent])
            turn = _unit(link.axis) * self.u[k]
            lag.append(ca.sparsify(_cross(w, turn)))
            reach.append(_zeros(3, 1) if is_first else spin[link.parent] @ self.offset[k])
            velocity.append(w + turn)
            spin.append(_acceleration_matrix(velocity[k], _zeros(3, 1)))
        return spin, lag, reach


def _symmetric(matrix: Any) -> Any:
    """The upper half, and its mirror image: what lies below is not computed."""
    return ca.sparsify(ca.triu2symm(ca.triu(matrix)))


def _turning(tensor: Any, matrix: Any) -> Any:
    """I alpha + w x I w by M = [alpha] + [w][w], of a link with tensor I.

    With S = tr(I) / 2 - I, along x: S_yy M_zy - S_zz M_yz + S_yz (M_zz - M_yy) + S_xy M_zx
    - S_xz M_yx.
    """
    second = _second_moments(tensor)
    parts = []
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        parts.append(
            second[y, y] * matrix[z, y]
            - second[z, z] * matrix[y, z]
            + second[y, z] * (matrix[z, z] - matrix[y, y])
            + second[x, y] * matrix[z, x]
            - second[x, z] * matrix[y, x]
        )
    return ca.sparsify(ca.vertcat(*parts))


def _second_moments(tensor: Any) -> Any:
    """Integral of x x' over the mass of a link with this tensor."""
    if isinstance(tensor, np.ndarray):
        return np.trace(tensor) / 2 * np.eye(3) - tensor
    return ca.sparsify(ca.trace(tensor) / 2 * ca.SX.eye(3) - tensor)


def _regrouped(mechanism: Mechanism) -> list[tuple[Any, Any, Any]]:
    """Mass, first moment and tensor about the joint frame's origin, of base parameters.

    A mass, its moment along the axis and its second moment along the axis turn about the axis
    without being changed: they count as the parent's (Khalil and Dombre), or not at all.
    """
    links = mechanism.links
    found = [(link.mass, link.mass * link.center, _about_origin(link)) for link in links]
    for k in reversed(range(len(links))):
        link, (mass, first, tensor) = links[k], found[k]
        axis = np.eye(3)[link.axis]
        along = first[link.axis] * axis
        second = _second_moments(tensor)[link.axis, link.axis]
        about = second * (np.eye(3) - np.outer(axis, axis))
        found[k] = (0.0, first - along, tensor - about)
        if link.parent < 0:
            continue
        turn, p = link.rotation, link.offset
        h, there = turn @ along, found[link.parent]
        moved = turn @ about @ turn.T - _hats(h, p) - _hats(p, h) - mass * _hats(p, p)
        found[link.parent] = (there[0] + mass, there[1] + h + mass * p, there[2] + moved)
    return found


def _hats(a: Any, b: Any) -> Any:
    """[a][b]."""
    return np.outer(b, a) - (a @ b) * np.eye(3)


def _about_origin(link: Any) -> Any:
    """Tensor about the joint frame's origin."""
    c = link.center
    return link.tensor + link.mass * ((c @ c) * np.eye(3) - np.outer(c, c))
