"""Paths of the robots of the package example-robot-data, which has no Python module."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from benchmarks.contender import Unavailable


def robot_file(file: str) -> Path:
    """Path of `file` below the package's folder of robots; raises Unavailable without it."""
    try:
        package = importlib.metadata.distribution("example-robot-data")
    except importlib.metadata.PackageNotFoundError:
        raise Unavailable("install the package example-robot-data for the robots") from None
    for entry in package.files or ():
        if str(entry).endswith(f"example-robot-data/robots/{file}"):
            return Path(str(package.locate_file(entry)))
    raise Unavailable(f"this release of example-robot-data has no {file}")
