"""Settings of the documentation; tables and gallery are made from the code on every build."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sphinx.addnodes import pending_xref

sys.path.insert(0, str(Path(__file__).parent))

from benchmark_picture import write_picture
from command_pages import write_commands
from contact_pairs import contact_pairs
from coverage_tables import write_coverage
from gallery import examples, write_gallery
from house_map import write_house
from kernel_tables import write_kernels
from live_models import write_live
from mathematics import FILE, copy_mathjax
from misra_tables import write_misra
from mutant_tables import write_mutants
from reference_tables import write_tables
from robots import robots_table
from verify_example import write_verification

HERE = Path(__file__).parent

project = "eomc"
author = "The eomc authors"
copyright = "The eomc authors"
version = release = version_of("eomc")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_tables", "_made"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_use_rtype = False
html_theme = "furo"
html_title = f"eomc {version}"
html_show_copyright = False
html_static_path = ["_static", "_made/static"]
html_extra_path = ["_made/extra"]
html_css_files = ["site.css"]
html_js_files = ["live.js"]
mathjax_path = f"mathjax/{FILE}"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
highlight_language = "python"

write_tables(HERE / "_tables")
write_gallery(HERE / "gallery")
write_live(HERE / "gallery", HERE / "_made" / "extra", [path.stem for path in examples()])
write_commands(HERE / "_tables")
write_verification(HERE / "_tables")
write_picture(HERE / "_tables")
copy_mathjax(HERE / "_made" / "static" / "mathjax")
write_house(HERE / "_tables")
write_mutants(HERE / "_tables")
write_misra(HERE / "_tables")
write_kernels(HERE / "_tables")
write_coverage(HERE / "_tables")
(HERE / "_tables" / "contact_pairs.md").write_text(contact_pairs(), encoding="utf-8")
(HERE / "_tables" / "robots.md").write_text(robots_table(), encoding="utf-8")


def _plain(app: Any, doctree: Any) -> None:
    """Words in the place of a type, such as `names` or `matrix`, are no references to whatever is
    called so."""
    for node in list(doctree.findall(pending_xref)):
        word = node.get("reftarget", "")
        if node.get("refdomain") == "py" and node.get("reftype") == "class" and word.islower():
            node.replace_self(node.children)


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-read", _plain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
