"""FormFindingResult finding: where the nodes of a net of cables and struts balance.

With the force density q = F/l of each member from node i to k, positive if it pulls, a free node i
with the load p_i is at rest where

    sum over its members of q (x_k - x_i) + p_i = 0

and each member obeys one law: its force density, its force q l, or its length l is given, or it is
elastic, q l = k (l - l_0). Newton's method solves for nodes and force densities together, with
steps of least norm, so that what the laws leave open stays near the start: place and attitude of a
net without supports.

References: Schek, *The force density method for form finding and computation of general networks*,
Comput. Methods Appl. Mech. Eng. 3 (1974) 115; Tibert and Pellegrino, *Review of form-finding
methods for tensegrity structures*, Int. J. Space Structures 18 (2003) 209.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.errors import EquilibriumError
from eomc.runtime.names.near_names import near_names
from eomc.runtime.statics.prestress import Prestress, of_matrix

_MOST, _TOLERANCE, _RANK = 100, 1e-13, 1e-11


@dataclass(frozen=True, eq=False)
class FormFindingResult:
    """A net in balance.

    Attributes
    ----------
    nodes : mapping of names to (3,) [m]
    members : mapping of names to the names of two nodes
    fixed : tuple of str
        Nodes that are held.
    force_densities : mapping of names to q = F/l [N/m]
    residual : float
        Largest force that is left on a free node [N].
    iterations : int
    """

    nodes: Mapping[str, Array]
    members: Mapping[str, tuple[str, str]]
    fixed: tuple[str, ...]
    force_densities: Mapping[str, float]
    residual: float
    iterations: int

    @cached_property
    def lengths(self) -> dict[str, float]:
        """Of the members [m]."""
        ends = ((name, self.nodes[b] - self.nodes[a]) for name, (a, b) in self.members.items())
        return {name: float(np.linalg.norm(d)) for name, d in ends}

    @property
    def forces(self) -> dict[str, float]:
        """Tensions of the members [N], negative where they push."""
        return {name: q * self.lengths[name] for name, q in self.force_densities.items()}

    def prestress(self, stiffness: Mapping[str, float] | None = None) -> Prestress:
        """Self-stress and mechanisms; of a net that floats without its motions as one rigid body.

        `stiffness` gives dF/dl [N/m] of members in the stiffness matrix; none is needed to judge
        mechanisms, as they stretch no member.
        """
        net = _Net(self.nodes, self.members, self.fixed)
        x, q = net.start, np.array(list(self.force_densities.values()))
        e = net.spans(x) / np.array(list(self.lengths.values()))[:, None]
        k = np.array([(stiffness or {}).get(name, 0.0) for name in self.members])
        matrix = net.incidence(e)
        tangent = matrix * (k - q) @ matrix.T + np.kron(net.free.T @ (q[:, None] * net.free), _I)
        return of_matrix(list(self.members), matrix, tangent, net.rigid(x))


def form_finding(
    nodes: Mapping[str, ArrayLike],
    members: Mapping[str, Sequence[str]],
    *,
    fixed: Sequence[str] = (),
    force_densities: Mapping[str, float] | None = None,
    forces: Mapping[str, float] | None = None,
    lengths: Mapping[str, float] | None = None,
    elastic: Mapping[str, tuple[float, float]] | None = None,
    loads: Mapping[str, ArrayLike] | None = None,
) -> FormFindingResult:
    """The balance of a net of cables and struts near a start.

    Parameters
    ----------
    nodes : mapping of names to (3,) [m]
        Where they start; those that are `fixed` stay.
    members : mapping of names to the names of two nodes
    force_densities, forces, lengths : mappings of members to q [N/m], F [N], l [m]
    elastic : mapping of members to (stiffness dF/dl [N/m], length without force [m])
        Each member stands in one of these four. Forces are positive where they pull.
    loads : mapping of free nodes to (3,) [N]

    Raises
    ------
    EquilibriumError
        No balance near the start, or one in which a member has no length left.
    ValueError
        Unknown names, a member without a law or with two.

    Examples
    --------
    A weight of 3 N on two cables of equal force density hangs midway, q apart:

    >>> hung = form_finding(
    ...     {"left": (-1, 0, 0), "right": (1, 0, 0), "weight": (0.2, 0, -1)},
    ...     {"a": ("left", "weight"), "b": ("right", "weight")},
    ...     fixed=["left", "right"], force_densities={"a": 1, "b": 1}, loads={"weight": (0, 0, -3)},
    ... )
    >>> (hung.nodes["weight"].round(12) + 0).tolist()
    [0.0, 0.0, -1.5]
    """
    net = _Net(nodes, members, fixed)
    laws = _Laws(net, force_densities, forces, lengths, elastic)
    p = np.zeros((len(net.loose), 3))
    for name, load in (loads or {}).items():
        if name not in net.loose:
            raise ValueError(f"loads: no free node {name!r}; {near_names(name, net.loose)}")
        p[net.loose.index(name)] = load
    x, q, residual, iterations = _solved(net, laws, p)
    places = dict(net.nodes) | dict(zip(net.loose, x, strict=True))
    return FormFindingResult(
        places,
        net.members,
        net.fixed,
        dict(zip(net.members, q.tolist(), strict=True)),
        residual,
        iterations,
    )


_I = np.eye(3)


class _Net:
    """Nodes and members as arrays; `free` and `held` are the incidence matrices, (b, nodes)."""

    def __init__(
        self,
        nodes: Mapping[str, ArrayLike],
        members: Mapping[str, Sequence[str]],
        fixed: Sequence[str],
    ) -> None:
        self.nodes = {name: np.array(x, dtype=float) for name, x in nodes.items()}
        for name, x in self.nodes.items():
            if x.shape != (3,) or not np.isfinite(x).all():
                raise ValueError(f"nodes: {name!r} is {nodes[name]!r}; give three finite numbers")
        self.members = {name: _ends(name, ends, self.nodes) for name, ends in members.items()}
        for name in fixed:
            if name not in self.nodes:
                raise ValueError(f"fixed: no node {name!r}; {near_names(name, self.nodes)}")
        self.fixed = tuple(fixed)
        self.loose = [name for name in self.nodes if name not in self.fixed]
        order = {name: k for k, name in enumerate([*self.loose, *self.fixed])}
        incidence = np.zeros((len(self.members), len(order)))
        for row, (a, b) in zip(incidence, self.members.values(), strict=True):
            row[order[a]], row[order[b]] = -1, 1
        self.free, self.held = np.split(incidence, [len(self.loose)], axis=1)
        self.start = np.array([self.nodes[name] for name in self.loose]).reshape(-1, 3)
        at = np.array([self.nodes[name] for name in self.fixed]).reshape(-1, 3)
        self._anchored = self.held @ at

    def spans(self, x: Array) -> Array:
        """From the first to the second node of each member, (b, 3)."""
        spans: Array = self.free @ x + self._anchored
        return spans

    def incidence(self, along: Array) -> Array:
        """(3 free nodes, b): each member's vector at its ends, against it at the first."""
        matrix: Array = np.einsum("bi,bk->ikb", self.free, along)
        return matrix.reshape(-1, len(self.members))

    def rigid(self, x: Array) -> Array:
        """Motions as one body, (3 free nodes, 6 or fewer); none of a net that is held somewhere."""
        if self.fixed:
            return np.zeros((x.size, 0))
        turns = [np.cross(axis, x).ravel() for axis in _I]
        slides = [np.tile(axis, len(x)) for axis in _I]
        left, values, _ = np.linalg.svd(np.array([*slides, *turns]).T, full_matrices=False)
        return left[:, values > 1e-10 * values.max(initial=1e-300)]


