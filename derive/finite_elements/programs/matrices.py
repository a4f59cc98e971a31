"""Mass and stiffness of a structure from the files of a finite-element program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from eomc.binding.arrays import Array
from eomc.derive.bodies.modal_body import ModalBody
from eomc.derive.finite_elements.modal_reduction import from_matrices
from eomc.derive.language.errors import ModelError, Source


@dataclass(frozen=True)
class StructureMatrices:
    """Matrices of a structure.

    Attributes
    ----------
    mass, stiffness : sparse (n, n)
    freedoms : (n,) of (node, "ux" ... "rz")
        What the rows are.
    nodes : mapping of names to (3,)
    """

    mass: Any
    stiffness: Any
    freedoms: tuple[tuple[str, str], ...]
    nodes: Mapping[str, Array]

    def reduced(self, modes: int, **options: Any) -> ModalBody:
        """A body with modes; `options` are those of `from_matrices`."""
        return from_matrices(self.mass, self.stiffness, self.nodes, modes, self.freedoms, **options)

    def in_units(self, length: float, mass: float) -> StructureMatrices:
        """In metres and kilograms, of matrices in units of so many of them, and of seconds."""
        turns = np.array([freedom[0] == "r" for _, freedom in self.freedoms])
        scale = scipy.sparse.diags(np.where(turns, length, 1.0))
        nodes = {name: length * np.asarray(place) for name, place in self.nodes.items()}
        m, k = (mass * scale @ matrix @ scale for matrix in (self.mass, self.stiffness))
        return StructureMatrices(m.tocsr(), k.tocsr(), self.freedoms, nodes)


def read_structure(
    path: str | Path, *, length_unit: float = 1.0, mass_unit: float = 1.0
) -> StructureMatrices:
    """Matrices and nodes that a finite-element program wrote.

    Parameters
    ----------
    path : of the file with the nodes
        ``job.inp`` of CalculiX, with ``job.sti``, ``job.mas`` and ``job.dof`` beside it
        (``*FREQUENCY, SOLVER=MATRIXSTORAGE``); ``job.inp`` of Abaqus, with ``job_STIF*.mtx`` and
        ``job_MASS*.mtx`` (``*MATRIX OUTPUT, FORMAT=MATRIX INPUT``); ``.bdf``, ``.dat``, ``.nas`` or
        ``.pch`` of Nastran with matrices as DMIG entries, there or in a ``.pch`` file beside it, or
        in an ``.op4`` file (KGG and MGG, by the package pyNastran).
    length_unit, mass_unit : float
        Units of the files [m], [kg]: 1e-3 and 1e3 of millimetres, tonnes, newtons and seconds.

    Raises `ModelError` with file and line.
    """
    path = Path(path)
    if not path.is_file():
        raise ModelError("there is no such file", Source(str(path)))
    for word, unit in (("length_unit", length_unit), ("mass_unit", mass_unit)):
        if not 0 < unit < np.inf:
            raise ModelError(f"{word} is {unit!r}; give a positive number")
    suffix = path.suffix.lower()
    if suffix == ".inp":
        from eomc.derive.finite_elements.programs.calculix import read_abaqus, read_calculix

        reader = read_calculix if path.with_suffix(".dof").is_file() else read_abaqus
    elif suffix in (".bdf", ".dat", ".nas", ".pch"):
        from eomc.derive.finite_elements.programs.nastran import read_nastran as reader
    else:
        raise ModelError(
            f"unknown kind of file {suffix!r}; give .inp of CalculiX or Abaqus, or .bdf, .dat, "
            ".nas, .pch of Nastran",
            Source(str(path)),
        )
    found = reader(path)
    for word, matrix in (("mass", found.mass), ("stiffness", found.stiffness)):
        if not np.all(np.isfinite(matrix.data)):
            raise ModelError(f"the {word} matrix is not finite", Source(str(path)))
    return found.in_units(length_unit, mass_unit)


def symmetric(rows: Any, columns: Any, entries: Any, size: int) -> scipy.sparse.csr_matrix:
    """Of entries of which some stand on one side of the diagonal alone."""
    at = np.asarray(rows, dtype=int), np.asarray(columns, dtype=int)
    matrix = scipy.sparse.csr_matrix((np.asarray(entries, dtype=float), at), shape=(size, size))
    other = matrix.T.tocsr()
    return scipy.sparse.csr_matrix(matrix + other - other.multiply(matrix != 0))


def numbers_of(path: Path, columns: int) -> Array:
    """Rows of `columns` numbers, between blanks or commas. Raises `ModelError` with the line."""
    rows = list[Sequence[float]]()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line, text in enumerate(file, 1):
            words = text.replace(",", " ").split()
            if not words or text.startswith("**"):
                continue
            try:
                row = [float(word) for word in words]
            except ValueError:
                row = []
            if len(row) != columns:
                what = f"{columns} numbers expected in {text.strip()[:60]!r}"
                raise ModelError(what, Source(str(path), line))
            rows.append(row)
    return np.array(rows).reshape(-1, columns)
