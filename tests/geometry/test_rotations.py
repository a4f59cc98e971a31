"""Rotations, inertias and dyads on the graph against plain matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Attitude

from eomc.binding.arrays import Array
from eomc.derive.geometry import (
    Inertia,
    MatrixRotation,
    PlaneRotation,
    Rotation,
    SpatialMotion,
    Symmetric,
    Vector,
)
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Graph, constant, evaluate, nodes, symbols
from eomc.derive.tree.axes import factors

GRAPH = Graph()
ZERO = constant(GRAPH, 0)


def vector(values: Array) -> Vector:
    return Vector(*(constant(GRAPH, float(x)) for x in values))


def numbers(v: Vector) -> Array:
    return np.array([float(x) for x in evaluate(GRAPH, nodes(list(v)), {})])


def symmetric(matrix: Array) -> Symmetric:
    entries = matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return Symmetric(*(constant(GRAPH, float(x)) for x in entries))


def full(s: Symmetric) -> Array:
    xx, yy, zz, xy, xz, yz = (float(x) for x in evaluate(GRAPH, nodes(list(s.entries)), {}))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def dyad(matrix: Array) -> Dyad:
    a, b, c = (vector(column) for column in matrix.T)
    return Dyad((a, b, c))


def plane(axis: int, angle: float) -> PlaneRotation:
    return PlaneRotation(ZERO + float(np.cos(angle)), ZERO + float(np.sin(angle)), axis)


RNG = np.random.default_rng(7)
GENERAL = RNG.normal(size=(3, 3))
SPREAD = GENERAL @ GENERAL.T
V = RNG.normal(size=3)


@pytest.mark.parametrize("axis", range(3))
def test_plane_rotation_is_the_matrix_about_its_axis(axis: int) -> None:
    matrix = Attitude.from_euler("xyz"[axis], 0.7).as_matrix()
    turn = plane(axis, 0.7)
    assert np.allclose(numbers(turn.to_parent(vector(V))), matrix @ V, atol=1e-15)
    assert np.allclose(numbers(turn.to_child(vector(V))), matrix.T @ V, atol=1e-15)
    turned = full(turn.congruence(symmetric(SPREAD)))
    assert np.allclose(turned, matrix @ SPREAD @ matrix.T, atol=1e-14)
    columns = Dyad.turned(Rotation([turn]), dyad(GENERAL)).columns
    got = np.array([numbers(column) for column in columns]).T
    assert np.allclose(got, matrix @ GENERAL @ matrix.T, atol=1e-14)


def test_product_applies_outermost_factor_last() -> None:
    rotation = Rotation([plane(2, 0.3), plane(0, -1.1), plane(1, 2.0)])
    matrix = Attitude.from_euler("ZXY", [0.3, -1.1, 2.0]).as_matrix()
    assert np.allclose(numbers(rotation.to_parent(vector(V))), matrix @ V, atol=1e-15)
    assert np.allclose(numbers(rotation.to_child(vector(V))), matrix.T @ V, atol=1e-15)
    assert np.allclose(
        full(rotation.congruence(symmetric(SPREAD))), matrix @ SPREAD @ matrix.T, atol=1e-14
    )
    rows = rotation.matrix(ZERO).rows
    assert np.allclose([numbers(row) for row in rows], matrix, atol=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_constant_rotation_splits_into_plane_factors(seed: int) -> None:
    """Also next to the singular twists 0 and pi."""
    rng = np.random.default_rng(seed)
    twist = [rng.uniform(0, np.pi), 1e-9, np.pi - 1e-9, 1e-16][seed % 4]
    angles = [rng.uniform(-3, 3), twist, rng.uniform(-3, 3)]
    matrix = Attitude.from_euler("ZXZ", angles).as_matrix()
    a, b, c = (vector(row) for row in matrix)
    split = factors(MatrixRotation((a, b, c)))
    assert np.allclose(numbers(split.to_parent(vector(V))), matrix @ V, atol=4e-16 * 10)


def test_inertia_moves_by_the_parallel_axis_rule() -> None:
    """Against the inertia of point masses, which is a sum."""
    points, masses = RNG.normal(size=(5, 3)), RNG.uniform(1, 2, size=5)
    matrix, shift = Attitude.random(rng=3).as_matrix(), RNG.normal(size=3)

    def of_points(r: Array) -> tuple[float, Array, Array]:
        return masses.sum(), masses @ r, np.einsum("k,ki,kj->ij", masses, r, r)

    mass, first, second = of_points(points)
    body = Inertia(constant(GRAPH, mass), vector(first), symmetric(second))
    a, b, c = (vector(row) for row in matrix)
    moved = body.rotated(Rotation([MatrixRotation((a, b, c))])).shifted(vector(shift))
    _, first, second = of_points(points @ matrix.T + shift)
    assert np.allclose(numbers(moved.first), first, atol=1e-13)
    assert np.allclose(full(moved.second), second, atol=1e-13)
    center = RNG.normal(size=3)
    tensor = np.trace(SPREAD) * np.eye(3) - SPREAD
    declared = Inertia.of_body(constant(GRAPH, 2.0), vector(center), symmetric(tensor))
    about_origin = tensor + 2.0 * (center @ center * np.eye(3) - np.outer(center, center))
    assert np.allclose(full(declared.rotational()), about_origin, atol=1e-13)


def test_momentum_of_point_masses() -> None:
    points, masses = RNG.normal(size=(5, 3)), RNG.uniform(1, 2, size=5)
    w, v = RNG.normal(size=(2, 3))
    second = np.einsum("k,ki,kj->ij", masses, points, points)
    body = Inertia(constant(GRAPH, masses.sum()), vector(masses @ points), symmetric(second))
    velocity = v + np.cross(w, points)
    momentum = body @ SpatialMotion(linear=vector(v), angular=vector(w))
    assert np.allclose(numbers(momentum.linear), masses @ velocity, atol=1e-13)
    moments = np.cross(points, velocity * masses[:, None]).sum(axis=0)
    assert np.allclose(numbers(momentum.angular), moments, atol=1e-13)


def test_identity_costs_nothing() -> None:
    graph = Graph()
    entries = symbols(graph, "v", 3)
    before = len(graph)
    assert list(Rotation().to_parent(Vector(*entries))) == entries
    assert len(graph) == before
