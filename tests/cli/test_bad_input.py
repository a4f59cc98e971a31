"""Whatever is wrong with the input: one clear line, exit code 2, nothing left behind."""

import contextlib
import os
import tempfile
from pathlib import Path

import pytest
from cli.command import Answer, Command
from hypothesis import given, settings
from hypothesis import strategies as st

MALFORMED = {
    "body without joint": '[[body]]\nname = "a"\nmass = 1\n[[body]]\nname = "b"\nmass = 1\n',
    "doubled name": '[[body]]\nname = "a"\nmass = 1\n[[body]]\nname = "a"\nmass = 1\n',
    "no toml": "name = = 3",
    "unknown table": '[[bodies]]\nname = "a"\n',
}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--q", "hing=1"),
        ("--q", "hinge"),
        ("--q", "hinge=fast"),
        ("--q", "hinge=nan"),
        ("--u", "x=1"),
        ("--tau", "hinge=inf"),
        ("--input", "thrust=1"),
        ("--parameter", "k=1"),
        ("--t-span", "0"),
        ("--t-span", "-1"),
        ("--t-span", "inf"),
        ("--t-span", "soon"),
        ("--step", "0"),
        ("--step", "nan"),
        ("--step", "1e-30"),
        ("--rtol", "0"),
        ("--atol", "nan"),
        ("--method", "Euler"),
        ("--base", "flying"),
        ("--locked", "knee"),
        ("--locked", "hinge=x"),
        ("--nonsense",),
        ("--out",),
        ("surplus",),
        ("--locked", "hinge"),
        ("--prescribed", "hinge=1"),
        ("--animation", "swing.avi"),
        ("--animation", "no-such-folder/swing.gif"),
        ("--animation-speed", "0"),
        ("--t-span", "1e9", "--animation", "swing.gif"),
        ("--t-span", "1e300", "--animation", "swing.gif"),
    ],
)
def test_wrong_options_of_simulate(
    eomc: Command, pendulum: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    out = tmp_path / "results"
    model = (pendulum,) if arguments else ()
    answer = eomc("simulate", *model, "--out", out, *arguments)
    assert answer.complaint
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--real", "half"),
        ("--function", "mass"),
        ("--frame", "tip"),
        ("--tunable", "k"),
        ("--compiler", "no-such-compiler"),
        ("--name", "two words"),
        ("--name", ""),
        ("--frame", "rod", "--locked", "hinge=1e999"),
    ],
)
def test_wrong_options_of_build(
    eomc: Command, pendulum: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    answer = eomc("build", pendulum, "--out", tmp_path / "c", *arguments)
    assert answer.complaint
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", ["info", "build", "derive", "show", "simulate", "equilibrium", "linearize", "modes"]
)
def test_wrong_paths(eomc: Command, tmp_path: Path, command: str) -> None:
    assert "does not exist" in eomc(command, tmp_path / "no.toml").complaint
    assert "is a folder" in eomc(command, tmp_path).complaint
    other = tmp_path / "model.step"
    other.write_text("<robot/>")
    assert "'.toml', '.urdf'" in eomc(command, other).complaint
    assert "No such command" in eomc(f"{command}x").complaint


