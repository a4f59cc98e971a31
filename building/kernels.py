"""Kernels of a model for CUDA devices, compiled when the architecture is known."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eomc.building.sources import SourceOptions, sources
from eomc.codegen import Sources
from eomc.codegen.cached import cached
from eomc.codegen.cuda.compiler import Resources, assembled
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE
from eomc.runtime.output.progress import spinner

SHORT_PIECE = 150
"""Statements of a piece where longer ones would spill registers."""
_RESOURCES = "resources.txt"

Assemble = Callable[[str], tuple[bytes, Mapping[str, Resources]]]


def kernels(
    equations: Any,
    functions: Sequence[str] | None,
    *,
    tunable: Any = None,
    real: Any = "double",
    fused: bool = True,
    cache_dir: str | os.PathLike[str] | None = None,
) -> tuple[dict[str, Any], Assemble]:
    """The manifest of kernels of the named functions, by default of all of a program's, and what
    makes their machine code for an architecture.

    Where registers would spill, the functions are cut into shorter pieces, and the code that spills
    less is taken. Raises EmissionError, ModelError; BuildError without the compilers.
    """
    choice = SourceOptions(
        None, tunable, real, None, False, 1, PIECE_SIZE, FILE_LIMIT, target="cuda"
    )
    names = None if functions is None else tuple(functions)
    made = sources(equations, names, choice)

    def assemble(architecture: str) -> tuple[bytes, Mapping[str, Resources]]:
        with spinner(f"compiling {made.name} for {architecture}"):
            first = _kept(made, architecture, fused, cache_dir)
            if not _spills(first):
                return first
            shorter = replace(choice, piece_size=SHORT_PIECE)
            second = _kept(sources(equations, names, shorter), architecture, fused, cache_dir)
        return min(first, second, key=_spills)

    return json.loads(made[f"{made.name}.json"]), assemble


def _spills(found: tuple[bytes, Mapping[str, Resources]]) -> int:
    return sum(each.spills for each in found[1].values())


def _kept(
    made: Sources, architecture: str, fused: bool, cache_dir: str | os.PathLike[str] | None
) -> tuple[bytes, Mapping[str, Resources]]:
    """Machine code and resources, compiled once."""

    def compile_in(folder: Path, library: Path) -> None:
        found = assembled((folder / f"{made.name}.cu").read_text(), architecture, fused=fused)
        resources = {name: asdict(each) for name, each in found.resources.items()}
        library.write_bytes(found.binary)
        (library.parent / _RESOURCES).write_text(json.dumps(resources))

    depends_on = {"architecture": architecture, "fused": fused, "compiler": _compilers()}
    with cached(made, "kernels.cubin", depends_on, compile_in, cache_dir) as library:
        resources = json.loads((library.parent / _RESOURCES).read_text())
        found = {name: Resources(**each) for name, each in resources.items()}
        return library.read_bytes(), found


def _compilers() -> list[str]:
    """Versions; `assembled` says what is missing."""
    try:
        return [version("nvidia-cuda-nvrtc-cu12"), version("nvidia-cuda-nvcc-cu12")]
    except ModuleNotFoundError:
        return []
