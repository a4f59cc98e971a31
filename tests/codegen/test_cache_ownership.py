"""What others could have put into the build cache is never executed."""

import os
import stat
import sys
from pathlib import Path

import pytest
from small_programs.quick_toolchain import QuickToolchain

from eomc.codegen import BuildError
from eomc.codegen import cache as build_cache
from eomc.runtime.errors import LoadError
from eomc.runtime.model.load import load_module

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files have no such owners there")

STRANGER = 54321


def give_away(path: Path, patch: pytest.MonkeyPatch) -> None:
    """Make the file another user's: by its owner, or by us being another."""
    if os.geteuid() == 0:
        os.chown(path, STRANGER, STRANGER)
    else:
        patch.setattr(os, "geteuid", lambda: STRANGER)


def plant(library: Path) -> Path:
    """Put a module in the place of a built one that leaves a file when it is loaded; its trace."""
    trace = library.with_name("executed")
    library.write_text(f"#!/bin/sh\ntouch {trace}\n")
    return trace


@pytest.mark.parametrize("which", ["cache", "entry", "module"])
@pytest.mark.parametrize("mode", [0o777, 0o722])
def test_what_others_may_write_is_refused(
    tmp_path: Path, quick: QuickToolchain, which: str, mode: int
) -> None:
    library = quick.build(tmp_path / "cache")
    path = {"cache": tmp_path / "cache", "entry": library.parent, "module": library}[which]
    before = path.stat().st_mode
    path.chmod(mode)
    with pytest.raises(BuildError) as caught:
        quick.build(tmp_path / "cache")
    for words in ("can be written by others", f"chmod go-w {path}", "EOMC_CACHE_DIR"):
        assert words in str(caught.value)
    path.chmod(before)
    assert quick.build(tmp_path / "cache") == library


@pytest.mark.parametrize("which", ["cache", "entry", "module"])
def test_what_belongs_to_others_is_refused(
    tmp_path: Path, quick: QuickToolchain, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    library = quick.build(tmp_path / "cache")
    path = {"cache": tmp_path / "cache", "entry": library.parent, "module": library}[which]
    give_away(path, monkeypatch)
    with pytest.raises(BuildError, match=r"belongs to user \d+\).*: remove it, or choose another"):
        quick.build(tmp_path / "cache")


def test_groups(tmp_path: Path, quick: QuickToolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group may write if the user is all of it."""
    cache = tmp_path / "cache"
    quick.build(cache)
    cache.chmod(0o775)
    monkeypatch.setattr("eomc.binding.ownership._is_own_group", lambda number: False)
    with pytest.raises(BuildError, match=r"group \d+ may write it\).*chmod g-w"):
        quick.build(cache)
    monkeypatch.setattr("eomc.binding.ownership._is_own_group", lambda number: True)
    quick.build(cache)


@pytest.mark.parametrize("which", ["folder", "module"])
def test_a_model_that_others_may_write_is_not_loaded(
    tmp_path: Path, quick: QuickToolchain, which: str
) -> None:
    """The same rule, unless the caller says so."""
    library = quick.build(tmp_path / "cache")
    path = {"folder": library.parent, "module": library}[which]
    link = tmp_path / "linked"
    link.symlink_to(library.parent)
    path.chmod(0o777)
    for given in (library, library.parent, link):
        with pytest.raises(LoadError) as caught:
            load_module(given)
        for words in ("can be written by others", "chmod go-w", "trusted=True"):
            assert words in str(caught.value)
    assert load_module(library, trusted=True).neutral() == [0.0]


def test_a_model_of_somebody_else_is_not_loaded(
    tmp_path: Path, quick: QuickToolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = quick.build(tmp_path / "cache")
    give_away(library, monkeypatch)
    with pytest.raises(LoadError, match=r"belongs to user \d+\).*: remove it, or load it with"):
        load_module(library)


def test_a_sticky_folder_may_be_everybodys(tmp_path: Path, quick: QuickToolchain) -> None:
    tmp_path.chmod(0o1777)
    library = quick.build(tmp_path)
    assert quick.build(tmp_path) == library


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o077])
def test_entries_are_the_users_alone_under_any_mask(
    tmp_path: Path, quick: QuickToolchain, mask: int
) -> None:
    before = os.umask(mask)
    try:
        library = quick.build(tmp_path / "cache")
    finally:
        os.umask(before)
    assert quick.build(tmp_path / "cache") == library
    for path in (tmp_path / "cache", library.parent, *library.parent.iterdir()):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & 0o022 == 0 and mode & mask == 0


def test_the_key_alone_makes_no_entry(tmp_path: Path, quick: QuickToolchain) -> None:
    """A folder of the right name in the user's own cache, without a record of its content."""
    library = quick.build(tmp_path)
    trace = plant(library)
    (library.parent / "build.json").unlink()
    assert quick.build(tmp_path).read_bytes() == quick.content
    assert not trace.exists()


def test_records_that_are_links_are_not_followed(tmp_path: Path, quick: QuickToolchain) -> None:
    cache, target = tmp_path / "cache", tmp_path / "target"
    library = quick.build(cache)
    left = cache / ".building-old"
    left.mkdir()
    for folder in (left, library.parent):
        (folder / "build.json").unlink(missing_ok=True)
        (folder / "build.json").symlink_to(target)
    assert quick.build(cache).read_bytes() == quick.content
    build_cache.clear(cache)
    assert not target.exists()
