"""Compiled models from files: a library made by `eomc.build`, or the folder around it.

A library (``<model>.so``) is read through the binding. A module that stands alone
(``<model>_module.<tag>.so``) is imported.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eomc.binding.loaded import binding
from eomc.binding.ownership import written_by_others
from eomc.runtime.model.errors import LoadError
from eomc.runtime.model.library_file import require_loadable
from eomc.runtime.model.manifest_version import upgrade

_SUFFIXES = tuple(importlib.machinery.EXTENSION_SUFFIXES)
_LIBRARIES = (".so", ".pyd", ".dylib", ".dll")
_LOADED: dict[tuple[Path, int, int], Any] = {}
_LOCK = threading.Lock()


def load_module(path: str | os.PathLike[str], trusted: bool = False) -> Any:
    """The functions of the compiled model in the file `path`, or in the folder `path` if it holds
    just one: its attributes, beside `manifest` and `__file__`.

    Two models of one name stand side by side. Raises `LoadError` if there is none, or none for this
    machine or Python, and unless it is `trusted`, if others could have written it.
    """
    library = _library(Path(path))
    if not trusted:
        _require_ours(library)
    stamp = library.stat()
    key = (library.resolve(), stamp.st_mtime_ns, stamp.st_size)
    with _LOCK:
        if key not in _LOADED:
            if _is_module(library):
                _require_this_python(library)
            _require_built(library)
            require_loadable(library)
            _LOADED[key] = _current(_imported(library) if _is_module(library) else _opened(library))
        return _LOADED[key]


def _current(module: Any) -> Any:
    """The module, its manifest with the names of today."""
    try:
        upgrade(module.manifest)
    except ValueError as error:
        raise LoadError(str(error)) from None
    return module


def _library(path: Path) -> Path:
    if path.is_file():
        if not path.name.endswith(_LIBRARIES):
            raise LoadError(
                f"{path} is no compiled model; give a library (<model>.so) or the folder it lies "
                "in, as eomc.build makes it"
            )
        return path
    if not path.is_dir():
        raise LoadError(f"{path} does not exist; eomc.build makes compiled models")
    every = sorted(file for file in path.iterdir() if file.name.endswith(_LIBRARIES))
    found = [file for file in every if not _is_module(file) or _is_for_this_python(file)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(file.name for file in found)
        raise LoadError(f"{path} holds several compiled models: {names}; name one of them")
    if every:
        raise LoadError(f"{every[0]} is compiled for another Python; {_this_python()}")
    raise LoadError(f"{path} holds no compiled model (<model>.so); eomc.build makes one")


def _require_ours(library: Path) -> None:
    """Raise `LoadError` if others could have written the file or its folder: it is executed."""
    real = library.resolve()
    for path in dict.fromkeys((library.absolute().parent, real.parent, real)):
        why, remedy = written_by_others(path, path.stat())
        if why:
            raise LoadError(
                f"{path} can be written by others ({why}), and a compiled model is executed: "
                f"{remedy}, or load it with trusted=True"
            )


def _is_module(library: Path) -> bool:
    """True if it is a module that stands alone, which Python imports."""
    return library.name.partition(".")[0].endswith("_module")


def _opened(library: Path) -> Any:
    """The functions of a library, by way of the binding."""
    try:
        loaded = ctypes.CDLL(str(library.absolute()))
    except OSError as error:
        raise LoadError(f"{library} cannot be loaded: {error}") from None
    try:
        address = ctypes.addressof(ctypes.c_char.in_dll(loaded, "eomc_model"))
    except ValueError:
        raise LoadError(f"{library} is no compiled model: it exports no eomc_model") from None
    try:
        return binding().opened(address, loaded, str(library))
    except (ValueError, KeyError) as error:
        raise LoadError(f"{library} {error}") from None


def _imported(library: Path) -> Any:
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


def _require_built(library: Path) -> None:
    """Raise `LoadError` if the record of the build beside the file tells of another content."""
    record = library.with_name("build.json")
    if not record.is_file():  # moved away from where it was built
        return
    try:
        files = json.loads(record.read_bytes())["files"]
        expected = files[library.name]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise LoadError(
            f"{record} is damaged, or {library.name} was not built there; build it again"
        ) from None
    with library.open("rb") as content:
        if expected != hashlib.file_digest(content, "sha256").hexdigest():
            raise LoadError(f"{library} is damaged: it is not what was built; build it again")


def _require_this_python(library: Path) -> None:
    if not _is_for_this_python(library):
        raise LoadError(f"{library} is compiled for another Python or system; {_this_python()}")


def _is_for_this_python(library: Path) -> bool:
    """True if the tag in the file's name (``m_module<tag>.so``) is one of this Python's."""
    return f".{library.name.partition('.')[2]}" in _SUFFIXES


def _this_python() -> str:
    return f"this is Python {sys.version_info.major}.{sys.version_info.minor} ({_SUFFIXES[0]})"


def integrators_of(module: Any) -> dict[str, Mapping[str, Any]]:
    """Entries of the manifest of a module for its compiled integrators, by name."""
    return {entry["name"]: entry for entry in module.manifest.get("integrators", ())}
