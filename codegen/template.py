"""Frames of emitted files, kept as text one can read as the file it makes.

A template lies in ``templates/`` and marks what varies by ``${name}``; a literal dollar is ``$$``.
"""

from functools import cache
from importlib.resources import files
from string import Template


@cache
def _template(name: str) -> Template:
    return Template((files("eomc.codegen") / "templates" / name).read_text(encoding="utf-8"))


def fill(name: str, **values: object) -> str:
    """Template ``name`` with every mark replaced; KeyError if one has no value."""
    return _template(name).substitute(values)
