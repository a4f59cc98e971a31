"""Errors of the system tell which output could not be written, and nothing half-written stays."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eomc.cli.result_folder import result_folder
from eomc.codegen.sources import write
from eomc.runtime.output.files import whole_file


def _file(folder: Path) -> None:
    with whole_file(folder / "run.csv") as private:
        private.write_text("t\n", encoding="utf-8")


def _results(folder: Path) -> None:
    with result_folder(folder / "run.csv") as staging:
        (staging / "q.csv").write_text("q\n", encoding="utf-8")


def _sources(folder: Path) -> None:
    write({"run.c": "int x;\n"}, folder / "run.csv")


WRITERS = {"file": _file, "results": _results, "sources": _sources}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk(writer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*run.csv") as caught:
        WRITERS[writer](tmp_path)
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("writer", WRITERS)
def test_a_folder_that_may_only_be_read(
    writer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(made: str) -> Callable[..., Any]:
        def fails(prefix: str = "", dir: Any = "", **_: Any) -> Any:
            name = os.path.join(dir, f"{prefix}x8{made}")
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)

        return fails

    monkeypatch.setattr(tempfile, "mkstemp", refused("file"))
    monkeypatch.setattr(tempfile, "mkdtemp", refused("folder"))
    with pytest.raises(PermissionError, match=r"Permission denied: '.*/run.csv'$") as caught:
        WRITERS[writer](tmp_path)
    assert Path(caught.value.filename) == tmp_path / "run.csv"


def test_a_file_that_is_read_meanwhile_keeps_its_name(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError, match=r"nowhere\.csv"),
        whole_file(tmp_path / "run.csv") as private,
    ):
        private.write_bytes((tmp_path / "nowhere.csv").read_bytes())
