"""The code on the documentation's pages runs and prints what the pages say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.run_page import blocks

HOUSE = Path(__file__).parents[2]
DOCS = HOUSE / "docs"
PUBLISHED = HOUSE / "published" / "docs"
PAGES = [*sorted(DOCS.glob("*.md")), *sorted(PUBLISHED.glob("*.md")), HOUSE / "README.md"]

FIRST = ("README", "getting-started")
"""What new users read: the quick part of the tests has these."""

OPTIONAL = ("casadi", "jax", "torch", "pinocchio")
"""Packages that some pages use and that the extra `test` does not bring."""


def _has_code(page: Path) -> bool:
    text = page.read_text(encoding="utf-8")
    return any(f"```{language}\n" in text for language in ("python", "pycon", "console"))


def _parameter(page: Path) -> object:
    return pytest.param(page, id=page.stem, marks=() if page.stem in FIRST else pytest.mark.slow)


@pytest.mark.parametrize("page", [_parameter(p) for p in PAGES if _has_code(p)])
def test_page_runs(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for tool in ("node", "octave-cli", "rustc"):
        if f"\n$ {tool} " in text and shutil.which(tool) is None:
            pytest.skip(f"the page runs {tool}, which is not here")
    if "--target mex" in text and shutil.which("mkoctfile") is None:
        pytest.skip("the page compiles for Octave, whose mkoctfile is not here")
    code = "\n".join(block.text for block in blocks(text) if block.language == "python")
    for package in OPTIONAL:
        if f"import {package}" in code:
            pytest.importorskip(package, reason=f"the page needs the package {package}")
    for folder in ("examples", "benchmarks"):
        if (HOUSE / folder).is_dir():
            shutil.copytree(HOUSE / folder, tmp_path / folder)
    # A page that registers a joint of its own must not meet the other tests: a process of its own.
    commands = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": commands + os.pathsep + os.environ.get("PATH", ""),
        "MPLBACKEND": "Agg",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    result = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "run_page.py"), str(page)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=3600,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert int(result.stdout.split()[-2]) > 0, "no block ran"
