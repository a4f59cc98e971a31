"""From a model to compiled code in one call, and the hook that compiles more when it is needed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from eomc.codegen import build as build_sources
from eomc.codegen import emit as emit_sources
from eomc.codegen import write
from eomc.codegen.build import DEFAULT_FLAGS
from eomc.codegen.real import RealName
from eomc.runtime import CompiledModel, load
from eomc.runtime.load import import_module

if TYPE_CHECKING:
    from eomc.derive.equations import Equations
    from eomc.derive.model import Model


def build(
    model: Model | Equations | Any,
    functions: Iterable[str] | str | None = None,
    frames: Iterable[str] | str | None = None,
    tunable: Iterable[str] | str | None = None,
    real: RealName = "double",
    flags: Sequence[str] = DEFAULT_FLAGS,
    cache_dir: str | os.PathLike[str] | None = None,
    compiler: str | None = None,
) -> CompiledModel:
    """Derive, emit, compile and load a model; a second build of the same compiles nothing.

    Parameters
    ----------
    model : a model, its equations, or what `eomc.derive` takes
    functions : names of the functions to compile now; by default the core set. Others are compiled
        when they are first called.
    frames : names of frames or bodies whose kinematics are compiled now; by default the declared
        frames if `functions` is not given
    tunable : parameters that stay adjustable at run time, or "all"; by default those declared so
    real : scalar type of the compiled code, "double" or "float"
    flags : optimization flags of the C compiler
    cache_dir : folder of the build cache; by default ``$EOMC_CACHE_DIR`` or the user's
    compiler : command of the C compiler; by default ``$CC``, or what is found

    Raises
    ------
    ModelError
        The model is malformed, or a name is unknown.
    BuildError
        There is no C compiler (the message says what to install), or it failed.
    """
    equations = _equations(model)
    # Each module has a name of its own, made from the first function that asked for it.
    recipe = _Recipe(equations, tunable, real, tuple(flags), cache_dir, compiler)
    path = recipe.compile(_names(functions), _names(frames), None)
    return load(path, recipe.extend)


def emit(
    model: Model | Equations | Any,
    folder: str | os.PathLike[str],
    functions: Iterable[str] | str | None = None,
    frames: Iterable[str] | str | None = None,
    tunable: Iterable[str] | str | None = None,
    real: RealName = "double",
    prefix: str | None = None,
) -> Path:
    """Write the C code of a model into a folder: header, sources, manifest, CMakeLists.txt.

    The folder holds all that a C program needs; the same model gives the same bytes. Arguments as of
    `build`; `prefix` leads every C name, by default the model's name.
    """
    program = _equations(model).program(
        functions=_names(functions), frames=_names(frames), tunable=tunable
    )
    return write(emit_sources(program, real, prefix=prefix), folder)


class _Recipe:
    """How a model was built, to build more of it in the same way."""

    def __init__(
        self,
        equations: Equations,
        tunable: Iterable[str] | str | None,
        real: RealName,
        flags: tuple[str, ...],
        cache_dir: str | os.PathLike[str] | None,
        compiler: str | None,
    ) -> None:
        self.equations = equations
        self.tunable = equations.tunable(tunable)
        self.real: RealName = real
        self.flags = flags
        self.cache_dir = cache_dir
        self.compiler = compiler

    def compile(
        self, functions: list[str] | None, frames: list[str] | None, suffix: str | None
    ) -> Path:
        """Path of the module with these functions."""
        program = self.equations.program(functions=functions, frames=frames, tunable=self.tunable)
        prefix = None if suffix is None else f"{program.name}_{suffix}"
        sources = emit_sources(program, self.real, prefix=prefix)
        return build_sources(
            sources, flags=self.flags, cache_dir=self.cache_dir, compiler=self.compiler
        )

    def extend(self, function: str) -> ModuleType:
        """The module with `function`; of a frame, with all that can be asked of it."""
        if function == "rk4":
            parts = ["coordinate_rates", "forward_dynamics", "normalize"]
            return import_module(self.compile(parts, None, function))
        for frame in self.equations.frames:
            stem = function_name(frame, "")
            if function.startswith(stem) and function in self.equations.kinds:
                return import_module(self.compile([], [frame], stem.rstrip("_")))
        return import_module(self.compile([function], None, function))


def _equations(model: Any) -> Any:
    """Equations as they are, or those of a model."""
    if hasattr(model, "program"):
        return model
    from eomc import derive

    return derive(model)


def _names(names: Iterable[str] | str | None) -> list[str] | None:
    if names is None:
        return None
    return [names] if isinstance(names, str) else list(names)
