"""Processor, compilers and packages that the figures were measured with."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from pathlib import Path

from benchmarks.compiling import FLAGS, PLAIN_FLAGS
from benchmarks.pinocchio_peer import FLAGS as CPP_FLAGS
from eomc.codegen.compiler import native_vector_bytes

PACKAGES = (
    *("eomc", "numpy", "sympy", "cython", "pin", "casadi", "mujoco", "pydy", "example-robot-data"),
)


def machine() -> dict[str, str]:
    """Processor, compilers and versions, by name."""
    facts = {
        "processor": _processor(),
        "vectors": f"{8 * native_vector_bytes('gcc')} bit",
        "system": f"{platform.system()} {platform.machine()}",
        "C": f"{_version('gcc')}, {' '.join(FLAGS)}",
        "C (CasADi)": f"these or {' '.join(PLAIN_FLAGS)}, whichever is faster",
        "C++ (Pinocchio)": f"{_version('g++')}, {' '.join(f for f in CPP_FLAGS if f[:2] != '-D')}"
        " -DNDEBUG, all from headers",
        "Python": platform.python_version(),
    }
    for package in PACKAGES:
        try:
            facts[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def _version(compiler: str) -> str:
    try:
        result = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return f"{compiler} not installed"
    return result.stdout.splitlines()[0]
