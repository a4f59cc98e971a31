"""The witnesses of contacts, of hanging cables and of rows, against closed forms."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from verification.mutants.models import composed
from verification.mutants.models.touching import MODELS

import eomc
from eomc.derive.contacts.normal_laws import springs as hunt_crossley
from eomc.derive.contacts.shapes import ellipsoid_distance
from eomc.derive.model import Model, Point, dh_chain
from eomc.verifier.witness.contact_laws import NORMAL, WitnessPenetration, depth
from eomc.verifier.witness.contact_outline import BallOutline, OvalOutline
from eomc.verifier.witness.contact_surface import (
    PlacedSurface,
    capsule,
    cylinder,
    ellipsoid,
    face,
    sphere,
)
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

_TURNED = np.linalg.qr(np.array([[1, 2, 0.3], [0.2, 1, -1], [0.5, -0.4, 1]]))[0]
_TURNED = _TURNED * np.sign(np.linalg.det(_TURNED))
_HERE, _THERE = np.array([0.3, -0.2, 0.5]), np.array([1.2, 0.9, 2.0])


def _nearest(first: OvalOutline, second: OvalOutline) -> float:
    """Distance of two ellipsoids by alternating projections of many points."""
    u, v = np.meshgrid(np.linspace(0, np.pi, 300), np.linspace(0, 2 * np.pi, 600))
    unit = np.array([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)]).reshape(3, -1)
    a = first.centre[:, None] + first.axes @ (first.sizes[:, None] * unit)
    n = second.centre - first.centre
    front = a[:, (a - first.centre[:, None]).T @ n > 0]
    return min(second.distance(place)[0] for place in front.T[::37])


def test_two_ellipsoids_on_their_common_normal() -> None:
    """Balls as ellipsoids, and no place of the one nearer to the other than the gap."""
    balls = OvalOutline(_THERE, _TURNED, np.full(3, 0.4))
    met = ellipsoid(PlacedSurface(_HERE, np.eye(3), np.full(3, 0.7)), balls)
    apart = _THERE - _HERE
    assert met.gap == pytest.approx(np.linalg.norm(apart) - 1.1, abs=1e-14)
    assert met.normal == pytest.approx(apart / np.linalg.norm(apart), abs=1e-14)
    one, other = (
        OvalOutline(_HERE, np.eye(3), np.array([0.7, 0.4, 0.3])),
        OvalOutline(_THERE, _TURNED, np.array([0.5, 0.2, 0.3])),
    )
    met = ellipsoid(PlacedSurface(one.centre, one.axes, one.sizes), other)
    near = _nearest(other, one)
    assert met.gap <= near <= met.gap + 0.02
    assert one.distance(met.point)[0] == pytest.approx(met.gap, abs=1e-13)
    assert other.distance(met.point)[0] == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("inside", [False, True])
def test_what_is_seen_along_a_line(inside: bool) -> None:
    """The nearest and the furthest point of an ellipsoid from a line, among many."""
    oval = OvalOutline(_HERE, _TURNED, np.array([0.5, 0.2, 0.3]))
    line = np.array([0.6, 0.0, 0.8])
    rng = np.random.default_rng(0)
    unit = rng.normal(size=(3, 200_000))
    unit /= np.linalg.norm(unit, axis=0)
    places = _HERE[:, None] + _TURNED @ (oval.sizes[:, None] * unit) - _THERE[:, None]
    far = np.linalg.norm(places - line[:, None] * (line @ places), axis=0)
    axes = np.array([[0, 1, 0], [-0.8, 0, 0.6], line]).T
    met = cylinder(PlacedSurface(_THERE, axes, np.array([0.1]), inside), oval)
    expected = 0.1 - far.max() if inside else far.min() - 0.1
    assert met.gap == pytest.approx(expected, abs=1e-4)


def test_a_ring_may_hang_on_a_rod() -> None:
    """Radius 0.3 about z, tube 0.02, on a rod of 0.05 through it at 0.1 from its centre."""
    ring = OvalOutline(np.zeros(3), np.eye(3), np.array([0.3, 0.3, 0]), 0.02, 1e-7)
    rod = PlacedSurface(np.array([0.1, 0, 0.4]), np.eye(3), np.array([0.05]))
    met = cylinder(rod, ring)
    assert met.gap == pytest.approx(0.2 - 0.07, abs=1e-12)
    assert met.normal == pytest.approx([1, 0, 0], abs=1e-6)
    ball = sphere(PlacedSurface(np.array([0.0, 0.7, 0.3]), np.eye(3), np.array([0.1])), ring)
    assert ball.gap == pytest.approx(0.5 - 0.12, abs=1e-12)


def test_edges_of_a_face_and_ends_of_a_capsule() -> None:
    ball = BallOutline(np.array([1.0, 2.0, 0.5]), 0.1)
    corner = face(PlacedSurface(np.zeros(3), np.eye(3), np.array([0.6, 1.7, 0])), ball)
    assert corner.gap == pytest.approx(math.sqrt(0.4**2 + 0.3**2 + 0.5**2) - 0.1)
    end = capsule(PlacedSurface(np.zeros(3), np.eye(3), np.array([0.2, 0.3])), ball)
    assert end.gap == pytest.approx(math.sqrt(1 + 4 + 0.2**2) - 0.3)
    rim = OvalOutline(
        np.array([0.0, 0.0, 1.0]), np.eye(3)[:, [1, 2, 0]], np.array([0.4, 0.4, 0]), 0, 1e-7
    )
    flat = face(PlacedSurface(np.zeros(3), np.eye(3), np.array([1.0, 1.0, 0])), rim)
    assert flat.gap == pytest.approx(0.6, abs=1e-6)


def test_restitution_of_a_simulated_impact() -> None:
    """m d'' = -k d^n (1 + chi d') leaves with e times the speed, at the speed that is told."""
    number = float
    law = SimpleNamespace(stiffness=500, exponent=1.5, dissipation=0, restitution=0.6, speed=2.0)
    pressing = NORMAL["spring"](number, law)

    def moving(_: float, y: Any) -> list[float]:
        force = pressing(WitnessPenetration(max(y[0], 0.0), float(y[0] > 0), y[1]), {}).force
        return [y[1], -force / 0.7]

    def out(_: float, y: Any) -> float:
        return float(y[0]) + 1e-14

    out.terminal, out.direction = True, -1  # type: ignore[attr-defined]
    run = solve_ivp(moving, (0, 1), [0, 2.0], rtol=1e-11, atol=1e-13, events=out, max_step=1e-3)
    assert run.y[1, -1] == pytest.approx(-0.6 * 2.0, rel=1e-7)


def test_a_depth_that_begins_smoothly() -> None:
    """d_+ (d_+ - d) = (width/2)^2; and its slope by differences, of both forms."""
    for smoothing in ("root", "softplus"):
        for gap in (-0.3, -1e-3, 0.2):
            at, ends = (
                depth(gap, 0.7, 0.1, smoothing),
                [depth(gap - h, 0, 0.1, smoothing).depth for h in (-1e-6, 1e-6)],
            )
            assert at.rate == -0.7
            assert at.slope == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-6)
            if smoothing == "root":
                assert at.depth * (at.depth + gap) == pytest.approx(0.05**2)


