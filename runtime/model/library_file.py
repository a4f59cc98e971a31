"""Format, machine and length of a shared library, read before it is loaded.

The system maps a truncated library without a word and kills the process at its first use; so files
are read first, by the headers of ELF (System V ABI, chapter 4), Mach-O and PE.
"""

from __future__ import annotations

import platform
import struct
import sys
from pathlib import Path

from eomc.runtime.model.errors import LoadError

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
