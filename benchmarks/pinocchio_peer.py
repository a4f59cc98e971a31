"""Pinocchio's C++ algorithms, compiled here from the headers of its wheel.

The wheel ships headers without Eigen, which comes from the package cmeel-eigen or from the system.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import subprocess
from pathlib import Path

import numpy as np

from benchmarks.compiling import c_function, copies
from benchmarks.contender import Contender, Unavailable
from benchmarks.mechanism import Mechanism

NAME = "Pinocchio"
SOURCE = Path(__file__).with_name("pinocchio_driver.cpp")
# -O3 is what Pinocchio's own release builds use.
FLAGS = (
    *("-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared"),
    *("-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30"),
    *("-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"),
)
TUNES = {"": (), ", tuned for no core": ("-mtune=generic",)}
"""As it is usually compiled, and as what eomc emits is; whichever is faster."""


def _headers() -> list[Path]:
    """Include folders of Pinocchio, Boost and Eigen; raises Unavailable if one is missing."""
    try:
        import pinocchio
    except ImportError:
        raise Unavailable("install the package pin for Pinocchio") from None
    prefix = next(p for p in Path(pinocchio.__file__).parents if p.name == "cmeel.prefix")
    places = [prefix / "include", Path("/usr/include")]
    eigen = [p / "eigen3" for p in places if (p / "eigen3" / "Eigen" / "Core").is_file()]
    if not eigen:
        raise Unavailable("Eigen's headers are missing; install the package cmeel-eigen")
    return [prefix / "include", eigen[0]]


@functools.cache
def driver(cache: Path, tune: tuple[str, ...] = ()) -> Path:
    """The compiled driver; some minutes the first time. Raises Unavailable, saying why not."""
    headers, flags = _headers(), (*FLAGS, *tune)
    text = SOURCE.read_bytes() + SOURCE.with_name("rk4.h").read_bytes()
    key = hashlib.sha256(text + repr((flags, headers)).encode()).hexdigest()[:16]
    library = cache / f"pinocchio-{key}.so"
    if not library.is_file():
        print("compiling Pinocchio's algorithms (some minutes, once) ...", flush=True)
        cache.mkdir(parents=True, exist_ok=True)
        includes = [f"-I{header}" for header in headers]
        part = library.with_suffix(".part")
        command = ["g++", *flags, *includes, str(SOURCE), "-o", str(part)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise Unavailable(f"Pinocchio's headers do not compile: {result.stderr[:1000]}")
        part.rename(library)
    return library


@functools.cache
def _copies(library: Path) -> list[Path]:
    """Written once: no file is replaced that is loaded."""
    return copies(library)


def load(mechanism: Mechanism, library: Path) -> None:
    """Hand the model to a copy of the driver."""
    rows = np.array(
        [
            np.concatenate(
                [
                    [link.parent + 1, link.axis, *link.rotation.flat, *link.offset],
                    [link.mass, *link.center, *link.tensor.flat],
                ]
            )
            for link in mechanism.links
        ]
    )
    function = ctypes.CDLL(str(library)).load
    function.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]
    function.restype = None
    gravity = np.ascontiguousarray(mechanism.gravity)
    function(rows.ctypes.data, len(rows), gravity.ctypes.data)


def pinocchio(mechanism: Mechanism, function: str, cache: Path) -> list[Contender]:
    """ABA, RNEA, CRBA or the derivatives of ABA; in link and in world axes where it has both.

    Forward dynamics also by CRBA, in both, and the factorization of M.
    """
    return [
        contender
        for tuned, tune in TUNES.items()
        for contender in _algorithms(mechanism, function, driver(cache, tune), tuned)
    ]


def _algorithms(mechanism: Mechanism, function: str, library: Path, tuned: str) -> list[Contender]:
    same = _copies(library)
    for each in (library, *same):
        load(mechanism, each)
    read = ctypes.CDLL(str(library)).read_results
    read.argtypes = [ctypes.c_int]
    names = {NAME: function}
    if function in ("forward_dynamics", "mass_matrix", "rk4_step"):
        names[f"{NAME}, world axes"] = f"{function}_world"
    if function == "forward_dynamics":
        names[f"{NAME}, CRBA and Cholesky"] = f"{function}_factored"
        names[f"{NAME}, CRBA in world axes and Cholesky"] = f"{function}_factored_world"
    return [
        Contender(
            name + tuned,
            c_function(library, symbol),
            before_check=lambda: read(1),
            after_check=lambda: read(0),
            copies=[c_function(copy, symbol) for copy in same],
        )
        for name, symbol in names.items()
    ]