def test_a_cable_that_hardly_stretches_is_a_catenary() -> None:
    """Ends level, 2 x apart: H x/w = arsinh, the length 2 (H/w) sinh(w x/H)."""
    model = Model("line")
    for name in "ab":
        model.body(name, mass=1)
        model.joint(name, "translational", parent="world", child=name)
    h, w, half = 3.0, 1.5, 2.0
    length = 2 * h / w * math.sinh(w * half / h)
    model.catenary("line", a="a", b="b", length=length, weight=w, modulus=1e12)
    values = {name: np.zeros(0) for name in ("s", "s_rate", "s_acceleration", "r")}
    values |= {"q": np.array([-half, 0, 0, half, 0, 0]), "t": np.array(0.0)}
    values |= {"u": np.zeros(6), "a": np.zeros(6)}
    state = NewtonEuler(mechanism(model), values)
    (cable,) = state.cables
    assert cable.pull == pytest.approx((h, w * length / 2), rel=1e-9)
    slopes = []
    for step in (-1e-5, 1e-5):
        moved = {**values, "q": values["q"] + [step, 0, 0, 0, 0, 0]}
        slopes.append(NewtonEuler(mechanism(model), moved).loads()[2])
    assert state.loads()[0][0] == pytest.approx(-(slopes[1] - slopes[0]) / 2e-5, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["egg_on_egg", "egg_on_face", "grained", "hard", "stopped"])
def test_contacts_are_judged(model: str) -> None:
    report = eomc.verify(MODELS[model](), quick=True, states=3)
    assert report.ok, report


@pytest.mark.slow
def test_faults_of_contacts_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damping that is twice too strong, a nearest point that is not found to the end."""
    sound = hunt_crossley._chi
    monkeypatch.setattr(hunt_crossley, "_chi", lambda scene, law: 2 * sound(scene, law))
    assert "Newton-Euler" in eomc.verify(MODELS["hertz"](), quick=True, states=3).breaches
    monkeypatch.undo()
    monkeypatch.setattr(ellipsoid_distance, "STEPS", 1)
    assert "element outputs" in eomc.verify(MODELS["ball_on_egg"](), quick=True, states=3).breaches


def test_a_row_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The length of a rod that is held, as the kind of constraint says it."""
    from eomc.derive.constraints.points import Distance
    from eomc.derive.elements.rows import Row

    model = Model("rod")
    model.body("bob", mass=1)
    model.joint("free", "translational", parent="world", child="bob", placement=(1, 0, 0.3))
    model.constraint("rod", "distance", a=Point("bob", (0.1, 0, 0)), b="world", length=0.9)
    assert "rows" not in eomc.verify(model, quick=True, states=3).breaches
    rows = Distance.rows

    def longer(self: Distance, scene: Any) -> Any:
        for row in rows(self, scene):
            yield Row(self.name, row.label, row.residual - 0.1)

    monkeypatch.setattr(Distance, "rows", longer)
    assert "rows" in eomc.verify(model, quick=True, states=3).breaches


@pytest.mark.slow
@pytest.mark.parametrize("model", ["chain_standard", "flexible", "jack_flow", "line"])
def test_what_one_word_declares_is_judged(model: str) -> None:
    """And what was changed since stands for itself."""
    made = composed.MODELS[model]()
    (found,) = eomc.verify(made, quick=True, states=2, checks=["composites"]).outcomes
    assert len(found.comparisons) > 10
    assert found.verdict == "pass", found
    made.bodies[list(made.bodies)[-1]] = replace(made.bodies[list(made.bodies)[-1]], mass=7)
    (found,) = eomc.verify(made, quick=True, states=2, checks=["composites"]).outcomes
    assert not found.comparisons


def test_a_fault_of_a_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offsets that go along the wrong axis."""
    sound = dh_chain._frames

    def turned(row: Any, convention: str) -> Any:
        return sound({**row, "a": row["d"], "d": row["a"]}, convention)

    monkeypatch.setattr(dh_chain, "_frames", turned)
    made = composed.MODELS["chain_modified"]()
    assert "composites" in eomc.verify(made, quick=True, states=2).breaches