def test_a_file_in_place_of_a_folder(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("precious")
    assert "taken" in eomc("simulate", pendulum, "--t-span", 0.1, "--out", taken).complaint
    assert "taken" in eomc("build", pendulum, "--out", taken, "--sources-only").complaint
    assert "taken" in eomc("simulate", pendulum, "--t-span", 0.1, "--out", taken / "in").complaint
    assert taken.read_text() == "precious"


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_model_is_told_with_its_file(eomc: Command, tmp_path: Path, text: str) -> None:
    path = tmp_path / "model.toml"
    path.write_text(text)
    assert "model.toml" in eomc("info", path).complaint


def test_a_run_that_diverges(eomc: Command, tmp_path: Path) -> None:
    path = tmp_path / "line.toml"
    path.write_text(
        'name = "line"\n[[body]]\nname = "b"\nmass = 1\n[[joint]]\nname = "x"\n'
        'kind = "prismatic"\nparent = "world"\nchild = "b"\naxis = [1, 0, 0]\n'
        '[[generalized_force]]\nname = "f"\nspeed = "x"\nexpression = "2*x**3"\n'
    )
    options = ("--q", "x=1", "--u", "x=1", "--out", tmp_path / "out", "--rtol", 1e-5)
    assert "stopped at t = " in eomc("simulate", path, *options).complaint
    assert [entry.name for entry in tmp_path.iterdir()] == ["line.toml"]


def test_a_fault_of_our_own_says_how_to_see_it(
    eomc: Command, pendulum: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("unexpected\nin two lines")

    monkeypatch.setattr("eomc.derive.equations.equations", fail)
    answer = eomc("info", pendulum)
    assert answer.code == 1
    assert answer.err.count("\n") == 1 and "EOMC_TRACEBACK=1" in answer.err
    monkeypatch.setenv("EOMC_TRACEBACK", "1")
    assert "Traceback" in eomc("info", pendulum).err


def _refused_or_fine(answer: Answer) -> None:
    assert answer.code in (0, 2), answer.err
    if answer.code == 2:
        assert answer.complaint


_settings = settings(max_examples=40)
_words = st.sampled_from(
    ["name", "body", "joint", "mass", "inertia", "kind", "axis", "parent", "revolute", "world"]
)
_toml = st.lists(
    st.one_of(
        st.builds("{} = {}".format, _words, st.one_of(st.integers(), st.floats(), _words)),
        st.builds("[[{}]]".format, _words),
        st.builds('{} = "{}"'.format, _words, _words),
        st.text(max_size=20),
    ),
    max_size=12,
).map("\n".join)


@_settings
@given(st.one_of(_toml.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=80)))
def test_garbage_in_toml(eomc: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "garbage.toml"
    path.write_bytes(content)
    _refused_or_fine(eomc("build", path, "--out", tmp_path / "out", "--sources-only"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["garbage.toml"]


_tags = st.sampled_from(["robot", "link", "joint", "inertial", "mass", "inertia", "origin", "axis"])
_xml = st.recursive(
    st.builds("<{0} name='{1}' value='{2}'/>".format, _tags, _words, st.floats()),
    lambda inner: st.builds(
        "<{0} name='{1}'>{2}</{0}>".format, _tags, _words, st.lists(inner, max_size=3).map("".join)
    ),
    max_leaves=8,
)


@_settings
@given(st.one_of(_xml.map(str.encode), st.binary(max_size=80)))
def test_garbage_in_urdf(eomc: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "garbage.urdf"
    path.write_bytes(content)
    _refused_or_fine(eomc("build", path, "--out", tmp_path / "out", "--sources-only"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["garbage.urdf"]


@_settings
@given(st.lists(st.text(max_size=12), max_size=4))
def test_garbage_in_options(eomc: Command, pendulum: Path, words: list[str]) -> None:
    answer = eomc("info", pendulum, *[word for word in words if word not in ("-h", "--help")])
    _refused_or_fine(answer)


_texts = [
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "0.1",
    "1e-300",
    "hinge=",
    "hinge=nan",
    "hinge=0.2",
    "=1",
    "hinge",
    "l=0.3",
    "l=-1",
    "a=b=c",
    ",",
    "hinge=1,hinge=2",
    "rk4",
    "mass_matrix",
    "hinge=t",
    "t",
    "sin(",
    "hinge=9**9**9",
    "x.gif",
    "no/x.mp4",
    ".",
    "--",
    "true",
    "float",
]
_values = st.one_of(st.text(max_size=8), st.sampled_from(_texts))
_options = {
    "simulate": (
        "--t-span",
        "--step",
        "--method",
        "--rtol",
        "--atol",
        "--q",
        "--u",
        "--tau",
        "--input",
        "--parameter",
        "--prescribed",
        "--animation",
        "--animation-speed",
        "--base",
        "--locked",
        "--no-damping",
    ),
    "equilibrium": (
        "--q",
        "--u",
        "--tau",
        "--parameter",
        "--solve-for",
        "--fixed",
        "--targets",
        "--adjust",
        "--steady-turn",
        "--along",
        "--base",
        "--locked",
    ),
    "linearize": (
        "--q",
        "--u",
        "--tau",
        "--parameter",
        "--solve-for",
        "--fixed",
        "--output",
        "--method",
        "--base",
        "--locked",
        "--equilibrium",
    ),
    "modes": (
        "--q",
        "--u",
        "--tau",
        "--parameter",
        "--solve-for",
        "--fixed",
        "--no-equilibrium",
        "--base",
        "--locked",
    ),
    "build": ("--function", "--frame", "--tunable", "--real", "--name", "--base", "--locked"),
    "emit": ("--function", "--frame", "--tunable", "--real", "--name", "--target", "--lanes"),
    "show": ("--latex", "--cse", "--base", "--locked", "mass_matrix"),
    "verify": ("--check", "--states", "--seed", "--report", "--base", "--locked"),
    "derive": ("--base", "--locked"),
}
_fixed = {
    "simulate": ("--t-span", "0.05", "--json"),
    "build": ("--sources-only", "--json"),
    "emit": ("--json",),
    "equilibrium": ("--json",),
    "linearize": ("--json",),
    "modes": ("--json",),
    "verify": ("--check", "mass matrix", "--quick", "--json"),
}


@_settings
@given(st.data())
def test_garbage_as_values_of_options(eomc: Command, pendulum: Path, data: st.DataObject) -> None:
    command = data.draw(st.sampled_from(sorted(_options)))
    drawn = st.tuples(st.sampled_from(_options[command]), _values)
    words = [word for pair in data.draw(st.lists(drawn, min_size=1, max_size=3)) for word in pair]
    words = [word for word in words if word not in ("-h", "--help")]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        out = ("--out", "out") if command in ("simulate", "build", "emit") else ()
        answer = eomc(command, pendulum, *_fixed.get(command, ()), *words, *out)
        assert answer.code in (0, 2) or (command, answer.code) == ("verify", 3), answer.err
        if answer.code == 2:
            assert answer.complaint
            assert not os.listdir(folder)
