"""A page of sections: one file, which loads nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from eomc.runtime.output.files import whole_file


@dataclass(frozen=True)
class ReportSection:
    """A part of a page: its title, and what stands in it as HTML."""

    title: str
    html: str


@dataclass(frozen=True)
class ReportDocument:
    """A page in memory; Jupyter shows it in a frame.

    Attributes
    ----------
    title : str
    lead : str
        HTML below the title.
    sections : tuple of Section
    """

    title: str
    lead: str
    sections: tuple[ReportSection, ...]

    @property
    def html(self) -> str:
        """The whole file."""
        return "".join(self._parts())

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the file, whole or not at all; returns its path. Raises OSError."""
        with whole_file(path) as file:
            file.write_text(self.html, encoding="utf-8", newline="\n")
        return Path(path)

    def _parts(self) -> Iterator[str]:
        style = (files(__package__) / "style.css").read_text("utf-8")
        title = escape(self.title)
        yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        yield f'<meta name="generator" content="eomc">\n<title>{title}</title>\n'
        yield f"<style>\n{style}</style>\n</head>\n<body>\n<header><h1>{title}</h1>{self.lead}\n"
        links = (f'<a href="#s{k}">{escape(s.title)}</a>' for k, s in enumerate(self.sections))
        yield f"<nav>{' '.join(links)}</nav></header>\n<main>\n"
        for k, section in enumerate(self.sections):
            yield f'<section id="s{k}"><h2>{escape(section.title)}</h2>\n{section.html}</section>\n'
        yield "</main>\n</body>\n</html>\n"

    def _repr_html_(self) -> str:
        """The page in a frame that may run scripts and nothing else."""
        text = self.html.replace("&", "&amp;").replace('"', "&quot;")
        style = "width:100%;height:640px;border:0;border-radius:8px"
        return f'<iframe srcdoc="{text}" sandbox="allow-scripts" style="{style}"></iframe>'

    def __repr__(self) -> str:
        titles = ", ".join(section.title for section in self.sections)
        return f"<Document {self.title!r}: {titles}>"
