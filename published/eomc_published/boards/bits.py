"""The test that emitted C carries: on boards it gives the bits of this machine."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from eomc.building import emit
from eomc.codegen.plan.errors import BuildError
from eomc_published.boards.qemu import COMBINATIONS, ISO, M4, MISSING, build, run
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.work import model_file

FUNCTIONS = ("forward_dynamics", "inverse_dynamics", "mass_matrix")
_MAIN = """
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
_FAULT = "int main(void) { *(volatile int *)0xF0000000 = 1; return 0; }"


def here(folder: Path, name: str, *flags: str, compiler: str = "gcc") -> tuple[int, str]:
    """Exit code of the test on this machine, and what it prints."""
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion")
    files = [path.name for path in sorted(folder.glob(f"{name}*.c"))]
    command = [compiler, *strict, ISO[1], *(flags or ("-O1",)), "-I.", *files]
    command += [f"test/{name}_test.c", "-lm", "-o", "self_test"]
    compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        raise BuildError(f"{compiler} failed:\n{compiled.stderr}")
    result = subprocess.run(
        [folder / "self_test"], capture_output=True, text=True, check=False, timeout=60
    )
    return result.returncode, result.stdout


def facts(said: str) -> tuple[int, str]:
    """Comparisons, and the hash of all outputs."""
    found = re.search(r"of (\d+) comparisons failed; hash (\w+)", said)
    if found is None:
        raise BuildError(f"the test has not said its hash: {said}")
    return int(found[1]), found[2].lstrip("0")


def case_28() -> Iterator[CaseCheck]:
    for board, real, small in COMBINATIONS:
        with tempfile.TemporaryDirectory() as place:
            folder = emit(
                model_file("panda"),
                Path(place) / "panda",
                functions=FUNCTIONS,
                real=real,
                small=small,
                self_test=True,
            )
            expected = " ".join(map(str, facts(here(folder, "panda")[1])))
            (folder / "main.c").write_text(_MAIN.format(m="panda"), encoding="utf-8")
            sources = ("panda.c", "test/panda_test.c", "main.c")
            form = "small" if small else "unrolled"
            for optimization in ("-O2", "-Os"):
                label = f"{board.cpu}, {real}, {form}, {optimization}"
                program = build(board, folder, sources, optimization, "-DPANDA_TEST_ON_BOARD")
                code, said = run(board, program)
                yield at_most(f"{label}: failures", code, 0)
                got = " ".join(said.split())
                yield holds(f"{label}: comparisons and hash", expected, got, got == expected)


def case_30() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as place:
        folder = emit(
            model_file("pendulum"), Path(place) / "pendulum", real="float", self_test=True
        )
        (folder / "main.c").write_text(_MAIN.format(m="pendulum"), encoding="utf-8")
        text = (folder / "pendulum.c").read_text(encoding="utf-8")
        wrong = text.replace("*sin_hinge;", "*1.01f*sin_hinge;")
        (folder / "pendulum.c").write_text(wrong, encoding="utf-8")
        sources = ("pendulum.c", "test/pendulum_test.c", "main.c")
        code, said = run(M4, build(M4, folder, sources, "-O2", "-DPENDULUM_TEST_ON_BOARD"))
        lines = len(said.splitlines()) - 1
        yield holds("exit status of wrong C", f"{lines} outputs", str(code), code == lines > 0)
        (folder / "main.c").write_text(_FAULT, encoding="utf-8")
        code, said = run(M4, build(M4, folder, ("main.c",), "-O2"))
        yield holds(
            "a fault", "99, fault", f"{code}, {said.strip()}", (code, said) == (99, "fault\n")
        )


CASES = (
    Case(
        28,
        "boards give the bits of this machine",
        "the project's own",
        "hash of all outputs of the emitted test, Cortex-M4 and M7",
        case_28,
        slow=True,
        unavailable=MISSING,
    ),
    Case(
        30,
        "exit status counts failures",
        "the project's own",
        "a program with a planted fault, and one that stops by a fault",
        case_30,
        unavailable=MISSING,
    ),
)
