"""Settings of the documentation; tables and gallery are made from the code on every build."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from gallery import write_gallery
from house_map import write_house
from mutant_tables import write_mutants
from reference_tables import write_tables

project = "eomc"
author = "The eomc authors"
copyright = "The eomc authors"
version = release = version_of("eomc")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_tables"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_use_rtype = False
html_theme = "furo"
html_title = f"eomc {version}"
html_show_copyright = False
highlight_language = "python"

write_tables(Path(__file__).parent / "_tables")
write_gallery(Path(__file__).parent / "gallery")
write_house(Path(__file__).parent / "_tables")
write_mutants(Path(__file__).parent / "_tables")
