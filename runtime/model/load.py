"""Compiled models from files: an extension module made by `eomc.build`, or the folder around it."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import threading
from pathlib import Path
from types import ModuleType

from eomc.runtime.model.errors import LoadError

_SUFFIXES = tuple(importlib.machinery.EXTENSION_SUFFIXES)
_LIBRARIES = (".so", ".pyd", ".dylib")
_LOADED: dict[tuple[Path, int, int], ModuleType] = {}
_LOCK = threading.Lock()


def load_module(path: str | os.PathLike[str]) -> ModuleType:
    """The extension module in the file `path`, or in the folder `path` if it holds just one.

    The module is not entered into ``sys.modules``: two models of one name stand side by side.
    Raises `LoadError` if there is none, or none for this Python.
    """
    library = _library(Path(path))
    stamp = library.stat()
    key = (library.resolve(), stamp.st_mtime_ns, stamp.st_size)
    with _LOCK:
        if key not in _LOADED:
            _LOADED[key] = _imported(library)
        return _LOADED[key]


def _library(path: Path) -> Path:
    if path.is_file():
        if not path.name.endswith(_LIBRARIES):
            raise LoadError(
                f"{path} is no compiled model; give an extension module "
                f"(*{_SUFFIXES[0]}) or the folder it lies in, as eomc.build makes it"
            )
        return path
    if not path.is_dir():
        raise LoadError(f"{path} does not exist; eomc.build makes compiled models")
    every = sorted(file for file in path.iterdir() if file.name.endswith(_LIBRARIES))
    found = [file for file in every if _is_for_this_python(file)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(file.name for file in found)
        raise LoadError(f"{path} holds several compiled models: {names}; name one of them")
    if every:
        raise LoadError(f"{every[0]} is compiled for another Python; {_this_python()}")
    raise LoadError(f"{path} holds no compiled model (*{_SUFFIXES[0]}); eomc.build makes one")


def _imported(library: Path) -> ModuleType:
    if not _is_for_this_python(library):
        raise LoadError(f"{library} is compiled for another Python or system; {_this_python()}")
    _require_whole(library)
    name = library.name.split(".", 1)[0]
    loader = importlib.machinery.ExtensionFileLoader(name, str(library.absolute()))
    spec = importlib.util.spec_from_file_location(name, library.absolute(), loader=loader)
    if spec is None:
        raise LoadError(f"{library} cannot be loaded")
    try:
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:
        raise LoadError(f"{library} cannot be loaded: {error}; {_this_python()}") from error
    manifest = getattr(module, "manifest", None)
    if not (isinstance(manifest, dict) and isinstance(manifest.get("functions"), dict)):
        raise LoadError(f"{library} is an extension module, but none made by eomc")
    return module


def _require_whole(library: Path) -> None:
    """Raise `LoadError` if the record of the build beside the file tells of another content.

    The system would map a truncated file without a word and kill the process at its first use.
    """
    record = library.with_name("build.json")
    if not record.is_file():  # moved away from where it was built
        return
    try:
        files = json.loads(record.read_bytes())["files"]
        expected = files.get(library.name)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise LoadError(f"{record} is damaged; build {library.name} again") from None
    with library.open("rb") as content:
        if expected not in (None, hashlib.file_digest(content, "sha256").hexdigest()):
            raise LoadError(f"{library} is damaged: it is not what was built; build it again")


def _is_for_this_python(library: Path) -> bool:
    """True if the tag in the file's name (``m_module<tag>.so``) is one of this Python's."""
    return f".{library.name.partition('.')[2]}" in _SUFFIXES


def _this_python() -> str:
    return f"this is Python {sys.version_info.major}.{sys.version_info.minor} ({_SUFFIXES[0]})"
