"""Pages that add a kind touch one file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.run_page import blocks

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["add-a-joint", "add-a-force", "add-a-constraint"])
def test_a_kind_is_one_file(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    files = [block.file for block in blocks(text) if block.file is not None]
    assert len([file for file in files if file.endswith(".py")]) == 1
    assert re.search(r"^\$ eomc verify .* --with ", text, re.M) and (
        ".gif" in text or ".png" in text
    )
