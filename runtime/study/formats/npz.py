"""NumPy's own archives: nothing else is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from eomc.runtime.study.formats.format import AnyArray, Format


def _write(path: Path, first: int, results: Mapping[str, AnyArray]) -> None:
    with path.open("wb") as file:  # a path without the suffix would get it
        np.savez(file, **results)  # type: ignore[arg-type]


def _read(path: Path) -> dict[str, AnyArray]:
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


NPZ = Format("npz", ".npz", _write, _read)
