"""Structures of Nastran: GRID and DMIG entries of bulk data and punch files, or OP4 matrices.

A line has fields of 8 characters, of 16 where its name ends with a star, or is separated by commas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.programs.matrices import StructureMatrices, symmetric
from eomc.derive.finite_elements.structure import FREEDOMS
from eomc.derive.language.errors import ModelError, Source

_MASS = ("MGG", "MAAX", "MAA", "M2GG", "MXX")
_STIFFNESS = ("KGG", "KAAX", "KAA", "K2GG", "KXX")
_EXPONENT = re.compile(r"(?<=[\d.])([+-]\d+)$")

Entry = tuple[list[str], Source]


def read_nastran(path: Path) -> StructureMatrices:
    """Of the file, its ``.pch`` and its ``.op4`` file."""
    files = [path, *(f for f in (path.with_suffix(".pch"),) if f != path and f.is_file())]
    entries = [entry for file in files for entry in _entries(file)]
    nodes: dict[str, Array] = {}
    for fields, source in entries:
        if fields[0] == "GRID":
            if fields[2].strip() not in ("", "0"):
                raise ModelError("GRID: only basic coordinates (CP = 0) are read", source)
            if fields[6].strip() not in ("", "0"):
                raise ModelError("GRID: only basic axes (CD = 0) are read", source)
            nodes[fields[1]] = np.array([_number(text, source) for text in fields[3:6]])
    if not nodes:
        raise ModelError("no GRID entry", Source(str(path)))
    if path.with_suffix(".op4").is_file():
        return _of_op4(path.with_suffix(".op4"), nodes)
    tables = _dmig(entries)
    found = [next((tables[n] for n in names if n in tables), None) for names in (_MASS, _STIFFNESS)]
    if found[0] is None or found[1] is None:
        there = f"; there are {', '.join(tables)}" if tables else ""
        told = (
            f"no matrices {_MASS[1]} and {_STIFFNESS[1]}, or {_MASS[0]} and {_STIFFNESS[0]}{there}"
        )
        raise ModelError(told, Source(str(path)))
    index: dict[tuple[str, str], int] = {}
    for row, column, _ in (*found[0], *found[1]):
        for node, _ in (row, column):
            if node not in nodes:
                raise ModelError(f"DMIG: no GRID {node!r}", Source(str(path)))
        index.setdefault(row, len(index))
        index.setdefault(column, len(index))
    mass, stiffness = (
        symmetric(
            [index[row] for row, _, _ in table],
            [index[column] for _, column, _ in table],
            [entry for _, _, entry in table],
            len(index),
        )
        for table in (found[0], found[1])
    )
    return StructureMatrices(mass, stiffness, tuple(index), nodes)


def _dmig(entries: list[Entry]) -> dict[str, list[tuple[Any, Any, float]]]:
    """Entries (row, column, value) of the matrices by name."""
    tables: dict[str, list[tuple[Any, Any, float]]] = {}
    for fields, source in entries:
        if fields[0] != "DMIG":
            continue
        name, node = fields[1].strip().upper(), fields[2].strip()
        if node == "0":  # the head
            if fields[4].strip() not in ("1", "2") or fields[3].strip() not in ("1", "6"):
                raise ModelError(f"DMIG {name}: only real square matrices are read", source)
            continue
        column = _freedom(node, fields[3], source)
        rows = fields[5:]
        for k in range(0, len(rows) - 2, 4):
            if rows[k].strip():
                value = _number(rows[k + 2], source)
                row = _freedom(rows[k].strip(), rows[k + 1], source)
                tables.setdefault(name, []).append((row, column, value))
    return tables


def _freedom(node: str, component: str, source: Source) -> tuple[str, str]:
    text = component.strip()
    if text not in ("1", "2", "3", "4", "5", "6"):
        raise ModelError(f"component {text!r} of GRID {node!r}; valid: 1 to 6", source)
    return node, FREEDOMS[int(text) - 1]


def _number(text: str, source: Source) -> float:
    """Numbers such as 1.5-3 and 2.D+4."""
    plain = _EXPONENT.sub(r"e\1", text.strip().upper().replace("D", "E"))
    try:
        return float(plain or 0)
    except ValueError:
        raise ModelError(f"{text.strip()[:40]!r} is no number", source) from None


def _entries(path: Path) -> Iterator[Entry]:
    """Entries with their continuations as fields, the name first without its star."""
    entry: list[str] = []
    source = Source(str(path))
    with open(path, encoding="utf-8", errors="replace") as file:
        for line, raw in enumerate(file, 1):
            text = raw.split("$")[0].rstrip().expandtabs(8)
            if not text.strip():
                continue
            fields = _fields(text)
            if fields[0] in ("", "*") or fields[0].startswith("+"):
                entry += fields[1:]
                continue
            if entry:
                yield entry, source
            entry, source = [fields[0].rstrip("*").upper(), *fields[1:]], Source(str(path), line)
    if entry:
        yield entry, source


def _fields(text: str) -> list[str]:
    """Name and eight fields, or four wide ones, each filled up."""
    if "," in text:
        parts = [part.strip() for part in text.split(",")]
        count = 9
        return (parts + [""] * count)[:count]
    wide = text[:8].rstrip().endswith("*")
    width, count = (16, 4) if wide else (8, 8)
    parts = [text[8 + width * k : 8 + width * (k + 1)].strip() for k in range(count)]
    name = text[:8].strip()
    return ["*" if wide and name.startswith("*") else name, *parts]


def _of_op4(path: Path, nodes: dict[str, Array]) -> StructureMatrices:
    """KGG and MGG of all freedoms, by rising number of the GRIDs."""
    try:
        from pyNastran.op4.op4 import read_op4
    except ImportError:
        raise ModelError(
            "OP4 needs the package pyNastran; install it with pip install 'eomc[nastran]'",
            Source(str(path)),
        ) from None
    found = {name.upper(): matrix.data for name, matrix in read_op4(str(path), debug=False).items()}
    pair = [next((found[n] for n in names if n in found), None) for names in (_MASS, _STIFFNESS)]
    order = sorted(nodes, key=int)
    size = 6 * len(order)
    for matrix in pair:
        if matrix is None or matrix.shape != (size, size):
            shape = None if matrix is None else matrix.shape
            told = f"MGG and KGG of shape {(size, size)} are expected, not {shape}"
            raise ModelError(told, Source(str(path)))
    freedoms = tuple((node, freedom) for node in order for freedom in FREEDOMS)
    mass, stiffness = (scipy.sparse.csr_matrix(matrix) for matrix in pair)
    return StructureMatrices(mass, stiffness, freedoms, nodes)
