"""Files of any kind: the right reader, or one clear error; garbage never gets through."""

from __future__ import annotations

from pathlib import Path

import pytest
from ending import ending
from hypothesis import given, settings
from hypothesis import strategies as st
from model.test_toml import ARM as TOML_ARM
from model.test_urdf import ARM as URDF_ARM

from eomc.derive.formats import load, parse_toml, parse_urdf
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.model import Model, ModelError
from eomc.derive.model.options import with_base


def test_toml_options(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(TOML_ARM)
    assert load(path).coordinates == ("shoulder", "elbow")
    assert load(str(path), locked={"elbow": "m/2"}).coordinates == ("shoulder",)
    with pytest.raises(ModelError, match="'shoulder' \\(revolute\\)"):
        load(path, base="floating")
    assert load(path, base="fixed") == load(path)


def test_a_linkage_on_several_pivots_has_no_root() -> None:
    model = Model("bars")
    for body in "ab":
        model.body(body, mass=1, inertia=(1, 1, 1))
        model.joint(f"pivot_{body}", "revolute", parent="world", child=body, axis=(0, 0, 1))
    with pytest.raises(
        ModelError,
        match=r"leads 'pivot_a' \(revolute\), 'pivot_b' \(revolute\); weld one body, or declare",
    ):
        with_base(model, "floating")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("missing.toml", "there is no such file"),
        ("missing.urdf", "there is no such file"),
        ("missing.step", "valid: "),
        ("missing", "without suffix"),
        ("dir.toml", "is a directory"),
        ("binary.toml", "not UTF-8"),
        ("binary.urdf", "no valid XML"),
        ("a\x00b.toml", "cannot be read"),
        ("x" * 5000 + ".toml", "cannot be read"),
    ],
)
def test_files_that_are_no_models(tmp_path: Path, name: str, part: str) -> None:
    (tmp_path / "dir.toml").mkdir()
    for binary in ("binary.toml", "binary.urdf"):
        (tmp_path / binary).write_bytes(bytes(range(256)))
    with pytest.raises(ModelError) as caught:
        load(tmp_path / name)
    assert part in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_path_is_text() -> None:
    with pytest.raises(ModelError, match="not int"):
        load(3)  # type: ignore[arg-type]


def test_endless_files_are_refused() -> None:
    with pytest.raises(ModelError, match="longer than 32 MiB"):
        read_bytes("/dev/zero")


def outcome(read: object, *arguments: object) -> Model | None:
    """The model, or None after a `ModelError` of one line; any other exception fails the test."""
    try:
        with ending():
            model = read(*arguments)  # type: ignore[operator]
            model.validate(inertia="ignore")
    except ModelError as error:
        assert 0 < len(str(error)) < 3000
        assert "\n" not in str(error)
        return None
    assert isinstance(model, Model)
    return model


PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "[[",
            "]]",
            "[",
            "]",
            "{",
            "}",
            "=",
            '"',
            "'",
            "\n",
            "nan",
            "inf",
            "-1",
            "0",
            "1e999",
            "9**9**9",
        ]
    ),
    st.sampled_from(
        ["name", "body", "joint", "world", "kind", "mass", "axis", "true", "x", "shoulder"]
    ),
    st.sampled_from(
        ["<link", "<joint", "/>", ">", "</", "robot", "<!--", "&amp;", "&x;", "<![CDATA["]
    ),
)


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """`text` with some stretches cut out, doubled or replaced by pieces."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        piece = draw(st.one_of(PIECES, st.just(text[start:end] * 2), st.just("")))
        text = text[:start] + piece + text[end:]
    return text


fuzz = settings(max_examples=300)


@fuzz
@given(mutated(TOML_ARM))
def test_mutated_toml(text: str) -> None:
    outcome(parse_toml, text)


@fuzz
@given(mutated(URDF_ARM))
def test_mutated_urdf(text: str) -> None:
    outcome(parse_urdf, text.encode("utf-8", "surrogatepass"))


@fuzz
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    outcome(parse_urdf, data)
    outcome(parse_toml, data.decode("latin-1"))


VALUES = st.recursive(
    st.one_of(
        *(st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
        st.sampled_from(["shoulder", "upper", "m", "world", "sin(t)", "1/0", "m*", 'a"b', "\\"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["xyz", "rpy", "body", "joint"]), inner),
    ),
    max_leaves=6,
)
TABLES = {
    "parameter": ["value", "units", "tunable"],
    "input": ["units"],
    "body": ["mass", "com", "inertia", "inertia_about"],
    "joint": [
        "kind",
        "parent",
        "child",
        "axis",
        "pitch",
        "sequence",
        "placement",
        "damping",
        "lower",
        "upper",
        "mimic",
        "locked",
        "friction_speed",
        "rotor_inertia",
        "gear_ratio",
    ],
    "spring": ["a", "b", "stiffness", "law", "free_length"],
    "joint_spring": ["joint", "law", "stiffness"],
    "force": ["at", "direction", "frame", "magnitude"],
    "torque": ["body", "direction"],
    "potential": ["expression"],
    "generalized_force": ["speed", "expression"],
    "prescribed": [],
    "frame": ["body", "placement"],
}


def inline(value: object) -> str:
    """A TOML value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        shown = "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in value)
        return f'"{shown}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
    return repr(value)


@st.composite
def wrong_elements(draw: st.DrawFn) -> str:
    """A valid model with an element whose arguments are of any type and value."""
    table = draw(st.sampled_from(sorted(TABLES)))
    lines = [f"[[{table}]]", f"name = {inline(draw(VALUES))}"]
    keys = [key for key in TABLES[table] if draw(st.booleans())]
    lines += [f"{key} = {inline(draw(VALUES))}" for key in keys]
    return TOML_ARM + "\n" + "\n".join(lines)


@pytest.mark.slow
@fuzz
@given(wrong_elements())
def test_arguments_of_any_type(text: str) -> None:
    outcome(parse_toml, text)


@pytest.mark.slow
@fuzz
@given(st.sampled_from(sorted(TABLES)), st.data())
def test_python_arguments_of_any_type(table: str, data: st.DataObject) -> None:
    junk = st.one_of(
        VALUES, st.none(), st.binary(max_size=3), st.complex_numbers(), st.just(object())
    )
    model = parse_toml(TOML_ARM)
    arguments = {key: data.draw(junk) for key in TABLES[table] if data.draw(st.booleans())}
    required = {
        "value": 1,
        "kind": "fixed",
        "parent": "world",
        "child": "upper",
        "a": "upper",
        "b": "world",
        "at": "upper",
        "direction": (1, 0, 0),
        "body": "upper",
        "joint": "elbow",
        "expression": 1,
        "speed": "elbow",
    }
    for key in TABLES[table]:
        needed = key in required and not (
            table == "joint" and key not in ("kind", "parent", "child")
        )
        if needed and key not in arguments:
            arguments[key] = required[key]

    def declare() -> Model:
        getattr(model, table)(name=data.draw(junk), **arguments)
        return model

    outcome(declare)