def _ends(name: str, ends: Sequence[str], nodes: Mapping[str, Array]) -> tuple[str, str]:
    if isinstance(ends, str) or len(ends) != 2 or ends[0] == ends[1]:
        raise ValueError(f"members: {name!r} is {ends!r}; give the names of two nodes")
    for end in ends:
        if end not in nodes:
            raise ValueError(f"members: {name!r}: no node {end!r}; {near_names(end, nodes)}")
    return ends[0], ends[1]


class _Laws:
    """One equation a member, in its force density and its length."""

    def __init__(
        self,
        net: _Net,
        densities: Mapping[str, float] | None,
        forces: Mapping[str, float] | None,
        lengths: Mapping[str, float] | None,
        elastic: Mapping[str, tuple[float, float]] | None,
    ) -> None:
        words = ("force_densities", "forces", "lengths", "elastic")
        given = dict(zip(words, (densities, forces, lengths, elastic), strict=True))
        #: a q + b q l + c l = d
        self.factors = np.zeros((len(net.members), 4))
        for word, entries in given.items():
            for name in entries or ():
                if name not in net.members:
                    raise ValueError(f"{word}: no member {name!r}; {near_names(name, net.members)}")
        for k, name in enumerate(net.members):
            found = [
                (word, entries[name])
                for word, entries in given.items()
                if entries and name in entries
            ]
            if len(found) != 1:
                what = " and in ".join(word for word, _ in found) or "none"
                raise ValueError(
                    f"member {name!r} stands in {what}; give it in one of {', '.join(words)}"
                )
            self.factors[k] = list(_law(*found[0]))
        if not np.isfinite(self.factors).all():
            raise ValueError("laws of members: give finite numbers")

    def guess(self, net: _Net, p: Array, trusts: bool) -> Array:
        """Force densities at the start: what the laws say of them, the others as balance asks;
        those of elastic members only if one `trusts` the lengths of the start."""
        d = net.spans(net.start)
        lengths = np.linalg.norm(d, axis=1)
        a, b, c, right = self.factors.T
        slope = a + b * lengths
        told = (slope != 0) & (trusts | (c == 0))
        q = np.where(told, (right - c * lengths) / np.where(told, slope, 1.0), 0.0)
        matrix = net.incidence(d)
        q[~told] = np.linalg.lstsq(matrix[:, ~told], p.ravel() - matrix @ q, rcond=_RANK)[0]
        return q


