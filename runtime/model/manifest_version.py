"""Manifests of earlier versions, read as those of today."""

from __future__ import annotations

import warnings
from typing import Any

from eomc.runtime.output.warning_level import outside

__all__ = ["VERSION", "upgrade"]

VERSION = 2

_METADATA = {
    "differenced": "finite_differences",
    "further_units": "channel_units",
    "guess": "initial_guess",
    "holds_nothing": "all_constraints_redundant",
    "lacking": "unavailable",
    "pulling_rows": "unilateral_rows",
    "slack_without": "unilateral_outputs",
}
_ENTRIES = {
    "joints": {"rides": "moving_base"},
    "closures": {"meet": "coincident"},
    "deformables": {"turned_by": "rotation_speeds"},
}
_ROUTINES = {"held": "zero_order_hold", "timed": "time_dependent"}


def upgrade(manifest: dict[str, Any]) -> None:
    """Rename the keys of an earlier version in place, with one warning that lists them.

    Raises ValueError for a later version.
    """
    version = manifest.get("version", 1)
    if version == VERSION:
        return
    if version != 1:
        raise ValueError(
            f"manifest of {manifest.get('name')!r}: version {version!r}; this eomc reads 1 and "
            f"{VERSION}"
        )
    renamed: dict[str, str] = {}
    metadata = manifest.get("metadata", {})
    _rename(metadata, _METADATA, renamed)
    for table, names in _ENTRIES.items():
        for entry in metadata.get(table, ()):
            _rename(entry, names, renamed)
    for table in ("integrators", "solvers", "rollouts"):
        for entry in manifest.get(table, ()):
            _rename(entry, _ROUTINES, renamed)
    manifest["version"] = VERSION
    if renamed:
        told = ", ".join(f"{old} is now {new}" for old, new in renamed.items())
        warnings.warn(
            f"manifest of {manifest.get('name')!r} has version 1: {told}; build the model again",
            stacklevel=outside(),
        )


def _rename(entry: dict[str, Any], names: dict[str, str], renamed: dict[str, str]) -> None:
    for old, new in names.items():
        if old in entry:
            entry[new] = entry.pop(old)
            renamed[old] = new
