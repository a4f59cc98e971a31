"""Units of models of every sort: what they are made of, against `eomc.simulate`, and bad input."""

import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.codegen import BuildError, EmissionError
from eomc.codegen.compiler import find_compiler
from eomc.derive.model import ModelError

pytestmark = pytest.mark.variants

MODELS = Path(__file__).parents[2] / "examples" / "models"
PENDULUM = MODELS / "pendulum.toml"
fmpy = pytest.importorskip("fmpy")


def ball() -> eomc.Model:
    """Falls on a table and rests there."""
    model = eomc.Model("ball", gravity=(0, 0, -9.81))
    model.body("ball", mass=0.1)
    model.joint("drop", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact(
        "table",
        shape={"kind": "sphere", "at": "ball", "radius": 0.02},
        surface={"kind": "plane", "at": "world", "normal": (0, 0, 1)},
        normal={"kind": "kelvin_voigt", "stiffness": 1e4, "damping": 3.0},
    )
    return model


def motor() -> eomc.Model:
    """A pendulum driven by a motor that lags."""
    model = eomc.Model("left motor", gravity=(0, 0, -9.81))
    model.input("command", units="N m", description="wanted torque")
    model.parameter("lag", 0.2, units="s", tunable=True, description="time constant")
    model.body("rod", mass=2, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0), damping=0.1)
    model.lag("motor", speed="hinge", command="command", time_constant="lag")
    return model


def unit(model: Any, folder: Path, **options: Any) -> Path:
    """The archive with this machine's binary."""
    return eomc.fmu(model, folder / "unit.fmu", **{"platforms": "host", **options})


def described(file: Path) -> Any:
    return fmpy.read_model_description(str(file), validate=True)


def run(file: Path, kind: str = "ModelExchange", **options: Any) -> Any:
    tolerance = {"relative_tolerance": 1e-9} if kind == "ModelExchange" else {}
    return fmpy.simulate_fmu(
        str(file), fmi_type=kind, output_interval=0.01, **{**tolerance, **options}
    )


@pytest.mark.parametrize("version", ["2", "3"])
def test_kinks_of_forces_are_events(tmp_path: Path, version: str) -> None:
    model = ball()
    file = unit(model, tmp_path, version=version, q={"drop": 0.1})
    assert described(file).numberOfEventIndicators == 1 or version == "3"
    found = run(file, stop_time=0.5, relative_tolerance=1e-10)
    own = eomc.simulate(eomc.build(model), {"drop": 0.1}, None, 0.5, rtol=1e-11, atol=1e-12)
    assert found["q.drop"][-1] == pytest.approx(own.q[-1, 0], abs=2e-7)
    assert found["element_outputs.table.gap"][0] == pytest.approx(0.08, abs=1e-15)


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_states_of_elements_and_parameters(tmp_path: Path, kind: str) -> None:
    model = motor()
    file = unit(model, tmp_path, z={"motor_effort": 0.5}, inputs={"command": 1.0})
    start = {"p.lag": 0.05}
    found = run(file, kind, stop_time=1.0, start_values=start)
    own = eomc.simulate(
        eomc.build(model),
        None,
        None,
        1.0,
        z={"motor_effort": 0.5},
        inputs={"command": 1.0},
        parameters={"lag": 0.05},
        rtol=1e-11,
        atol=1e-12,
    )
    assert found["q.hinge"][-1] == pytest.approx(own.q[-1, 0], abs=1e-7)
    names = {v.name: v for v in described(file).modelVariables}
    assert names["r.command"].unit == "N m" and names["r.command"].description == "wanted torque"
    assert names["p.lag"].variability == "tunable"


def test_prescribed_motion_is_an_input(tmp_path: Path) -> None:
    model = eomc.load(MODELS / "double_pendulum.toml")
    first = model.coordinates[0]
    model.prescribed(first)
    names = {v.name: v for v in described(unit(model, tmp_path, platforms=())).modelVariables}
    assert names[f"s.{first}"].causality == "input"
    assert names[f"s_acceleration.{first}"].unit == "rad/s^2"


def test_systems_given_in_sympy(tmp_path: Path) -> None:
    import sympy
    from sympy.physics.mechanics import dynamicsymbols

    angle, length = dynamicsymbols("angle"), sympy.Symbol("length")
    rate = angle.diff(dynamicsymbols._t)
    system = eomc.LagrangianSystem(
        "bob",
        [angle],
        rate**2 * length**2 / 2,
        -9.81 * length * sympy.cos(angle),
        parameters={length: 0.7},
    )
    file = unit(system, tmp_path, q=[0.4])
    own = eomc.simulate(eomc.build(system), [0.4], None, 1.0, rtol=1e-11, atol=1e-12)
    assert run(file, stop_time=1.0)["q.angle"][-1] == pytest.approx(own.q[-1, 0], abs=1e-7)


