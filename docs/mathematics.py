"""Formulas without a network: MathJax as one file, from the package sphinx-mathjax-offline."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

PACKAGE = "sphinx-mathjax-offline"
FILE = "tex-svg-full.js"
"""TeX in, SVG out, with all extensions: neither fonts nor further files are loaded."""


def copy_mathjax(folder: Path) -> None:
    """Put MathJax (Apache License 2.0) among what the site serves."""
    folder.mkdir(parents=True, exist_ok=True)
    with as_file(files(PACKAGE) / "static" / "mathjax" / FILE) as source:
        shutil.copy(source, folder / FILE)
