"""Matrices in Matrix Market files, which are text: what is wrong is told with its line.

Reference: Boisvert, Pozo and Remington, *The Matrix Market Exchange Formats*, NIST IR 5935 (1996).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from eomc.derive.language.errors import ModelError, Source

_MOST_ROWS = 10_000_000
_FIELDS = ("real", "double", "integer", "pattern")
_SIGNS = {"general": 0, "symmetric": 1, "skew-symmetric": -1}

Lines = Iterator[tuple[int, list[str]]]


def read_matrix_market(path: Path) -> scipy.sparse.coo_matrix:
    """The matrix of a file, coordinates or array, what symmetry leaves out filled in.

    Raises `ModelError` naming the file and the line.
    """
    text = path.read_bytes().decode("ascii", "replace").splitlines()
    kind, field, symmetry = _header(path, text[0] if text else "")
    rows = (
        (number, line.split())
        for number, line in enumerate(text[1:], 2)
        if line.strip() and not line.startswith("%")
    )
    number, size = next(rows, (len(text), []))
    wanted = 3 if kind == "coordinate" else 2
    if len(size) != wanted or not all(word.isdecimal() and len(word) < 16 for word in size):
        _refuse(path, number, f"give the size as {wanted} whole numbers")
    shape = (int(size[0]), int(size[1]))
    if not all(0 < count <= _MOST_ROWS for count in shape):
        _refuse(path, number, f"a matrix of shape {shape}; give 1 to {_MOST_ROWS} rows")
    places: NDArray[np.int64]
    if kind == "array":
        if shape[0] * shape[1] > 4 * len(text) + 4:
            _refuse(path, number, f"too few entries for a matrix of shape {shape}")
        places = _array_places(shape, _SIGNS[symmetry])
        values = _values(path, rows, len(places), len(text))
    else:
        places, values = _entries(path, rows, int(size[2]), shape, field, len(text))
    i, j = places.T
    if _SIGNS[symmetry]:
        off = i != j
        values = np.concatenate([values, _SIGNS[symmetry] * values[off]])
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
    return scipy.sparse.coo_matrix((values, (i, j)), shape=shape)


def _refuse(path: Path, line: int, message: str) -> NoReturn:
    raise ModelError(message, Source(str(path), line))


def _header(path: Path, line: str) -> tuple[str, str, str]:
    words = line.lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        _refuse(path, 1, "cannot be read: begin with '%%MatrixMarket matrix coordinate real ...'")
    kind, field, symmetry = words[2:]
    if kind not in ("coordinate", "array"):
        _refuse(path, 1, f"format {kind!r}; valid: 'coordinate', 'array'")
    if field not in _FIELDS or (field == "pattern" and kind == "array"):
        _refuse(path, 1, f"the matrix is not real: {field!r}; valid: {', '.join(_FIELDS)}")
    if symmetry not in _SIGNS:
        _refuse(path, 1, f"symmetry {symmetry!r}; valid: {', '.join(_SIGNS)}")
    return kind, field, symmetry


def _number(path: Path, line: int, word: str) -> float:
    try:
        return float(word)
    except ValueError:
        _refuse(path, line, f"{word[:40]!r} is no number")


def _check_complete(path: Path, found: int, wanted: int, last: int) -> None:
    if found < wanted:
        _refuse(path, last, f"ends after {found} of {wanted} entries")


def _array_places(shape: tuple[int, int], sign: int) -> NDArray[np.int64]:
    """Rows and columns in the order of an array file: by columns, of a symmetric one from the
    diagonal on (below it, where the sign changes)."""
    j, i = np.divmod(np.arange(shape[0] * shape[1]), shape[0])
    kept = i >= j + (sign < 0) if sign else np.full(i.shape, True)
    return np.stack([i[kept], j[kept]], axis=1)


def _values(path: Path, rows: Lines, count: int, last: int) -> NDArray[np.float64]:
    values: list[float] = []
    for number, words in rows:
        values += [_number(path, number, word) for word in words]
        if len(values) > count:
            _refuse(path, number, f"more than the {count} entries announced")
    _check_complete(path, len(values), count, last)
    return np.array(values)


def _entries(
    path: Path, rows: Lines, count: int, shape: tuple[int, int], field: str, last: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places, from 0, and values of a coordinate file."""
    places: list[tuple[int, int]] = []
    values: list[float] = []
    width = 2 if field == "pattern" else 3
    for number, words in rows:
        if len(values) == count:
            _refuse(path, number, f"more than the {count} entries announced")
        if len(words) != width:
            _refuse(
                path,
                number,
                f"{len(words)} words, needs {width}: row, column" + ", value" * (width == 3),
            )
        for word, most in zip(words, shape, strict=False):
            if not (word.isdecimal() and len(word) < 16 and 0 < int(word) <= most):
                _refuse(path, number, f"{word[:40]!r} is no place in a matrix of shape {shape}")
        places.append((int(words[0]) - 1, int(words[1]) - 1))
        values.append(_number(path, number, words[2]) if width == 3 else 1.0)
    _check_complete(path, len(values), count, last)
    return np.array(places, dtype=np.int64).reshape(-1, 2), np.array(values, dtype=float)