def _law(word: str, value: float | tuple[float, float]) -> Iterator[float]:
    """(a, b, c, d) of a q + b q l + c l = d."""
    if isinstance(value, tuple | list):
        stiffness, free = value
        yield from (0.0, 1.0, -stiffness, -stiffness * free)
        return
    yield from {
        "force_densities": (1.0, 0.0, 0.0, value),
        "forces": (0.0, 1.0, 0.0, value),
        "lengths": (0.0, 0.0, 1.0, value),
    }[word]


def _solved(net: _Net, laws: _Laws, p: Array) -> tuple[Array, Array, float, int]:
    """(x, q, residual, iterations), from force densities as the laws say or as balance asks,
    whichever is nearer to the equations, and then the other."""

    def off(q: Array) -> float:
        values, _, scale = _equations(net, laws, p, net.start, q)
        return float(np.linalg.norm(values / scale))

    failure = None
    for guess in sorted((laws.guess(net, p, trusts) for trusts in (True, False)), key=off):
        x, q, values, scale, iterations = _newton(net, laws, p, guess)
        if float(np.abs(values / scale).max(initial=0.0)) <= 1e3 * _TOLERANCE:
            break
        failure = failure or _failure(net, values, scale)
    else:
        assert failure is not None
        raise failure
    lengths = np.linalg.norm(net.spans(x), axis=1)
    if lengths.min(initial=np.inf) <= 1e-9 * lengths.max(initial=0.0):
        name = list(net.members)[int(np.argmin(lengths))]
        raise EquilibriumError(f"no form near the start: member {name!r} has no length left")
    return x, q, float(np.abs(values[: x.size]).max(initial=0.0)), iterations


