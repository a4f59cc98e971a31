"""Pairs with a form of their own against coal: gaps, normals and points at random poses; rates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.contacts.meeting import meetings
from eomc.derive.contacts.pairs.faces import SAME
from eomc.derive.contacts.pairs.form import form_of
from eomc.derive.graph import evaluate
from eomc.derive.graph.columns import swept
from eomc.derive.system import System

COUNT = 10_000
VERTICES = np.random.default_rng(8).normal(size=(20, 3)) * (0.1, 0.2, 0.15)

SHAPES: dict[str, dict[str, Any]] = {
    "box": {"kind": "box", "half_sizes": (0.1, 0.15, 0.2)},
    "sphere": {"kind": "sphere", "radius": 0.08},
    "capsule": {"kind": "capsule", "radius": 0.06, "half_length": 0.2},
    "cylinder": {"kind": "cylinder", "radius": 0.06, "half_length": 0.2, "points": 3},
    "polyhedron": {"kind": "polyhedron", "vertices": VERTICES.tolist()},
}
SURFACES: dict[str, dict[str, Any]] = {
    "box": {"kind": "box", "half_sizes": (0.15, 0.05, 0.1)},
    "capsule": {"kind": "capsule", "radius": 0.05, "half_length": 0.15},
    "cylinder": {"kind": "cylinder", "radius": 0.1, "half_length": 0.12},
    "plane": {"kind": "plane", "normal": (1, 2, -2)},
}
PAIRS = [
    ("box", "box"),
    ("sphere", "box"),
    ("capsule", "box"),
    ("capsule", "capsule"),
    ("sphere", "cylinder"),
]


@cache
def pair(shape: str, surface: str) -> tuple[System, list[Any]]:
    """Of two free bodies, on the graph."""
    model = eomc.Model("pair", gravity=(0, 0, 0))
    for name in ("upper", "lower"):
        model.body(name, mass=1, inertia=(1, 2, 2.5))
        model.joint(name, "floating", parent="world", child=name)
    model.contact(
        "touch",
        shape={**SHAPES[shape], "at": "upper"},
        surface={**SURFACES[surface], "at": "lower"},
        normal={"kind": "rigid", "restitution": 0},
    )
    system, contact = System(model), model.contacts["touch"]
    form = form_of(contact.shape, contact.surface)
    return system, list(meetings(system.scene, contact.shape, contact.surface, "touch", form))


def poses(count: int, spread: float, seed: int) -> Any:
    """q (14, count): the shape about the surface."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(14, count))
    for k in (3, 10):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4], axis=0)
    q[:3] = spread * q[:3] + q[7:10]
    return q


def values(system: System, entries: Sequence[Any], q: Any, u: Any) -> Any:
    given = {f"q[{k}]": row for k, row in enumerate(q)}
    given |= {f"u[{k}]": row for k, row in enumerate(u)}
    found = evaluate(system.graph, [e.node for e in entries], given)
    return np.array([np.broadcast_to(row, q.shape[1:]) for row in found])


def rotation(q: Any) -> Any:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def outline(coal: Any, told: dict[str, Any]) -> Any:
    """The same in coal, whose lengths are whole."""
    if told["kind"] == "box":
        return coal.Box(*(2 * np.array(told["half_sizes"])))
    if told["kind"] == "sphere":
        return coal.Sphere(told["radius"])
    kind = coal.Capsule if told["kind"] == "capsule" else coal.Cylinder
    return kind(told["radius"], 2 * told["half_length"])


def by_coal(shape: str, surface: str, q: Any) -> tuple[Any, Any, Any]:
    """Distances, normals from the surface to the shape, the shape's points."""
    coal = pytest.importorskip("coal", reason="the package coal is not installed")
    upper, lower = outline(coal, SHAPES[shape]), outline(coal, SURFACES[surface])
    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = 1e-12
    distances, normals, points = [], [], []
    for column in q.T:
        result = coal.DistanceResult()
        above, below = (
            coal.Transform3s(rotation(column[k + 3 : k + 7]), column[k : k + 3]) for k in (0, 7)
        )
        distances.append(coal.distance(lower, below, upper, above, request, result))
        normals.append(np.array(result.normal))
        points.append(np.array(result.getNearestPoint2()))
    return np.array(distances), np.array(normals).T, np.array(points).T


