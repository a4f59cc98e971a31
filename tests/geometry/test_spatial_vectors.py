"""Spatial vectors: what holds between motions and forces, and that they cannot be exchanged."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from eomc.binding.arrays import Array
from eomc.derive.geometry import (
    Inertia,
    LinkPose,
    MatrixRotation,
    Rotation,
    SpatialForce,
    SpatialMomentum,
    SpatialMotion,
    Symmetric,
    Vector,
)
from eomc.derive.graph import Expression, Graph, constant, evaluate, nodes

HOUSE = Path(__file__).parents[2]
GRAPH = Graph()
RNG = np.random.default_rng(3)


def constants(values: Array) -> list[Expression]:
    return [constant(GRAPH, float(x)) for x in np.ravel(values)]


def motion(values: Array) -> SpatialMotion:
    return SpatialMotion.of(constants(values))


def force(values: Array) -> SpatialForce:
    return SpatialForce.of(constants(values))


def numbers(vector: SpatialMotion | SpatialForce) -> Array:
    return np.array([float(x) for x in evaluate(GRAPH, nodes(list(vector.entries)), {})])


def number(value: Expression) -> float:
    return float(evaluate(GRAPH, [value.node], {})[0])


def skew(r: Array) -> Array:
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def pose() -> tuple[LinkPose, Array]:
    """A pose, and the 6x6 matrix that takes a motion at the child to one at the parent."""
    turn, r = np.linalg.qr(RNG.normal(size=(3, 3)))[0], RNG.normal(size=3)
    a, b, c = (Vector(*constants(row)) for row in turn)
    matrix = np.block([[turn, skew(r) @ turn], [np.zeros((3, 3)), turn]])
    return LinkPose(Rotation([MatrixRotation((a, b, c))]), Vector(*constants(r))), matrix


def test_the_linear_part_stands_first() -> None:
    values = RNG.normal(size=6)
    v = motion(values)
    assert np.array_equal(numbers(v), values)
    assert list(v.linear) == list(v.entries[:3]) and list(v.angular) == list(v.entries[3:])


def test_sums_keep_their_type() -> None:
    h = SpatialMomentum.of(constants(RNG.normal(size=6)))
    assert type(h * 2 - h) is SpatialMomentum and np.array_equal(numbers(h * 2 - h), numbers(h))
    assert type(pose()[0].to_parent(h)) is SpatialMomentum
    assert np.array_equal(numbers(-h + h), np.zeros(6))


def test_motions_and_forces_transform_against_each_other() -> None:
    at, up = pose()
    v, f = RNG.normal(size=(2, 6))
    assert np.allclose(numbers(at.motion_to_parent(motion(v))), up @ v, atol=1e-14)
    assert np.allclose(numbers(at.to_child(motion(v))), np.linalg.solve(up, v), atol=1e-14)
    assert np.allclose(numbers(at.to_parent(force(f))), np.linalg.solve(up.T, f), atol=1e-14)
    powers = at.to_child(motion(v)).dot(force(f)), motion(v).dot(at.to_parent(force(f)))
    assert np.isclose(number(powers[0]), number(powers[1]), rtol=1e-13)


def test_poses_follow_one_another() -> None:
    (first, one), (second, two) = pose(), pose()
    v = RNG.normal(size=6)
    through = first.then(second).motion_to_parent(motion(v))
    assert np.allclose(numbers(through), one @ two @ v, atol=1e-14)


def test_cross_products() -> None:
    """v x is the rate of a motion that moves along, v x* = -(v x)^T that of a force."""
    v, m, f = RNG.normal(size=(3, 6))
    across = np.block([[skew(v[3:]), skew(v[:3])], [np.zeros((3, 3)), skew(v[3:])]])
    assert np.allclose(numbers(motion(v).cross(motion(m))), across @ m, atol=1e-14)
    assert np.allclose(numbers(motion(v).cross_force(force(f))), -across.T @ f, atol=1e-14)


def test_momentum_is_the_inertia_of_a_velocity() -> None:
    """I = sum of P^T P m over point masses, P = (1, -[r]x)."""
    points, masses = RNG.normal(size=(5, 3)), RNG.uniform(1, 2, size=5)
    second = np.einsum("k,ki,kj->ij", masses, points, points)
    entries = constants(second[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])
    first = Vector(*constants(masses @ points))
    inertia = Inertia(constant(GRAPH, float(masses.sum())), first, Symmetric(*entries))
    rows = [np.hstack([np.eye(3), -skew(r)]) for r in points]
    matrix = sum(m * p.T @ p for m, p in zip(masses, rows, strict=True))
    v = RNG.normal(size=6)
    found = inertia @ motion(v)
    assert type(found) is SpatialMomentum and np.allclose(numbers(found), matrix @ v, atol=1e-13)


def test_parts_are_keyword_arguments() -> None:
    with pytest.raises(TypeError, match="positional"):
        SpatialForce(*2 * (Vector(*constants(np.zeros(3))),))  # type: ignore[misc]
    with pytest.raises(TypeError, match="iterable"):
        _, _ = motion(np.zeros(6))  # type: ignore[misc]


@pytest.mark.slow
def test_an_exchange_is_an_error_of_types(tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    for folder in ("geometry", "graph"):
        shutil.copytree(HOUSE / "derive" / folder, tmp_path / "eomc" / "derive" / folder)
    for package in ("eomc", "eomc/derive"):
        (tmp_path / package / "__init__.py").touch()
    used = Path(__file__).with_name("exchanged_parts.py")
    text = shutil.copy(used, tmp_path / "use.py").read_text().splitlines()
    options = ["--strict", "--ignore-missing-imports", "--follow-imports=silent"]
    cache = ["--no-incremental", "--cache-dir", "/dev/null"]
    said, _, _ = mypy.run([*options, *cache, str(tmp_path / "use.py")])
    found = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
    assert found == {k for k, line in enumerate(text, 1) if "# refused" in line}
