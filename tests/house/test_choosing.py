"""Options of the suite, tried on a few tests of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from where_time_goes import Cost, is_compiler, table

TESTS = Path(__file__).parents[1]

_CASES = """
import random
import pytest
from hypothesis import given, settings, strategies as st
from random_seed import SEED

@pytest.mark.in_thirds
@pytest.mark.parametrize("case", range(30))
def test_case(case: int) -> None: ...

@pytest.mark.in_thirds
@pytest.mark.parametrize("third", range(3))
def test_third(third: int) -> None: ...

@pytest.mark.variants
@pytest.mark.parametrize("variant", range(12))
def test_variant(variant: int) -> None: ...

@pytest.mark.variants
def test_no_variant() -> None: ...

@pytest.mark.slow
@pytest.mark.parametrize("slow", range(24))
def test_slow(slow: int) -> None: ...

@pytest.mark.slow
@pytest.mark.published
@pytest.mark.parametrize("published", range(12))
def test_published(published: int) -> None: ...

@settings(max_examples=2)
@given(st.integers())
def test_given(x: int) -> None: ...

def test_seed() -> None:
    random.Random(SEED)

def test_skipped() -> None:
    pytest.importorskip("no_such_package")
"""


def names(folder: Path, *options: str, **environment: str) -> list[str]:
    """Tests that pass, without the file."""
    file = folder / "test_some.py"
    file.write_text(_CASES)
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-rpfE", "-p", "no:cacheprovider"),
        *(f"--rootdir={folder}", f"--confcutdir={folder}", "-c", "/dev/null"),
        *("-p", "conftest", *options, str(file)),
    ]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("EOMC_", "PYTEST_"))}
    environment |= {"PYTHONPATH": str(TESTS)}
    run = subprocess.run(command, env=inherited | environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return [line.partition("::")[2] for line in run.stdout.splitlines() if "PASSED " in line]


@pytest.mark.slow
def test_all_shares_are_the_whole(tmp_path: Path) -> None:
    shares = [names(tmp_path, "--share", str(k)) for k in range(11)]
    shares.append(names(tmp_path, EOMC_SHARE="11"))
    for test, count, times in (
        ("case", 30, 4),
        ("variant", 12, 1),
        ("published", 12, 4),
        ("third", 3, 4),
        ("slow", 24, 1),
    ):
        drawn = [name for share in shares for name in share if name.startswith(f"test_{test}[")]
        assert sorted(drawn) == sorted([f"test_{test}[{k}]" for k in range(count)] * times)
    for k, share in enumerate(shares):
        assert {"test_no_variant", f"test_third[{k % 3}]", "test_given", "test_seed"} <= set(share)


@pytest.mark.slow
def test_those_that_draw(tmp_path: Path) -> None:
    assert names(tmp_path, "--drawing", "9", EOMC_SEED="7") == ["test_given", "test_seed"]
    (one,) = names(tmp_path, "--drawing", "1", EOMC_SEED="7")
    assert one in ("test_given", "test_seed")


def test_what_was_skipped_is_written(tmp_path: Path) -> None:
    names(tmp_path, f"--skipped-to={tmp_path / 'skipped'}")
    assert (tmp_path / "skipped").read_text() == "test_some.py::test_skipped\n"


def test_times_are_added_by_folder_and_compilers_told_by_name() -> None:
    costs = {
        "tests/a/test_x.py::test_1": Cost(1.0, 2.0, 3, 1),
        "tests/a/test_y.py::test_2": Cost(0.5, 0.0, 0, 1),
        "tests/b/test_z.py::test_3": Cost(9.0, 0.0, 0, 1),
    }
    lines = [line.split() for line in table(costs)]
    assert lines[1:4] == [
        ["9.0", "0.0", "0", "1", "tests/b"],
        ["3.5", "2.0", "3", "2", "tests/a"],
        ["12.5", "2.0", "3", "3", "all"],
    ]
    assert is_compiler(["/usr/bin/arm-none-eabi-gcc-12", "-c"]) and is_compiler("cc")
    assert is_compiler([sys.executable, "-m", "ziglang", "cc"])
    assert not is_compiler([sys.executable, "-m", "pytest"]) and not is_compiler(["gcov"])
