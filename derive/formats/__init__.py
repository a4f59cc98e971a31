"""Formats of model files: one file or folder each, found by itself and imported when it is read;
some are
written too."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eomc.derive.formats.convert import convert
from eomc.derive.formats.format import Format, Written, register_format
from eomc.derive.formats.load import load

if TYPE_CHECKING:
    from eomc.derive.formats.dh import from_dh
    from eomc.derive.formats.toml import parse_toml, read_toml
    from eomc.derive.formats.toml_writer import toml_text, write_toml
    from eomc.derive.formats.urdf import parse_urdf, read_urdf

__all__ = [
    "Format",
    "Written",
    "convert",
    "from_dh",
    "load",
    "parse_toml",
    "parse_urdf",
    "read_toml",
    "read_urdf",
    "register_format",
    "toml_text",
    "write_toml",
]

_HOME = {
    "from_dh": "dh",
    "parse_toml": "toml",
    "parse_urdf": "urdf",
    "read_toml": "toml",
    "read_urdf": "urdf",
    "toml_text": "toml_writer",
    "write_toml": "toml_writer",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
