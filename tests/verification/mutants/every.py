"""All mutants of what derives and emits, and a choice of them."""

from __future__ import annotations

import random
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from verification.mutants.elsewhere import ROOMS, files_for_tests
from verification.mutants.mutant import ROOT, Mutant
from verification.mutants.python_faults import python_faults
from verification.mutants.statements import Statement, statement_of
from verification.mutants.template_faults import template_faults

# What runs the compiler and keeps its results emits nothing.
_TOOLCHAIN = ("build", "cache", "cached", "code_size", "board_size", "compiler", "library")
_TOOLCHAIN += ("wasm_compiler", "zig", "sources", "python_module")
# Model files and pictures, and what is said in words, MathML and comments.
_WORDS = ("derive/formats/", "derive/language/errors", "derive/language/near_names")
_WORDS += ("derive/picture/", "derive/drawing/", "derive/visuals/", "derive/joints/drawing")
_WORDS += ("derive/equations/mathml", "derive/equations/shown", "derive/equations/quantity")
_WORDS += ("derive/model/shown", "derive/model/plausible", "derive/model/names_check")
_WORDS += ("codegen/language/comment", "codegen/language/contract", "codegen/plan/operations")
_WORDS += ("codegen/templates/template.py",)
# Other languages and tools than C and Python, which tests run: no verification does.
_ELSEWHERE = (
    "codegen/external/",
    "codegen/fmi/",
    "codegen/wasm/",
    "derive/equations/differentiable",
)
_ELSEWHERE += tuple(
    f"codegen/targets/{name}." for name in ("cpp", "cuda", "julia", "matlab", "mex")
)
_ELSEWHERE += tuple(f"codegen/targets/{name}." for name in ("rust", "simulink", "wasm"))
_ELSEWHERE += (
    "derive/equations/symbolic_function",
    "derive/equations/routh",
    "codegen/c/self_test",
)
_ELSEWHERE += ("derive/equations/linear_system", "codegen/plan/first_order")
_ELSEWHERE += ("codegen/templates/self_test", "derive/graph/sympy_writer")
_ELSEWHERE += ("derive/graph/packages", "derive/graph/function_table")
_LEFT_OUT = (*(f"codegen/{name}.py" for name in _TOOLCHAIN), *_WORDS, *_ELSEWHERE)


def files() -> list[str]:
    """The files that mutants are made of."""
    python = [*(ROOT / "derive").rglob("*.py"), *(ROOT / "codegen").rglob("*.py")]
    templates = [
        path for path in (ROOT / "codegen" / "templates").iterdir() if path.suffix in (".c", ".h")
    ]
    names = [path.relative_to(ROOT).as_posix() for path in (*python, *templates)]
    return sorted(name for name in names if not name.startswith(_LEFT_OUT))


def mutants_of(file: str) -> list[Mutant]:
    """Every mutant of a file."""
    return python_faults(file) if Path(file).suffix == ".py" else template_faults(file)


def every_mutant() -> list[Mutant]:
    """Every mutant that verification judges, by file and place."""
    return [mutant for file in files() for mutant in mutants_of(file)]


def every_mutant_for_tests(since: str | None) -> list[Mutant]:
    """Those that tests judge; of Python lines that have changed since a commit, if it is given."""
    lines = _changed_lines(since) if since else {}
    return [
        mutant
        for file in files_for_tests()
        if file in lines or _is_whole(file, since)
        for mutant in mutants_of(file)
        if _is_whole(file, since) or mutant.line in lines[file]
    ]


def _is_whole(file: str, since: str | None) -> bool:
    """Whether all lines of a file count, changed or not: texts were tried in no run before."""
    return since is None or not file.endswith(".py")


def _changed_lines(since: str) -> dict[str, set[int]]:
    command = ["git", "diff", "-U0", "--find-renames", since, "--", *ROOMS]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found, lines = dict[str, set[int]](), set[int]()
    for line in made.stdout.splitlines():
        if line.startswith("+++ b/"):
            lines = found.setdefault(line.removeprefix("+++ b/"), set())
        elif hunk := re.match(r"@@ .* \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.update(range(first, first + count))
    return found


def shuffled(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """One of each statement first, both in an order in which any beginning is spread evenly over
    the rooms by their sizes."""
    rooms: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        rooms[mutant.room].append(mutant)
    placed = []
    for room, of_room in sorted(rooms.items()):
        random.Random(f"{seed}:{room}").shuffle(of_room)
        before: set[Statement] = set()
        halves: tuple[list[Mutant], list[Mutant]] = [], []
        for mutant in of_room:
            halves[statement_of(mutant) in before].append(mutant)
            before.add(statement_of(mutant))
        for half, found in enumerate(halves):
            placed += [(half, (k + 0.5) / len(found), room, m) for k, m in enumerate(found)]
    return [entry[-1] for entry in sorted(placed, key=lambda entry: entry[:3])]
