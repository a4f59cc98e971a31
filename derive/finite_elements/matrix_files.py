"""Mass and stiffness matrices from files: Matrix Market, NumPy archives, Harwell-Boeing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse

from eomc.derive.finite_elements.matrix_market import read_matrix_market
from eomc.derive.language.errors import ModelError, Source

_KINDS = ".mtx (Matrix Market), .npz or .npy (NumPy, SciPy), .rb, .rua, .rsa or .hb"


def read_matrix(path: str | Path, name: str | None = None) -> Any:
    """A square symmetric sparse matrix.

    `name` chooses an array of an .npz archive of several. Raises `ModelError` naming the file, and
    in files of text the line where it is known.
    """
    path = Path(path)
    place = Source(str(path))
    if not path.is_file():
        raise ModelError("there is no such file", place)
    try:
        found = _read(path, name)
        if scipy.sparse.issparse(found) and hasattr(found, "check_format"):
            # Another format reads past the arrays where their indices lead nowhere.
            found.check_format(full_check=True)
        matrix = scipy.sparse.csr_matrix(found)
    except ModelError:
        raise
    except Exception as error:  # the readers raise whatever their parsing meets
        raise ModelError(f"cannot be read: {str(error)[:200]}", place) from None
    if matrix.shape[0] != matrix.shape[1]:
        raise ModelError(f"a matrix of shape {matrix.shape} is not square", place)
    if not np.issubdtype(matrix.dtype, np.number) or np.iscomplexobj(matrix.data):
        raise ModelError("the matrix is not real", place)
    matrix = matrix.astype(float)
    if not np.all(np.isfinite(matrix.data)):
        raise ModelError("the matrix is not finite", place)
    size = abs(matrix).max() if matrix.nnz else 0.0
    lower_only = scipy.sparse.triu(matrix, 1).nnz == 0 or scipy.sparse.tril(matrix, -1).nnz == 0
    if matrix.nnz and lower_only:
        off = matrix - scipy.sparse.diags(matrix.diagonal())
        matrix = scipy.sparse.csr_matrix(matrix + off.T)
    elif matrix.nnz and abs(matrix - matrix.T).max() > 1e-9 * size:
        raise ModelError("the matrix is not symmetric", place)
    return (matrix + matrix.T) / 2


def _read(path: Path, name: str | None) -> Any:
    kind = path.suffix.lower()
    if kind == ".mtx":
        return read_matrix_market(path)
    if kind in (".rb", ".rua", ".rsa", ".hb"):
        return scipy.io.hb_read(path)
    if kind == ".npy":
        return np.load(path, allow_pickle=False)
    if kind == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            names = archive.files
            if "format" in names and name is None:
                return scipy.sparse.load_npz(path)
            if name is None and len(names) == 1:
                name = names[0]
            if name not in names:
                raise ModelError(f"holds {', '.join(names)}; name one of them", Source(str(path)))
            return archive[name]
    raise ModelError(f"unknown kind of file; give {_KINDS}", Source(str(path)))
