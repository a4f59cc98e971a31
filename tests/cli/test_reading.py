"""The commands that begin a model and show its equations."""

import json
from pathlib import Path

import pytest
import sympy
from cli.command import Command

import eomc as package


def test_a_new_model_builds_and_simulates(
    eomc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = eomc("new", "two-link_2")
    assert answer.code == 0 and answer.err == ""
    path = tmp_path / "two-link_2.toml"
    assert answer.out.splitlines()[0] == path.name
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    text = path.read_text()
    assert text.count("#") > 20 and max(map(len, text.splitlines())) <= 110
    model = package.load(path)
    assert (model.name, model.coordinates) == ("two-link_2", ("shoulder", "elbow"))
    run = json.loads(eomc("simulate", path, "--q", "shoulder=1", "--t-span", 1, "--json").out)
    assert run["energy"]["end"] < run["energy"]["start"]


def test_every_comment_of_a_new_model_can_become_a_declaration(
    eomc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert json.loads(eomc("new", "arm", "--json").out) == {"name": "arm", "file": "arm.toml"}
    text = Path("arm.toml").read_text()
    head, tail = text.split("away to try.\n")
    Path("more.toml").write_text(head + "\n" + tail.replace("\n# ", "\n"))
    model = package.load("more.toml")
    assert list(model.springs) == ["cord"] and list(model.inputs) == ["wind"]
    assert eomc("derive", "more.toml").code == 0


def test_new_never_overwrites(
    eomc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.toml").write_text("mine")
    for name in ("arm", "arm.toml"):
        assert "arm.toml exists already" in eomc("new", name).complaint
    assert Path("arm.toml").read_text() == "mine"
    for name in ("two words", "", "9", "a.b", "../", 'x"y', "nowhere/arm"):
        assert eomc("new", name).complaint
    assert [entry.name for entry in tmp_path.iterdir()] == ["arm.toml"]


def test_show_writes_text_and_latex(eomc: Command, pendulum: Path) -> None:
    assert eomc("show", pendulum, "mass_matrix").out == "M[0, 0] = l**2*m/3\n"
    assert eomc("show", pendulum, "mass_matrix", "--text").out == "M[0, 0] = l**2*m/3\n"
    latex = eomc("show", pendulum, "mass_matrix", "--latex").out
    assert latex.startswith("M = ") and r"\frac{l^{2} m}{3}" in latex
    report = json.loads(eomc("show", pendulum, "gravity", "--latex", "--json").out)
    (output,) = report["outputs"]
    assert output["shape"] == [1] and output["inputs"] == ["q"]
    assert r"\sin{\left(\mathrm{hinge} \right)}" in output["latex"]


def test_show_writes_replacements_that_give_the_same(eomc: Command, pendulum: Path) -> None:
    path = pendulum.parent / "double_pendulum.toml"
    closed = eomc("show", path, "mass_matrix").out
    short = eomc("show", path, "mass_matrix", "--cse").out
    assert not closed.startswith("x0 =") and short.startswith("x0 =")
    lines = [line.split(" = ") for line in short.splitlines()]
    values: dict[sympy.Symbol, sympy.Expr] = {}
    for name, text in lines:
        values[sympy.Symbol(name)] = sympy.sympify(text, locals={}).subs(values)
    for name, text in (line.split(" = ") for line in closed.splitlines()):
        difference = values[sympy.Symbol(name)] - sympy.sympify(text, locals={})
        assert sympy.simplify(difference) == 0


def test_show_of_several_outputs_and_of_large_ones(eomc: Command, pendulum: Path) -> None:
    names = ["da_dq", "da_du", "da_dtau"]
    report = json.loads(eomc("show", pendulum, "forward_dynamics_derivatives", "--json").out)
    assert [output["name"] for output in report["outputs"]] == names
    large = eomc("show", pendulum.parent / "panda.toml", "bias")
    assert large.code == 0 and large.out.startswith("x0 = ")


def test_show_lists_what_there_is(eomc: Command, pendulum: Path) -> None:
    listed = eomc("show", pendulum).out
    names = package.equations(package.load(pendulum)).function_names
    assert [line.split()[0] for line in listed.splitlines()] == list(names)
    assert list(json.loads(eomc("show", pendulum, "--json").out)) == list(names)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mas_matrix",), "did you mean 'mass_matrix'"),
        (("mass",), "center_of_mass"),
        (("nothing",), "valid: inverse_dynamics"),
        (("gravity", "--text", "--latex"), "exclude"),
        (("gravity", "--html"), "No such option"),
        (("gravity", "bias"), "unexpected extra argument"),
        (("",), "no quantity ''"),
    ],
)
def test_wrong_options_of_show(
    eomc: Command, pendulum: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in eomc("show", pendulum, *arguments).complaint


def test_derive_tells_cost_and_method(eomc: Command, pendulum: Path) -> None:
    report = json.loads(eomc("derive", pendulum, "--json").out)
    assert report["forward_dynamics"] == "factored mass matrix"
    assert 0 < report["seconds"] < 60
    assert report["functions"]["mass_matrix"] == {"arithmetic": 0, "operations": {}}
    counted = report["functions"]["gravity"]
    assert counted == {"arithmetic": 1, "operations": {"mul": 1, "sin": 1}}
    text = eomc("derive", pendulum).out
    assert "factored mass matrix" in text and "1 mul, 1 sin" in text


def test_arguments_and_packages_of_xacro_files(eomc: Command, tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="the package xacro is not installed")
    part = tmp_path / "parts" / "limbs"
    part.mkdir(parents=True)
    head = '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    mass = '<inertial><mass value="$(arg m)"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'  # noqa: E501
    (part / "limb.xacro").write_text(f'{head}<link name="a">{mass}</link></robot>')
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(
        f'{head}<xacro:arg name="m" default="1"/>'
        '<xacro:include filename="$(find limbs)/limb.xacro"/></robot>'
    )
    options = ("--package", part.parent, "--argument", "m=3", "--base", "floating_euler")
    answer = eomc("info", path, *options)
    assert answer.code == 0 and "nq = 6" in answer.out
    for word, message in (("m", "give NAME=VALUE"), ("n=3", "no argument 'n'")):
        answer = eomc("info", path, "--package", part.parent, "--argument", word)
        assert answer.code == 2 and message in answer.err
