"""Docstrings say what a thing is or does, and begin with no question word."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from house.statements import statements

from benchmarks.house import ROOMS, ROOT

QUESTION = re.compile(r"\s*(What|Where|How|Whether|Which|When|Who|Whose|Why)\b")


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of the docstrings of a file, those behind its attributes and names too."""
    for node in statements(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str):
                yield node.lineno, text


@pytest.mark.parametrize("room", [*ROOMS, "published"])
def test_docstrings_begin_with_no_question_word(room: str) -> None:
    asking = [
        f"{path.relative_to(ROOT)}:{line}: {text.strip().splitlines()[0]}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, text in sorted(docstrings(path))
        if QUESTION.match(text)
    ]
    assert not asking, "say what it is or does:\n" + "\n".join(asking)
