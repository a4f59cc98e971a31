"""Structures of CalculiX and Abaqus: nodes in keywords, matrices in files of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.programs.matrices import StructureMatrices, numbers_of, symmetric
from eomc.derive.finite_elements.structure import FREEDOMS
from eomc.derive.language.errors import ModelError, Source


def read_calculix(path: Path) -> StructureMatrices:
    """``job.sti`` and ``job.mas``: row, column, entry of one triangle; ``job.dof``: node.direction
    of each row."""
    nodes = _nodes(path)
    file = path.with_suffix(".dof")
    freedoms = []
    for line, text in enumerate(file.read_text(encoding="utf-8").split(), 1):
        node, _, direction = text.partition(".")
        freedoms.append(_freedom(node, direction, nodes, Source(str(file), line)))
    matrices = []
    for suffix in (".mas", ".sti"):
        rows = numbers_of(_there(path.with_suffix(suffix)), 3)
        if rows[:, :2].max(initial=0) > len(freedoms):
            what = f"a row beyond the {len(freedoms)} of {file.name}"
            raise ModelError(what, Source(str(path.with_suffix(suffix))))
        row, column = rows[:, :2].T.astype(int) - 1
        matrices.append(symmetric(row, column, rows[:, 2], len(freedoms)))
    return StructureMatrices(matrices[0], matrices[1], tuple(freedoms), nodes)


def read_abaqus(path: Path) -> StructureMatrices:
    """``job_MASS*.mtx`` and ``job_STIF*.mtx``: node, direction, node, direction, entry; a file for
    each matrix, of which one triangle or both may be there."""
    nodes = _nodes(path)
    tables = {}
    for word in ("MASS", "STIF"):
        found = sorted(path.parent.glob(f"{path.stem}_{word}*.mtx"))
        if len(found) != 1:
            told = f"one file {path.stem}_{word}*.mtx beside it is expected, {len(found)} are there"
            raise ModelError(told, Source(str(path)))
        tables[found[0]] = numbers_of(found[0], 5)
    index: dict[tuple[str, str], int] = {}
    for file, rows in tables.items():
        for node, direction in np.unique(rows[:, :4].reshape(-1, 2), axis=0).astype(int):
            freedom = _freedom(str(node), str(direction), nodes, Source(str(file)))
            index.setdefault(freedom, len(index))
    matrices = []
    for rows in tables.values():
        row, column = (
            [index[str(node), FREEDOMS[direction - 1]] for node, direction in pair]
            for pair in (rows[:, :2].astype(int), rows[:, 2:4].astype(int))
        )
        matrices.append(symmetric(row, column, rows[:, 4], len(index)))
    return StructureMatrices(matrices[0], matrices[1], tuple(index), nodes)


def _freedom(node: str, direction: str, nodes: dict[str, Array], place: Source) -> tuple[str, str]:
    if not direction.isdigit() or not 1 <= int(direction) <= 6:
        raise ModelError(f"direction {direction!r} of node {node!r}; valid: 1 to 6", place)
    if node not in nodes:
        raise ModelError(
            f"node {node!r} is in no *NODE block; nodes that the program makes itself, as for "
            "shells, have no place",
            place,
        )
    return node, FREEDOMS[int(direction) - 1]


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ModelError("there is no such file", Source(str(path)))
    return path


def _nodes(path: Path, depth: int = 0) -> dict[str, Array]:
    """Of the *NODE blocks of a file, and of files that it includes."""
    nodes: dict[str, Array] = {}
    inside = False
    if depth > 8:
        raise ModelError("includes are too deep", Source(str(path)))
    with open(_there(path), encoding="utf-8", errors="replace") as file:
        for line, text in enumerate(file, 1):
            source = Source(str(path), line)
            if text.startswith("**") or not text.strip():
                continue
            if text.startswith("*"):
                words = [word.strip() for word in text[1:].split(",")]
                options = {
                    k.strip().upper(): v.strip()
                    for k, _, v in (w.partition("=") for w in words[1:])
                }
                inside = words[0].upper() == "NODE"
                other = options.get("INPUT") if words[0].upper() in ("NODE", "INCLUDE") else None
                if other:
                    if Path(other).is_absolute() or ".." in Path(other).parts:
                        raise ModelError(f"INPUT={other[:80]}: give a file beside this one", source)
                    nodes |= _nodes(path.parent / other, depth + 1)
                if inside and options.get("SYSTEM", "R").upper() != "R":
                    raise ModelError("SYSTEM: only rectangular coordinates are read", source)
            elif inside:
                words = [word.strip() for word in text.strip().rstrip(",").split(",")]
                try:
                    place = np.array([*map(float, words[1:4])] + [0.0] * (4 - len(words)))
                except ValueError:
                    place = np.full(3, np.nan)
                if not np.all(np.isfinite(place)) or not words[0].isdigit():
                    raise ModelError(f"number, x, y, z expected in {text.strip()[:60]!r}", source)
                nodes[str(int(words[0]))] = place
    return nodes
