"""The tyre of the semitrailer: a kind of element that comes with the model that needs it, and is
known to everything that knows elements from then on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.functions import KINDS
from eomc.derive.model import Model, ModelError, Point
from eomc.derive.system import System
from eomc.systems import trom

_SCRIPT = """
from eomc.derive.model import Model
from eomc.systems import trom
assert "tyre" not in Model().tables()
truck = trom.semitrailer()
assert len(truck.tables()["tyre"]) == 10
assert truck.copy().tables()["tyre"] == truck.tables()["tyre"]
"""


def test_only_a_model_with_tyres_brings_the_element() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_files_hold_tyres() -> None:
    truck = trom.semitrailer()
    again = parse_toml(toml_text(truck))
    assert again == truck and len(again.tables()["tyre"]) == 10


def _wheel(**changes: object) -> Model:
    """A wheel welded to an axle that heaves."""
    from eomc.systems.trom.tyre import Tyre

    model = Model("wheel")
    model.input("steer")
    model.body("axle", mass=1, inertia=(1, 1, 1))
    model.joint("heave", "planar", parent="world", child="axle", axis=(0, 1, 0))
    model.body("hub")
    model.joint("weld", "fixed", parent="axle", child="hub", placement={"rpy": ("pi/2", 0, 0)})
    given = {"at": Point("hub", (0, 0, 1)), "stiffness": 1e3, "cornering": 3.0}
    model.add(Tyre("rubber", **(given | changes)))  # type: ignore[arg-type]
    return model


def test_merging_carries_a_tyre_and_its_heading() -> None:
    (tyre,) = _wheel(direction=(0, 0, 1)).reduced().tables()["tyre"].values()
    assert tyre.at == Point("axle", (0, -1, 0)) and tyre.direction == (0, -1, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"at": "hob"}, "tyre 'rubber': unknown body 'hob'; did you mean 'hub'"),
        ({"stiffness": "k"}, "tyre 'rubber': stiffness: unknown name 'k'"),
        ({"stiffness": "steer"}, "'steer' is one of the inputs; only parameters may stand here"),
        ({"damping": "1/0.0"}, "tyre 'rubber': damping"),
        ({"direction": (0, 0, 0)}, "tyre 'rubber': direction has zero length"),
    ],
)
def test_names_and_numbers_of_a_tyre_are_checked(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        _wheel(**changes).validate()
    assert message in str(caught.value) and __file__ in str(caught.value)


def test_a_heading_that_changes_with_time_is_noticed() -> None:
    system = System(_wheel(direction=("cos(t)", "sin(steer)", 0)))
    assert [a.name for a in KINDS["bias"].arguments(system)] == ["q", "u", "r", "t"]