def _newton(net: _Net, laws: _Laws, p: Array, q: Array) -> tuple[Array, Array, Array, Array, int]:
    """(x, q, values, scale, iterations): where no step makes the equations smaller any more."""
    x, damping, iterations = net.start, 0.0, 0
    # No node goes farther in one step than a part of the members' lengths.
    reach = 0.3 * float(np.linalg.norm(net.spans(x), axis=1).mean()) if len(q) else 1.0
    values, jacobian, scale = _equations(net, laws, p, x, q)
    while iterations < _MOST and damping < 1e6:
        size = float(np.linalg.norm(values / scale))
        step = _step(jacobian, values, scale, damping)
        dx, dq = step[: x.size].reshape(x.shape), step[x.size :]
        longest = float(np.abs(dx).max(initial=0.0))
        length = min(1.0, reach / longest) if longest > 0 else 1.0
        for _ in range(10):
            trial = _equations(net, laws, p, x + length * dx, q + length * dq)
            if float(np.linalg.norm(trial[0] / scale)) < size * (1 - 1e-4 * length):
                break
            length /= 2
        else:
            if size <= _TOLERANCE:
                break
            damping = max(10 * damping, 1e-6)
            continue
        x, q, (values, jacobian, scale) = x + length * dx, q + length * dq, trial
        iterations += 1
        damping = damping / 10 if damping > 1e-8 else 0.0
    return x, q, values, scale, iterations


def _equations(net: _Net, laws: _Laws, p: Array, x: Array, q: Array) -> tuple[Array, Array, Array]:
    """Balance of the free nodes, laws of the members; their Jacobian by (x, q); their sizes."""
    d = net.spans(x)
    length = np.linalg.norm(d, axis=1)
    a, b, c, right = laws.factors.T
    balance = -net.free.T @ (q[:, None] * d) + p
    law = a * q + b * q * length + c * length - right
    dense = np.kron(net.free.T @ (q[:, None] * net.free), _I)
    e = d / np.where(length > 0, length, 1.0)[:, None]
    jacobian = np.block(
        [
            [-dense, -net.incidence(d)],
            [((b * q + c)[:, None] * net.incidence(e).T), np.diag(a + b * length)],
        ]
    )
    force = max(float(np.abs(q * length).max(initial=0.0)), float(np.abs(p).max(initial=0.0)))
    sizes = np.abs(a * q) + np.abs(b * q * length) + np.abs(c * length) + np.abs(right)
    scale = np.hstack([np.full(x.size, force or 1.0), np.where(sizes > 0, sizes, 1.0)])
    return np.hstack([balance.ravel(), law]), jacobian, scale


def _step(jacobian: Array, values: Array, scale: Array, damping: float) -> Array:
    """-J^+ f of least norm, rows by their sizes and columns scaled alike."""
    rows = jacobian / scale[:, None]
    columns = np.linalg.norm(rows, axis=0)
    weight = 1 / np.where(columns > 0, columns, 1.0)
    scaled, right = rows * weight, values / scale
    if damping:
        normal = scaled.T @ scaled + damping * np.eye(len(columns))
        found = np.linalg.solve(normal, scaled.T @ right)
    else:
        found = np.linalg.lstsq(scaled, right, rcond=_RANK)[0]
    step: Array = -weight * found
    return step


def _failure(net: _Net, values: Array, scale: Array) -> EquilibriumError:
    forces = np.abs(values[: 3 * len(net.loose)]).reshape(-1, 3).max(axis=1)
    laws = np.abs(values / scale)[3 * len(net.loose) :]
    if laws.max(initial=0.0) > (forces.max(initial=0.0) / scale[0] if len(forces) else 0.0):
        what = f"member {list(net.members)[int(np.argmax(laws))]!r} does not obey its law"
    else:
        worst = net.loose[int(np.argmax(forces))]
        what = f"a force of {forces.max():.4g} on node {worst!r} stays unbalanced"
    return EquilibriumError(f"no form near the start: {what}")
