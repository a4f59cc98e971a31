"""Platforms of binaries: one record each, and how a shared library for one is made."""

from __future__ import annotations

import os
import platform as machine
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eomc.codegen.compiler import DEFAULT_FLAGS, find_compiler, model_options
from eomc.codegen.plan.errors import BuildError, EmissionError
from eomc.codegen.zig import zig_command, zig_environment


@dataclass(frozen=True)
class BinaryPlatform:
    """A platform that binaries run on: its names, file format and linker flags.

    Attributes
    ----------
    name : str
        As in FMI 3.0, ``x86_64-linux``.
    folder2 : str
        What FMI 2.0 calls it.
    suffix : str
        Of shared libraries.
    target : str
        What zig calls it; empty for this machine, whose own compiler knows.
    magic : bytes
        That a shared library begins with.
    link : tuple of str
        Flags of the linker.
    """

    name: str
    folder2: str
    suffix: str
    target: str
    magic: bytes
    link: tuple[str, ...] = ()

    def folder(self, version: str) -> str:
        """Of its binaries in an archive of a version of the standard."""
        return f"binaries/{self.folder2 if version == '2' else self.name}"


_ELF, _PE, _MACH_O = b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe"
_WHOLE = ("-Wl,--no-undefined", "-lm")
PLATFORMS = {
    found.name: found
    for found in (
        BinaryPlatform("x86_64-linux", "linux64", ".so", "x86_64-linux-gnu.2.17", _ELF, _WHOLE),
        BinaryPlatform(
            "aarch64-linux", "aarch64-linux", ".so", "aarch64-linux-gnu.2.17", _ELF, _WHOLE
        ),
        BinaryPlatform("x86_64-windows", "win64", ".dll", "x86_64-windows-gnu", _PE),
        BinaryPlatform("aarch64-windows", "aarch64-windows", ".dll", "aarch64-windows-gnu", _PE),
        BinaryPlatform("x86_64-darwin", "darwin64", ".dylib", "x86_64-macos", _MACH_O),
        BinaryPlatform("aarch64-darwin", "aarch64-darwin", ".dylib", "aarch64-macos", _MACH_O),
    )
}
"""FMI 2.0 names no folder for ARM; importers that run there take the names of 3.0."""

HOST, ALL = "host", "all"
_TIME = 1800  # the first library for Windows takes minutes: zig makes import libraries


def host() -> BinaryPlatform:
    """The platform of this machine, whose compiler needs no target.

    Raises BuildError if it is none of `PLATFORMS`.
    """
    processors = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
    systems = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
    processor = processors.get(machine.machine().lower(), machine.machine())
    name = f"{processor}-{systems.get(sys.platform, sys.platform)}"
    if name not in PLATFORMS:
        raise BuildError(f"no binaries of an FMU for {name}; valid are {', '.join(PLATFORMS)}")
    found = PLATFORMS[name]
    # The Microsoft compiler knows none of our flags.
    return found if sys.platform == "win32" else replace(found, target="")


def chosen(names: Iterable[str] | str | None) -> list[BinaryPlatform]:
    """Platforms by name, ``"host"``, ``"all"``; by default all that can be made here.

    Binaries for the host come from the system's compiler, those for platforms by name from zig.
    Raises EmissionError for an unknown name.
    """
    if names is None:
        names = ALL if zig_command() else HOST
    asked = [names] if isinstance(names, str) else list(names)
    found: dict[str, BinaryPlatform] = {}
    for name in asked:
        if name == ALL:
            found |= PLATFORMS
            found |= {} if zig_command() else {host().name: host()}
        elif name == HOST:
            own = host()
            found[own.name] = own
        elif name in PLATFORMS:
            found[name] = PLATFORMS[name]
        else:
            valid = ", ".join((HOST, ALL, *PLATFORMS))
            raise EmissionError(f"unknown platform {name!r}; valid are {valid}")
    return [found[name] for name in PLATFORMS if name in found]


def shared_library(
    folder: Path,
    files: Sequence[str],
    platform: BinaryPlatform,
    target: Path,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] = DEFAULT_FLAGS,
) -> None:
    """Compile the C files of `folder` into `target`, with the `flags` beside those of all models.

    By zig if the platform has a target, else by the system's compiler or the one asked for.
    Raises BuildError, naming the platform, and leaves no file behind if it fails.
    """
    command = _command(platform, compiler)
    fixed = ["-shared", "-I."] if platform.suffix == ".dll" else ["-fPIC", "-shared", "-I."]
    words = [
        *command,
        *fixed,
        *model_options(command, flags),
        *files,
        "-o",
        str(target),
        *platform.link,
    ]
    failure = _failure(words, folder)
    if not failure and not _fits(target, platform):
        failure = "it ended well but made no library of this platform"
    if failure:
        target.unlink(missing_ok=True)
        raise BuildError(f"no binary for {platform.name}: {shlex.join(command)}: {failure}")


def _command(platform: BinaryPlatform, compiler: str | os.PathLike[str] | None) -> list[str]:
    if not platform.target:
        return find_compiler(compiler)
    if compiler is not None:
        raise BuildError(
            f"compiler makes the binary for this machine, not that for {platform.name}; ask for "
            "the platform 'host', or leave compiler out"
        )
    zig = zig_command()
    if not zig:
        raise BuildError(
            f"no compiler for {platform.name}; binaries for other machines are made by ziglang: "
            "pip install 'eomc[compiler]'. The platform 'host' is this machine"
        )
    return [*zig, "-target", platform.target]


def _failure(words: Sequence[str], folder: Path) -> str:
    """Reason for the failure of a command, empty if there is none."""
    try:
        result = subprocess.run(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIME,
            env=zig_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it did not end within {_TIME} s"
    except OSError as error:
        return f"it does not run: {error}"
    if result.returncode < 0:
        return f"it was ended by signal {-result.returncode}"
    if result.returncode:
        said = result.stdout.decode(errors="replace")[-4000:]
        return f"exit code {result.returncode}\n{said}"
    return ""


def _fits(library: Path, platform: BinaryPlatform) -> bool:
    if not library.is_file():
        return False
    with library.open("rb") as file:
        return file.read(len(platform.magic)) == platform.magic
