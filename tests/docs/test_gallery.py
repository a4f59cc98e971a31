"""The gallery of live models: every model has its file, and every file what a page needs."""

from __future__ import annotations

import ast
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import eomc
import eomc.systems

HOUSE = Path(__file__).parents[2]
FILES = sorted((HOUSE / "examples" / "gallery").glob("*/*.py"))
WRITTEN_OUT = {"flexible_manipulator", "bicycle"}
"""Systems whose models the gallery writes out."""


@pytest.fixture(scope="module")
def maker() -> Iterator[ModuleType]:
    """The module that makes the gallery; it stands beside the pages."""
    before = sys.path.copy()
    sys.path.insert(0, str(HOUSE / "docs"))
    try:
        import live_models

        yield live_models
    finally:
        sys.path[:] = before


def test_every_file_says_what_it_is(maker: ModuleType) -> None:
    found = maker.collection()
    assert [entry.path for entry in sorted(found, key=lambda entry: entry.path)] == FILES
    assert len(found) >= 24
    for entry in found:
        assert entry.title and len(entry.words) > 40 and "import" in entry.source, entry.path


def test_every_model_of_the_house_is_in_it() -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES]
    imported = {name for text in texts for name in _imports(text)}
    for path in (HOUSE / "examples" / "models").glob("*.toml"):
        assert any(path.name in text for text in texts), f"no file of the gallery loads {path.name}"
    for info in pkgutil.iter_modules(eomc.systems.__path__):
        if info.name not in WRITTEN_OUT:
            name = f"eomc.systems.{info.name}"
            assert any(found.startswith(name) for found in imported), f"no file imports {name}"


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_declares_a_model_and_a_start_of_it(maker: ModuleType, path: Path) -> None:
    (entry,) = (entry for entry in maker.collection() if entry.path == path)
    names = maker.declared(entry)
    model, start = names["model"], names["start"]
    known = {"q": model.coordinates, "u": model.speeds, "inputs": tuple(model.inputs)}
    for word, allowed in known.items():
        given = start.get(word, {})
        assert len(given) <= len(allowed), word
        if isinstance(given, Mapping):
            assert set(given) <= set(allowed), word
    assert model.joints, "nothing moves"


def test_what_a_file_lacks_is_said(maker: ModuleType, tmp_path: Path, monkeypatch: Any) -> None:
    folder = tmp_path / "tops"
    folder.mkdir()
    monkeypatch.setattr(maker, "MODELS", tmp_path)
    (folder / "mute.py").write_text('"""A top."""\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"mute\.py: its docstring says no title and what to look"):
        maker.collection()
    (folder / "mute.py").write_text('"""A top.\n\nLook.\n"""\nmodel = 1\n', encoding="utf-8")
    (entry,) = maker.collection()
    with pytest.raises(ValueError, match=r"mute\.py: declares no `model` of type Model"):
        maker.declared(entry)
    (tmp_path / "boats").mkdir()
    (tmp_path / "boats" / "one.py").write_text('"""A.\n\nB.\n"""\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"families without a title: \['boats'\]"):
        maker.collection()


def test_scenes_are_drawn_without_a_browser(maker: ModuleType) -> None:
    """By matplotlib, where no chromium is."""
    import io

    import numpy as np
    import thumbnails
    from PIL import Image

    (entry,) = (entry for entry in maker.collection() if entry.name == "stewart_platform")
    scene = maker.shown(entry).scene
    picture = thumbnails.sketched({"one": scene})["one"]
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
    assert pixels.shape == (thumbnails.HEIGHT, thumbnails.WIDTH, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 200
    assert (np.abs(pixels.astype(int) - pixels[0, 0]).sum(axis=2) > 30).mean() > 0.02


def test_the_command_page_has_every_command() -> None:
    sys.path.insert(0, str(HOUSE / "docs"))
    try:
        from command_pages import command_page
    finally:
        sys.path.pop(0)
    from eomc.cli.application import application

    page = command_page()
    for command in application().registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert f"\n## eomc {name}\n" in page
    assert page.count("```") == 2 * (page.count("\n## ") + 1)
    assert "--help" in page and "\n## eomc cache " in page


def test_no_bar_joins_what_rolls_to_the_ground(maker: ModuleType) -> None:
    (entry,) = (entry for entry in maker.collection() if entry.name == "bicycle")
    model = maker.declared(entry)["model"]
    picture = eomc.equations(model).program(functions=["poses"]).metadata["picture"]
    assert picture["lines"] == [] and len(picture["shapes"]) == 8
