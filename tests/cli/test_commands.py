"""The commands do what they say: modules, files, reports, JSON."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.command import Command
from PIL import Image
from scipy.integrate import solve_ivp

from eomc.runtime import load

COMMANDS = (
    *("build", "derive", "equilibrium", "info", "linearize", "modes", "report", "show"),
    "simulate",
)


def test_help_shows_every_command_and_an_example_of_each(eomc: Command) -> None:
    start = eomc("--help")
    assert start.code == 0
    for command in (*COMMANDS, "cache", "new"):
        assert f"  {command} " in start.out
    for command in COMMANDS:
        answer = eomc(command, "--help")
        assert answer.code == 0
        assert "Example:" in answer.out and f"eomc {command} " in answer.out
        for option in ("--base", "--locked", "--free-mimic", "--no-damping", "--no-friction"):
            assert option in answer.out
    assert eomc().out == start.out
    assert eomc("--version").out.startswith("eomc ")


def test_help_loads_nothing_heavy() -> None:
    program = """
import sys
from eomc.cli import main
assert main(["--help"]) == 0
heavy = {"numpy", "scipy", "sympy", "matplotlib", "eomc.derive", "eomc.runtime", "eomc.codegen"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_module_is_a_command(pendulum: Path) -> None:
    command = [sys.executable, "-m", "eomc", "info", str(pendulum), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["coordinates"] == ["hinge"]
    missing = subprocess.run([*command[:3], "info", "nowhere.toml"], capture_output=True, text=True)
    assert missing.returncode == 2
    assert missing.stderr.count("\n") == 1 and "nowhere.toml does not exist" in missing.stderr


@pytest.mark.slow
def test_a_reader_that_stops_early_is_left_in_peace(pendulum: Path) -> None:
    command = f"{sys.executable} -m eomc info {pendulum} | true"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True
    )
    assert done.returncode in (0, 1)
    assert done.stderr == ""


def test_build_compiles_once_and_says_where(
    eomc: Command, pendulum: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EOMC_CACHE_DIR", str(tmp_path / "cache"))
    answer = eomc("build", pendulum, "--function", "mass_matrix", "--json")
    first = json.loads(answer.out)
    assert answer.code == 0 and answer.err == ""
    assert first["compiled"] is True
    second = json.loads(eomc("build", pendulum, "--function", "mass_matrix", "--json").out)
    assert second["compiled"] is False
    assert second["library"] == first["library"]
    # A rod of 1.5 kg and 0.5 m about its end: m l^2 / 3.
    assert load(first["library"]).mass_matrix([0.0]) == pytest.approx(np.array([[0.125]]))
    text = eomc("build", pendulum, "--function", "mass_matrix").out
    assert "in the cache" in text and first["library"] in text


def test_build_leaves_sources(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    out = tmp_path / "c" / "files"
    options = ("--sources-only", "--real", "float", "--name", "rod", "--tunable", "all")
    report = json.loads(eomc("build", pendulum, "--out", out, *options, "--json").out)
    assert report == {"name": "pendulum", "sources": str(out)}
    names = {path.name for path in out.iterdir()}
    assert names == {"rod.h", "rod.c", "rod.json", "CMakeLists.txt"}
    manifest = json.loads((out / "rod.json").read_text())
    assert manifest["real"] == "float"
    assert {entry["name"] for entry in manifest["parameters"]} >= {"m", "l"}


def test_emit_writes_a_python_module_if_asked(
    eomc: Command, pendulum: Path, tmp_path: Path
) -> None:
    eomc("emit", pendulum, "--out", tmp_path / "c", "--no-self-test")
    eomc("emit", pendulum, "--out", tmp_path / "both", "--no-self-test", "--python")
    alone, both = ({p.name for p in (tmp_path / name).iterdir()} for name in ("c", "both"))
    assert not {name for name in alone if name.endswith((".py", ".pyx"))}
    assert both - alone >= {"pendulum_module.pyx", "pendulum_table.c", "setup.py"}


def test_info_counts_operations(eomc: Command, pendulum: Path) -> None:
    report = json.loads(eomc("info", pendulum, "--json").out)
    assert (report["nq"], report["nu"]) == (1, 1)
    assert [body["name"] for body in report["bodies"]] == ["rod"]
    assert [joint["name"] for joint in report["joints"]] == ["hinge"]
    assert report["operations"]["mass_matrix"] == 0
    text = eomc("info", pendulum).out
    assert "revolute" in text and "world -> rod" in text and "forward_dynamics" in text


@pytest.mark.slow
def test_info_of_every_example(eomc: Command, pendulum: Path) -> None:
    for path in sorted(pendulum.parent.glob("*.toml")):
        answer = eomc("info", path, "--json")
        assert answer.code == 0, (path, answer.err)
        report = json.loads(answer.out)
        assert report["nq"] == len(report["coordinates"]) > 0
        assert eomc("info", path).code == 0


def test_info_where_nothing_can_move(eomc: Command, tmp_path: Path) -> None:
    file = tmp_path / "still.urdf"
    joint = '<joint name="j" type="fixed"><parent link="base"/><child link="a"/></joint>'
    file.write_text(f'<robot name="still"><link name="base"/><link name="a"/>{joint}</robot>')
    answer = eomc("info", file)
    assert answer.code == 0 and "still: nq = 0, nu = 0" in answer.out


def test_options_change_the_model(eomc: Command, tmp_path: Path) -> None:
    urdf = tmp_path / "two.urdf"
    urdf.write_text(TWO_JOINTS)
    assert json.loads(eomc("info", urdf, "--json").out)["coordinates"] == ["hip"]
    free = json.loads(eomc("info", urdf, "--free-mimic", "--base", "floating", "--json").out)
    assert free["coordinates"][-2:] == ["hip", "knee"] and free["nq"] == 9
    locked = json.loads(eomc("info", urdf, "--free-mimic", "--locked", "hip=0.5", "--json").out)
    assert locked["coordinates"] == ["knee"]
    operations = [
        json.loads(eomc("info", urdf, *options, "--json").out)["operations"]["bias"]
        for options in ((), ("--no-damping",), ("--no-damping", "--no-friction"))
    ]
    assert operations[0] > operations[1] > operations[2]


def test_what_is_odd_in_a_model_is_a_warning(eomc: Command, tmp_path: Path) -> None:
    urdf = tmp_path / "odd.urdf"
    urdf.write_text(TWO_JOINTS.replace('izz="1"', 'izz="9"', 1))
    answer = eomc("info", urdf, "--base", "floating", "--json")
    assert json.loads(answer.out)["name"] == "two"
    (line,) = answer.err.splitlines()
    assert line.startswith("eomc: warning: ") and "triangle inequality" in line


def test_simulate_leaves_table_and_picture(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "swing"
    options = ("--q", "hinge=0.5", "--t-span", 2, "--step", 0.01, "--out", out, "--json")
    answer = eomc("simulate", pendulum, *options)
    assert answer.code == 0 and answer.err == ""
    report = json.loads(answer.out)
    assert report["files"] == [str(out / "pendulum.csv"), str(out / "pendulum.png")]
    assert sorted(path.name for path in out.iterdir()) == ["pendulum.csv", "pendulum.png"]
    assert (out / "pendulum.png").read_bytes().startswith(b"\x89PNG")
    with (out / "pendulum.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 201 == report["points"]
    assert float(rows[0]["hinge [rad]"]) == 0.5
    assert float(rows[-1]["hinge [rad]"]) == report["q"]["hinge"]
    assert report["energy"]["end"] == pytest.approx(report["energy"]["start"], rel=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def test_simulate_records_more_on_request(eomc: Command, tmp_path: Path) -> None:
    """A mass on a spring, falling: reactions, frames, energies and the spring's force."""
    (tmp_path / "hung.toml").write_text(
        """
name = "hung"
gravity = [0, 0, -10]

[[body]]
name = "weight"
mass = 2
com = [0, 0, 0]

[[joint]]
name = "drop"
kind = "prismatic"
parent = "world"
child = "weight"
axis = [0, 0, 1]

[[spring]]
name = "coil"
a = { body = "world", xyz = [0, 0, 1] }
b = { body = "weight" }
stiffness = 100
free_length = 0.8
"""
    )
    out = tmp_path / "out"
    options = ("simulate", tmp_path / "hung.toml", "--t-span", 0.2, "--step", 0.1, "--out", out)
    answer = eomc(*options, "--output", "energy,frames", "--output", "outputs,reactions")
    assert answer.code == 0, answer.err
    with (out / "hung.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["weight.z [m]"]) for row in rows] == [float(row["drop [m]"]) for row in rows]
    for row in rows:
        z, v = float(row["drop [m]"]), float(row["speed(drop) [m/s]"])
        energy = v**2 + 20 * z + 50 * (0.2 - z) ** 2
        assert float(row["energy [J]"]) == pytest.approx(energy, abs=1e-9)
        assert float(row["kinetic_energy [J]"]) == pytest.approx(v**2, abs=1e-12)
        assert float(row["coil.tension [N]"]) == pytest.approx(100 * (0.2 - z), abs=1e-9)
        assert float(row["force(drop).z [N]"]) == pytest.approx(0.0, abs=1e-9)
    refused = eomc(*options, "--output", "energie")
    assert "did you mean 'energy'?" in refused.complaint
    assert "--out FOLDER" in eomc(*options[:-2], "--output", "all").complaint


@pytest.mark.slow
def test_report_writes_one_page(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    page = tmp_path / "told.html"
    options = ("--t-span", 1, "--q", "hinge=0.5", "--no-live", "--out", page)
    answer = eomc("report", pendulum, *options, "--verify", "none", "--json")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)
    assert told["sections"] == [
        *("Picture", "Bodies and joints", "Parameters", "Run", "Equilibrium", "Modes"),
        *("Equations", "Cost"),
    ]
    assert page.stat().st_size == told["bytes"]
    refused = eomc("report", pendulum, "--verify", "some")
    assert "give quick, full, none" in refused.complaint
    assert "no such" in eomc("report", pendulum, "--out", tmp_path / "no such" / "a.html").complaint
    assert "positive" in eomc("report", pendulum, "--t-span", -1).complaint
    nowhere = eomc("simulate", pendulum, "--report", tmp_path / "no such" / "a.html")
    assert "--report" in nowhere.complaint and "does not exist" in nowhere.complaint
    assert sorted(path.name for path in tmp_path.iterdir()) == ["told.html"]


@pytest.mark.slow
def test_simulate_leaves_a_film(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    film, out = tmp_path / "swing.gif", tmp_path / "out"
    options = (
        "simulate",
        pendulum,
        "--q",
        "hinge=0.5",
        "--t-span",
        1,
        "--animation",
        film,
        "--json",
    )
    page = out / "swing.html"
    report = json.loads(eomc(*options, "--animation-speed", 2, "--out", out, "--report", page).out)
    files = [out / "pendulum.csv", out / "pendulum.png", film, page]
    assert report["files"] == [str(file) for file in files]
    text = page.read_text(encoding="utf-8")
    for title in ("Picture", "Equations", "Equilibrium", "Modes", "Run"):
        assert f"{title}</h2>" in text
    assert "Verification</h2>" not in text
    with Image.open(film) as pictures:
        assert pictures.n_frames == 13  # half a second of 25 pictures each
    assert json.loads(eomc(*options, "--forces").out)["files"] == [str(film)]
    refused = eomc("simulate", pendulum, "--forces")
    assert "--animation FILE" in refused.complaint


@pytest.mark.slow
@pytest.mark.parametrize("options", [("simulate", "--t-span", 1), ("modes", "--mode", 1)])
def test_a_film_in_the_folder_of_results(
    eomc: Command, pendulum: Path, tmp_path: Path, options: tuple[object, ...]
) -> None:
    out = tmp_path / "new"
    command, *rest = options
    report = json.loads(
        eomc(command, pendulum, *rest, "--out", out, "--animation", out / "a.gif", "--json").out
    )
    assert str(out / "a.gif") in report["files"]
    assert sorted(report["files"]) == sorted(map(str, out.iterdir()))


SLIDER = """
name = "slider"
gravity = [0, 0, 0]
body = [
    { name = "cart", mass = 1, inertia = [1, 1, 1] },
    { name = "bob", mass = 2, com = [0, 0, -0.5], inertia = [0, 0, 0] },
]
prescribed = [{ name = "rail" }]

[[joint]]
name = "rail"
kind = "prismatic"
parent = "world"
child = "cart"
axis = [1, 0, 0]

[[joint]]
name = "hinge"
kind = "revolute"
parent = "cart"
child = "bob"
axis = [0, 1, 0]
"""


def test_simulate_with_a_prescribed_motion(eomc: Command, tmp_path: Path) -> None:
    path = tmp_path / "slider.toml"
    path.write_text(SLIDER)
    options = ("simulate", path, "--t-span", 0.4, "--rtol", 1e-11, "--atol", 1e-13, "--json")

    def end(*more: object) -> float:
        return float(json.loads(eomc(*options, *more).out)["q"]["hinge"])

    assert end() == 0.0
    assert end("--prescribed", "rail=0.3", "--method", "dopri") == 0.0
    # Without weight, hinge'' = 2 rail'' cos(hinge) on a thread of half a metre.
    expected = solve_ivp(
        lambda t, y: [y[1], -2 * 0.3 * 16 * np.sin(4 * t) * np.cos(y[0])],
        (0, 0.4),
        (0, 0),
        rtol=1e-11,
        atol=1e-13,
    ).y[0, -1]
    assert abs(expected) > 0.1
    assert abs(end("--prescribed", "rail=0.3*sin(4*t)")) == pytest.approx(abs(expected), abs=1e-8)
    for wrong, message in (
        ("rial=1", "did you mean 'rail'"),
        ("rail", "give NAME=EXPRESSION"),
        ("rail=sin(", "'sin('"),
        ("rail=x", "unknown name 'x'"),
        ("rail=1/0", "1/0"),
        ("rail=1/t", "not finite"),
        ("rail=log(t)", "not finite"),
    ):
        assert message in eomc(*options, "--prescribed", wrong).complaint
    fixed = end("--prescribed", "rail=0.3*sin(4*t)", "--method", "rk4", "--step", 1e-3)
    assert abs(fixed) == pytest.approx(abs(expected), abs=1e-8)


def test_simulate_by_rk4_agrees(eomc: Command, pendulum: Path) -> None:
    options = ("--q", "hinge=1", "--u", "hinge=-0.5", "--tau", "hinge=0.3", "--t-span", 1, "--json")
    ends = [
        json.loads(eomc("simulate", pendulum, *options, *method).out)["q"]["hinge"]
        for method in ((), ("--method", "rk4", "--step", "1e-3"))
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)
    text = eomc("simulate", pendulum, *options[:-1]).out
    assert "by dopri" in text and "energy" in text


def test_simulate_with_other_parameters(eomc: Command, pendulum: Path) -> None:
    options = ("simulate", pendulum, "--q", "hinge=0.001", "--rtol", 1e-11, "--atol", 1e-14)
    # A rod of length l swings at sqrt(3 g / (2 l)); after half a period it is on the other side.
    half = np.pi / np.sqrt(1.5 * 9.81 / 0.2)
    answer = eomc(*options, "--parameter", "l=0.2", "--t-span", half, "--json")
    assert json.loads(answer.out)["q"]["hinge"] == pytest.approx(-0.001, abs=1e-8)


def test_cache_shows_and_clears(
    eomc: Command, pendulum: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EOMC_CACHE_DIR", str(tmp_path / "cache"))
    empty = json.loads(eomc("cache", "show", "--json").out)
    assert empty == {"folder": str(tmp_path / "cache"), "bytes": 0, "builds": []}
    eomc("build", pendulum, "--function", "neutral")
    kept = json.loads(eomc("cache", "show", "--json").out)
    assert [build["name"] for build in kept["builds"]] == ["pendulum"]
    assert kept["bytes"] == sum(build["bytes"] for build in kept["builds"]) > 0
    assert "pendulum" in eomc("cache").out
    assert json.loads(eomc("cache", "clear", "--json").out)["removed"] == 1
    assert eomc("cache").out.startswith("0 builds")
    assert not os.listdir(tmp_path / "cache")


def test_cache_shows_and_clears_what_is_damaged_and_passes_over_what_is_in_use(
    eomc: Command, pendulum: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EOMC_CACHE_DIR", str(tmp_path))
    library = json.loads(eomc("build", pendulum, "--function", "neutral", "--json").out)["library"]
    record = Path(library).with_name("build.json")
    record.write_text("{")
    assert len(json.loads(eomc("cache", "show", "--json").out)["builds"]) == 1
    with record.open("rb") as held:
        fcntl = pytest.importorskip("fcntl")
        fcntl.flock(held, fcntl.LOCK_SH)
        assert eomc("cache", "clear").out.startswith("removed 0 builds")
        assert "1 are in use or belong to another user" in eomc("cache", "clear").out
    assert json.loads(eomc("cache", "clear", "--json").out)["removed"] == 1
    assert not os.listdir(tmp_path)


TWO_JOINTS = """
<robot name="two">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="thigh"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="shank"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hip" type="revolute">
    <parent link="base"/><child link="thigh"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="knee" type="revolute"><parent link="thigh"/><child link="shank"/>
    <origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="hip" multiplier="-2"/></joint>
</robot>
"""
