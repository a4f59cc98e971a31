"""The witness of joints: what follows from their poses is what textbooks say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from verification.test_own_kinds import page

import eomc
from eomc.binding.arrays import Array
from eomc.derive.joints.joint_kind import JOINT_KINDS, joint_kind
from eomc.derive.model import Model, joint_kinds
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.closing_joint import Forbidden
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.joint_motion import coordinate_rates, own_motion
from eomc.verifier.witness.mechanism import WitnessJoint

pytestmark = pytest.mark.variants

#: Rows that a textbook counts: six less the freedoms.
CLOSING = [kind for kind in joint_kinds() if joint_kind(kind).closes_loops]
_AXES = {"axis": (1, 2, 2), "axis_2": (2, 0, -1)}
_MORE = {"pitch": 0.3, "radius": 0.2}


def made(kind: str) -> WitnessJoint:
    """A joint of the kind as the witness reads it."""
    model = Model("one")
    model.body("a", mass=1, inertia=(1, 1, 1))
    given = {**_AXES, **_MORE}.items()
    takes = {word: value for word, value in given if word in joint_kind(kind).takes}
    model.joint("j", kind, parent="world", child="a", **takes)
    return mechanism(model).joints[0]


def drawn(joint: WitnessJoint, seed: int) -> tuple[Array, Array]:
    """Coordinates and speeds."""
    rng = np.random.default_rng(seed)
    q, u = rng.normal(size=len(joint.neutral)), rng.normal(size=len(joint.unit_speeds))
    if joint.kind.startswith("involute"):  # which are nothing where nothing is unwound
        q = joint.neutral + q / 2
    places = list(joint.quaternion)
    q[places] /= np.linalg.norm(q[places]) or 1.0
    return q, u


@pytest.mark.parametrize("kind", CLOSING)
@pytest.mark.parametrize("seed", range(3))
def test_a_joint_forbids_none_of_its_own_motion(kind: str, seed: int) -> None:
    joint = made(kind)
    q, u = drawn(joint, seed)
    held = Forbidden(joint, own_motion(joint, q, u))
    assert len(held.rates) == 6 - len(u)
    for found in (held.gaps, held.rates, held.units, held.seconds):
        assert np.abs(found).max(initial=0.0) < 1e-9


@pytest.mark.parametrize("kind", [kind for kind in CLOSING if kind != "fixed"])
def test_what_a_joint_forbids_is_seen(kind: str) -> None:
    """A motion in all six directions, an acceleration beside the joint's own, a displacement."""
    joint = made(kind)
    q, u = drawn(joint, 1)
    own = own_motion(joint, q, u)
    six = np.zeros((6, 4, 4))
    for k in range(3):
        six[k, k, 3] = 1.0
        i, j = (k + 1) % 3, (k + 2) % 3
        six[3 + k, j, i], six[3 + k, i, j] = 1.0, -1.0
    free = BodyMotion(own.x, own.x @ six, own.rate, own.second + own.x @ six.sum(axis=0))
    held = Forbidden(joint, free)
    assert np.linalg.matrix_rank(held.units) == 6 - len(u)
    assert np.abs(held.seconds).max() > 1e-2
    away = own.x @ (np.eye(4) + 1e-3 * six.sum(axis=0))
    assert (
        np.abs(Forbidden(joint, BodyMotion(away, own.units, own.rate, own.second)).gaps).max()
        > 1e-4
    )


@pytest.mark.parametrize("kind", ["spherical", "floating"])
def test_rates_of_a_quaternion(kind: str) -> None:
    """w' = -v.w/2, v' = (w_0 w + v x w)/2 of a turn w in its own axes; a place moves with R."""
    joint = made(kind)
    q, u = drawn(joint, 2)
    rate, scalar, v, w = coordinate_rates(joint, q) @ u, q[-4], q[-3:], u[-3:]
    turned = np.concatenate([[-v @ w], scalar * w + np.cross(v, w)]) / 2
    assert rate[-4:] == pytest.approx(turned, abs=1e-13)
    if kind == "floating":
        assert rate[:3] == pytest.approx(own_motion(joint, q, u).x[:3, :3] @ u[:3], abs=1e-13)


def test_rates_of_a_body_in_a_plane() -> None:
    """The place moves along the turned directions."""
    joint = made("planar_body")
    q, u = drawn(joint, 3)
    c, s = np.cos(q[2]), np.sin(q[2])
    expected = [c * u[0] - s * u[1], s * u[0] + c * u[1], u[2]]
    assert coordinate_rates(joint, q) @ u == pytest.approx(expected, abs=1e-13)


@pytest.fixture
def kinds() -> Iterator[None]:
    known = dict(JOINT_KINDS.known)
    yield
    JOINT_KINDS.known.clear()
    JOINT_KINDS.known.update(known)


@pytest.mark.slow
@pytest.mark.usefixtures("kinds")
def test_an_own_kind_that_holds_the_wrong_rows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own rows pass the check that takes them at their author's word; its own pose tells."""
    crank_slide = page("add-a-joint", "crank_slide.py")["CrankSlide"]
    right = crank_slide.holds

    def loop() -> Model:
        model = Model("loop")
        for name in ("a", "b"):
            model.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
        model.joint("a", "revolute", parent="world", child="a", axis=(0, 0, 1))
        model.joint("b", "planar", parent="world", child="b", placement=(2, 0, 0))
        model.joint("c", "crank_slide", parent="a", child="b", placement=(1, 0, 0), cut=True)
        return model

    def verdicts() -> dict[str, str]:
        report = eomc.verify(loop(), quick=True, checks=["loops", "rows"])
        return {outcome.check.name: outcome.verdict for outcome in report.outcomes}

    def shifted(self, at):
        for label, residual in right(self, at):
            yield label, residual - 0.1 if label == "force_t" else residual

    assert verdicts() == {"loops": "pass", "rows": "pass"}
    monkeypatch.setattr(crank_slide, "holds", shifted)
    assert verdicts() == {"loops": "breach", "rows": "pass"}
