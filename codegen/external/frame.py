"""Frames of the wrappers, kept as text one can read as the file it makes."""

from __future__ import annotations

from importlib.resources import files
from string import Template


def fill(template: str, /, **marks: object) -> str:
    """`template` with every mark replaced."""
    text = (files("eomc.codegen.external.templates") / template).read_text(encoding="utf-8")
    return Template(text).substitute(marks)