def test_odd_names_are_quoted(tmp_path: Path) -> None:
    model = eomc.Model("hoist")
    model.body("hook", mass=1)
    model.joint("lift", "prismatic", parent="world", child="hook", axis=(0, 0, 1))
    file = unit(model, tmp_path, platforms=(), frames=["hook"])
    assert any(v.name == "frame_hook_pose[3,4]" for v in described(file).modelVariables)


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    first = unit(PENDULUM, tmp_path).read_bytes()
    assert unit(PENDULUM, tmp_path).read_bytes() == first


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_sources_compile_without_warnings(tmp_path: Path, version: str, compiler: str) -> None:
    try:
        command = find_compiler(compiler)
    except BuildError:
        pytest.skip(f"there is no {compiler}")
    file = unit(MODELS / "quadcopter.toml", tmp_path, platforms=(), version=version)
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path)
    icon = {"2": "model.png", "3": "terminalsAndIcons/icon.png"}[version]
    assert (tmp_path / icon).read_bytes().startswith(b"\x89PNG")
    files = sorted(str(path) for path in (tmp_path / "sources").glob("*.c"))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]
    subprocess.run([*command, *flags, *files], check=True)


# -- what cannot be ------------------------------------------------------------------------------


def refused(match: str, error: type[Exception], model: Any, folder: Path, **options: Any) -> None:
    with pytest.raises(error, match=match):
        unit(model, folder, **options)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"version": "1"}, EmissionError, "unknown version '1' of FMI; valid are 2, 3"),
        ({"platforms": "amiga"}, EmissionError, "unknown platform 'amiga'; valid are host, all"),
        ({"outputs": "tension"}, ModelError, "no function 'tension'"),
        ({"outputs": "difference"}, EmissionError, r"'difference' .* takes q0\[0\]"),
        ({"frames": ["nose"]}, ModelError, "no frame or body 'nose'"),
        ({"parameters": {"mass": 1.0}}, ModelError, "no tunable parameter 'mass'"),
        ({"q": {"hing": 1.0}}, ValueError, "hing"),
        ({"q": [float("nan")]}, ValueError, "not finite"),
        ({"step": 0.0}, ValueError, "step is 0.0"),
        ({"step": float("nan")}, ValueError, "step is nan"),
        ({"stabilization": float("inf")}, ValueError, "stabilization is inf"),
        ({"compiler": "no-such-cc"}, BuildError, "no C compiler found"),
        ({"compiler": "false"}, BuildError, "no binary for"),
        ({"compiler": "gcc", "platforms": "aarch64-darwin"}, EmissionError, "by platforms='host'"),
        ({"tunable": ["weight"]}, ModelError, "no parameter 'weight'"),
        ({"name": "1st"}, EmissionError, "cannot prefix C names"),
    ],
)
def test_bad_options(tmp_path: Path, options: dict[str, Any], error: Any, match: str) -> None:
    refused(match, error, PENDULUM, tmp_path, **options)


def test_programs_and_impacts_are_refused(tmp_path: Path) -> None:
    program = eomc.equations(PENDULUM).program()
    refused("made of a model or of equations", ModelError, program, tmp_path)
    refused("cannot make an FMU of 'int'", ModelError, 3, tmp_path)


def test_names_that_no_unit_can_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from eomc.codegen.fmi import variables

    with pytest.raises(EmissionError, match="'größe' in model 'm' cannot name a variable"):
        variables._legal("größe", "m")
    assert variables._legal("it's", "m") == r"'it\'s'"
    monkeypatch.setattr(variables, "_MOST", 5)
    refused("would have .* variables", EmissionError, PENDULUM, tmp_path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        eomc.fmu(PENDULUM, tmp_path / "nowhere" / "unit.fmu", platforms=())
    with pytest.raises(IsADirectoryError):
        eomc.fmu(PENDULUM, tmp_path, platforms=())


def test_units_of_quantities() -> None:
    from eomc.codegen.fmi.units import unit as read

    newton_metre = read("N m")
    assert newton_metre is not None and newton_metre == read("kg m^2/s^2")
    assert read("mm") == type(newton_metre)((0, 1, 0, 0, 0, 0, 0, 0), 1e-3)
    assert read("furlong") is None and read("") is None and read("rad or m") is None
    assert np.isclose(read("deg").factor, np.pi / 180)  # type: ignore[union-attr]


@pytest.mark.parametrize("version", ["2", pytest.param("3", marks=pytest.mark.slow)])
def test_a_damaged_state_is_refused(tmp_path: Path, version: str) -> None:
    file = unit(PENDULUM, tmp_path, version=version)
    described_unit = described(file)
    folder = fmpy.extract(str(file), str(tmp_path / "unit"))
    running = fmpy.instantiate_fmu(folder, described_unit, "CoSimulation")
    try:
        written = bytearray(running.serializeFMUState(running.getFMUState()))
        assert running.deserializeFMUState(bytes(written))
        written[len(written) - 16] ^= 1
        with pytest.raises(Exception, match=r"(?i)deserialize"):
            running.deserializeFMUState(bytes(written))
    finally:
        running.freeInstance()
