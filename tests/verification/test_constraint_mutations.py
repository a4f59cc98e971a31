"""Every fault put into the derivation of constraints is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from constraints.mechanisms import four_bar
from constraints.test_cut_joints import _pair
from verification.faults import CHECKS, MODELS, Derivation, mutated, verified

from eomc.derive.model import Model, Point

pytestmark = pytest.mark.in_thirds

_CUT = "eomc.derive.constraints.cut_joint"


def _held(kind: str) -> Callable[[], Model]:
    return lambda: _pair(kind, cut=True, **({} if kind == "fixed" else {"damping": 0.4}))


def _points() -> Model:
    """A four-bar, and a slide that a line and a direction of its crank hold."""
    model = four_bar()
    model.body("slide", mass=0.5, com=(0.1, 0, 0.1), inertia=(0.02, 0.03, 0.02))
    model.joint("free", "floating", parent="world", child="slide")
    model.constraint(
        "rail",
        "point_on_line",
        a=Point("slide", (0.1, 0.2, 0)),
        b=Point("crank", (0.5, 0, 0.1)),
        axis_b=(0.6, 0, 0.8),
    )
    model.constraint(
        "level", "perpendicular", a="slide", b="crank", axis_a=(1, 0, 0), axis_b=(0, 0.6, 0.8)
    )
    return model


def _dancer() -> Model:
    """A four-bar that falls freely."""
    model = Model("dancer", gravity=(0, 0, -9.81))
    model.body("base", mass=3, com=(0.1, 0, 0.05), inertia=(0.3, 0.4, 0.5, 0.01, 0.02, 0.03))
    model.joint("root", "floating", parent="world", child="base")
    for name, mass in (("crank", 1.0), ("coupler", 1.3), ("rocker", 0.8)):
        model.body(name, mass=mass, com=(0.3, 0.1, 0.02), inertia=(0.05, 0.06, 0.07, 0.01, 0, 0))
    for name, parent, child, at in (
        ("a", "base", "crank", 0.0),
        ("b", "crank", "coupler", 1.0),
        ("d", "base", "rocker", 2.0),
    ):
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=child,
            axis=(0, 0, 1),
            damping=0.1,
            placement=(at, 0, 0),
        )
    model.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=(0, 0, 1),
        cut=True,
        placement=(2, 0, 0),
        child_placement=(1.5, 0, 0),
    )
    return model


def _driven_through() -> Model:
    model = four_bar()
    model.prescribed("a")  # nothing is left that moves freely
    return model


def _driven() -> Model:
    model = _dancer()
    model.prescribed("a")
    return model


WITNESSES: dict[str, Callable[[], Model]] = {
    **{kind: _held(kind) for kind in ("fixed", "revolute", "prismatic", "screw", "universal")},
    "four_bar": lambda: four_bar(**{name: {"damping": 0.2} for name in "abcd"}),
    "points": _points,
    "dancer": _dancer,
    "driven": _driven,
    "driven through": _driven_through,
}

FAULTS = (
    Derivation(
        "a direction twice",
        "eomc.derive.joints.closure:Closure.normals",
        "first, second = normal_directions(self.joint.direction)",
        "first = second = normal_directions(self.joint.direction)[0]",
        "revolute",
    ),
    Derivation(
        "child frame not turned", f"{_CUT}:_relative", "b.axes @ outer", "b.axes", "revolute"
    ),
    Derivation(
        "parent frame not turned", f"{_CUT}:_relative", "a.axes @ inner", "a.axes", "prismatic"
    ),
    Derivation("ends exchanged", f"{_CUT}:_relative", "a.point(at)", "a.point(end)", "fixed"),
    Derivation(
        "a turn locked twice",
        "eomc.derive.joints.closure:same_axes",
        "(z.y - y.z)",
        "(y.x - x.y)",
        "prismatic",
    ),
    Derivation(
        "pitch of the wrong sign",
        "eomc.derive.joints.sliding:ScrewJoint.holds",
        "- pitch * angle",
        "+ pitch * angle",
        "screw",
    ),
    Derivation(
        "axes of the universal joint not as placed",
        "eomc.derive.joints.rotary:Universal.holds",
        " - first.dot(second)",
        " + first.dot(second)",
        "universal",
    ),
    Derivation(
        "turning of the links before dropped",
        "eomc.derive.scene.pair:seen",
        "w = w + axes",
        "w = axes",
        "four_bar",
    ),
    Derivation(
        "rate of holonomic rows without the motion",
        "eomc.derive.system.system:System.passing",
        "return along | {self.time.node: (self.zero + 1).node}",
        "return {self.time.node: (self.zero + 1).node}",
        "four_bar",
    ),
    Derivation(
        "drift taken once",
        "eomc.derive.constraints.linear:linearized",
        "bias = ForwardSweep(graph, nodes(velocity))(passing(velocity))",
        "bias = ForwardSweep(graph, nodes(values))(passing(velocity))",
        "four_bar",
    ),
    Derivation(
        "multipliers of the wrong sign",
        "eomc.derive.dynamics.articulated_sweep:ArticulatedSweep._accelerations",
        "event.s * result[event.speed]",
        "event.s * -result[event.speed]",
        "four_bar",
    ),
    Derivation(
        "coupling with multipliers forgotten",
        "eomc.derive.dynamics.articulated_sweep:ArticulatedSweep._relieve",
        "other.force = other.force + entry * ready",
        "other.force = other.force",
        "four_bar",
    ),
    Derivation(
        "damping of a cut joint reversed",
        "eomc.derive.forces.cut_joint_losses:_loss",
        "-(damping * rate)",
        "damping * rate",
        "revolute",
    ),
    Derivation(
        "loss without its reaction",
        "eomc.derive.forces.cut_joint_losses:act",
        "(-1, 1)",
        "(0, 1)",
        "revolute",
    ),
    Derivation(
        "line across itself",
        "eomc.derive.constraints.points:PointOnLine.rows",
        "scene.scalars.vector(normal)",
        'scene.scalars.vector(unit_vector(self.axis_b, "axis_b"))',
        "points",
    ),
    Derivation(
        "direction in the wrong body",
        "eomc.derive.constraints.directions:_directions",
        "first.direction(own)",
        "second.direction(own)",
        "points",
    ),
)


# The C is true to the wrong equations: something else must notice.
OTHERS = [name for name in CHECKS if name not in ("emitted C", "Lagrange")]


@pytest.fixture(autouse=True)
def witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, make in WITNESSES.items():
        monkeypatch.setitem(MODELS, name, make)


@pytest.mark.slow
@pytest.mark.parametrize("model", WITNESSES)
def test_sound_witnesses_pass(model: str, tmp_path: Path) -> None:
    report = verified(model, tmp_path, checks=OTHERS)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_faults_are_found(fault: Derivation, tmp_path: Path) -> None:
    """By another check than that of the C."""
    with mutated(fault):
        report = verified(fault.model, tmp_path, checks=OTHERS)
    assert report.breaches
    print(f"{fault.name}: {', '.join(report.breaches)}")


BY_ONE_CHECK = (
    (
        "multipliers",
        Derivation(
            "drift drawn back at another rate",
            "eomc.derive.functions.constraints:_stabilized",
            "alpha * alpha",
            "alpha",
            "four_bar",
        ),
    ),
    (
        "multipliers",
        Derivation(
            "multiplier without its row",
            "eomc.derive.dynamics.articulated_sweep:ArticulatedSweep._relieve",
            "other.force = other.force + entry * ready",
            "other.force = other.force",
            "four_bar",
        ),
    ),
    (
        "multipliers",
        Derivation(
            "multipliers told with the wrong sign",
            "eomc.derive.functions.constraints:constrained_dynamics",
            "solution.multipliers, ",
            "[-entry for entry in solution.multipliers], ",
            "four_bar",
        ),
    ),
    (
        "loops",
        Derivation(
            "torque of a slide a third too small",
            "eomc.derive.joints.closure:same_axes",
            "1 + x.x",
            "x.x",
            "prismatic",
        ),
    ),
    (
        "loops",
        Derivation(
            "torques of a hinge reversed",
            "eomc.derive.joints.closure:same_axis",
            "at.turned.to_parent",
            "at.turned.to_child",
            "revolute",
        ),
    ),
    (
        "momentum",
        Derivation(
            "moment of a loop on what carries it reversed",
            "eomc.derive.dynamics.articulated_sweep:ArticulatedSweep._relieve",
            "other.momentum - gone.elimination.u * scaled",
            "other.momentum + gone.elimination.u * scaled",
            "dancer",
        ),
    ),
    (
        "Newton-Euler",
        Derivation(
            "drive without the force of the loop",
            "eomc.derive.functions.dynamics:prescribed_forces",
            "force - share for",
            "force for",
            "driven",
        ),
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize(("check", "fault"), BY_ONE_CHECK, ids=lambda x: getattr(x, "name", x))
def test_faults_are_found_by_the_check_that_is_for_them(
    check: str, fault: Derivation, tmp_path: Path
) -> None:
    with mutated(fault):
        report = verified(fault.model, tmp_path, checks=[check])
    assert report.breaches == (check,)


def test_a_loop_that_falls_freely_keeps_its_momentum(tmp_path: Path) -> None:
    report = verified("dancer", tmp_path, checks=["momentum", "multipliers"])
    assert {outcome.verdict for outcome in report.outcomes} == {"pass"}


@pytest.mark.slow
def test_what_is_tied_to_the_world_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def tied() -> Model:
        model = _dancer()
        model.constraint(
            "track",
            "point_on_plane",
            a=Point("crank", (0.1, 0.2, 0)),
            b=Point("world", (0, 0, 0)),
            axis_b=(0, 0.6, 0.8),
        )
        return model

    monkeypatch.setitem(MODELS, "tied", tied)
    (outcome,) = verified("tied", tmp_path, checks=["momentum"]).outcomes
    assert outcome.verdict == "skipped"
