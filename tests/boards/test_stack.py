"""The stack that the header states is a bound: painted on boards, what is free before a call."""

import json
import re
from pathlib import Path

import pytest
from boards.boards import COMPILER, M4, M7, Board, build, needs_boards, run

import eomc
from eomc.cli import main
from eomc.codegen import BuildError
from eomc.codegen.board_size import board_size

PANDA = Path(__file__).parents[2] / "examples" / "models" / "panda.toml"
FUNCTIONS = (
    *("forward_dynamics", "inverse_dynamics", "mass_matrix", "coordinate_rates", "normalize"),
    "inverse_dynamics_derivatives",
)
CALLS = {
    "forward_dynamics": "panda_forward_dynamics(q, u, tau, out)",
    "inverse_dynamics": "panda_inverse_dynamics(q, u, tau, out)",
    "mass_matrix": "panda_mass_matrix(q, out)",
    "inverse_dynamics_derivatives": "panda_inverse_dynamics_derivatives(q, u, tau, {slices})",
    "rk4": "panda_rk4(q, u, tau, (panda_real)0.001, 2)",
    "dopri": "panda_dopri(qs, us, tau, times, 2, (panda_real)1e-4, (panda_real)1e-4, 99, &done)",
}
MAIN = """
#include "board.h"
#include "panda.h"

static panda_real q[7], u[7], tau[7], out[400], qs[14], us[14];
static const panda_real times[2] = {{0, (panda_real)0.002}};
static panda_adaptive_run done;
static int code;

{functions}
int main(void)
{{
    for (int i = 0; i < 7; i++) {{
        q[i] = qs[i] = (panda_real)0.3*(panda_real)i;
        u[i] = us[i] = (panda_real)0.1;
        tau[i] = (panda_real)-1.0;
    }}
{calls}    return code;
}}
"""


@pytest.mark.parametrize("small", [False, True], ids=["unrolled", "small"])
@pytest.mark.parametrize("optimization", ["-O2", "-Os"])
@pytest.mark.parametrize(
    ("board", "real"),
    [(M4, "float"), (M7, "double"), (M4, "double")],
    ids=["M4 float", "M7 double", "M4 software double"],
)
def test_case_29_painted_stack_stays_below_the_header(
    board: Board, real: str, optimization: str, small: bool, tmp_path: Path
) -> None:
    needs_boards()
    folder = eomc.emit(PANDA, tmp_path / "panda", functions=FUNCTIONS, real=real, small=small)
    header = (folder / "panda.h").read_text()
    declaration = re.search(r"panda_inverse_dynamics_derivatives\(([^;]*)\);", header)
    assert declaration is not None
    outputs = declaration[1].count("panda_real") - 3
    calls = {
        name: call.format(slices=", ".join(f"out + {49 * k}" for k in range(outputs)))
        for name, call in CALLS.items()
    }
    functions = "".join(
        f"static void call_{name}(void)\n{{\n    code |= {call};\n}}\n\n"
        for name, call in calls.items()
    )
    painted = "".join(
        f'    say("{name} ");\n    say_number(stack_of(call_{name}), 10);\n    say("\\n");\n'
        for name in calls
    )
    (folder / "main.c").write_text(MAIN.format(functions=functions, calls=painted))
    sources = ("panda.c", "main.c")
    code, said = run(board, build(board, folder, sources, optimization))
    assert code == 0, said
    used = {name: int(size) for name, size in (line.split() for line in said.splitlines())}
    assert list(used) == list(CALLS)
    for name, size in used.items():
        stated = re.findall(
            rf"Stack: at most (\d+) bytes(?:(?!Stack:).)*?int panda_{name}\(", header, re.S
        )
        assert len(stated) == 1, name
        bound = int(stated[0])
        # A bound, and no empty one: no more than four times what is used and a few registers.
        assert size <= bound <= 4 * size + 512, (name, size, bound)


def test_size_on_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `--size` says of the stack is within the header, and no more than is painted above."""
    needs_boards()
    folder, command = tmp_path / "panda", f"{COMPILER} {' '.join(M4.flags)}"
    asked = [f"--function={name}" for name in FUNCTIONS]
    line = ["emit", str(PANDA), "--out", str(folder), "--no-self-test", "--real=float", "--json"]
    assert main([*line, *asked, "--size", command]) == 0
    told = json.loads(capsys.readouterr().out)["size"]
    rows = {row["name"].removeprefix("panda_"): row for row in told["functions"]}
    assert told["command"] == f"{command} -O2"
    assert sum(row["code"] for row in rows.values()) <= told["code"] < 40_000
    assert {*FUNCTIONS, "rk4", "dopri"} <= set(rows)
    for name in CALLS:
        assert 0 < rows[name]["stack"] <= rows[name]["bound"]
    assert "powf" in rows["dopri"]["outside"] and not rows["normalize"]["outside"]
    small = board_size(folder, f"{command} -Os")
    assert small.code < told["code"] and small.command.endswith("-Os")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-gcc -mcpu=cortex-m4", "no compiler 'no-such-gcc'; give a command of GCC's"),
        ("", "no compiler ''"),
        ("gcc -mno-such-flag", "failed on pendulum.c"),
    ],
)
def test_size_by_what_is_no_cross_compiler(command: str, said: str, tmp_path: Path) -> None:
    pendulum = eomc.emit(PANDA.with_name("pendulum.toml"), tmp_path / "pendulum")
    with pytest.raises(BuildError, match=re.escape(said)):
        board_size(pendulum, command)
    out = tmp_path / "unwritten"
    if said.startswith("no compiler"):
        assert main(["emit", str(PANDA), "--out", str(out), "--size", command or " "]) != 0
        assert not out.exists()
