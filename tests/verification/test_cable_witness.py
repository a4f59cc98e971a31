"""The witness of cables: lengths from numbers of the plane, faults of cables that it finds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from verification.faults import MODELS, Derivation, mutated, verified
from verification.test_completeness import _only_what_matters

import eomc
from eomc.derive.cables import Eyelet, Pulley, Winch, kind
from eomc.derive.cables.station import STATIONS, CableStation
from eomc.derive.model import Model, Point
from eomc.verifier import procedure
from eomc.verifier.witness.cable_route import CableRoute
from eomc.verifier.witness.declaration import mechanism

Z = (0, 0, 1)


def boom(name: str) -> Model:
    """A boom with a jib and a drum, and a hand on the jib that turns out of the plane."""
    model = Model(name, gravity=(0, 0, 0))
    parents = {"boom": "world", "jib": "boom", "drum": "boom", "hand": "jib"}
    axes = {"boom": Z, "jib": Z, "drum": Z, "hand": (0, 1, 0)}
    places = {"boom": (0, 0, 0), "jib": (0.6, 0.1, 0), "drum": (0.1, 0.4, 0), "hand": (0.4, 0, 0)}
    for body, parent in parents.items():
        model.body(body, mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.15))
        model.joint(
            body, "revolute", parent=parent, child=body, axis=axes[body], placement=places[body]
        )
    return model


def drum(sense: int = -1) -> Winch:
    """On the boom."""
    return Winch(
        Point("boom", (0.1, 0.4, 0)), radius=0.1, sense=sense, turn="drum", axis=Z, zero=(1, 0, 0)
    )


def pulley(body: str, xyz: Any, sense: int, **more: Any) -> Pulley:
    """Across z."""
    return Pulley(Point(body, xyz), axis=Z, radius=0.08, sense=sense, **more)


def rigged() -> Model:
    """Drum, crossed pulleys with friction, an eyelet; damped."""
    model = boom("rigged")
    over = pulley("jib", (0.3, 0.2, 0), -1, friction=0.2)
    under = pulley("world", (1.5, -0.3, 0), 1, turns=1)
    model.cable(
        "tendon",
        [drum(), over, under, Eyelet(Point("world", (2, 1, 0.2)), friction=0.3), "world"],
        length=3,
        modulus=20,
        viscosity=0.3,
        width=0.1,
        slip_speed=0.4,
    )
    return model


def sprung() -> Model:
    """Two elastic cables: from the drum to a point off its plane, and to a block that swivels."""
    model = boom("sprung")
    model.input("slack", units="m")
    model.cable(
        "lift",
        [drum(), Point("hand", (0.3, 0.1, 0.2))],
        length="0.3 + 0.01*t",
        modulus=20,
        elasticity="energy",
        viscosity=0.2,
        dissipation="elongation",
    )
    block = Winch(
        Point("world", (0.2, -1, 0.5)),
        radius=0.05,
        sense=1,
        turn="2*jib",
        offset=0.1,
        height=0.07,
        swivel=(1, 2, 2),
    )
    model.cable(
        "stay",
        [Point("hand", (0.3, 0, 0)), block],
        length="0.4 + slack/9",
        modulus=30,
        elasticity="work",
        damping="pushes",
        viscosity=0.1,
    )
    return model


def held() -> Model:
    """A rope over a pulley."""
    model = boom("held")
    model.constraint(
        "rope",
        "rope",
        length=2.9,
        route=[drum(), pulley("world", (1.5, 0.6, 0), -1), Point("hand", (0.3, 0, 0))],
    )
    return model


def blocks() -> Model:
    """From a block on the ground to one on the hand."""
    model = boom("blocks")
    high = Winch(
        Point("hand", (0.3, 0.2, 0.1)),
        radius=0.08,
        sense=1,
        turn="drum",
        swivel=(0.3, 0.2, 1),
        offset=0.05,
        height=-0.04,
    )
    low = Winch(
        Point("world", (0.1, -1.5, 0.9)),
        radius=0.12,
        sense=-1,
        swivel=(1, 2, 2),
        offset=0.1,
        height=0.07,
    )
    model.cable("rope", [high, low], length=0.9, modulus=30, viscosity=0.2)
    return model


WITNESSES = {"rigged": rigged, "sprung": sprung, "held": held, "blocks": blocks}
JUDGES = ["Newton-Euler", "element outputs", "rows", "switches"]
_BLOCKS = "eomc.derive.cables.between_blocks"
_WORK, _PATH, _END = "eomc.derive.forces.cable", "eomc.derive.cables.path", "eomc.derive.cables.end"


@pytest.fixture(autouse=True)
def witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, make in WITNESSES.items():
        monkeypatch.setitem(MODELS, name, make)


@pytest.mark.slow
@pytest.mark.parametrize("model", WITNESSES)
def test_sound_cables_pass(model: str, tmp_path: Path) -> None:
    report = verified(model, tmp_path, checks=JUDGES)
    assert report.ok, str(report)
    assert {o.check.name for o in report.outcomes if o.comparisons} >= {"Newton-Euler"}


FAULTS = (
    Derivation(
        "half the tension",
        "eomc.derive.cables.tension:elastic",
        "force = stiffness * stretched if",
        "force = stiffness / 2 * stretched if",
        "sprung",
    ),
    Derivation(
        "half the tension of the work",
        "eomc.derive.cables.tension:elastic",
        "force = stiffness * stretched\n",
        "force = stiffness * stretched / 2\n",
        "sprung",
    ),
    Derivation(
        "the other side of a drum",
        f"{_PATH}:span",
        "end.side(start.carrier, -s2)",
        "end.side(start.carrier, s2)",
        "sprung",
    ),
    Derivation(
        "the other side of a pulley",
        f"{_END}:Circle.between",
        "k = s1 * self.radius - s2 * other.radius",
        "k = s1 * self.radius + s2 * other.radius",
        "rigged",
    ),
    Derivation("no arcs", f"{_PATH}:Path.length", "total + end.radius * turned", "total", "rigged"),
    Derivation(
        "no arcs of a rope", f"{_PATH}:Path.length", "total + end.radius * turned", "total", "held"
    ),
    Derivation(
        "block at the wrong height",
        f"{_END}:Swivel.side",
        "z - self.height",
        "z + self.height",
        "sprung",
    ),
    Derivation(
        "a block does not turn after the other",
        f"{_BLOCKS}:_sides",
        "share = found.rho * b",
        "share = found.rho * 0 * b",
        "blocks",
    ),
    Derivation(
        "a block does not feel the other's turn",
        f"{_BLOCKS}:_sides",
        "screw(*slope)",
        "screw(slope[0], slope[1] * 0)",
        "blocks",
    ),
    Derivation(
        "height of the cable forgotten",
        f"{_END}:Circle.side",
        "if not h.is_zero:",
        "if h.is_zero:",
        "sprung",
    ),
    Derivation(
        "drum unwinds the other way",
        f"{_PATH}:Path.windings",
        "((0, self.spans[0].leaving, -1)",
        "((0, self.spans[0].leaving, 1)",
        "held",
    ),
    Derivation(
        "tension acts on one body",
        f"{_END}:CarrierPair.pull",
        "loads.add_force(self.end, -force)",
        "pass",
        "rigged",
    ),
    Derivation(
        "drum feels no swing",
        "eomc.derive.cables.rest_length:RestLength.act",
        "(tension.on_length - tension.on_rest) * winding",
        "(tension.on_length - tension.on_length) * winding",
        "sprung",
    ),
    Derivation(
        "a drum feels the mean",
        "eomc.derive.cables.rest_length:RestLength.act",
        "tension.on_length * (ratios",
        "tension.on_length * 0 * (ratios",
        "rigged",
    ),
    Derivation(
        "slip with the swing at the drum",
        "eomc.derive.cables.rest_length:RestLength.span_rates",
        "winding.lever * turn.rate",
        "winding.lever * (turn.rate - winding.swing.rate)",
        "rigged",
    ),
    Derivation(
        "slip of the span before alone",
        "eomc.derive.cables.friction:ratios",
        "drawn - stretching * (behind / total)",
        "drawn",
        "rigged",
    ),
    Derivation(
        "damping does the work of the strain",
        "eomc.derive.cables.tension:damped",
        'dissipation == "elongation"',
        'dissipation == "strain"',
        "sprung",
    ),
    Derivation(
        "rate without the rest length",
        "eomc.derive.cables.rest_length:RestLength.strain_rate",
        "(1 + self.strain) * self.rate",
        "self.rate",
        "sprung",
    ),
    Derivation(
        "comes taut elsewhere",
        "eomc.derive.cables.tension:pulls",
        "stiffness * strain +",
        "strain +",
        "blocks",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_faults_of_cables_are_found(fault: Derivation, tmp_path: Path) -> None:
    with mutated(fault):
        report = verified(fault.model, tmp_path, checks=JUDGES)
    assert report.breaches


def _way(*stations: Any) -> CableRoute:
    model = Model("still")
    model.body("load", mass=1)
    model.joint("slide", "translational", parent="world", child="load")
    model.cable("c", list(stations), length=1, modulus=1)
    (cable,) = mechanism(model).cables
    return CableRoute(cable.stations, {-1: np.eye(4), 0: np.eye(4)})


def test_a_span_touches_its_circle() -> None:
    """l^2 = D^2 - r^2 and the quarter turn of a right angle, by Pythagoras."""
    wheel = Pulley(Point("world", (0, 0, 0)), axis=Z, radius=1, sense=1)
    way = _way(Point("world", (-5, -1, 0)), wheel, Point("world", (1, 5, 0)))
    assert np.real(way.lengths) == pytest.approx([5, 5], abs=1e-14)
    assert way.wraps == pytest.approx([math.pi / 2], abs=1e-14)
    assert way.length == pytest.approx(10 + math.pi / 2, abs=1e-14)


def test_a_belt_opens_and_crosses() -> None:
    """Closed forms of the belt on disks of the radii 0.3 and 0.2 at the distance 2."""
    for sense, k in ((1, 0.1), (-1, 0.5)):
        disks = [
            Pulley(Point("world", (x, 0, 0)), axis=Z, radius=r, sense=s)
            for x, r, s in ((0, 0.3, 1), (2, 0.2, sense))
        ]
        way = _way(Point("world", (-1, 0.9, 0)), *disks, Point("world", (3, 0.9, 0)))
        assert np.real(way.lengths[1]) == pytest.approx(math.sqrt(4 - k * k), abs=1e-14)


def test_no_span_reaches_a_point_inside() -> None:
    wheel = Pulley(Point("world", (0, 0, 0)), axis=Z, radius=1, sense=1)
    way = _way(Point("world", (-5, -1, 0)), wheel, Point("load", (0.2, 0.1, 0)))
    assert np.isnan(way.length)


@pytest.mark.slow
def test_what_cables_tell_must_be_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    check = next(c for c in procedure.all_checks() if c.name == "element outputs")
    monkeypatch.setattr(procedure, "_outcome", _only_what_matters)
    told = {f"output stay.{word}" for word in ("tension", "strain", "length", "rest_length")}

    def unjudged() -> set[str]:
        report = eomc.verify(sprung(), quick=True, states=2)
        (last,) = (o for o in report.outcomes if o.check.name == "completeness")
        return {breach.what for breach in last.breaches}

    assert told <= unjudged()
    outcome = _only_what_matters
    monkeypatch.setattr(
        procedure, "_outcome", lambda c, s: c.outcome(s) if c.name == check.name else outcome(c, s)
    )
    assert not unjudged()


def test_a_station_of_ones_own_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cable is judged on bodies taken apart, not by formulas of the witness."""

    class Hook(CableStation):
        """A point."""

        def end(self, scene: Any) -> Any:
            return STATIONS["eyelet"].end(self, scene)  # type: ignore[arg-type]

    made = kind("hook")(Hook)
    try:
        model = boom("hooked")
        model.cable("c", [made(Point("hand", (0.3, 0, 0))), "world"], length=0.4, modulus=3)
        assert not mechanism(model).cables
        report = eomc.verify(model, quick=True, states=2, checks=JUDGES)
    finally:
        del STATIONS.known["hook"]
    assert report.ok, str(report)


