"""The compiler that comes as a Python package, for machines that have none: ``ziglang``.

``pip install 'eomc[compiler]'`` brings it. ``python -m ziglang cc`` is Clang with C libraries for
other systems, so that one machine makes binaries for all of them. Its caches lie in eomc's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from eomc.codegen.cache import cache_folder

PACKAGE = "ziglang"
# Without optimization zig traps undefined behaviour by a run time that is not linked here; and it
# would compile for this very processor, where others compile for all of its kind.
_FLAGS = ("-fno-sanitize=undefined",)
_PORTABLE = "-mcpu=baseline"


def zig_command() -> list[str]:
    """The command of its C compiler; empty if the package is not installed."""
    if find_spec(PACKAGE) is None:
        return []
    return [sys.executable, "-m", PACKAGE, "cc", *_FLAGS]


def is_zig(command: Sequence[str]) -> bool:
    """True if a command of a compiler is that of `zig_command`."""
    return list(command[1:4]) == ["-m", PACKAGE, "cc"]


def zig_options(options: list[str]) -> list[str]:
    """Compiler options as zig needs them: portable code, unless code for this machine is asked."""
    native = any(option.startswith(("-march=", "-mcpu=")) for option in options)
    return options if native else [_PORTABLE, *options]


def zig_linking(options: list[str]) -> list[str]:
    """Options of Python's link of an extension, without those meant for the linker of the compiler
    that built Python, such as Debian's ``-Wl,-Bsymbolic-functions``: zig refuses them.

    >>> zig_linking(["-shared", "-Wl,-O1", "-Wl,-Bsymbolic-functions", "-O2"])
    ['-shared', '-O2']
    """
    return [option for option in options if not option.startswith("-Wl,")]


def zig_environment() -> Mapping[str, str]:
    """Of its runs: the caches beside eomc's builds, unless the user has said where."""
    root = str(cache_folder().absolute() / "zig")
    own = {"ZIG_GLOBAL_CACHE_DIR": root, "ZIG_LOCAL_CACHE_DIR": root}
    return own | os.environ
