"""Parquet: a table with a row for each run; the files of a folder are one table to its readers.

An array of a run is spread over columns, ``q[0]``, ``q[1]``, ... of ``q``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from eomc.runtime.study.formats.format import AnyArray, TableFormat

_SHAPES, _DIGEST = b"eomc shapes", b"eomc sha256"


def _write(path: Path, first: int, results: Mapping[str, AnyArray], digest: str) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = len(next(iter(results.values())))
    columns: dict[str, AnyArray] = {"run": np.arange(first, first + rows)}
    for name, array in results.items():
        if array.ndim == 1:
            columns[name] = array
        for k, column in enumerate(array.reshape(rows, -1).T if array.ndim > 1 else ()):
            columns[f"{name}[{k}]"] = column
    shapes = {name: array.shape[1:] for name, array in results.items()}
    told = {_SHAPES: json.dumps(shapes), _DIGEST: digest}
    table = pyarrow.table(columns).replace_schema_metadata(told)
    # Numbers that hardly repeat: dictionaries would make them longer.
    pyarrow.parquet.write_table(table, path, use_dictionary=False)


def _read(path: Path) -> tuple[dict[str, AnyArray], str]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    shapes = json.loads(table.schema.metadata[_SHAPES])
    found: dict[str, AnyArray] = {}
    for name, shape in shapes.items():
        if not shape:
            found[name] = table[name].to_numpy()
            continue
        columns = [table[f"{name}[{k}]"].to_numpy() for k in range(int(np.prod(shape)))]
        found[name] = np.array(columns).T.reshape(table.num_rows, *shape)
    return found, table.schema.metadata[_DIGEST].decode()


PARQUET = TableFormat("parquet", ".parquet", _write, _read, needs="pyarrow")
