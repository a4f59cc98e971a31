"""From a model to C files and to a compiled module, in one call each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eomc.codegen import Sources, write
from eomc.codegen import build as compile_sources
from eomc.codegen import emit as emit_program
from eomc.codegen.compiler import native_vector_bytes
from eomc.codegen.partition import FILE_LIMIT, PIECE_SIZE
from eomc.codegen.real import REALS, RealName
from eomc.derive.equations import CORE, Equations, derive
from eomc.derive.graph import Program
from eomc.derive.model import Model, ModelError, load
from eomc.runtime.compiled import CompiledModel
from eomc.runtime.load import load_module
from eomc.runtime.progress import spinner

__all__ = ["CORE", "build", "emit"]

Names = Iterable[str] | str | None


def emit(
    model: Any,
    folder: str | os.PathLike[str] | None = None,
    *,
    functions: Names = None,
    frames: Names = None,
    tunable: Names = None,
    real: RealName = "double",
    name: str | None = None,
    small: bool = False,
    lanes: int = 1,
    piece_size: int = PIECE_SIZE,
    file_limit: int = FILE_LIMIT,
) -> Path:
    """Write C files, Cython module, manifest and CMakeLists.txt of `model`; returns their folder.

    The folder is ``generated/<name>`` by default; its files appear whole or not at all. For
    `model` and the options see `build`. Raises `ModelError`, `EmissionError` or OSError.
    """
    asked = _Asked(frames, tunable, real, name, small, lanes, piece_size, file_limit)
    sources = _sources(derived(model), functions, asked)
    return write(sources, Path("generated") / sources.name if folder is None else folder)


def build(
    model: Any,
    *,
    functions: Names = None,
    frames: Names = None,
    tunable: Names = None,
    real: RealName = "double",
    name: str | None = None,
    small: bool = False,
    lanes: int | None = None,
    piece_size: int = PIECE_SIZE,
    file_limit: int = FILE_LIMIT,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    march_native: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> CompiledModel:
    """Derive, emit and compile `model`; a second build of the same compiles nothing.

    Parameters
    ----------
    model : Model, path of a model file, Equations, or any system with a method ``program``
    functions : names, optional
        Functions to compile; by default `CORE`. Others are compiled when first used.
    frames : names, optional
        Frames or bodies whose kinematics to compile; by default those that the model declares, if
        `functions` is not given. Others are compiled when first used.
    tunable : names or "all", optional
        Parameters that stay adjustable by ``p=``; by default those declared so.
    real : "double" or "float"
        Scalar type of the C code.
    name : str, optional
        Prefix of the emitted names; by default the model's name.
    small : bool
        Loops over the bodies instead of one long expression for each function: code that hardly
        grows with the model, but is slower. Functions that have such loops bear ``"loops"`` in
        ``model.manifest["functions"]``; the others stay as they are.
    lanes : int, optional
        States that batches evaluate at once on vectors: 1, 2, 4, 8 or 16. By default as many as
        fit this machine's vectors if `march_native` and not `small`, else 1.
    piece_size, file_limit : int
        Statements of a piece, into which long functions are cut, and of a C file. They bound the
        memory of the compiler, about 8 kB a statement of a file.
    compiler, flags, march_native, cache_dir
        How and where to compile: command of the C compiler, its optimization flags (``-O2``),
        instructions of this machine, folder of the cache.

    Raises
    ------
    ModelError, EmissionError, BuildError
        A malformed model, one that cannot be written as C, no compiler or one that fails.

    Examples
    --------
    >>> import eomc
    >>> model = eomc.Model("pendulum")
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> pendulum = eomc.build(model)
    >>> pendulum.mass_matrix([0.0])
    array([[0.25]])
    """
    equations = derived(model)
    options: dict[str, Any] = {
        "compiler": compiler, "march_native": march_native, "cache_dir": cache_dir,
    }  # fmt: skip
    if flags is not None:
        options["flags"] = tuple(flags)
    # Kept for later builds: an iterator would be empty by then.
    tunable = tunable if tunable is None or isinstance(tunable, str) else tuple(tunable)
    if lanes is None:
        size = REALS[real].bytes if real in REALS else 8
        lanes = native_vector_bytes(compiler) // size if march_native and not small else 1
    asked = _Asked(frames, tunable, real, name, small, lanes, piece_size, file_limit)
    sources = _sources(equations, functions, asked)
    with spinner(f"building {sources.name}"):
        library = compile_sources(sources, **options)

    def extend(more: tuple[str, ...]) -> Path:
        with spinner(f"building {', '.join(more)} of {sources.name}"):
            further = _sources(equations, more, replace(asked, frames=None))
            return compile_sources(further, **options)

    is_program = isinstance(equations, Program)
    return CompiledModel(load_module(library), None if is_program else extend)


def derived(model: Any, purpose: str = "build") -> Any:
    """What has equations: a system with a method ``program``, or a program itself.

    Raises `ModelError` for what has none, naming the `purpose`, and where nothing moves.
    """
    if isinstance(model, str | Path):
        model = load(model)
    if isinstance(model, Model):
        equations = derive(model)
        if not model.speeds:
            raise ModelError(
                f"nothing moves freely in model {model.name!r}; give it a joint that does",
                model.source,
            )
        return equations
    if isinstance(model, Program) or callable(getattr(model, "program", None)):
        return model
    raise ModelError(
        f"cannot {purpose} {type(model).__name__!r}; give a Model, the path of its file, or "
        "equations"
    )


def check_small(equations: Any, lanes: int = 1) -> None:
    """Raise `ModelError` where small code cannot be made."""
    if not isinstance(equations, Equations):
        raise ModelError(
            "small code is made of loops over the bodies of a model; these equations know of no "
            "bodies: leave out small"
        )
    if lanes > 1:
        raise ModelError(
            f"lanes={lanes} writes every function unrolled once more, and small asks for loops; "
            "leave out one of them"
        )


@dataclass(frozen=True)
class _Asked:
    """What shapes the sources beside the choice of functions."""

    frames: Names
    tunable: Names
    real: RealName
    name: str | None
    small: bool
    lanes: int
    piece_size: int
    file_limit: int


def _sources(equations: Any, functions: Names, asked: _Asked) -> Sources:
    frames = (asked.frames,) if isinstance(asked.frames, str) else asked.frames
    given = {"functions": functions, "frames": frames, "tunable": asked.tunable}
    # What is not asked for is not passed: not every system knows frames.
    chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if asked.small:
        check_small(equations, asked.lanes)
        chosen["small"] = True
    program = equations
    if not isinstance(equations, Program):
        named = chosen if asked.name is None else {**chosen, "name": asked.name}
        program = equations.program(**named)
    elif chosen:
        raise ModelError(f"a program is emitted as it is; {', '.join(chosen)} cannot be chosen")
    return emit_program(
        program,
        asked.real,
        prefix=asked.name,
        piece_size=asked.piece_size,
        file_limit=asked.file_limit,
        lanes=asked.lanes,
    )