def belted(kind: str, axis: Any) -> Model:
    """A cable, or a rope, from a pulley on the boom to one on a hand that turns about an axis."""
    model = Model("belted", gravity=(0, 0, 0))
    for body, parent, turns, at in (("boom", "world", Z, 0), ("hand", "boom", axis, 2)):
        model.body(body, mass=1, inertia=(0.1, 0.2, 0.15))
        model.joint(body, "revolute", parent=parent, child=body, axis=turns, placement=(at, 0, 0))
    over = [pulley("boom", (0.5, 0.2, 0), 1), pulley("hand", (0, 0.3, 0), 1)]
    route = [Point("world", (-1, 0, 0)), *over, Point("hand", (1, 0, 0))]
    if kind == "cable":
        model.cable("belt", route, length=3, modulus=20)
    elif kind == "tether":
        model.tether("belt", route, length=4)
    else:
        model.constraint("belt", "rope", route=route, length=4)
    return model


@pytest.mark.parametrize(
    ("kind", "judge"),
    [("cable", "element outputs"), ("tether", "element outputs"), ("rope", "rows")],
)
def test_pulleys_out_of_one_plane_are_found(kind: str, judge: str) -> None:
    """In the states, where a joint takes them out of it; the declaration has said so."""
    with pytest.warns(UserWarning, match=r"'belt': joint 'hand' can take .* out of one plane"):
        report = eomc.verify(belted(kind, (1, 0, 0)), quick=True, checks=[judge])
    (outcome,) = (o for o in report.outcomes if o.check.name == judge)
    assert {"belt: plane of stations 1, 2"} <= {c.what for c in outcome.breaches}
    report = eomc.verify(belted(kind, Z), quick=True, checks=[judge])
    (outcome,) = (o for o in report.outcomes if o.check.name == judge)
    judged = [c for c in outcome.comparisons if "plane" in c.what]
    assert judged and all(c.ratio <= 1 for c in judged)
