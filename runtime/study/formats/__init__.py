"""Files that a study keeps its results in, one record a format."""

from eomc.runtime.study.formats.format import FORMATS, TableFormat
from eomc.runtime.study.formats.npz import NPZ
from eomc.runtime.study.formats.parquet import PARQUET
from eomc.runtime.study.formats.zarr import ZARR

FORMATS.update({found.name: found for found in (NPZ, ZARR, PARQUET)})

__all__ = ["FORMATS", "TableFormat"]
