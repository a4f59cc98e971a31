"""The test that emitted C carries, on this machine; on boards by the acceptance cases."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import eomc
from eomc.codegen import EmissionError
from eomc_published.boards.bits import facts, here
from eomc_published.boards.qemu import ISO

pytestmark = pytest.mark.variants

MODELS = Path(__file__).parents[2] / "examples" / "models"


def emitted(name: str, folder: Path, **options: object) -> Path:
    return eomc.emit(MODELS / f"{name}.toml", folder, self_test=True, **options)


@pytest.mark.parametrize("small", [False, True], ids=["unrolled", "small"])
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", ["panda", "quadcopter", "four_bar", "flexible_arm"])
def test_passes_here(name: str, real: str, small: bool, tmp_path: Path) -> None:
    if small and name != "panda":
        pytest.skip("no small code of this model")
    folder = emitted(name, tmp_path / name, real=real, small=small)
    code, said = here(folder, name)
    assert code == 0, said
    assert facts(said)[0] > 80


@pytest.mark.parametrize(
    ("right", "wrong", "what"),
    [
        ("0.01*u[1] + t", "0.01*u[1] - t", "tau"),
        ("sin_elbow*", "1.0001*sin_elbow*", "tau"),
        ("return DOUBLE_PENDULUM_OK", "return DOUBLE_PENDULUM_SINGULAR_MASS_MATRIX", "code"),
    ],
)
def test_fails_of_planted_faults(right: str, wrong: str, what: str, tmp_path: Path) -> None:
    folder = emitted("double_pendulum", tmp_path / "c")
    path = folder / "double_pendulum.c"
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong, 1))
    code, said = here(folder, "double_pendulum")
    assert code == 1
    assert re.search(rf"^wrong: \w+: .*{what}$", said, re.M), said


def test_fails_of_other_parameters(tmp_path: Path) -> None:
    folder = emitted("double_pendulum", tmp_path / "c", tunable="all")
    path = folder / "double_pendulum.c"
    path.write_text(path.read_text().replace(".m1 = 1.0", ".m1 = 1.001", 1))
    assert here(folder, "double_pendulum")[0] == 1


def test_the_same_text_again(tmp_path: Path) -> None:
    first, second = (emitted("panda", tmp_path / name) for name in ("one", "two"))
    file = "test/panda_test.c"
    assert (first / file).read_bytes() == (second / file).read_bytes()


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
def test_make_check_and_ctest(tmp_path: Path) -> None:
    emitted("pendulum", tmp_path / "model")

    def ran(*command: str) -> str:
        result = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=3600
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    ran("cmake", "-S", "model", "-B", "out", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    ran("cmake", "--build", "out")
    assert "100% tests passed" in ran("ctest", "--test-dir", "out")
    assert "0 of 96 comparisons failed" in ran("cmake", "--build", "out", "--target", "check")
    commands = (tmp_path / "out" / "compile_commands.json").read_text()
    assert "-std=c99" in commands and "gnu" not in commands


def test_only_c_carries_one(tmp_path: Path) -> None:
    with pytest.raises(EmissionError, match="target 'rust' carry no test; leave out self_test"):
        emitted("pendulum", tmp_path / "out", target="rust")


def test_iso(tmp_path: Path) -> None:
    """Flags of the boards are those that CMake's file asks for."""
    cmake = (emitted("pendulum", tmp_path / "c") / "CMakeLists.txt").read_text()
    assert all(flag in cmake for flag in ISO[1:]) and "C_EXTENSIONS OFF" in cmake
