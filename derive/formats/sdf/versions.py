"""Versions of SDF: what older ones say in other words is put into those of today."""

from __future__ import annotations

import re
from typing import Any

from eomc.derive.formats.sdf.poses import MODEL
from eomc.derive.language.errors import ModelError, Source

__all__ = ["modernized", "version_of"]

_OLDEST = (1, 4)


def version_of(root: Any, source: Source) -> tuple[int, int]:
    """Of a file, by its element <sdf>. Raises `ModelError` for one before 1.4."""
    text = str(root.get("version", "")).strip()
    version = re.fullmatch(r"(\d{1,3})\.(\d{1,3})(\.\d{1,3})?", text)
    if not version or (int(version[1]), int(version[2])) < _OLDEST:
        raise ModelError(
            f"SDF version is {text[:80]!r}; files of 1.4 and later are read "
            "(gz sdf --print converts)",
            source,
        )
    return int(version[1]), int(version[2])


def modernized(model: Any, version: tuple[int, int], source: Source) -> Any:
    """The element <model> of a file of that version.

    Axes are in the model's frame before 1.5, and up to 1.6 where <use_parent_model_frame> says so;
    up to 1.6 poses have an attribute `frame`, which is read if it is empty.
    """
    if version >= (1, 7):
        return model
    for pose in model.iter("pose"):
        if pose.attrib.pop("frame", "").strip():
            raise ModelError(
                "the attribute frame of <pose> is not read; SDF 1.7 has relative_to",
                Source(source.file, pose.sourceline or 0),
            )
    for tag in ("axis", "axis2"):
        for axis in model.iter(tag):
            flag = axis.find("use_parent_model_frame")
            by_model = version < (1, 5)
            if flag is not None:
                by_model = (flag.text or "").strip().lower() in ("1", "true")
                axis.remove(flag)
            if by_model:
                xyz = axis.find("xyz")
                if xyz is None:
                    xyz = axis.makeelement("xyz", {})
                    xyz.text = "0 0 1"
                    axis.append(xyz)
                xyz.set("expressed_in", MODEL)
    return model
