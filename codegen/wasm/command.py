"""Commands that make a module of WebAssembly from C files: compiler, arguments, exports."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

# As for modules of Python: no fused multiply-adds, so that both give the same bits. -Os: half the
# bytes of -O2, of which the browser makes code that is as fast within a tenth.
_FLAGS = (
    *("-std=c99", "-Os", "-ffp-contract=off", "-fno-math-errno", "-ffreestanding", "-nostdlib"),
    *("-fno-builtin", "-w", "-I.", "-Wl,--no-entry", "-Wl,-z,stack-size=1048576"),
)
CLANG = ("clang", "--target=wasm32", "-isystem", ".", "-Wl,--strip-all")
"""The compiler that scripts call."""


def exported(manifest: Mapping[str, Any]) -> list[str]:
    """C names of all that can be called, by the manifest of a model."""
    names = [entry["symbol"] for entry in manifest["functions"].values()]
    names += [entry["symbol"] for entry in manifest.get("solvers", ())]
    # Pages advance by fixed steps; adaptive ones take arrays that they fill.
    steps = manifest.get("integrators", ())
    return names + [entry["symbol"] for entry in steps if not entry["adaptive"]]


def command_line(prefix: str, texts: Mapping[str, str]) -> str:
    """A shell script that compiles files with clang."""
    words = arguments(CLANG, texts, json.loads(texts[f"{prefix}.json"]), f"{prefix}.wasm")
    return f"#!/bin/sh\n# {prefix}.wasm, by clang and wasm-ld.\nset -e\n{shlex.join(words)}\n"


def arguments(
    command: Iterable[str], texts: Iterable[str], manifest: Mapping[str, Any], target: str
) -> list[str]:
    """The whole command for C files, with all that the manifest tells exported."""
    exports = [f"-Wl,--export={name}" for name in ("__heap_base", *exported(manifest))]
    sources = [name for name in texts if name.endswith(".c")]
    return [*command, *_FLAGS, *exports, *sources, "-o", target]
