"""Bodies declared as structures: assembled, reduced and integrated anew.

With the modes Phi of the structure on its supports, Phi^T M Phi = 1 and Phi^T K Phi diagonal, all
pieces of it move by u = X + Phi e + g(e, e) / 2 and turn by r likewise:

    place    v + w x u + u',        turn    w - r x w + r x (r x w) / 2 + (1 - r x / 2) r',

what is quadratic in r and its rates with stiffening alone. T is half the sum of their squares. The
sign of each mode, and the choice among modes of one frequency, are free: momenta and stations
tell them. Reference: Craig and Bampton 1968; Wallrapp and Schwertassek 1991.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import orthogonal_procrustes

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.assembly import Assembly, AssemblyPiece
from eomc.verifier.witness.forms.judged import Claim, Judged, witness_of
from eomc.verifier.witness.forms.reduced import ReducedModes, reduced, station_rows

_SIZE, _ALIKE, _CLOSE = 1e-3, 1e-6, 1e-9
_MOST = 360
"""Freedoms, six a node: more take long, and are believed."""


@witness_of("structure")
def assembled(body: Judged) -> Iterator[Claim]:
    """Frequencies, moments, damping and stations."""
    structure = Assembly(body.form)
    found = reduced(structure, body.count) if structure.size <= _MOST else None
    if found is None:
        return
    for claim in _of(body, structure, found):
        yield claim._replace(size=claim.size * (1 + found.doubt / _CLOSE))


def _of(body: Judged, structure: Assembly, found: ReducedModes) -> Iterator[Claim]:
    form, k = body.form, body.count
    top = float(found.squares.max(initial=0.0)) or 1.0
    yield Claim("stiffness of modes", body.stiffness, np.diag(found.squares), top)
    names = list(
        dict.fromkeys(
            str(n) for n in (form.root, *form.interfaces, *form.stations) if n is not None
        )
    )
    rows = [station_rows(structure, name) for name in names]
    at = body.places(names) if names else None
    rest, zero = body.mass(np.zeros(k)), np.zeros(k)
    seen = [rest[:6, 6:]] + ([] if at is None else [*at.slopes(zero)])
    plain = _StructureEnergy(structure, found, found.basis).mass(zero)
    known = [plain[:6, 6:]] + [row @ found.basis for row in rows]
    sizes = [max(float(np.abs(part).max(initial=0.0)), 1e-300) for part in known]
    turn = _turn(
        [a / s for a, s in zip(known, sizes, strict=True)],
        [a / s for a, s in zip(seen, sizes, strict=True)],
        found.squares,
    )
    basis = found.basis @ turn
    viscous = basis.T @ structure.stiffness(late=True) @ basis
    stated = np.array(form.modal.viscous or np.zeros((k, k)), dtype=float).reshape(k, k)
    yield Claim("structural damping", stated, viscous, float(np.abs(viscous).max(initial=0)) or 1.0)
    yield from _moved(body, _StructureEnergy(structure, found, basis))
    terms = found.terms(basis)
    for name, row in zip(names, rows, strict=True):
        assert at is not None
        yield from _station(body, name, row, basis, terms, structure)


def _turn(known: list[Array], seen: list[Array], squares: Array) -> Array:
    """S (k, k), orthogonal, with known S = seen, among modes of one frequency."""
    a, b = np.concatenate(known), np.concatenate(seen)
    found, first = np.zeros((len(squares),) * 2), 0
    top = float(squares.max(initial=0.0)) or 1.0
    for last in range(1, len(squares) + 1):
        if last < len(squares) and squares[last] - squares[last - 1] <= _ALIKE * max(
            squares[last], _ALIKE * top
        ):
            continue
        own = slice(first, last)
        found[own, own] = orthogonal_procrustes(a[:, own], b[:, own])[0]
        first = last
    return found


class _StructureEnergy:
    """T of the pieces of a structure in its modes."""

    def __init__(self, structure: Assembly, found: ReducedModes, basis: Array) -> None:
        self.stiffens, self.basis = bool(structure.form.stiffening), basis
        terms = found.terms(basis)
        self.pieces: list[tuple[AssemblyPiece, Array, Array]] = []
        for piece in structure.pieces(basis):
            second = piece.second
            if terms is not None:
                second = second + np.tensordot(piece.rows, terms, 1)
            self.pieces.append((piece, piece.rows @ basis, second))
        self.origin = found.origin

    def mass(self, e: Array) -> Array:
        """H (6+k, 6+k)"""
        k = self.basis.shape[1]
        total: Array = np.zeros((6 + k, 6 + k))
        for piece, rows, second in self.pieces:
            moved = rows @ e + np.einsum("aij,i,j->a", second, e, e) / 2
            rate = rows + np.einsum("aij,i->aj", second, e)
            velocity = np.zeros((3, 6 + k))
            if piece.turns:
                r = _cross(moved)
                velocity[:, 3:6] = np.eye(3) - r + (r @ r / 2 if self.stiffens else 0)
                velocity[:, 6:] = (np.eye(3) - (r / 2 if self.stiffens else 0)) @ rate
            else:
                velocity[:, :3] = np.eye(3)
                velocity[:, 3:6] = -_cross(piece.place - self.origin + moved)
                velocity[:, 6:] = rate
            total = total + velocity.T @ piece.inertia @ velocity
        return np.asarray(total)


def _moved(body: Judged, moving: _StructureEnergy) -> Iterator[Claim]:
    """By orders of the amplitudes, as far as the theory goes."""
    e = np.random.default_rng(body.seed).uniform(0.5, 1.0, body.count)
    reach = max(float(np.abs(rows).max(initial=0.0)) for _, rows, _ in moving.pieces) or 1.0
    length = max(float(np.abs(piece.place - moving.origin).max()) for piece, *_ in moving.pieces)
    e = e * (length or 1.0) / reach
    whole = moving.mass(0 * e)
    sizes = np.diag(whole).copy()
    sizes[:3], sizes[3:6] = sizes[:3].max(), max(sizes[3:6].max(), 1e-300)
    scale = np.sqrt(np.outer(sizes, sizes))

    def apart(share: float) -> Array:
        xi = share * _SIZE * e
        return np.asarray((body.mass(xi) - moving.mass(xi)) / scale)

    rest, ahead, back = (apart(share) for share in (0.0, 1.0, -1.0))
    half_ahead, half_back = apart(0.5), apart(-0.5)
    odd = (4 * (half_ahead - half_back) - (ahead - back) / 2) / 3 / _SIZE
    even = (16 * (half_ahead + half_back - 2 * rest) - (ahead + back - 2 * rest)) / 6 / _SIZE
    yield Claim("mass of the structure", rest, 0 * rest, 1.0)
    yield Claim("mass of the structure, first order", odd, 0 * odd, 1.0)
    if body.form.second_order:
        yield Claim("inertia of the structure, second order", even[:6, :6], 0 * even[:6, :6], 1.0)


def _station(
    body: Judged, name: str, rows: Array, basis: Array, terms: Array | None, structure: Assembly
) -> Iterator[Claim]:
    """Place and turns, to second order with stiffening."""
    k = body.count
    at, zero = body.places([name]), np.zeros(k)
    origin = np.zeros(3)
    if structure.form.root is not None:
        origin = structure.nodes[str(structure.form.root)]
    place = structure.nodes[name] - origin
    length = float(np.abs(place).max()) or 1.0
    yield Claim(f"place of {name}", at.at(zero)[0], np.append(place, np.zeros(3)), length)
    expected = rows @ basis
    size = float(np.abs(basis).max(initial=1e-300))
    yield Claim(f"modes at {name}", at.slopes(zero)[0], expected, size)
    if terms is None:
        return
    e = np.random.default_rng(body.seed).uniform(0.5, 1.0, k)
    second = np.einsum("aij,i,j->a", np.tensordot(rows, terms, 1), e, e) / 2
    x, y, z = expected[3:] @ e
    # In a row about z, y and x instead of a rotation vector.
    second[3:] += [y * z / 2, -x * z / 2, x * y / 2]
    found = (at.at(e) + at.at(-e))[0] / 2 - at.at(zero)[0]
    size = float(np.abs(second).max(initial=0.0)) or 1.0
    yield Claim(f"second order at {name}", found, second, size)


def _cross(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
