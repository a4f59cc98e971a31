"""Models from files, by suffix: .toml and .urdf."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eomc.derive.formats.toml import read_toml
from eomc.derive.formats.urdf import SNAP, read_urdf
from eomc.derive.language.errors import ModelError, Source
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
    """The model in the file `path` (.toml or .urdf), checked.

    - `base`: "fixed" welds the root body to the world, "floating" lets it move freely by a joint
      "root"; by default a URDF robot is fixed and a TOML model as the file says.
    - `locked`: joints to freeze, by name (at their neutral position) or as {name: value}; their
      bodies merge.
    - `mimic=False`: mimic joints move freely.
    - `damping=False`, `friction=False` leave the losses of the file's joints out.
    - `inertia`: what to do about an inertia that no body has: "error", "warn" or "ignore"; by
      default as a TOML file says, and "warn" for URDF, where files of real robots have some. The
      model keeps it: `validate`, `eomc.derive`, `eomc.build` and `write_toml` go by it.
    - `snap`: rotation entries of a URDF file this close to 0 or +-1 are taken as 0 or +-1.

    Raises `ModelError` with file and line.
    """
    if not isinstance(path, str | Path):
        raise ModelError(f"path: give the name of a file, not {type(path).__name__}")
    suffix = Path(path).suffix.lower()
    if suffix == ".urdf":
        model = read_urdf(path, snap=snap)
        base, model.inertia = base or "fixed", "warn"
    elif suffix == ".toml":
        model = read_toml(path, check=False)
    else:
        raise ModelError(
            f"unknown kind of file {suffix or 'without suffix'!r}; valid: '.toml', '.urdf'",
            Source(str(path)),
        )
    model = with_options(
        model, base=base, locked=locked, mimic=mimic, damping=damping, friction=friction
    )
    model.inertia = inertia or model.inertia
    model.validate()
    return model
