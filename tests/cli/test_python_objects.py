"""Systems that Python code declares, on the command line: MODULE:OBJECT and FILE.py:OBJECT."""

import json
import sys
from pathlib import Path

import pytest
from cli.command import Command

CODE = """
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols
import eomc

theta = dynamicsymbols("theta")
m, l, g = sp.symbols("m l g")
VALUES = {m: 1.0, l: 0.5, g: 9.81}
T, V = m * l**2 * theta.diff() ** 2 / 2, -m * g * l * sp.cos(theta)
swing = eomc.LagrangianSystem("swing", [theta], T, V, parameters=VALUES, tunable=[l])

def bodies():
    model = eomc.Model("bodies")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("theta", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return model

def hanging(links, *more, heavy=True):
    return bodies()

class Kept:
    swing = swing
"""


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a module ``swinging``."""
    (tmp_path / "swinging.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "swinging", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        *("swinging:swing", "swinging.py:swing", "swinging:Kept.swing"),
        *("./swinging.py:swing", "swinging:bodies", "swinging.py:bodies"),
    ],
)
def test_a_system_is_named_by_its_module_or_file(eomc: Command, code: Path, name: str) -> None:
    found = json.loads(eomc("equilibrium", name, "--q", "theta=0.2", "--json").out)
    assert found["q"]["theta"] == pytest.approx(0.0, abs=1e-9)
    assert json.loads(eomc("info", name, "--json").out)["coordinates"] == ["theta"]


def test_info_tells_what_there_is(eomc: Command, code: Path) -> None:
    told = eomc("info", "swinging:swing").out
    assert "nq = 1, nu = 1" in told and "coordinates\n  theta" in told and "parameters" in told
    assert "bodies" not in told
    (line,) = [line for line in told.splitlines() if line.split()[:1] == ["l"]]
    assert "0.5" in line


def test_parameters_inputs_and_states_are_checked(eomc: Command, code: Path) -> None:
    longer = json.loads(eomc("linearize", "swinging:swing", "--parameter", "l=2", "--json").out)
    assert longer["first_order"]["A"][1][0] == pytest.approx(-9.81 / 2)
    assert "no 'angle' here" in eomc("simulate", "swinging:swing", "--q", "angle=1").complaint
    assert "no 'F' here" in eomc("simulate", "swinging:swing", "--input", "F=1").complaint


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("swinging:missing", "has no attribute 'missing'"),
        ("nowhere_at_all:swing", "No module named"),
        ("nowhere.py:swing", "give a Python file that exists"),
        ("swinging:VALUES", "is a dict; give a Model"),
        ("swinging:hanging", "hanging() needs 'links'"),
        ("broken.py:swing", "ZeroDivisionError"),
        ("swinging", "does not exist"),
    ],
)
def test_what_is_no_system_is_refused(eomc: Command, code: Path, name: str, complaint: str) -> None:
    (code / "broken.py").write_text("1 / 0\n")
    assert complaint in eomc("info", name).complaint


def test_options_of_files_are_refused(eomc: Command, code: Path) -> None:
    answer = eomc("build", "swinging:swing", "--free-mimic").complaint
    assert "--free-mimic: of model files" in answer


def test_nothing_is_executed_unless_it_is_named(eomc: Command, code: Path) -> None:
    """A file that only looks like one is read as a file."""
    (code / "swinging.toml").write_text('[model]\nname = "a"\n')
    mark = code / "mark"
    (code / "writes.py").write_text(f"open({str(mark)!r}, 'w')\n")
    assert "unknown kind of file '.py'" in eomc("info", "writes.py").complaint
    odd = code / "writes:swing"
    odd.write_text("")
    eomc("info", "writes:swing")
    assert not mark.exists()
    eomc("info", "writes.py:swing")
    assert mark.exists()
