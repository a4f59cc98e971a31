"""Old names are errors that tell the new one; old files and manifests are read with a warning."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import eomc
import eomc.runtime
from eomc.cli import main
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_version import TABLES
from eomc.derive.language.errors import ModelError
from eomc.runtime.model.manifest_version import upgrade
from eomc.runtime.names.renamed import MOVED, OPTIONS

PENDULUM = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"
OLD = """
name = "arm"
[[body]]
name = "rod"
mass = 1
com = [0, 0, -1]
[[joint]]
name = "a"
kind = "revolute"
parent = "world"
child = "rod"
axis = [0, 1, 0]
[[{}]]
name = "a"
"""


@pytest.mark.parametrize(
    ("call", "new"),
    [
        (lambda: eomc.simulate(PENDULUM, t=1.0), "simulate: the argument 't' is now 't_span'"),
        (lambda: eomc.equilibrium(PENDULUM, wanted={}), "'wanted' is now 'targets'"),
        (lambda: eomc.assemble(PENDULUM, held="hinge"), "'held' is now 'fixed'"),
        (lambda: eomc.linearize(PENDULUM, motion=None), "'motion' is now 'prescribed'"),
        (
            lambda: eomc.Model().deformable("b", form="beam", length=1),
            "deformable: the argument 'form' is now 'kind'",
        ),
        (lambda: eomc.Model().joint("j", "universal", axis2=(1, 0, 0)), "is now 'axis_2'"),
        (lambda: eomc.Model().cable("c", [], 1, form="work"), "'form' is now 'elasticity'"),
    ],
)
def test_an_old_argument_names_the_new_one(call: Any, new: str) -> None:
    with pytest.raises(TypeError, match=new):
        call()


def test_a_wrong_argument_within_a_function_is_reported_as_it_is() -> None:
    def controller(t: float, q: Any, u: Any) -> Any:
        return int(hold=1)  # type: ignore[call-overload]

    with pytest.raises(Exception, match="hold") as raised:
        eomc.simulate(PENDULUM, t_span=0.1, controller=controller)
    assert "is now" not in str(raised.value)


@pytest.mark.parametrize(("old", "new"), OPTIONS.items())
def test_an_old_option_names_the_new_one(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", str(PENDULUM), old, "1"]) == 2
    assert f"option {old} is now {new}" in capsys.readouterr().err


@pytest.mark.parametrize("old", [name for name in MOVED if name.count(".") < 3])
def test_a_moved_name_tells_where_it_is(old: str) -> None:
    package, _, name = old.rpartition(".")
    with pytest.raises(AttributeError, match=f"it is now {MOVED[old]}"):
        getattr({"eomc": eomc, "eomc.runtime": eomc.runtime}[package], name)


@pytest.mark.parametrize("old", ["prescribe", "drive", "guess"])
def test_a_file_of_version_1_is_read_with_one_warning(old: str) -> None:
    text = OLD.format(old) + ("value = 0.1" if old == "guess" else "")
    with pytest.warns(UserWarning, match=rf"\[\[{old}\]\] is now") as told:
        model = parse_toml(text)
    assert len([one for one in told if "version 1" in str(one.message)]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new = parse_toml(text.replace(f"[[{old}]]", f"[[{TABLES[old]}]]"))
    assert new.speeds == model.speeds
    with pytest.raises(ModelError, match=rf"\[\[{old}\]\] is now"):
        parse_toml("version = 2\n" + text)


PARTS = {
    "contact": (
        'shape = { sphere = "b", radius = 1 }\nsurface = { plane = "world" }\n'
        "normal = { hertz = 1e5, "
        "radius = 1 }\nfriction = { coulomb = 0.1 }",
        'shape = { kind = "sphere", at = "b", radius = 1 }\n'
        'surface = { kind = "plane", at = "world" }\n'
        'normal = { kind = "hertz", modulus = 1e5, radius = 1 }\n'
        'friction = { kind = "coulomb", coefficient = 0.1 }',
    ),
    "cable": (
        'modulus = 1\nlength = 1\nroute = ["b", { at = "world", friction = 0.1 }, '
        '{ winch = "world", '
        "axis = [0, 1, 0], radius = 0.1, sense = 1 }]",
        'modulus = 1\nlength = 1\nroute = ["b", { kind = "eyelet", at = "world", friction = 0.1 }, '
        '{ kind = "winch", at = "world", axis = [0, 1, 0], radius = 0.1, sense = 1 }]',
    ),
    "visual": (
        'body = "b"\nshape = { tube = 0.2, inner = 0.1, length = 1 }',
        'body = "b"\nshape = { kind = "tube", radius = 0.2, inner = 0.1, length = 1 }',
    ),
    "constraint": (
        'kind = "rolling_contact"\nshape = { disc = "b", radius = 1 }\n'
        'surface = { plane = "world" }',
        'kind = "rolling_contact"\nshape = { kind = "disc", at = "b", radius = 1 }\n'
        'surface = { kind = "plane", at = "world" }',
    ),
    "deformable": (
        'form = "rod"\nlength = 1\nmass_per_length = 1\nEI = 1\n'
        'strains = { bend_z = { basis = "legendre", functions = 2 } }',
        'kind = "rod"\nlength = 1\nmass_per_length = 1\nEI = 1\n'
        'strains = { bend_z = { kind = "legendre", functions = 2 } }',
    ),
}


@pytest.mark.parametrize("table", PARTS)
def test_parts_of_version_1_are_read_with_one_warning(table: str) -> None:
    """The word of a kind was the key of its first field."""
    body = 'name = "m"\n[[body]]\nname = "b"\nmass = 1\n'
    old, new = (f"{body}[[{table}]]\nname = 'x'\n{text}" for text in PARTS[table])
    with pytest.warns(UserWarning, match="is now") as told:
        model = parse_toml(old, check=False)
    assert len([one for one in told if "version 1" in str(one.message)]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse_toml("version = 2\n" + new, check=False) == model
    with pytest.raises(ModelError, match="is now"):
        parse_toml("version = 2\n" + old, check=False)


def test_a_later_version_is_refused() -> None:
    with pytest.raises(ModelError, match="version is 3; valid: 1, 2"):
        parse_toml('version = 3\nname = "arm"')


def test_a_manifest_of_version_1_is_read_with_one_warning() -> None:
    manifest: dict[str, Any] = {
        "name": "arm",
        "metadata": {"guess": {"a": 1.0}, "joints": [{"rides": True}]},
        "integrators": [{"held": [], "timed": False}],
    }
    with pytest.warns(UserWarning, match="guess is now initial_guess") as told:
        upgrade(manifest)
    assert len(told) == 1
    assert manifest["metadata"] == {"initial_guess": {"a": 1.0}, "joints": [{"moving_base": True}]}
    assert manifest["integrators"] == [{"zero_order_hold": [], "time_dependent": False}]
    with pytest.raises(ValueError, match="version 3"):
        upgrade({"version": 3})
