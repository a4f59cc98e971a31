"""All mutants of what derives and emits, and a choice of them."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

from verification.mutants.mutant import ROOT, Mutant
from verification.mutants.python_faults import python_faults
from verification.mutants.template_faults import template_faults

# What runs the compiler and keeps its results emits nothing; pictures and files come before.
_TOOLCHAIN = {f"codegen/{name}.py" for name in ("build", "cache", "code_size", "compiler")}
_TOOLCHAIN |= {"codegen/ownership.py", "codegen/sources.py", "codegen/cython/translate.py"}
_TOOLCHAIN |= {"codegen/templates/template.py", "derive/joints/drawing.py"}
_TOOLCHAIN_FOLDERS = ("derive/formats/", "derive/language/errors", "derive/language/near_names")


def files() -> list[str]:
    """The files that mutants are made of."""
    python = [*(ROOT / "derive").rglob("*.py"), *(ROOT / "codegen").rglob("*.py")]
    templates = [
        path
        for path in (ROOT / "codegen" / "templates").iterdir()
        if path.suffix in (".c", ".h", ".pyx")
    ]
    names = [path.relative_to(ROOT).as_posix() for path in (*python, *templates)]
    return sorted(
        name for name in names if name not in _TOOLCHAIN and not name.startswith(_TOOLCHAIN_FOLDERS)
    )


def mutants_of(file: str) -> list[Mutant]:
    """Every mutant of a file."""
    return python_faults(file) if Path(file).suffix == ".py" else template_faults(file)


def every_mutant() -> list[Mutant]:
    """Every mutant, by file and place."""
    return [mutant for file in files() for mutant in mutants_of(file)]


def shuffled(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """In an order in which any beginning is spread evenly over the rooms by their sizes."""
    rooms: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        rooms[mutant.room].append(mutant)
    placed = []
    for room, of_room in sorted(rooms.items()):
        random.Random(f"{seed}:{room}").shuffle(of_room)
        placed += [((k + 0.5) / len(of_room), room, m) for k, m in enumerate(of_room)]
    return [mutant for _, _, mutant in sorted(placed, key=lambda entry: entry[:2])]
