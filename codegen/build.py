"""Emitted sources become a shared library, once: a second build of the same compiles nothing."""

import contextlib
import importlib
import io
import os
import sys
import sysconfig
import threading
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from eomc.binding.files import HEADERS, SOURCES, digest, text
from eomc.codegen.cached import cached
from eomc.codegen.compiler import (
    CALLER_FLAGS,
    NATIVE_FLAGS,
    Progress,
    compile_library,
    compiler_identity,
    find_compiler,
    model_flags,
    model_options,
    silent,
    units,
    words_of,
)
from eomc.codegen.plan.errors import BuildError
from eomc.codegen.sources import Sources

# Raise it when the way of building changes in a manner that the rest of the key does not show.
_FORMAT = 3
# Cython keeps global state while it works.
_TRANSLATING = threading.Lock()


def build(
    sources: Sources,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    march_native: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
    standalone: bool = False,
) -> Path:
    """Path of the shared library compiled from ``sources``, built if the cache has none.

    compiler : command or path; by default ``$CC``, Python's own, or cc, gcc, clang
    flags : optimization flags of the model's C code; by default ``$EOMC_FLAGS``, or ``-O2``, and
        for more than 300 kB of C ``-O1``, unless it is for this machine
    march_native : use every instruction of this machine; fused multiply-adds then round once where
        the equations round twice
    cache_dir : instead of ``$EOMC_CACHE_DIR`` or the user's cache folder
    standalone : an extension module instead, which needs no eomc; of sources emitted with `python`

    The key of the cache holds all sources, the compiler and its version, and the flags; of an
    extension module the versions of Python's, Cython's and NumPy's binary interfaces too. Builds
    may run in parallel and may be killed at any moment; a damaged one is built anew.

    Raises BuildError if there is no compiler, with the end of its output, or if others could have
    written what is in the cache.
    """
    with compiled(
        sources,
        compiler=compiler,
        flags=flags,
        march_native=march_native,
        cache_dir=cache_dir,
        standalone=standalone,
    ) as library:
        return library


@contextlib.contextmanager
def compiled(
    sources: Sources,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    march_native: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
    standalone: bool = False,
    progress: Progress = silent,
) -> Iterator[Path]:
    """The path that `build` returns, to be loaded here: no clearing of the cache takes it away.

    progress : called with each file that is compiled, how many are done, and of how many
    """
    command = find_compiler(compiler)
    size = 0 if march_native else sum(len(sources[file]) for file in sources.c_files)
    chosen = model_flags(size) if flags is None else words_of(flags, "flags")
    options = model_options(command, [*chosen, *(NATIVE_FLAGS if march_native else ())])
    depends_on: dict[str, Any] = {
        "format": _FORMAT,
        "compiler": compiler_identity(command, any("native" in o for o in options)),
        "flags": options,
    }
    if standalone:
        library = f"{sources.module}{_extension_suffix()}"
        depends_on |= _of_extension()
    else:
        sources, library = sources.with_table, f"{sources.name}.so"

    def compile_in(work: Path, target: Path) -> None:
        if standalone:
            wrapper = _translate(work / f"{sources.module}.pyx", sources.module)
            _compile_extension(work, target, command, sources.library_files, options, wrapper)
        else:
            jobs = units(sources.library_files, options)
            compile_library(work, target, command, jobs, progress=progress)

    with cached(sources, library, depends_on, compile_in, cache_dir) as found:
        yield found


def build_binding(cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Path of the binding, compiled into the cache: for source trees that have changed since they
    were installed, and installations without a compiler.

    Raises BuildError, saying what to install, if there is no compiler or no Cython.
    """
    sources = Sources("eomc_binding", {name: text(name) for name in (*SOURCES, *HEADERS)})
    command = find_compiler()
    depends_on = {
        "format": _FORMAT,
        "compiler": compiler_identity(command, False),
        "flags": list(CALLER_FLAGS),
        **_of_extension(),
    }

    def compile_in(work: Path, target: Path) -> None:
        wrapper = _translate(work / "binding.pyx", "eomc._binding")
        own = f'-DEOMC_SOURCE="{digest()}"'
        _compile_extension(work, target, command, [], (), wrapper, own)

    library = f"_binding{_extension_suffix()}"
    with cached(sources, library, depends_on, compile_in, cache_dir) as found:
        return found


def _compile_extension(
    work: Path,
    target: Path,
    command: Sequence[str],
    files: Sequence[str],
    options: Sequence[str],
    wrapper: str,
    *flags: str,
) -> None:
    """Link the C `files` of a model and Cython's file `wrapper` into an extension module."""
    numpy: Any = importlib.import_module("numpy")
    include = [str(work), numpy.get_include()]
    jobs = units(files, options, [wrapper])
    jobs[-1] = type(jobs[-1])(wrapper, [*CALLER_FLAGS, *_NUMPY_FLAGS, *flags])
    compile_library(work, target, command, jobs, include=include, python=True)


_NUMPY_FLAGS = ("-DNPY_NO_DEPRECATED_API=NPY_2_0_API_VERSION",)


def _extension_suffix() -> str:
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def _of_extension() -> dict[str, Any]:
    """Versions that an extension module depends on beside its sources."""
    numpy: Any = importlib.import_module("numpy")
    try:
        cython = version("cython")
    except PackageNotFoundError:
        raise BuildError("Cython is not installed; pip install cython") from None
    return {
        "python": [sys.implementation.cache_tag, _extension_suffix()],
        "cython": cython,
        # The C API that the headers speak; bug-fix releases share it.
        "numpy": ".".join(numpy.__version__.split(".")[:2]),
    }


def _translate(source: Path, module: str) -> str:
    """Make ``<name>.c`` beside ``<name>.pyx`` and return its name."""
    cython: Any = importlib.import_module("Cython.Compiler.Main")
    said = io.StringIO()
    with _TRANSLATING, contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        options = cython.CompilationOptions(output_file=str(source.with_suffix(".c")))
        result = cython.compile_single(str(source), options, full_module_name=module)
    if result.num_errors:
        raise BuildError(f"Cython refused {source.name}:\n{said.getvalue()[-4000:]}")
    return source.with_suffix(".c").name