def along_features(q: Any, normals: Any) -> Any:
    """True where a normal is that of a face of a box, or across an edge of both."""
    a, b = (np.abs(np.einsum("ijn,in->jn", rotation(q[k : k + 4]), normals)) for k in (3, 10))
    return (a.max(0) > 1 - 1e-9) | (b.max(0) > 1 - 1e-9) | ((a.min(0) < 1e-5) & (b.min(0) < 1e-5))


@pytest.mark.parametrize(("shape", "surface"), PAIRS)
def test_nearest_of_the_sites_as_coal_tells(shape: str, surface: str) -> None:
    """Boxes that are apart beside their faces tell the largest separation along 15 axes instead."""
    system, sites = pair(shape, surface)
    q = poses(COUNT, 0.12, 1)
    entries = [e for at in sites for e in (at.gap, *at.normal, *at.upper.position)]
    found = values(system, entries, q, np.zeros((12, COUNT))).reshape(len(sites), 7, COUNT)
    assert np.isfinite(found).all()
    first = found[:, 0].argmin(axis=0)
    gap, *rest = found[first, :, np.arange(COUNT)].T
    normal, point = np.array(rest[:3]), np.array(rest[3:])
    distance, normals, points = by_coal(shape, surface, q)
    assert (distance < -0.02).sum() > 500 and (distance > 0.02).sum() > 500
    assert np.allclose(np.linalg.norm(normal, axis=0), 1, rtol=0, atol=1e-12)
    judged = np.ones(COUNT, dtype=bool)
    if (shape, surface) == ("box", "box"):
        judged = (distance < 0) | along_features(q, normals)
        assert (gap <= distance + 1e-8).all() and judged.mean() > 0.9
    if shape == "sphere" and surface == "cylinder":  # of a centre that is inside coal is not exact
        judged = distance > -SHAPES[shape]["radius"] + 1e-6
        assert (gap > distance - 1e-8).all()
    exact = 1e-8 if "box" not in (shape, surface) else SAME
    assert np.abs(gap - distance)[judged].max() < exact
    # Normals of two equal ways out may be either; there are few of these.
    same = np.sum(normal * normals, axis=0) > 1 - 1e-7
    assert same[judged].mean() > 0.999
    assert (np.linalg.norm(point - points, axis=0) < 1e-5)[judged & same].mean() > 0.99


@pytest.mark.parametrize(
    ("shape", "surface"), [*PAIRS, ("polyhedron", "plane"), ("cylinder", "plane")]
)
def test_rates_of_gaps_are_normal_velocities(shape: str, surface: str) -> None:
    """All sites, by the derivative of the gap along the motion: forces along normals have a
    potential."""
    system, sites = pair(shape, surface)
    gaps = [at.gap for at in sites]
    (rates,) = swept(system.graph, gaps, [system.scene.passing])
    q, u = poses(2_000, 0.12, 2), np.random.default_rng(3).normal(size=(12, 2_000))
    entries = [*gaps, *rates, *(at.gap_rate for at in sites)]
    gap, rate, normal = values(system, entries, q, u).reshape(3, len(sites), -1)
    assert (gap < 0).sum() > 100
    assert (np.abs(rate - normal) < 1e-8).all()


def test_a_patch_has_each_vertex_once() -> None:
    """Of boxes on one another: aligned, shifted, turned, and of the same size."""
    system, sites = pair("box", "box")
    wide, deep = SHAPES["box"]["half_sizes"], SURFACES["box"]["half_sizes"]
    entries = [e for at in sites for e in (at.gap, *at.upper.position)]

    def patch(x: float, y: float, turn: float) -> Any:
        q = np.zeros((14, 1))
        q[10] = 1
        q[:3, 0] = x, y, wide[2] + deep[2] - 1e-4
        q[3], q[6] = np.cos(turn / 2), np.sin(turn / 2)
        found = values(system, entries, q, np.zeros((12, 1))).reshape(len(sites), 4)
        touching = found[found[:, 0] < 0.01]
        assert np.allclose(touching[:, 0], -1e-4, rtol=0, atol=1e-12)
        return touching[:, 1:3]

    def area(points: Any) -> float:
        angles = np.argsort(np.arctan2(*(points - points.mean(axis=0)).T[::-1]))
        x, y = points[angles].T
        return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2)

    flat = patch(0, 0, 0)
    assert len(flat) == 4 and np.allclose(np.abs(flat), (wide[0], deep[1]))
    shifted = patch(0.2, 0.01, 0)
    assert len(shifted) == 4 and area(shifted) == pytest.approx(0.05 * 2 * deep[1])
    turned = patch(0, 0, np.pi / 4)
    # A strip |y| < 0.05 across a box turned by 45 degrees, wide 2 * 0.15, cut by |x| < 0.15.
    assert len(turned) == len(np.unique(turned.round(9), axis=0))
    grid = np.array(list(product(np.linspace(-0.15, 0.15, 1201), np.linspace(-0.05, 0.05, 401))))
    own = grid @ np.array([[1, -1], [1, 1]]) / np.sqrt(2)
    inside = (np.abs(own) < wide[:2]).all(axis=1).mean() * 0.3 * 0.1
    assert area(turned) == pytest.approx(inside, rel=5e-3)


