"""NumPy's own archives: nothing else is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from eomc.runtime.study.formats.format import AnyArray, TableFormat

_DIGEST = ".sha256"


def _write(path: Path, first: int, results: Mapping[str, AnyArray], digest: str) -> None:
    with path.open("wb") as file:  # a path without the suffix would get it
        np.savez(file, **results, **{_DIGEST: np.array(digest)})  # type: ignore[arg-type]


def _read(path: Path) -> tuple[dict[str, AnyArray], str]:
    with np.load(path) as archive:
        found = {name: archive[name] for name in archive.files}
    return found, str(found.pop(_DIGEST))


NPZ = TableFormat("npz", ".npz", _write, _read)
