"""URDF files with macros, expanded by `xacro` (optional dependency `eomc[xacro]`).

xacro evaluates the expressions of a file in Python, if a restricted one: unlike the other formats
this one is for files of people you trust.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, Format, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.urdf import parse_urdf
from eomc.derive.formats.xml_file import xml_root
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.model.model import Model

__all__ = ["read_xacro"]


def read_xacro(path: str | Path, *, snap: float = SNAP) -> Model:
    """The model in the expanded file; arguments of ``xacro:arg`` have their defaults.

    ``$(find package)`` needs ROS. Raises `ModelError` with the file, and xacro's own words; lines
    of the expanded text would mislead and are not told.
    """
    xacro = _expander()
    xml_root(read_bytes(path), str(path), "xacro")  # no entities, and the line of a fault
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told):
            text: str = xacro.process_file(str(path)).toxml()
    except (Exception, SystemExit) as error:
        # Whatever it stumbles over is a fault of the document.
        words = " ".join(f"{error} {told.getvalue()}".split())[:300] or type(error).__name__
        raise ModelError(f"xacro cannot expand it: {words}", Source(str(path))) from None
    return parse_urdf(text.encode(), str(path), snap=snap, lines=False)


def _expander() -> Any:
    try:
        import xacro
    except ImportError as error:
        raise ModelError(
            f"reading xacro needs the package {error.name}; "
            "install it with pip install 'eomc[xacro]'"
        ) from None
    return xacro


register_format(Format("xacro", (".xacro",), read_xacro, base="fixed", inertia="warn"))