def on_plane(shape: str, q: Any) -> Any:
    """Gaps and points of the sites over a plane that stands, by sites: (sites, 4, count)."""
    system, sites = pair(shape, "plane")
    entries = [e for at in sites for e in (at.gap, *at.upper.position)]
    return values(system, entries, q, np.zeros((12, q.shape[1]))).reshape(len(sites), 4, -1)


def test_the_lowest_vertex_of_a_polyhedron() -> None:
    q = poses(1_000, 0.3, 4)
    found = on_plane("polyhedron", q)
    places = np.einsum("ijn,kj->nki", rotation(q[3:7]), VERTICES) + q[:3].T[:, None]
    normal = np.einsum("ijn,j->ni", rotation(q[10:14]), np.array([1, 2, -2]) / 3)
    heights = np.einsum("nki,ni->nk", places - q[7:10].T[:, None], normal)
    assert np.allclose(found[:, 0].min(axis=0), heights.min(axis=1), rtol=0, atol=1e-12)
    for row, own in zip(found.transpose(2, 0, 1), places, strict=True):
        touching = row[row[:, 0] < row[:, 0].min() + 0.1]
        away = np.linalg.norm(touching[:, None, 1:] - own[None], axis=2)
        assert away.min(axis=1).max() < 1e-12  # vertices, each once
        assert len(set(away.argmin(axis=1))) == len(touching)


def test_a_cylinder_stands_on_three_points_and_lies_on_its_rims() -> None:
    """The normal of the plane turned to the axis of the cylinder, and across it."""
    q = np.zeros((14, 2))
    q[10], q[3] = 1, 1
    up = np.array([1, 2, -2]) / 3
    for k, axis in enumerate((up, np.cross(up, (0, 0, 1.0)))):
        half = np.cross((0, 0, 1.0), axis / np.linalg.norm(axis))
        turn = np.array([1 + axis[2] / np.linalg.norm(axis), *half])
        q[3:7, k] = turn / np.linalg.norm(turn)
    q[:3, 0], q[:3, 1] = up * 0.2, up * 0.06
    stands, lies = on_plane("cylinder", q).transpose(2, 0, 1)
    touching = stands[np.abs(stands[:, 0]) < 1e-7]
    middle = touching[:, 1:].mean(axis=0)
    assert len(touching) == 4 and np.allclose(middle, 0, rtol=0, atol=1e-7)
    assert sorted(np.linalg.norm(touching[:, 1:], axis=1).round(6)) == [0, 0.06, 0.06, 0.06]
    assert 2 <= (np.abs(lies[:, 0]) < 1e-7).sum() <= 4


@pytest.mark.parametrize(
    ("shape", "surface", "message"),
    [
        ("box", "box", r"normal \(spring\): a box on box touches at points that come and go"),
        ("capsule", "box", r"a capsule on box .* give rigid or compliant"),
        ("polyhedron", "plane", r"a polyhedron .* or tilt = 0, with which all"),
    ],
)
def test_forces_by_depth_where_sites_jump(shape: str, surface: str, message: str) -> None:
    model = eomc.Model("jumping")
    model.body("upper", mass=1, inertia=(1, 1, 1))
    model.joint("free", "floating", parent="world", child="upper")
    sides = {
        "shape": {**SHAPES[shape], "at": "upper"},
        "surface": {**SURFACES[surface], "at": "world"},
    }
    model.contact("touch", **sides, normal={"kind": "spring", "stiffness": 1e3})
    with pytest.raises(eomc.ModelError, match=message):
        model.validate()
