"""The C compiler: which one, what it calls itself, and how it makes a shared library.

How an extension module is linked comes from the configuration of the running Python; on Windows
setuptools finds and runs the Microsoft compiler.
"""

import functools
import hashlib
import importlib
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eomc.codegen.plan.errors import BuildError
from eomc.codegen.zig import is_zig, zig_command, zig_environment, zig_linking, zig_options
from eomc.derive.graph.tuning import COUNTED_VECTOR

# -fno-math-errno: nobody reads errno, so sqrt is one instruction and sin, cos of one angle fuse.
# -fvisibility=hidden: calls between the C files need no indirection, and two models in one process
#  cannot meet.
# -fno-tree-slp-vectorize: pairing scalars of straight-line code into vectors costs more shuffles
#  than it saves operations; inverse dynamics of 30 joints runs up to 1.8 times faster without.
# -ffp-contract=off: some compilers fuse multiplications and additions where the target can, others
#  do not; so all give the same bits. NATIVE_FLAGS ask for it.
# Not -ffast-math: it reorders sums and assumes that no NaN exists; results would differ from the
#  equations and failures would go unseen.
MODEL_FLAGS = (
    *("-std=c99", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-slp-vectorize"),
    "-fvisibility=hidden",
)
# A fused multiply-add rounds once where the equations round twice; it saves a tenth of the time.
NATIVE_FLAGS = ("-march=native", "-ffp-contract=fast")
# Of gcc alone: straight lines of thousands of values are moved less between registers and the
#  stack, which saves 3 to 8 % of the bytes and of the time and costs a tenth of the compiler's.
GCC_FLAGS = ("-frename-registers", "-flive-range-shrinkage")
# For this machine too: what gcc knows of its times makes longer code of a straight line.
_GCC_NATIVE_FLAG = "-mtune=generic"
# Vectors of 64 bytes on the stack are then that many bytes from each other and from its pointer,
#  which short instructions count on; with a red zone, 8 more.
_GCC_LONG_VECTORS_FLAG = "-mno-red-zone"
# Lists the predefined macros for this machine.
_NATIVE_MACROS = ["-march=native", "-dM", "-E", "-x", "c", os.devnull]
DEFAULT_FLAGS = ("-O2",)
# Of code of so many bytes of C: little is left for the compiler to do in straight lines that long,
# which takes it most of its time. Of a humanoid of 29 joints the derivatives of forward dynamics
# are compiled in 0.55 of the time and run as fast, forward dynamics in 1.04 of the time.
LARGE, LARGE_FLAGS = 300_000, ("-O1",)
# Of C that only calls what a model's C computes.
CALLER_FLAGS = ("-O1", "-fvisibility=hidden", "-w")

_INSTALL = (
    "pip install 'eomc[compiler]' brings one, ziglang, which is found by itself. Or install "
    "that of the system: Debian, Ubuntu: apt install gcc python3-dev; Fedora: dnf install gcc "
    "python3-devel; macOS: xcode-select --install; Windows: Microsoft C++ Build Tools "
    "(visualstudio.microsoft.com/visual-cpp-build-tools). Or name one with compiler=... or the "
    "environment variable CC"
)
_TAIL = 4000

Progress = Callable[[str, int, int], None]


def silent(file: str, done: int, count: int) -> None:
    """Nobody looks on."""


def is_windows() -> bool:
    """True if extension modules are made by the Microsoft compiler."""
    return sys.platform == "win32" and "GCC" not in sys.version


def model_flags(size: int = 0) -> list[str]:
    """Optimization flags of a model's code that no build asks for otherwise: ``$EOMC_FLAGS``, or
    what suits a `size` in bytes of C."""
    return _words_in("EOMC_FLAGS") or list(LARGE_FLAGS if size > LARGE else DEFAULT_FLAGS)


def words_of(command: str | Sequence[str], name: str) -> list[str]:
    """The words of a command line, quotes heeded; BuildError, with its `name`, if they are odd."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise BuildError(f"{name} is {command!r}, which has no words: {error}") from None
    if any("\0" in word for word in words):
        raise BuildError(f"{name} is {command!r}; no command holds a zero byte")
    return words


def _words_in(variable: str) -> list[str]:
    return words_of(os.environ.get(variable, ""), f"the environment variable {variable}")


def find_compiler(compiler: str | os.PathLike[str] | None = None) -> list[str]:
    """Command of the C compiler: the one asked for, ``$CC``, Python's own, any on the path, or
    that of the package ``ziglang``.

    Raises BuildError, saying what to install, if there is none.
    """
    if compiler is not None:
        candidates = [words_of([os.fspath(compiler)], "compiler")]
    elif asked := _words_in("CC"):
        candidates = [asked]
    else:
        own = shlex.split(sysconfig.get_config_var("CC") or "")[:1]
        candidates = [own] if own else []
        candidates += [["cl"]] if is_windows() else [["cc"], ["gcc"], ["clang"]]
    for command in candidates:
        if found := _on_path(command):
            return found
    found_by_itself = compiler is None and not _words_in("CC")
    if found_by_itself and not is_windows() and (packaged := zig_command()):
        return packaged
    if compiler is None and is_windows():
        return ["cl"]  # setuptools looks it up in the registry
    names = ", ".join(command[0] for command in candidates)
    names += ", and the package ziglang" if found_by_itself else ""
    raise BuildError(f"no C compiler found (looked for {names}); {_INSTALL}")


def _on_path(command: Sequence[str]) -> list[str] | None:
    """The command with its absolute path, since it runs in the folder of the build."""
    path = shutil.which(command[0])
    return None if path is None else [os.path.abspath(path), *command[1:]]


def model_options(command: Sequence[str], flags: Sequence[str] = ()) -> list[str]:
    """All options by which `command` compiles the C of a model, the asked `flags` the last."""
    options = list(MODEL_FLAGS)
    if _is_gcc(command):
        options += () if {"-O0", "-O1"} & {*flags} else GCC_FLAGS
        if "-march=native" in flags:
            has_long = _vector_bytes(tuple(command)) == COUNTED_VECTOR
            options += [_GCC_NATIVE_FLAG, *([_GCC_LONG_VECTORS_FLAG] if has_long else [])]
    return [*options, *flags]


def compiler_identity(command: Sequence[str], native: bool) -> str:
    """Path, version and, for native code, machine: all that the compiler's output depends on."""
    probes = [["--version"], *([_NATIVE_MACROS] if native else [])]
    answers = [_answer(command, probe) for probe in probes]
    return " ".join([*command, *(hashlib.sha256(a).hexdigest() for a in answers if a)])


def _is_gcc(command: Sequence[str]) -> bool:
    return not is_windows() and b"Free Software Foundation" in _answer(command, ["--version"])


def _answer(command: Sequence[str], probe: Sequence[str]) -> bytes:
    """Output of the compiler asked so, once for each state of its file; nothing without one."""
    try:
        stamp = os.stat(command[0])
    except OSError:
        return b""
    return _kept_answer(tuple(command), tuple(probe), stamp.st_size, stamp.st_mtime_ns)


@functools.cache
def _kept_answer(
    command: tuple[str, ...], probe: tuple[str, ...], size: int, changed: int
) -> bytes:
    return _output(command, probe)


def _output(command: Sequence[str], options: Sequence[str]) -> bytes:
    """Standard output of the compiler for some options; BuildError if it does not run."""
    try:
        result = subprocess.run(
            [*command, *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            env=zig_environment() if is_zig(command) else None,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise BuildError(f"the C compiler {command[0]} does not run: {error}") from None
    return result.stdout


def native_vector_bytes(compiler: str | os.PathLike[str] | None = None) -> int:
    """Length of the longest vectors of this machine that the compiler makes use of, in bytes."""
    command = find_compiler(compiler)
    return 16 if is_windows() else _vector_bytes(tuple(command))


@functools.cache
def _vector_bytes(command: tuple[str, ...]) -> int:
    macros = _output(command, _NATIVE_MACROS).decode(errors="replace")
    lengths = {"__AVX512F__": 64, "__AVX__": 32}
    return next((bytes_ for macro, bytes_ in lengths.items() if f" {macro} " in macros), 16)


@dataclass(frozen=True)
class CompilationUnit:
    """A C file of a folder, and the options that compile it."""

    file: str
    options: Sequence[str]


def units(
    files: Sequence[str], options: Sequence[str], callers: Sequence[str] = ()
) -> list[CompilationUnit]:
    """Files of a model by its `options`, and files of `callers` by `CALLER_FLAGS`."""
    return [
        *(CompilationUnit(file, options) for file in files),
        *(CompilationUnit(file, CALLER_FLAGS) for file in callers),
    ]


def compile_library(
    folder: Path,
    target: Path,
    command: Sequence[str],
    jobs: Sequence[CompilationUnit],
    *,
    include: Sequence[str] = (),
    python: bool = False,
    progress: Progress = silent,
) -> None:
    """Compile C files of ``folder``, at the same time, and link them into ``target``.

    include : folders of headers
    python : whether the library is an extension module, which Python's headers and linking make
    progress : called with the file that is done and how many are done, of how many

    Raises BuildError with the end of the compiler's output.
    """
    # The longest first, so that the others fit beside it.
    ordered = sorted(jobs, key=lambda job: -(folder / job.file).stat().st_size)
    paths = sysconfig.get_paths() if python else {}
    headers = [path for kind, path in paths.items() if kind in ("include", "platinclude")]
    includes = list(dict.fromkeys([*include, *headers]))
    if is_windows():
        _with_microsoft(folder, target, ordered, includes, python)
        return
    search = [f"-I{path}" for path in includes]
    done = itertools.count(1)

    def compiled(job: CompilationUnit) -> str:
        result = job.file.removesuffix(".c") + ".o"
        options = zig_options(list(job.options)) if is_zig(command) else list(job.options)
        _run([*command, *_fixed_flags(), *options, *search, "-c", job.file, "-o", result], folder)
        progress(job.file, next(done), len(ordered))
        return result

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        objects = list(pool.map(compiled, ordered))
    linking = ["-shared"]
    if python or sys.platform == "darwin":
        # Python says how an extension is linked here: -bundle -undefined dynamic_lookup, say.
        linking = shlex.split(sysconfig.get_config_var("LDSHARED") or "cc -shared")[1:]
    linking = zig_linking(linking) if is_zig(command) else linking
    _run([*command, *linking, *objects, "-lm", "-o", str(target)], folder)
    if not (target.is_file() and target.stat().st_size):
        raise BuildError(
            f"{shlex.join(command)} ended well but made no library: it is no C compiler; {_INSTALL}"
        )


def _fixed_flags() -> list[str]:
    """Position-independent code, and the architectures that Python itself was built for (macOS)."""
    flags = shlex.split(sysconfig.get_config_var("CCSHARED") or "-fPIC")
    words = shlex.split(sysconfig.get_config_var("CFLAGS") or "")
    for first, second in itertools.pairwise(words):
        if first in ("-arch", "-isysroot"):
            flags += [first, second]
    return flags


def _run(command: Sequence[str], folder: Path) -> None:
    """One command of the toolchain, in the build folder."""
    try:
        result = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**(zig_environment() if is_zig(command) else os.environ), "LC_ALL": "C"},
            check=False,
        )
    except OSError as error:
        raise BuildError(f"the C compiler {command[0]} does not run: {error}; {_INSTALL}") from None
    if result.returncode != 0:
        output = result.stdout.decode(errors="replace")
        missing = re.search(r"fatal error: .*Python\.h", output)
        hint = f"\nPython's headers are missing; {_INSTALL}" if missing else ""
        raise BuildError(
            f"compiling failed (exit code {result.returncode}): {os.path.basename(command[0])} "
            f"said\n{output[-_TAIL:]}{hint}"
        )


def _with_microsoft(
    folder: Path,
    target: Path,
    jobs: Sequence[CompilationUnit],
    includes: Sequence[str],
    python: bool,
) -> None:
    """The same by the Microsoft compiler, which setuptools knows how to find."""
    importlib.import_module("setuptools")  # provides distutils where Python no longer does
    new_compiler: Any = importlib.import_module("distutils.ccompiler").new_compiler

    table = {"-O0": "/Od", "-O1": "/O1", "-O2": "/O2", "-O3": "/O2", "-w": "/w"}
    compiler = new_compiler()
    objects: list[str] = []
    try:
        for job in jobs:
            words = [table.get(flag, flag.replace("-D", "/D", 1)) for flag in job.options]
            objects += compiler.compile(
                [str(folder / job.file)],
                include_dirs=list(includes),
                extra_postargs=[word for word in words if word.startswith("/")],
            )
        exports = [f"PyInit_{target.name.split('.')[0]}"] if python else []
        libraries = [str(Path(sys.base_prefix) / "libs")]
        compiler.link_shared_object(
            objects, str(target), export_symbols=exports, library_dirs=libraries
        )
    except Exception as error:  # the classes of these errors moved between versions of setuptools
        raise BuildError(f"compiling failed: {error}; {_INSTALL}") from error
