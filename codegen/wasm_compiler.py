"""Compilers to WebAssembly: clang with its linker wasm-ld, else the one of the package ziglang."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eomc.codegen.cache import entry_folder, hold, open_cache, unusable
from eomc.codegen.compiler import compiler_identity
from eomc.codegen.plan.errors import BuildError
from eomc.codegen.sources import Sources, write
from eomc.codegen.wasm.command import CLANG, arguments
from eomc.codegen.zig import is_zig, zig_command, zig_environment

_ZIG = ("-target", "wasm32-freestanding", "-isystem", ".", "-s")
_FORMAT = 1
_TAIL = 3000

COMPILERS = ("clang", "ziglang")


def find_wasm_compiler(compiler: str | None = None) -> tuple[str, ...]:
    """The command: clang where wasm-ld stands beside it, else ziglang's; or the one named.

    Raises BuildError, saying what to install.
    """
    if compiler not in (None, *COMPILERS):
        raise BuildError(f"compiler {compiler!r} of WebAssembly; valid are {', '.join(COMPILERS)}")
    clang, linker = shutil.which("clang"), shutil.which("wasm-ld")
    if compiler != "ziglang" and clang and linker:
        return (os.path.abspath(clang), *CLANG[1:])
    if compiler != "clang" and (zig := zig_command()):
        return (*zig, *_ZIG)
    raise BuildError(
        "no compiler to WebAssembly found: pip install 'eomc[wasm]', or install clang and its "
        "linker wasm-ld (Debian, Ubuntu: apt install clang lld)"
    )


def compile_wasm(
    sources: Sources,
    *,
    compiler: str | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> bytes:
    """The WebAssembly module of ``sources``, which the target ``"wasm"`` emitted; from the cache if
    it is there.

    Raises BuildError if there is no compiler, or with the end of what it said.
    """
    command = find_wasm_compiler(compiler)
    manifest = json.loads(sources[f"{sources.name}.json"])
    library = f"{sources.name}.wasm"
    words = arguments(command, sources, manifest, library)
    identity = compiler_identity(zig_command() if is_zig(command) else command[:1], False)
    key_of = {"format": _FORMAT, "sources": dict(sources), "words": words, "compiler": identity}
    key = hashlib.sha256(json.dumps(key_of, sort_keys=True).encode()).hexdigest()
    root = open_cache(cache_dir)
    final = entry_folder(root, f"{sources.name}_wasm", key)

    def fill(folder: Path) -> dict[str, Any]:
        work = write(sources, folder / "work")
        _run(words, work)
        (work / library).rename(folder / library)
        shutil.rmtree(work)
        return {"name": f"{sources.name}_wasm", "key": key, "library": library}

    try:
        with contextlib.closing(hold(final, fill)):
            return (final / library).read_bytes()
    except OSError as error:
        raise unusable(root, error) from error


def _run(words: Sequence[str], folder: Path) -> None:
    """One command in a folder."""
    result = subprocess.run(
        words,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=zig_environment() if is_zig(words) else None,
        check=False,
    )
    if result.returncode != 0:
        said = re.sub(r"\n{2,}", "\n", (result.stdout + result.stderr).decode(errors="replace"))
        raise BuildError(
            f"compiling to WebAssembly failed (exit code {result.returncode}): {words[0]} said\n"
            f"{said[-_TAIL:]}"
        )
