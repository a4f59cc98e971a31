"""Tyres: files, merging, what is refused, and what keeps runs whole. Their physics is judged by the
cases of `eomc_published.tyres`."""

from __future__ import annotations

from typing import Any

import pytest

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.functions import KINDS
from eomc.derive.model import Model, ModelError, Point
from eomc.derive.system import System
from eomc.systems import trom
from eomc.systems.vehicles import PASSENGER_TYRE, single_track_car

LOAD = {"kind": "kelvin_voigt", "stiffness": 1e3}


def test_files_hold_tyres() -> None:
    for model in (trom.semitrailer(rough=True), single_track_car(relaxation_length=0.5)):
        again = parse_toml(toml_text(model))
        assert again == model and again.tables()["tyre"] == model.tables()["tyre"]


def _wheel(**changes: object) -> Model:
    """A wheel welded to an axle that heaves, and one that spins."""
    model = Model("wheel")
    model.input("steer")
    model.body("axle", mass=1, inertia=(1, 1, 1))
    model.joint("heave", "planar", parent="world", child="axle", axis=(0, 1, 0))
    model.body("hub")
    model.joint("weld", "fixed", parent="axle", child="hub", placement={"rpy": ("pi/2", 0, 0)})
    model.body("wheel", mass=1, inertia=(1, 2, 1))
    model.joint("turn", "revolute", parent="axle", child="wheel", axis=(0, 1, 0))
    given: dict[str, Any] = {
        "at": Point("hub", (0, 0, 1)),
        "normal": LOAD,
        "slip": {"kind": "linear", "cornering": 3},
    }
    model.tyre("rubber", **(given | changes))
    return model


def test_merging_carries_a_tyre_and_its_heading() -> None:
    (tyre,) = _wheel(direction=(0, 0, 1)).reduced().tables()["tyre"].values()
    assert tyre.at == Point("axle", (0, -1, 0)) and tyre.direction == (0, -1, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"at": "hob"}, "tyre 'rubber': unknown body 'hob'; did you mean 'hub'"),
        ({"normal": LOAD | {"stiffness": "k"}}, "unknown name 'k'"),
        ({"normal": LOAD | {"stiffness": "steer"}}, "unknown name 'steer'"),
        ({"normal": LOAD | {"damping": "1/0.0"}}, "tyre 'rubber'"),
        (
            {"normal": {"kind": "rigid", "restitution": 0}},
            "normal (rigid): a tyre takes a load by depth",
        ),
        ({"direction": (0, 0, 0)}, "tyre 'rubber': direction has zero length"),
        ({"slip": {"kind": "magic"}}, "unknown slip_law 'magic'; valid: 'brush', 'linear', 'mag"),
        ({"slip": PASSENGER_TYRE | {"pdy1": -0.99}}, "slip (magic_formula): pdy1 is -0.99"),
        ({"slip": PASSENGER_TYRE | {"pdy2": -0.8}}, "pdy1 + pdy2 df is negative between"),
        ({"slip": PASSENGER_TYRE | {"pcx1": None}}, "pdx1 is given without pcx1"),
        ({"slip": PASSENGER_TYRE | {"pcy1": 2.4}}, "pcy1 is 2.4; a shape factor is at most 2"),
        ({"slip": {"kind": "brush", "cornering": 9, "friction": 0}}, "slip (brush): friction is 0"),
        ({"relaxation_length": -1}, "relaxation length is -1; give a positive number"),
        ({"slip": None, "relaxation_length": 1}, "has a relaxation length and no slip law"),
        ({"radius": 0.3}, "radius and longitudinal slip are of a wheel that spins; give spin"),
        ({"spin": "turn", "radius": 0.3}, "spin takes a slip law with the data of longitudinal"),
        ({"spin": "turn", "slip": PASSENGER_TYRE}, "spin takes the rolling radius"),
        ({"rolling_speed": 0}, "rolling_speed is 0; give a positive number"),
    ],
)
def test_names_and_numbers_of_a_tyre_are_checked(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        _wheel(**changes).validate()
    assert message in str(caught.value) and __file__ in str(caught.value)


def test_a_heading_that_changes_with_time_is_noticed() -> None:
    system = System(_wheel(direction=("cos(t)", "sin(steer)", 0)))
    assert [a.name for a in KINDS["bias"].arguments(system)] == ["q", "u", "r", "t"]


def test_slip_forces_oppose_the_slip_in_reverse() -> None:
    model = eomc.build(single_track_car())
    names = model.output_names("element_outputs")
    for forward in (20.0, 0.0, -20.0):
        values = model.element_outputs([0, 0, 0, 0], [forward, 1.0, 0, 0], [0.0])
        assert values[names.index("rear.lateral_force")] < -100
