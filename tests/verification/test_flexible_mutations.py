"""Every fault put into the derivation of deformable bodies is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from verification.faults import Derivation, mutated, verified
from verification.witnesses import crane

import eomc

pytestmark = pytest.mark.in_thirds

_BODY = "eomc.derive.bodies.deformable:DeformableBody"
_FOLLOWING = "eomc.derive.motions.following"
_SWEEP = "eomc.derive.dynamics.articulated_sweep:ArticulatedSweep"
_ELASTICITY = "eomc.derive.forces.elasticity:elasticity"

# Those that cost little; each fault is found by one of them.
CHECKS = ["Newton-Euler", "consistency", "passivity"]


def _fault(name: str, where: str, old: str, new: str) -> Derivation:
    return Derivation(name, where, old, new, "crane")


FAULTS = (
    _fault(
        "force of the changing shape dropped",
        f"{_BODY}.forces",
        "w.cross(dot.first + p)",
        "w.cross(p)",
    ),
    _fault(
        "Coriolis force of the modes reversed",
        f"{_BODY}.forces",
        "w.cross(dot.first + p)",
        "w.cross(dot.first - p)",
    ),
    _fault("change of P dropped", f"{_BODY}.forces", " + _sum(dot.linear, rates, zero)", ""),
    _fault(
        "change of inertia dropped",
        f"{_BODY}.forces",
        "dot.rotational @ w + w.cross(h)",
        "w.cross(h)",
    ),
    _fault(
        "moment of the origin's acceleration dropped",
        f"{_BODY}.forces",
        "motion.u.moment(body.second) + body.first.cross(a)",
        "motion.u.moment(body.second)",
    ),
    _fault(
        "gyroscopic moment of the modes dropped", f"{_BODY}.forces", "w.cross(h) + h_rate", "h_rate"
    ),
    _fault(
        "centrifugal force on the modes reversed",
        f"{_BODY}._internal",
        "s - _quadratic(partial.rotational, w)",
        "s + _quadratic(partial.rotational, w)",
    ),
    _fault(
        "coupling with rotation reversed",
        f"{_BODY}._internal",
        "self.linear[j].dot(motion.a) + self.angular[j].dot(motion.alpha)",
        "self.linear[j].dot(motion.a) - self.angular[j].dot(motion.alpha)",
    ),
    _fault(
        "slope of H dropped",
        f"{_BODY}._internal",
        "s = s - rate * partial.angular[k].dot(w)",
        "pass",
    ),
    _fault("slope of M doubled", f"{_BODY}._internal", "entry / 2 if i == k else entry", "entry"),
    _fault(
        "momentum of the modes dropped",
        f"{_BODY}.momentum",
        "_sum(self.linear, rates, held.linear)",
        "held.linear",
    ),
    _fault(
        "products of inertia negated",
        "eomc.derive.bodies.deformable:rigid_part",
        "-j.xy, -j.xz, -j.yz",
        "j.xy, j.xz, j.yz",
    ),
    _fault(
        "first moment negated",
        "eomc.derive.bodies.form:invariants_of",
        "(about[1, 2], about[2, 0], about[0, 1])",
        "(about[2, 1], about[0, 2], about[1, 0])",
    ),
    _fault(
        "pairs in the curvature of a place counted once",
        f"{_FOLLOWING}:ScalarFunction.curvature",
        "share if i == j else 2 * share",
        "share",
    ),
    _fault(
        "curvature of a displacement dropped",
        f"{_FOLLOWING}:Shift.drift",
        "return SpatialMotion(linear=linear, angular=Vector(zero, zero, zero))",
        "return None",
    ),
    _fault(
        "curvature of a turn reversed",
        f"{_FOLLOWING}:TurnBy.drift",
        "unit(zero, self.axis) * curvature",
        "unit(zero, self.axis) * -curvature",
    ),
    _fault(
        "turn without momentum",
        f"{_FOLLOWING}:TurnBy.subspace",
        "angular=n * slope",
        "angular=still",
    ),
    _fault(
        "turns about one axis", "eomc.derive.joints.place:followed", "TurnBy(axis, ", 'TurnBy("x", '
    ),
    _fault(
        "rotation of a placement lost",
        "eomc.derive.system.build:_Builder._add_place",
        "return frame.moved(self.scalars.rotation(joint.placement.matrix), self.still)",
        "return frame",
    ),
    _fault(
        "modes without ancestors",
        "eomc.derive.dynamics.mass_matrix:_meet_internal_speeds",
        "_meet_ancestors(tree, pose, index, speed, momentum, entries)",
        "pass",
    ),
    _fault(
        "strain feeds the motion",
        _ELASTICITY,
        "-Expression(tree.graph, slope)",
        "Expression(tree.graph, slope)",
    ),
    _fault(
        "losses taken for strain",
        _ELASTICITY,
        "(loads.other, losses, xi_rates)",
        "(loads.conservative, losses, xi_rates)",
    ),
    _fault(
        "strain energy doubled",
        _ELASTICITY,
        "loads.conservative.potential + strain",
        "loads.conservative.potential + 2 * strain",
    ),
    _fault(
        "open speed: momentum counted once",
        f"{_SWEEP}._meet",
        "2 * s.dot(known.momentum)",
        "s.dot(known.momentum)",
    ),
    _fault(
        "open speed: coupling lost",
        f"{_SWEEP}._meet",
        "self._couple(index, speed.index, other, s.dot(entry.momentum))",
        "pass",
    ),
    _fault(
        "open speed: force of a branch lost",
        f"{_SWEEP}._carry_open",
        "known.force = known.force + entry.force",
        "pass",
    ),
    _fault(
        "open speeds: share of the eliminated one lost",
        f"{_SWEEP}._relieve",
        "other.force = other.force + entry * ready",
        "pass",
    ),
    _fault(
        "open speeds: inertia relieved with the wrong sign",
        f"{_SWEEP}._relieve",
        "-scaled * second",
        "scaled * second",
    ),
    _fault(
        "open speeds: coupling forgotten on the way back",
        f"{_SWEEP}._accelerations",
        "above = above + entry * result[other]",
        "pass",
    ),
    _fault(
        "internal force of the first mode for all",
        f"{_SWEEP}.start",
        "taken.internal[j], row",
        "taken.internal[0], row",
    ),
)


def test_the_witness_goes_by_elimination() -> None:
    """Else the faults in it would not be met."""
    assert eomc.equations(crane()).system(()).forward.method == "articulated bodies"


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_faults_are_found(fault: Derivation, tmp_path: Path) -> None:
    with mutated(fault):
        report = verified(fault.model, tmp_path, checks=CHECKS)
    assert report.breaches
    print(f"{fault.name}: {', '.join(report.breaches)}")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["change of inertia dropped", "turns about one axis"])
def test_brute_force_finds_them_alone(name: str, tmp_path: Path) -> None:
    (fault,) = (fault for fault in FAULTS if fault.name == name)
    with mutated(fault):
        report = verified(fault.model, tmp_path, checks=["Lagrange"])
    assert report.breaches == ("Lagrange",)
