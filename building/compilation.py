"""From a model to C files and to a compiled module, in one call each."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import eomc.runtime.constraints.start  # noqa: F401 (the rule for starts that pages show)
from eomc.building.differentiation import Linking
from eomc.building.equations import derived
from eomc.building.live import live_model
from eomc.building.sources import Names, SourceOptions, sources
from eomc.codegen import Sources, write
from eomc.codegen.build import compiled as compiled_sources
from eomc.codegen.compiler import native_vector_bytes
from eomc.codegen.plan.cost import Optimize
from eomc.codegen.plan.interface import prefix_and_reason
from eomc.codegen.plan.real import REALS, RealName
from eomc.derive.graph import Program
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.load import load_module
from eomc.runtime.output.progress import spinner
from eomc.runtime.page.live_model import LiveModel


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
    target: str = "c",
    self_test: bool = False,
    optimize: Optimize = "speed",
    python: bool = False,
) -> Path:
    """Write `model` in a target language; returns the folder of its files.

    Of C these are a header, C files, a manifest and CMakeLists.txt; with `self_test` also a program
    that compares the functions, where they run, with values of 50 digits; with `python` a Cython
    module of the functions that runs without eomc, and the setup.py that builds it. A `target`
    other than ``"c"`` is a file of ``codegen/targets``, such as ``"cpp"`` or ``"rust"``,
    or a language registered by `eomc.codegen.language.target.register`.
    The folder is ``generated/<name>`` by default; its files appear whole or not at all. For
    `model` and the options see `build`. Raises `ModelError`, `EmissionError` or OSError.
    """
    choice = SourceOptions(
        frames,
        tunable,
        real,
        name,
        small,
        lanes,
        piece_size,
        file_limit,
        target,
        self_test,
        optimize,
        python,
    )
    equations = derived(model)
    made = sources(equations, functions, choice)
    prefix, why = prefix_and_reason(equations.name) if name is None else ("", "")
    if why:
        warnings.warn(f"names in the code begin with {prefix!r}: {why}", UserWarning, stacklevel=2)
    return write(made, Path("generated") / made.name if folder is None else folder)


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
    optimize: Optimize = "speed",
    standalone: bool = False,
    at_once: bool = False,
) -> CompiledModel:
    """Derive, emit and compile `model`; a second build of the same compiles nothing.

    Parameters
    ----------
    model : Model, path of a model file, Equations, or any system with a method ``program``
    functions : names, optional
        Functions to compile; by default those of `CORE` that a run needs. All others are compiled
        when first used.
    frames : names, optional
        Frames or bodies whose kinematics to compile; by default those that the model declares, if
        `functions` is not given. Others are compiled when first used.
    tunable : names or "all", optional
        Parameters that stay adjustable by ``parameters=``; by default those declared so.
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
        fit this machine's vectors if `march_native` and neither `small` nor for size, else 1.
    piece_size, file_limit : int
        Statements of a piece, into which long functions are cut, and of a C file. They bound the
        memory of the compiler, about 8 kB a statement of a file.
    compiler, flags, march_native, cache_dir
        How and where to compile: command of the C compiler, its optimization flags (by default
        ``$EOMC_FLAGS``, or ``-O2``), instructions of this machine, folder of the cache.

    optimize : "speed" or "size"
        What the form of each function is chosen for: straight lines, on pairs of like limbs where
        that is quicker; or the fewest bytes of these and of loops over the bodies. The manifest
        tells what was chosen and why, ``model.manifest["functions"][name]["form"]``.
    standalone : bool
        Compile an extension module of its own, ``<model>_module.<tag>.so``, which Python imports
        where eomc is not installed; seconds instead of tenths, since Cython's C is compiled too.
    at_once : bool
        Compile all of `CORE` now, instead of what a run needs.

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
        "compiler": compiler,
        "march_native": march_native,
        "cache_dir": cache_dir,
    }
    if flags is not None:
        options["flags"] = flags if isinstance(flags, str) else tuple(flags)
    # Kept for later builds: an iterator would be empty by then.
    tunable = tunable if tunable is None or isinstance(tunable, str) else tuple(tunable)
    if lanes is None:
        size = REALS[real].bytes if real in REALS else 8
        lanes = (
            native_vector_bytes(compiler) // size
            if march_native and not small and optimize == "speed"
            else 1
        )
    choice = SourceOptions(
        frames,
        tunable,
        real,
        name,
        small,
        lanes,
        piece_size,
        file_limit,
        optimize=optimize,
        python=standalone,
    )
    is_program = isinstance(equations, Program)
    first: Names = functions
    later: tuple[str, ...] = ()
    if functions is None and not (at_once or standalone or is_program or lanes > 1 or frames):
        first, later = _in_two(equations, choice.tunable)
    made = sources(equations, first, choice)
    module = _built(made, f"building {made.name}", standalone=standalone, **options)

    def extend(more: tuple[str, ...] | None) -> Any:
        further = sources(equations, more, replace(choice, frames=None, python=False))
        what = "all usual functions" if more is None else ", ".join(more)
        return _built(further, f"building {what} of {made.name}", **options)

    def live(more: Sequence[str]) -> LiveModel:
        chosen = replace(
            choice,
            frames=None,
            real="double",
            lanes=1,
            small=False,
            target="wasm",
            optimize="speed",
            python=False,
        )
        return live_model(equations, chosen, more, cache_dir=cache_dir)

    def configure(closed: Sequence[str]) -> CompiledModel:
        return build(
            equations.model.latched(*closed),
            frames=frames,
            tunable=tunable,
            real=real,
            name=name,
            piece_size=piece_size,
            file_limit=file_limit,
            **options,
        )

    linker = Linking(equations, tunable, compiler, cache_dir)
    compiled = CompiledModel(
        module, *(() if is_program else (extend, live, linker, later, configure))
    )
    compiled.mesh_folders = (*_mesh_folders(equations), *compiled.mesh_folders)
    return compiled


def _mesh_folders(equations: Any) -> Iterator[Path]:
    """Folders from which pictures read meshes: that of the model's file, packages that were named,
    and those of meshes that the user's own Python names."""
    model: Any = getattr(equations, "model", None)
    source = getattr(model, "source", None)
    if source is None or not source.file:
        return
    folder = Path(source.file).absolute().parent
    yield folder
    yield from getattr(model, "packages", ())
    for visual in model.visuals.values():
        name, own = getattr(visual.shape, "file", ""), visual.source
        if name and "://" not in name and own is not None and str(own.file).endswith(".py"):
            yield (folder / name).parent


def _in_two(equations: Any, tunable: Names) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Functions that a run needs, and the other usual ones; (None, ()) where runs need most of
    them: with constraints, and where a system has no forward dynamics."""
    usual = equations.default_functions(tunable)
    first = tuple(name for name in _RUN_NEEDS if name in usual)
    if "forward_dynamics" not in first or "constraint_jacobian" in usual:
        return None, ()
    usual = [*usual, *equations.frame_functions()]
    return first, tuple(name for name in usual if name not in first)


_RUN_NEEDS = ("coordinate_rates", "forward_dynamics", "normalize", "element_state_rates")


def _built(made: Sources, text: str, **options: Any) -> Any:
    """The functions of sources, compiled and loaded; on terminals, a sign of how far that is."""
    with spinner(text) as say:

        def progress(file: str, done: int, count: int) -> None:
            say(f"{text}: {done} of {count} files compiled, the last {file}")

        with compiled_sources(made, progress=progress, **options) as library:
            return load_module(library)
