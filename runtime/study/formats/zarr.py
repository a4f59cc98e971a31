"""Zarr: compressed arrays that many programs read; a group for each share of the runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from eomc.runtime.study.formats.format import AnyArray, TableFormat


def _write(path: Path, first: int, results: Mapping[str, AnyArray], digest: str) -> None:
    import zarr

    group = zarr.open_group(path, mode="w")
    group.attrs.update({"first_run": first, "sha256": digest})
    for name, array in results.items():
        group.create_array(name, data=array)


def _read(path: Path) -> tuple[dict[str, AnyArray], str]:
    import zarr

    group = zarr.open_group(path, mode="r")
    found = {name: np.asarray(array[...]) for name, array in sorted(group.arrays())}
    return found, str(group.attrs["sha256"])


ZARR = TableFormat("zarr", ".zarr", _write, _read, needs="zarr")
