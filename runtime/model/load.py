"""Compiled models from files: a library made by `eomc.build`, or the folder around it."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import platform
import struct
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eomc.binding.loaded import binding
from eomc.binding.ownership import written_by_others
from eomc.runtime.model.errors import LoadError
from eomc.runtime.model.manifest_version import upgrade

_FORMATS = {b"\x7fELF": "elf", b"\xcf\xfa\xed\xfe": "mach-o", b"MZ": "pe"}


_COLUMNS = {"elf": 0, "mach-o": 1, "pe": 2}


_HERE = {"darwin": "mach-o", "win32": "pe"}.get(sys.platform, "elf")


# Numbers of machines: of ELF, of Mach-O, of PE.
_MACHINES = {
    "x86_64": (62, 0x01000007, 0x8664),
    "aarch64": (183, 0x0100000C, 0xAA64),
    "i386": (3, 7, 0x14C),
    "arm": (40, 12, 0x1C4),
    "riscv64": (243, 0, 0x5064),
    "ppc64": (21, 0x01000012, 0),
    "s390x": (22, 0, 0),
}


_ALIASES = {"amd64": "x86_64", "arm64": "aarch64", "i686": "i386", "ppc64le": "ppc64"}


def require_loadable(library: Path) -> None:
    """Raise `LoadError` if the file is no shared library, is cut short, or is made for another
    system or machine."""
    content = library.read_bytes()
    kind = next((name for mark, name in _FORMATS.items() if content.startswith(mark)), None)
    if content.startswith((b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")):  # several machines in one
        return
    if kind is None:
        raise LoadError(f"{library} is no shared library")
    if kind != _HERE:
        raise LoadError(f"{library} is made for another system: it has the format {kind}")
    try:
        machine, end = _READERS[kind](content)
    except (struct.error, IndexError):
        raise LoadError(f"{library} is cut short; build it again") from None
    _require_machine(library, machine, _COLUMNS[kind])
    if end > len(content):
        raise LoadError(f"{library} is cut short: {len(content)} of {end} bytes; build it again")


def _require_machine(library: Path, machine: int, column: int) -> None:
    here = platform.machine().lower()
    here = _ALIASES.get(here, here)
    expected = _MACHINES.get(here)
    if expected is None or machine == expected[column]:
        return
    names = [name for name, numbers in _MACHINES.items() if numbers[column] == machine]
    made_for = names[0] if names else f"machine number {machine}"
    raise LoadError(f"{library} is made for {made_for}; this machine is {here}")


def _elf(content: bytes) -> tuple[int, int]:
    """Machine, and the end of what the headers speak of: sections' headers come last."""
    order = "<" if content[5] == 1 else ">"
    (machine,) = struct.unpack_from(order + "H", content, 18)
    if content[4] == 1:  # 32 bits
        (sections,) = struct.unpack_from(order + "I", content, 32)
        size, count = struct.unpack_from(order + "HH", content, 46)
    else:
        (sections,) = struct.unpack_from(order + "Q", content, 40)
        size, count = struct.unpack_from(order + "HH", content, 58)
    return machine, max(sections + size * count, 64)


def _mach_o(content: bytes) -> tuple[int, int]:
    """Machine, and the end of the last segment."""
    machine, _, _, count = struct.unpack_from("<4I", content, 4)
    place, end = 32, 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", content, place)
        if command == 0x19:  # a segment of 64 bits
            offset, length = struct.unpack_from("<2Q", content, place + 40)
            end = max(end, offset + length)
        place += size
    return machine, end


def _pe(content: bytes) -> tuple[int, int]:
    """Machine, and the end of the last section."""
    (header,) = struct.unpack_from("<I", content, 0x3C)
    machine, count = struct.unpack_from("<2H", content, header + 4)
    (optional,) = struct.unpack_from("<H", content, header + 20)
    end, place = 0, header + 24 + optional
    for _ in range(count):
        size, offset = struct.unpack_from("<2I", content, place + 16)
        end, place = max(end, offset + size), place + 40
    return machine, end


_READERS = {"elf": _elf, "mach-o": _mach_o, "pe": _pe}


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
