"""Zarr: compressed arrays that many programs read; a group for each share of the runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from eomc.runtime.study.formats.format import AnyArray, Format


def _write(path: Path, first: int, results: Mapping[str, AnyArray]) -> None:
    import zarr

    group = zarr.open_group(path, mode="w")
    group.attrs["first_run"] = first
    for name, array in results.items():
        group.create_array(name, data=array)


def _read(path: Path) -> dict[str, AnyArray]:
    import zarr

    group = zarr.open_group(path, mode="r")
    return {name: np.asarray(array[...]) for name, array in sorted(group.arrays())}


ZARR = Format("zarr", ".zarr", _write, _read, needs="zarr")
