"""The test that emitted C carries, on this machine and on Cortex-M boards."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from boards.boards import ISO, M4, M7, Board, build, needs_boards, run

import eomc
from eomc.codegen import EmissionError

MODELS = Path(__file__).parents[2] / "examples" / "models"

MAIN = """
#include "board.h"
#include "{m}.h"

typedef struct {{
    int failures;
    int comparisons;
    unsigned long long hash;
}} {m}_test_result;

{m}_test_result {m}_test(void (*say)(const char *what));

static void say_line(const char *what)
{{
    say(what);
    say("\\n");
}}

int main(void)
{{
    const {m}_test_result result = {m}_test(say_line);
    say_number((unsigned long long)result.comparisons, 10);
    say(" ");
    say_number(result.hash, 16);
    return result.failures;
}}
"""


def emitted(name: str, folder: Path, **options: object) -> Path:
    return eomc.emit(MODELS / f"{name}.toml", folder, self_test=True, **options)


def here(folder: Path, name: str, *flags: str, compiler: str = "gcc") -> tuple[int, str]:
    """Exit code of the test on this machine, and what it prints."""
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion")
    files = [path.name for path in sorted(folder.glob("*.c"))]
    command = [compiler, *strict, "-ffp-contract=off", *(flags or ("-O1",)), "-I.", *files]
    command += [f"test/{name}_test.c", "-lm", "-o", "self_test"]
    compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    result = subprocess.run(
        [folder / "self_test"], capture_output=True, text=True, check=False, timeout=60
    )
    return result.returncode, result.stdout


def facts(text: str) -> tuple[int, str]:
    """Comparisons, and the hash of all outputs."""
    found = re.search(r"of (\d+) comparisons failed; hash (\w+)", text)
    assert found is not None, text
    return int(found[1]), found[2].lstrip("0")


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
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
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


@pytest.mark.parametrize("small", [False, True], ids=["unrolled", "small"])
@pytest.mark.parametrize("optimization", ["-O2", "-Os"])
@pytest.mark.parametrize(
    ("board", "real"),
    [(M4, "float"), (M7, "double"), (M4, "double")],
    ids=["M4 float", "M7 double", "M4 software double"],
)
def test_case_28_boards_give_the_bits_of_this_machine(
    board: Board, real: str, optimization: str, small: bool, tmp_path: Path
) -> None:
    needs_boards()
    functions = ("forward_dynamics", "inverse_dynamics", "mass_matrix")
    folder = emitted("panda", tmp_path / "panda", functions=functions, real=real, small=small)
    (folder / "main.c").write_text(MAIN.format(m="panda"))
    sources = ("panda.c", "test/panda_test.c", "main.c")
    program = build(board, folder, sources, optimization, "-DPANDA_TEST_ON_BOARD")
    code, said = run(board, program)
    assert code == 0, said
    (folder / "main.c").unlink()
    comparisons, bits = facts(here(folder, "panda")[1])
    assert said.split() == [str(comparisons), bits]


def test_case_30_exit_status_counts_failures_and_faults_are_said(tmp_path: Path) -> None:
    needs_boards()
    folder = emitted("pendulum", tmp_path / "pendulum", real="float")
    (folder / "main.c").write_text(MAIN.format(m="pendulum"))
    text = (folder / "pendulum.c").read_text()
    (folder / "pendulum.c").write_text(text.replace("*sin_hinge;", "*1.01f*sin_hinge;"))
    sources = ("pendulum.c", "test/pendulum_test.c", "main.c")
    code, said = run(M4, build(M4, folder, sources, "-O2", "-DPENDULUM_TEST_ON_BOARD"))
    assert code == len(said.splitlines()) - 1 > 0
    (folder / "main.c").write_text("int main(void) { *(volatile int *)0xF0000000 = 1; return 0; }")
    assert run(M4, build(M4, folder, ("main.c",), "-O2")) == (99, "fault\n")


def test_iso(tmp_path: Path) -> None:
    """Flags of the boards are those that CMake's file asks for."""
    cmake = (emitted("pendulum", tmp_path / "c") / "CMakeLists.txt").read_text()
    assert all(flag in cmake for flag in ISO[1:]) and "C_EXTENSIONS OFF" in cmake
