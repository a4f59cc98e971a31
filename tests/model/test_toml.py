"""Model files: exact round trips, lines of errors, unknown words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from ending import ending
from hypothesis import given, settings
from hypothesis import strategies as st
from model.random_models import models

from eomc.derive.formats import load, parse_toml, read_toml, toml_text, write_toml
from eomc.derive.model import Model, ModelError

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.toml"))

ARM = """\
name = "arm"
gravity = [0, 0, "-g"]   # a comment with [[body]] in it
description = '''
[[body]]
name = "not a body"
'''

[[parameter]]
name = "g"
value = 9.81

[[body]]
name = "upper"
mass = 1.5
inertia = [0.1, 0.1, 0.01]

[[ joint ]]
name = "shoulder"
kind = "revolute"
parent = "world"
child = "upper"
axis = [0, 1, 0]
placement = { xyz = [0, 0, 1], rpy = ["pi/2", 0, 0] }

[[body]]
name = "lower"
mass = "m"

[[joint]]
name = "elbow"
kind = "prismatic"
parent = "upper"
child = "lower"
axis = [1, 0, 0]
lower = -inf
upper = 0.5

[[parameter]]
name = "m"
value = "1/3"
"""


@pytest.mark.slow
@settings(max_examples=80)
@given(models())
def test_written_models_read_back_equal(model: Model) -> None:
    text = toml_text(model)
    again = parse_toml(text)
    assert again == model
    assert toml_text(again) == text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_read_and_write(path: Path, tmp_path: Path) -> None:
    model = load(path)
    assert model.name == path.stem
    write_toml(model, tmp_path / "again.toml")
    again = load(tmp_path / "again.toml")
    assert again == model
    assert len(again.coordinates) >= 1


def test_there_are_examples() -> None:
    assert {"pendulum", "double_pendulum", "furuta", "spring_mass"} <= {
        path.stem for path in EXAMPLES
    }


def test_elements_know_their_lines() -> None:
    model = parse_toml(ARM, "arm.toml")
    assert str(model.bodies["upper"].source) == "arm.toml:12"
    assert str(model.bodies["lower"].source) == "arm.toml:25"
    assert str(model.joints["shoulder"].source) == "arm.toml:17"
    assert str(model.parameters["m"].source) == "arm.toml:38"
    assert parse_toml(toml_text(model)) == model


def test_inline_tables_have_a_line_too() -> None:
    text = 'name = "m"\n\nbody = [\n  { name = "a", mass = -1 },\n]\n'
    with pytest.raises(ModelError, match=r"^f:3: body 'a': no joint connects"):
        parse_toml(text, "f")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "arm"', 'nam = "arm"', "arm.toml:1: unknown key 'nam'; did you mean 'name'?"),
        (
            '[[body]]\nname = "lower"',
            '[[bdy]]\nname = "lower"',
            "arm.toml:25: unknown key 'bdy'; did you mean 'body'?",
        ),
        ("mass = 1.5", "mas = 1.5", "arm.toml:12: body 'upper': unknown key 'mas'; did you mean"),
        ("mass = 1.5", "mass = true", "arm.toml:12: body 'upper': mass: True is no number"),
        ("mass = 1.5", "mass = nan", "arm.toml:12: body 'upper': mass: nan is not finite"),
        ("mass = 1.5", "mass = -1.5", "arm.toml:12: body 'upper': mass is -1.5"),
        ("mass = 1.5", "mass = 1979-05-27", "arm.toml:12: body 'upper': mass: date is neither"),
        ("mass = 1.5", 'mass = "m*"', "arm.toml:12: body 'upper': mass: 'm*': a number, name"),
        ("mass = 1.5", 'mass = "mm"', "arm.toml:12: body 'upper': mass: unknown name 'mm'; did"),
        ("[0, 1, 0]", "[0, 0, 0]", "arm.toml:17: joint 'shoulder': axis has zero length"),
        (
            'name = "lower"',
            'name = "upper"',
            "arm.toml:25: body 'upper': there are two of this name (first at arm.toml:12)",
        ),
        ('kind = "prismatic"\n', "", "arm.toml:29: joint 'elbow': needs kind"),
        ("upper = 0.5", "uper = 0.5", "arm.toml:29: joint 'elbow': unknown key 'uper'; did"),
        (
            "xyz = [0, 0, 1]",
            "xzy = [0, 0, 1]",
            "arm.toml:17: joint 'shoulder': placement: unknown key 'xzy'",
        ),
        ("axis = [1, 0, 0]", "axis = [1, 0, 0", "arm.toml:35: no valid TOML: Unclosed array"),
        ("[[ joint ]]", "[joint]", "no valid TOML"),
        ('name = "arm"', "name = 3", "arm.toml:1: model '3': the name is text"),
        ('gravity = [0, 0, "-g"]', "gravity = 9.81", "arm.toml:1: model 'arm': gravity: give 3"),
    ],
)
def test_errors_name_file_line_element(old: str, new: str, message: str) -> None:
    assert old in ARM
    with pytest.raises(ModelError) as caught:
        parse_toml(ARM.replace(old, new, 1), "arm.toml")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text", ["body = 3", 'body = ["a"]', "[body]\nname = 'a'", "[body.a]\nmass = 1"]
)
def test_tables_that_are_no_list_of_tables(text: str) -> None:
    with pytest.raises(ModelError, match=r"f:1: write each body as \[\[body\]\]"):
        parse_toml(text, "f")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{ a = " * 100_000,
        "a" + ".a" * 50_000 + " = 1",
        "[a" + " . a" * 50_000 + "]",
        "a = " + "9" * 100_000,
        "a = '''" + "#" * 1_000_000,
        '"' * 100_001,
        '"' + '\\"' * 100_000,
        "a" * 1_000_000,
        "a " * 500_000,
        "[[body]]\n" * 20_000,
        "[[body]]\nname = '" + "x" * 1_000_000 + "'",
    ],
    ids=lambda text: text[:12],
)
def test_hostile_files_are_refused_quickly(text: str) -> None:
    with ending(), pytest.raises(ModelError) as caught:
        parse_toml(text)
    assert len(str(caught.value)) < 1000


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    target = tmp_path / "m.toml"
    target.write_text("old")
    with pytest.raises(ModelError, match="cannot be written"):
        write_toml(Model("m"), tmp_path / "missing" / "m.toml")
    with pytest.raises(ModelError, match="cannot be written"):
        write_toml(Model("m"), tmp_path)
    assert target.read_text() == "old"
    write_toml(Model("m"), target)
    assert read_toml(target) == Model("m")
    assert [path.name for path in tmp_path.iterdir()] == ["m.toml"]


@settings(max_examples=200)
@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_description_is_kept(text: str) -> None:
    written = toml_text(Model("m", description=text))
    assert tomllib.loads(written).get("description", "") == text
    assert parse_toml(written).description == text
