"""From a structure, or from matrices, to a body with modes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse

from eomc.binding.arrays import Array
from eomc.derive.bodies.modal_body import ModalBody, ModalStation
from eomc.derive.finite_elements.links import NodeLink, linked_freedoms
from eomc.derive.finite_elements.modal_moments import ModalMoments, modal_moments, with_second_order
from eomc.derive.finite_elements.node_rotation import motion_rows
from eomc.derive.finite_elements.reduced_structure import Support, check_modes
from eomc.derive.finite_elements.reduction import (
    fixed_interface_modes,
    free_modes,
    independent,
    orthogonal_modes,
    static_deflections,
)
from eomc.derive.finite_elements.reduction_order import chosen_order
from eomc.derive.finite_elements.second_order import SecondOrder, displacements
from eomc.derive.finite_elements.structure import FREEDOMS, Structure
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

Freedoms = Sequence[tuple[str, str]]
_STRAINLESS = 1e-9


def from_structure(
    structure: Structure,
    modes: Any,
    root: str | None = None,
    interfaces: Iterable[str] = (),
    stations: Iterable[str] = (),
    second_order: bool = True,
    damping: Any = 0,
    rayleigh: Any = (0, 0),
    strainless: str = "refused",
    stiffening: bool = False,
    supports: Mapping[str, Any] | None = None,
    turning: Any = None,
    drawn: bool = False,
) -> ModalBody:
    """A body whose mass elements move with the displacement fields of the elements.

    Structural damping of its sections becomes the body's `viscous` damping.

    Parameters
    ----------
    structure : Structure
    modes : int, {"below": Hz} or {"error": share}
        Normal modes kept: of the inside with supports and interfaces held, or elastic free ones.
        All below a frequency; or as many as it takes for the flexibility at the stations to lack
        no larger share (`reduction_report`).
    root : str, optional
        Node at the origin of the body's frame, whose axes are those of the structure. The frame is
        fixed to the node, which is held wholly, unless `supports` are given. Without a root, the
        origin is that of the structure.
    interfaces : nodes
        Each adds a constraint mode for every freedom of the node (with a root or supports).
    stations : nodes
        To attach to, besides root and interfaces, by their names.
    second_order : bool
        Whether J holds terms of second order in the amplitudes.
    damping, rayleigh
        As in `ModalBody`; ratios go with the reduced modes by rising frequency.
    strainless : "refused", "left out" or "kept"
        What about motions without strain, besides those of a free body as a whole: a chain of bars
        moves so across itself. Left out, the body moves in its modes with strain alone; kept, they
        are its first modes, which loads or the mechanism hold.
    stiffening : bool
        Displacements of second order (`eomc.derive.finite_elements.second_order`): the geometric
        stiffness against rotation, weight, acceleration and loads at stations.
    supports : mapping of nodes to what is held there, optional
        "fixed", "pinned", names of freedoms, {"normal": vector} against which the node is held, or
        {"along": vector}, the only line that it rolls along. They hold the body's frame; without
        `root` and `supports` the modes are those of the free structure.
    turning : "secant", "neighbours" or a mapping of nodes to these, optional
        The rotation of stations at nodes that have none, `eomc.derive.finite_elements.
        node_rotation`; without it such stations do not turn.
    drawn : bool
        Whether pictures show all members, deformed.

    Raises
    ------
    ModelError
        Naming the node.
    """
    if stiffening and not second_order:
        raise ModelError("stiffening is of second order: leave second_order as it is")
    interfaces, stations = tuple(interfaces), tuple(stations)
    support = Support.of(structure, root, supports, interfaces)
    origin = np.zeros(3) if root is None else structure.nodes[root]
    if strainless == "refused" and supports is None:
        _check_root(structure.stiffness(), structure.freedoms, structure.nodes, root)
    names = _given(root, *interfaces, *stations)
    for name in names:
        if name not in structure.nodes:
            known = near_names(name, structure.nodes)
            raise ModelError(f"station {name!r}: no such node; {known}")
    rows = {name: motion_rows(structure, name, origin, turning) for name in names}
    basis = support.basis(chosen_order(support, modes, strainless, rows), strainless)
    moments, pieces = _moments(structure, basis, origin)
    places = {name: _station(structure.nodes[name] - origin, rows[name] @ basis) for name in names}
    if stiffening:
        loose = support.rigid if strainless == "refused" else None
        terms = displacements(structure, basis, support.transform, support.rows, loose)
        second = terms.material.reshape(-1, *terms.freedoms.shape[1:])
        moments = with_second_order(moments, *pieces, second)
        places = {
            name: replace(place, second=_bent(terms, rows[name], basis))
            for name, place in places.items()
        }
    viscous = basis.T @ structure.damping() @ basis
    reduced = basis.T @ structure.stiffness() @ basis
    body = _body(moments, reduced, places, second_order, damping, rayleigh)
    more = {"viscous": _clean(viscous)} if np.any(viscous) else {}
    if drawn:
        more["drawn"] = _outline(structure, basis, origin)
    return replace(body, **more, turns=_turns(structure, basis))


def _turns(structure: Structure, basis: Array) -> Any:
    """The turns (n, k) of members by the modes, of each mode that of the member that turns most."""
    rows, at = [np.zeros((0, basis.shape[1]))], {f: i for i, f in enumerate(structure.freedoms)}
    for start, end in dict.fromkeys(structure.members):
        arm = structure.nodes[end] - structure.nodes[start]
        if np.any(arm):
            apart = np.zeros((3, basis.shape[1]))
            for sign, name in ((-1, start), (1, end)):
                for axis, freedom in enumerate(FREEDOMS[:3]):
                    if (name, freedom) in at:
                        apart[axis] += sign * basis[at[name, freedom]]
            rows.append(np.cross(arm, apart.T).T / (arm @ arm))
    every = np.concatenate(rows)
    most = sorted(set(np.abs(every).argmax(axis=0).tolist())) if len(every) else []
    return _clean(every[most], 1e-7)


def _outline(structure: Structure, basis: Array, origin: Array) -> Any:
    """(position, displacements by mode) of the nodes along a walk over all members."""
    points = {}
    for name, place in structure.nodes.items():
        moved = motion_rows(structure, name, origin, None)[:3] @ basis
        points[name] = (_clean(place - origin, 0.0), *_clean(moved.T, 1e-12))
    return tuple(points[name] for name in structure.walk())


def _moments(
    structure: Structure, basis: Array, origin: Array
) -> tuple[ModalMoments, tuple[Array, Any, Any, Array]]:
    """Moments of the modes, and what they are made of."""
    parts = structure.material()
    if not parts:
        raise ModelError("the structure has no mass")
    inertias = np.concatenate([part.inertias for part in parts])
    rows = np.concatenate([part.rows for part in parts])

    def weigh(array: Array) -> Array:
        blocks = array.reshape(len(inertias), 3, array.shape[1])
        result: Array = (inertias @ blocks).reshape(array.shape)
        return result

    pieces = (
        np.concatenate([part.positions for part in parts]) - origin,
        np.concatenate([np.full(len(part.positions), part.turning) for part in parts]),
        weigh,
        (rows @ basis).reshape(3 * len(inertias), basis.shape[1]),
    )
    return modal_moments(*pieces), pieces


def from_matrices(
    mass: Any,
    stiffness: Any,
    nodes: Mapping[str, Sequence[float] | Array],
    modes: int,
    freedoms: Freedoms | None = None,
    root: str | None = None,
    interfaces: Iterable[str] = (),
    stations: Iterable[str] = (),
    second_order: bool = True,
    damping: Any = 0,
    rayleigh: Any = (0, 0),
    links: Mapping[str, NodeLink] | None = None,
    residuals: Iterable[str] = (),
) -> ModalBody:
    """A body from matrices, dense or sparse, such as those of `read_matrix`.

    `nodes`: names and positions. `freedoms`: (node, "ux" ... "rz") of each row; if not given, three
    or six of every node in order. The mass matrix itself stands for the mass elements, so that
    terms of the deformed body converge with the mesh. Matrices of the plane, of ux, uy and rz, give
    moments of inertia about z alone. `links` are nodes with six freedoms that others are linked to,
    by name; they can be root, interface and station as nodes can. `residuals`: nodes whose static
    deflection under loads there is kept as well, so that loads of joints, springs and dampers
    deflect the body as they do the whole structure. Other arguments as in `from_structure`.

    Raises `ModelError` naming the node.
    """
    if not isinstance(nodes, Mapping):
        raise ModelError("nodes: give a mapping of names to positions")
    places = {name: np.asarray(position, dtype=float) for name, position in nodes.items()}
    mass, stiffness = _matrix(mass, "mass"), _matrix(stiffness, "stiffness")
    if mass.shape != stiffness.shape:
        raise ModelError(f"matrices of shapes {mass.shape} and {stiffness.shape}")
    rows = _freedoms(mass.shape[0], places, freedoms)
    interfaces, stations = tuple(interfaces), tuple(stations)
    plane = all(freedom in ("ux", "uy", "rz") for _, freedom in rows)
    free = linked_freedoms(places, rows, links or {})
    t = free.transform
    left = t.T @ mass @ t, t.T @ stiffness @ t
    residuals, rigid = tuple(residuals), 3 if plane else 6
    moving = _basis(*left, free.freedoms, modes, root, interfaces, residuals, rigid)
    basis = t @ moving
    if root not in (links or {}):
        _check_root(stiffness, rows, places, root)
    origin = np.zeros(3) if root is None else free.places[root]
    order = {name: index for index, name in enumerate(places)}
    index = np.array([6 * order[name] + FREEDOMS.index(freedom) for name, freedom in rows])
    size = 6 * len(places)

    def weigh(array: Array) -> Array:
        result = np.zeros((size, array.shape[1]))
        result[index] = mass @ array[index]
        return result

    full = np.zeros((size, basis.shape[1]))
    full[index] = basis
    moments = modal_moments(
        np.repeat(np.array(list(places.values())) - origin, 2, axis=0),
        np.tile([False, True], len(places)),
        weigh,
        full,
    )
    if moments.mass <= 1e-12 * abs(mass).max():
        raise ModelError("mass: the matrix has no mass in translation; is it the stiffness?")
    names = _given(root, *interfaces, *stations, *residuals, *(links or {}))
    named = _stations(free.places, free.freedoms, moving, origin, names)
    reduced = basis.T @ (stiffness @ basis)
    return _body(moments, reduced, named, second_order, damping, rayleigh)


def _bent(terms: SecondOrder, rows: Array, basis: Array) -> Any:
    return tuple(_clean(part, 1e-7) for part in terms.at(rows, basis))


def _given(*names: str | None) -> list[str]:
    """The names that are given, each once."""
    return [name for name in dict.fromkeys(names) if name is not None]


def _matrix(given: Any, name: str) -> Any:
    sparse = scipy.sparse.issparse(given)
    matrix: Any = given if sparse else np.asarray(given, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ModelError(f"{name}: a matrix of shape {matrix.shape} is not square")
    entries = matrix.tocoo().data if sparse else matrix
    if not np.all(np.isfinite(entries)):
        raise ModelError(f"{name}: the matrix is not finite")
    return matrix


def _freedoms(
    size: int, places: Mapping[str, Array], freedoms: Freedoms | None
) -> tuple[tuple[str, str], ...]:
    for name, place in places.items():
        if place.shape != (3,) or not np.all(np.isfinite(place)):
            raise ModelError(f"node {name!r}: give three finite numbers")
    if freedoms is None:
        count = size // max(len(places), 1)
        if count not in (3, 6) or count * len(places) != size:
            raise ModelError(f"{size} rows are not 3 or 6 for each of {len(places)} nodes")
        return tuple((name, freedom) for name in places for freedom in FREEDOMS[:count])
    rows = tuple((str(name), str(freedom)) for name, freedom in freedoms)
    if len(rows) != size or len(set(rows)) != size:
        raise ModelError(f"freedoms: {len(set(rows))} different ones for {size} rows")
    for name, freedom in rows:
        if name not in places:
            raise ModelError(f"freedoms: no node {name!r}; {near_names(name, places)}")
        if freedom not in FREEDOMS:
            raise ModelError(f"freedom {freedom!r} of node {name!r}; valid: {', '.join(FREEDOMS)}")
    return rows


def _basis(
    mass: Any,
    stiffness: Any,
    freedoms: Freedoms,
    modes: int,
    root: str | None,
    interfaces: Sequence[str],
    residuals: Sequence[str],
    rigid: int,
) -> Array:
    """Mass-orthogonal modes by rising frequency."""
    check_modes(modes, "refused")
    known = {name for name, _ in freedoms}
    for name in _given(root, *interfaces, *residuals):
        if name not in known:
            raise ModelError(f"no node {name!r} has freedoms; {near_names(name, known)}")
    if root is None:
        for word, given in (("interfaces", interfaces), ("residuals", residuals)):
            if given:
                raise ModelError(f"{word} need a root, the node that the body's frame is fixed to")
        return free_modes(mass, stiffness, modes, rigid)[1]

    def of(names: Sequence[str]) -> list[int]:
        return [i for i, (name, _) in enumerate(freedoms) if name in names]

    basis = fixed_interface_modes(mass, stiffness, of([root]), of(interfaces), modes)
    if residuals:
        held = of([root, *interfaces])
        basis = np.hstack([basis, static_deflections(stiffness, held, of(residuals))])
        basis = independent(mass, basis)
    return orthogonal_modes(mass, stiffness, basis)


def _check_root(
    stiffness: Any, freedoms: Freedoms, places: Mapping[str, Array], root: str | None
) -> None:
    """Refuse a root about which the structure turns without strain."""
    if root is None:
        return
    arms = np.array([places[name] - places[root] for name, _ in freedoms])
    order = np.array([FREEDOMS.index(freedom) for _, freedom in freedoms])
    held = [freedom for name, freedom in freedoms if name == root]
    for axis, name in enumerate(("rx", "ry", "rz")):
        turn = np.eye(3)[axis]
        motions = np.hstack([np.cross(turn, arms), np.tile(turn, (len(arms), 1))])
        motion = motions[np.arange(len(order)), order]
        forces = np.abs(stiffness @ motion)
        if (
            name not in held
            and np.any(motion)
            and forces.max() <= _STRAINLESS * (abs(stiffness) @ np.abs(motion)).max()
        ):
            raise ModelError(
                f"root: the structure turns freely about node {root!r}, which has no freedom "
                f"{name}; take a node with rotations, or no root, or leave motions without "
                "strain out (strainless='left out')"
            )


def _stations(
    places: Mapping[str, Array],
    freedoms: Freedoms,
    basis: Array,
    origin: Array,
    names: Iterable[str],
) -> dict[str, ModalStation]:
    result = {}
    for name in names:
        if name not in places:
            raise ModelError(f"station {name!r}: no such node; {near_names(name, places)}")
        motion = np.zeros((6, basis.shape[1]))
        for row, (node, freedom) in enumerate(freedoms):
            if node == name:
                motion[FREEDOMS.index(freedom)] = basis[row]
        result[name] = _station(places[name] - origin, motion)
    return result


def _station(position: Array, motion: Array) -> ModalStation:
    return ModalStation(
        _clean(position, 0.0), _clean(motion[:3].T, 1e-12), _clean(motion[3:].T, 1e-12)
    )


def _body(
    moments: ModalMoments,
    stiffness: Array,
    stations: Mapping[str, ModalStation],
    second_order: bool,
    damping: Any,
    rayleigh: Any,
) -> ModalBody:
    return ModalBody(
        mass=moments.mass,
        first=_clean(moments.first),
        inertia=_clean((moments.inertia + moments.inertia.T) / 2),
        internal=_clean(moments.internal),
        stiffness=_clean(stiffness),
        linear=_clean(moments.linear),
        angular=_clean(moments.angular),
        angular_rates=_clean(moments.angular_rates),
        inertia_rates=_clean(moments.inertia_rates),
        inertia_second=_clean(moments.inertia_second) if second_order else (),
        internal_rates=() if moments.internal_rates is None else _clean(moments.internal_rates),
        first_second=() if moments.first_second is None else _clean(moments.first_second),
        stations=stations,
        damping=damping,
        rayleigh=rayleigh,
    )


def _clean(array: Array, rounding: float = 1e-11) -> Any:
    """Nested tuples; entries that are zero beside the largest become 0, so that nothing couples by
    rounding, and whole numbers whole."""
    size = float(np.max(np.abs(array))) if array.size else 0.0
    whole = np.round(array)
    close = np.abs(array - whole) <= rounding * np.minimum(1.0, size)
    kept = np.where(np.abs(array) <= rounding * size, 0.0, np.where(close, whole, array))
    return _tuples(kept)


def _tuples(array: Any) -> Any:
    if np.ndim(array) == 0:
        number = float(array)
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return tuple(_tuples(entry) for entry in array)
