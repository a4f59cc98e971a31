"""Formats of model files: one file each, found by itself; TOML is written too."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.formats.dh import from_dh
from eomc.derive.formats.format import Format, register_format
from eomc.derive.formats.load import load
from eomc.derive.formats.toml import parse_toml, read_toml
from eomc.derive.formats.toml_writer import toml_text, write_toml
from eomc.derive.formats.urdf import parse_urdf, read_urdf

__all__ = [
    "Format",
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

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
