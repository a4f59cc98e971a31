"""Verification finds laws that drive, and judges all that a station of a cable can say."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from losses.lossy_models import weights
from verification.faults import Derivation, mutated
from verification.test_cable_witness import boom

import eomc
from eomc.derive.cables.station import STATIONS
from eomc.derive.model import Model, Point
from eomc.verifier.witness import cable_stations
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

Z = (0, 0, 1)


def breaches(model: Model, *checks: str) -> dict[str, list[str]]:
    report = eomc.verify(model, quick=True, states=3, checks=checks, flags=["-O0"])
    return {o.check.name: [b.what for b in o.breaches] for o in report.outcomes if o.breaches}


def test_a_bearing_passes() -> None:
    model = Model("wound", gravity=(0, 0, 0))
    for name, x in (("left", -0.1), ("right", 0.1)):
        model.body(name, mass=5)
        model.joint(name, "prismatic", parent="world", child=name, axis=Z, placement=(x, 0, -2))
    over = {
        "kind": "pulley",
        "at": "world",
        "axis": (0, 1, 0),
        "radius": 0.1,
        "sense": 1,
        "turns": 1,
    }
    route = ["left", over | {"bearing": 0.1}, "right"]
    model.cable("rope", route, length=3, modulus=100)
    assert breaches(model, "Newton-Euler", "losses") == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (
            Derivation(
                "sine with its sign",
                "eomc.derive.cables.friction:over_bearing",
                '.unary("abs")',
                "",
                "",
            ),
            {"Newton-Euler", "losses"},
        ),
        (
            Derivation(
                "friction drives",
                "eomc.derive.cables.friction:over_bearing",
                "half = kappa",
                "half = -kappa",
                "",
            ),
            {"Newton-Euler", "losses"},
        ),
        (
            Derivation(
                "half the friction",
                "eomc.derive.cables.friction:over_bearing",
                "half = kappa",
                "half = kappa / 2",
                "",
            ),
            {"Newton-Euler"},
        ),
    ],
    ids=lambda given: getattr(given, "name", ""),
)
def test_a_wrong_bearing_is_found(fault: Derivation, found: set[str]) -> None:
    with mutated(fault):
        model = weights({"bearing": 0.2, "turns": 1}, length=2.5, slip_speed=0.5)
        assert breaches(model, "Newton-Euler", "losses").keys() == found


def test_unknown_station_fields_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if friction of bearings had just been added to pulleys."""
    known = dict(cable_stations._STATIONS)
    reader, fields = known["pulley"]
    known["pulley"] = reader, fields - {"bearing"}
    monkeypatch.setattr(cable_stations, "_STATIONS", known)
    assert mechanism(weights({"turns": 1})).not_judged == ()
    model = weights({"bearing": 0.2}, length=2)
    told = "cable 'rope': bearing of route[1]"
    assert mechanism(model).not_judged == (told,)
    assert breaches(model, "Newton-Euler") == {"Newton-Euler": [f"not judged: {told}"]}


#: By kind and field of a station: what a station is made with, and one that differs in the field.
PLANE = {"axis": Z, "radius": 0.1, "sense": 1}
BLOCK = {"swivel": (0.3, 0.2, 1), "radius": 0.1, "sense": 1, "offset": 0.1, "height": 0.05}
HAND, THERE = Point("hand", (0.3, 0.1, 0)), Point("hand", (0.2, 0.2, 0.1))
CHANGES: dict[str, dict[str, tuple[dict[str, Any], Any]]] = {
    "eyelet": {"at": ({}, THERE), "friction": ({}, 0.3)},
    "pulley": {
        "at": (PLANE, THERE),
        "radius": (PLANE, 0.2),
        "sense": (PLANE, -1),
        "axis": (PLANE, (0, 0, -1)),
        "turns": (PLANE, 1),
        "near": (PLANE, "9 + hand"),
        "friction": (PLANE, 0.3),
        "bearing": (PLANE, 0.3),
        "swivel": (BLOCK, (0, 0.3, 1)),
        "offset": (BLOCK, 0.2),
        "height": (BLOCK, 0.1),
        "follows": (BLOCK, "before"),
    },
    "winch": {
        "at": (PLANE, THERE),
        "radius": (PLANE, 0.2),
        "sense": (PLANE, -1),
        "axis": (PLANE, (0, 0, -1)),
        "turn": (PLANE, "drum"),
        "zero": (PLANE, (1, 1, 0)),
        "near": (PLANE, "9 + hand"),
        "swivel": (BLOCK, (0, 0.3, 1)),
        "offset": (BLOCK, 0.2),
        "height": (BLOCK, 0.1),
    },
}


def strung(word: str, given: dict[str, Any]) -> Model:
    """Between the world and a boom, over a station on its hand or wound up there."""
    model = boom("strung")
    station = STATIONS[word](**{"at": HAND, **given})
    far = Point("boom", (0.2, -1, 0))
    route = [Point("world", (2, 1, 0)), station, *([] if word == "winch" else [far])]
    model.cable("rope", route, length=0.7, modulus=3, slip_speed=0.5)
    return model


def forces(model: Model) -> Any:
    """By the witness, in a state."""
    numbers, rng = mechanism(model), np.random.default_rng(2)
    at: dict[str, Any] = {n: rng.normal(size=numbers.nu) for n in ("u", "a")} | {"t": np.array(0.3)}
    at |= {n: np.zeros(0) for n in ("s", "s_rate", "s_acceleration", "r")}
    kept, other, _ = NewtonEuler(numbers, at | {"q": rng.normal(size=numbers.nu) / 9}).loads()
    return kept + other


@pytest.mark.parametrize(("word", "field"), [(w, f) for w in CHANGES for f in CHANGES[w]])
def test_the_witness_knows_every_field_of_a_station(word: str, field: str) -> None:
    given, other = CHANGES[word][field]
    model, changed = strung(word, given), strung(word, {**given, field: other})
    assert mechanism(changed).not_judged == ()
    here, there = forces(model), forces(changed)
    assert np.isfinite(here).all() and np.isfinite(there).all()
    if field == "follows":  # where the same place is looked for
        assert mechanism(model).cables[0].stations[1].follows == 1
        assert mechanism(changed).cables[0].stations[1].follows == -1
        return
    assert np.abs(here - there).max() > 1e-3 * np.abs(here).max()


def test_all_fields_of_all_stations_are_changed() -> None:
    for word, kind in STATIONS.items():
        assert CHANGES[word].keys() == {field.name for field in dataclasses.fields(kind)}
