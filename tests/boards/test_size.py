"""What `eomc emit --size` says of the C of a model on a board."""

import json
import re
from pathlib import Path

import pytest

import eomc
from eomc.cli import main
from eomc.codegen import BuildError
from eomc.codegen.board_size import board_size
from eomc_published.boards.qemu import COMPILER, M4, MISSING
from eomc_published.boards.stack import CALLS, FUNCTIONS

PANDA = Path(__file__).parents[2] / "examples" / "models" / "panda.toml"


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_size_on_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `--size` says of the stack is within the header, and names what it does not count."""
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
