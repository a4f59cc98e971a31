"""Models from files, in the format that the suffix tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, check_snap, format_of
from eomc.derive.language.errors import ModelError
from eomc.derive.model.model import Model
from eomc.derive.model.options import with_options

__all__ = ["load"]


def load(
    path: str | Path,
    *,
    base: str | None = None,
    locked: Iterable[str] | Mapping[str, Any] | None = None,
    mimic: bool = True,
    damping: bool = True,
    friction: bool = True,
    inertia: str | None = None,
    snap: float = SNAP,
) -> Model:
    """The model in the file `path`, in the format that its suffix tells (.toml, ...), checked.

    - `base`: "fixed" welds the root body to the world, "floating" lets it move freely by a joint
      "root"; by default a URDF robot is fixed and other models are as the file says.
    - `locked`: joints to freeze, by name (at their neutral position) or as {name: value}; their
      bodies merge.
    - `mimic=False`: mimic joints move freely.
    - `damping=False`, `friction=False` leave the losses of the file's joints out.
    - `inertia`: what to do about an inertia that no body has: "error", "warn" or "ignore"; by
      default as a TOML file says, and "warn" for formats of robots, where files of real ones have
      some. "ignore" also takes a robot whose last links have no inertia. The model keeps it:
      `validate`, `eomc.derive`, `eomc.build` and `write_toml` go by it.
    - `snap`: entries of rotations in a file of numbers this close to 0 or +-1 are taken so.

    Raises `ModelError` with file and line.
    """
    if not isinstance(path, str | Path):
        raise ModelError(f"path: give the name of a file, not {type(path).__name__}")
    check_snap(snap)
    found = format_of(path)
    model = found.read(path, snap=snap)
    model.inertia = found.inertia or model.inertia
    model = with_options(
        model,
        base=base or found.base,
        locked=locked,
        mimic=mimic,
        damping=damping,
        friction=friction,
    )
    model.inertia = inertia or model.inertia
    model.validate()
    return model
