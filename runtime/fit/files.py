"""Records in files: CSV, Parquet, MAT-files and ROS bags, by well-kept readers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from eomc.runtime.autodiff.external import require
from eomc.runtime.fit.errors import FitError

Table = dict[str, Any]


def record_of(path: str | os.PathLike[str]) -> Table:
    """Channels by name. Raises FitError for what is no record, OSError, ImportError."""
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None and path.is_dir():
        reader = _ros_bag
    if reader is None:
        kinds = ", ".join(_READERS)
        raise FitError(f"{path.name}: not a record; give a folder of a ROS bag, or {kinds}")
    return reader(path)


def _csv(path: Path) -> Table:
    with open(path, encoding="utf-8") as file:
        head = [entry.strip().strip('"') for entry in file.readline().split(",")]
        lines = file.read().splitlines()
    if not any(lines):
        raise FitError(f"{path.name}: no numbers; give a line of names, then rows of numbers")
    try:
        rows = np.genfromtxt(lines, delimiter=",", ndmin=2)
    except ValueError:
        raise FitError(f"{path.name}: rows have different numbers of columns") from None
    if rows.shape[1:] != (len(head),):
        raise FitError(f"{path.name}: {len(head)} names over rows of {rows.shape[1]} numbers")
    cells = [line.split(",") for line in lines if line.partition("#")[0].strip()]
    for row, column in np.argwhere(np.isnan(rows)):
        text = cells[row][column].strip()
        if text and text.lower() != "nan":
            raise FitError(
                f"{path.name}, row {row + 2}, {head[column]!r}: {text[:40]!r} is no number"
            )
    return dict(zip(head, rows.T, strict=True))


def _parquet(path: Path) -> Table:
    found = require("pyarrow.parquet", "records", "a Parquet file").read_table(path)
    return {n: np.asarray(found[n].to_pylist(), dtype=np.float64) for n in found.column_names}


def _mat(path: Path) -> Table:
    from scipy.io import loadmat

    try:
        found = loadmat(path, squeeze_me=True)
    except NotImplementedError:
        raise FitError(f"{path.name}: of version 7.3; save it with the option -v7") from None
    return {n: v for n, v in found.items() if not n.startswith("__") and np.ndim(v) in (1, 2)}


def _ros_bag(path: Path) -> Table:
    """Messages of the kind JointState: positions, speeds and efforts of joints over the time of
    their headers; by the names of the joints, ``speed(name)`` and ``tau(name)``."""
    reader = require("rosbags.highlevel", "records", "a ROS bag").AnyReader
    stores = require("rosbags.typesys", "records", "a ROS bag")
    store = stores.get_typestore(stores.Stores.LATEST)
    rows: dict[float, dict[str, float]] = {}
    with reader([path], default_typestore=store) as bag:
        topics = [c for c in bag.connections if c.msgtype.endswith("JointState")]
        if not topics:
            kinds = sorted({f"{c.topic} ({c.msgtype})" for c in bag.connections})
            raise FitError(f"{path.name}: no topic of JointState; there are {', '.join(kinds)}")
        for connection, _, data in bag.messages(connections=topics):
            message = bag.deserialize(data, connection.msgtype)
            stamp = message.header.stamp
            row = rows.setdefault(stamp.sec + 1e-9 * stamp.nanosec, {})
            arrays = (("{}", message.position), ("speed({})", message.velocity))
            for name, values in (*arrays, ("tau({})", message.effort)):
                row |= {
                    name.format(n): float(x) for n, x in zip(message.name, values, strict=False)
                }
    times = np.array(sorted(rows))
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns = {n: np.array([rows[t].get(n, np.nan) for t in times]) for n in names}
    return {"t": times - times[0], **columns}


_READERS: dict[str, Callable[[Path], Table]] = {
    ".csv": _csv,
    ".parquet": _parquet,
    ".mat": _mat,
    ".bag": _ros_bag,
    ".mcap": _ros_bag,
}
