"""Files of models: TOML read and written, URDF read."""

from eomc.derive.formats.load import load
from eomc.derive.formats.toml import parse_toml, read_toml
from eomc.derive.formats.toml_writer import toml_text, write_toml
from eomc.derive.formats.urdf import parse_urdf, read_urdf

__all__ = [
    "load",
    "parse_toml",
    "parse_urdf",
    "read_toml",
    "read_urdf",
    "toml_text",
    "write_toml",
]
