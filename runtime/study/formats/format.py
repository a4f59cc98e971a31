"""Interface of a format of results. A share of the runs is one file or folder of its own, which
appears whole or not at all: that it is there says that its runs are done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[np.generic]


@dataclass(frozen=True)
class TableFormat:
    """A format by name.

    Attributes
    ----------
    suffix : str
        Of the file or folder of a share of the runs.
    write : function of (path, first run, results, digest)
        Writes arrays with the runs in front, and the digest of them, to a new path.
    read : function of a path
        The same arrays, and the digest.
    needs : str
        The package it takes, empty for none.
    """

    name: str
    suffix: str
    write: Callable[[Path, int, Mapping[str, AnyArray], str], None]
    read: Callable[[Path], tuple[dict[str, AnyArray], str]]
    needs: str = ""

    def require(self) -> None:
        """Raise ValueError, saying how to have it, if its package is missing."""
        if self.needs and find_spec(self.needs) is None:
            raise ValueError(
                f"format {self.name!r} needs the package {self.needs}: pip install 'eomc[study]', "
                "or take format 'npz'"
            )


FORMATS: dict[str, TableFormat] = {}
"""By name, the default one first."""
