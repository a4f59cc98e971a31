"""A compiler where there is none: ziglang, for this machine and for others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from eomc.building import build, fmu
from eomc.codegen.cache import cache_folder
from eomc.codegen.fmi.platforms import PLATFORMS, BinaryPlatform, shared_library
from eomc.codegen.plan.errors import BuildError
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.work import model_file

_WITHOUT = "" if find_spec("ziglang") else "ziglang is not installed: pip install 'eomc[compiler]'"
_BARE = """
import sys, numpy as np, eomc
from eomc.codegen.compiler import find_compiler
print(*find_compiler())
for name in sys.argv[2:]:
    built = eomc.build(name)
    q, u, tau = np.random.default_rng(3).normal(size=(3, 100, built.nq))
    np.save(sys.argv[1] + "/" + built.name, built.forward_dynamics(q, u, tau))
"""
_NO_ZIG = """
import sys, eomc
import eomc.codegen.zig as zig
zig.PACKAGE = "no_such_zig"
eomc.build(sys.argv[2])
"""


def _without_compilers(text: str, place: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python that finds no programs on its path, but keeps what zig has in its caches."""
    kept = {
        "EOMC_CACHE_DIR": place + "/cache",
        "ZIG_GLOBAL_CACHE_DIR": str(cache_folder() / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(cache_folder() / "zig"),
        "PATH": place,
    }
    environment = {k: v for k, v in os.environ.items() if k not in ("CC", "EOMC_WRAPPER_CC")} | kept
    return subprocess.run(
        [sys.executable, "-c", text, place, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def case_14() -> Iterator[CaseCheck]:
    names = ("pendulum", "panda")
    with tempfile.TemporaryDirectory() as place:
        run = _without_compilers(_BARE, place, *(str(model_file(name)) for name in names))
        yield at_most("exit code of a build", run.returncode, 0)
        yield holds("the compiler", "ziglang", run.stdout.strip(), "-m ziglang cc" in run.stdout)
        for name in names:
            own = build(model_file(name))
            q, u, tau = np.random.default_rng(3).normal(size=(3, 100, own.nq))
            same = np.array_equal(np.load(f"{place}/{name}.npy"), own.forward_dynamics(q, u, tau))
            yield holds(
                f"{name}: accelerations in 100 states",
                "the system compiler's bits",
                str(same),
                same,
            )


def case_15() -> Iterator[CaseCheck]:
    yield from _binaries(p for p in PLATFORMS.values() if p.suffix != ".dll")
    with tempfile.TemporaryDirectory() as place:
        folder, target = Path(place), Path(place) / "library.dylib"
        (folder / "bad.c").write_text("int f(void) { return 1 }\n", encoding="utf-8")
        try:
            shared_library(folder, ["bad.c"], PLATFORMS["aarch64-darwin"], target)
            said = "no error"
        except BuildError as error:
            said = str(error).splitlines()[0]
        yield holds("C that is none", "the platform is named", said, "aarch64-darwin" in said)
        yield holds("its file", "none", str(target.exists()), not target.exists())


def case_37() -> Iterator[CaseCheck]:
    # That for ARM64 is made alike; zig takes minutes for the first library of each.
    yield from _binaries(p for p in PLATFORMS.values() if p.name == "x86_64-windows")


def _binaries(platforms: Iterator[BinaryPlatform]) -> Iterator[CaseCheck]:
    chosen = list(platforms)
    with tempfile.TemporaryDirectory() as place:
        file = fmu(
            model_file("pendulum"), Path(place) / "pendulum.fmu", platforms=[p.name for p in chosen]
        )
        with zipfile.ZipFile(file) as archive:
            for platform in chosen:
                name = f"{platform.folder('3')}/pendulum{platform.suffix}"
                content = archive.read(name) if name in archive.namelist() else b""
                begins = content[: len(platform.magic)]
                yield holds(name, str(platform.magic), str(begins), begins == platform.magic)


def case_16() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as place:
        run = _without_compilers(_NO_ZIG, place, str(model_file("pendulum")))
        said = run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "no error"
        for way in ("BuildError", "apt install gcc", "eomc[compiler]"):
            yield holds("a machine with no compiler at all", way, said[:300], way in said)


CASES = (
    Case(
        14,
        "builds where no compiler is on the path",
        "ziglang",
        "bits of the system's compiler",
        case_14,
        unavailable=_WITHOUT,
        slow=True,
    ),
    Case(
        15,
        "binaries for Linux and macOS",
        "ziglang",
        "first bytes of each; what fails is named",
        case_15,
        unavailable=_WITHOUT,
        slow=True,
    ),
    Case(
        16,
        "neither a compiler nor ziglang",
        "the project's own",
        "the message names both ways",
        case_16,
    ),
    Case(
        37,
        "a binary for Windows",
        "ziglang",
        "its first bytes",
        case_37,
        slow=True,
        unavailable=_WITHOUT,
    ),
)
