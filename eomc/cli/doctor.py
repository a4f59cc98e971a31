"""``eomc doctor``: the parts of the installation, and the cost of each that is missing."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import subprocess
import sysconfig
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

import typer

from eomc.cli.output import Json, print_json, print_table

#: Extras that users may miss, and what needs them.
EXTRAS = {
    "urdf": "URDF files",
    "mjcf": "MJCF files",
    "sdf": "SDF files",
    "usd": "OpenUSD files",
    "lsp": "the language server",
    "xacro": "xacro files",
    "plot": "plots",
    "mesh": "meshes in pictures",
    "film": "films",
    "sundials": "the integrators of SUNDIALS",
    "control": "python-control",
    "identification": "physically consistent identification",
    "allocation": "force allocation",
    "study": "studies on clusters and in Zarr",
    "tables": "pandas and xarray",
    "casadi": "optimal control by IPOPT and fatrop",
    "records": "Parquet and ROS bags",
}
_VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX", "sse2": "SSE2", "asimd": "NEON"}


@dataclass(frozen=True)
class Finding:
    """A part of the installation: its state, and the cost if something is missing."""

    part: str
    state: str
    missing: str = ""


def doctor(json: Json = False) -> None:
    """Show the parts of the installation, and the cost of each that is missing.

    \b
    Example:
        eomc doctor
    """
    found = [check() for check in CHECKS]
    if json:
        print_json([asdict(finding) for finding in found])
        return
    print_table([(finding.part, finding.state) for finding in found], indent=0)
    for finding in found:
        if finding.missing:
            typer.echo(f"{finding.part}: {finding.missing}")


def _eomc() -> Finding:
    return Finding("eomc", f"{metadata.version('eomc')} in {Path(__file__).parents[1]}")


def _python() -> Finding:
    name = f"{platform.python_implementation()} {platform.python_version()}"
    return Finding("Python", f"{name}, {sysconfig.get_platform()}")


def _compiler() -> Finding:
    from eomc.codegen.compiler import find_compiler
    from eomc.codegen.plan.errors import BuildError

    try:
        command = find_compiler()
    except BuildError as error:
        return Finding("compiler", "none", f"nothing is built. {error}")
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("compiler", " ".join(command), f"it does not answer: {error}")
    version = (done.stdout or done.stderr).strip().split("\n")[0]
    return Finding("compiler", f"{' '.join(command)}: {version}")


def _binding() -> Finding:
    found = importlib.util.find_spec("eomc._binding")
    if found is not None and found.origin is not None:
        return Finding("binding", f"compiled: {Path(found.origin).name}")
    return Finding("binding", "not compiled", "it is compiled at the first build, once")


def _headers() -> Finding:
    file = Path(sysconfig.get_paths()["include"]) / "Python.h"
    if file.exists():
        return Finding("Python.h", str(file))
    missing = (
        "standalone modules, which need no eomc, are not built; Debian: apt install python3-dev"
    )
    return Finding("Python.h", "none", missing)


def _extras() -> Finding:
    lacking = [name for name in EXTRAS if not _is_installed(*requirements(name))]
    there = [name for name in EXTRAS if name not in lacking]
    needs = ", ".join(f"{name} ({EXTRAS[name]})" for name in lacking)
    advice = f"pip install 'eomc[{','.join(lacking)}]' brings: {needs}" if lacking else ""
    return Finding("extras", ", ".join(there) or "none", advice)


def requirements(extra: str) -> Iterator[str]:
    """Names of the packages that an extra brings."""
    for entry in metadata.requires("eomc") or ():
        if re.search(rf"extra == ['\"]{extra}['\"]", entry):
            yield re.split(r"[<>=!~\[; ]", entry)[0]


def _is_installed(*packages: str) -> bool:
    try:
        return [metadata.version(package) for package in packages] != []
    except metadata.PackageNotFoundError:
        return False


def _cache() -> Finding:
    from eomc.codegen.cache import cache_folder, entries

    folder = cache_folder()
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not os.access(above, os.W_OK):
        missing = "each build compiles anew; name a folder in EOMC_CACHE_DIR"
        return Finding("cache", f"{folder} cannot be written", missing)
    builds = entries()
    size = sum(entry.size for entry in builds) / 2**20
    return Finding("cache", f"{folder}, {len(builds)} builds, {size:.0f} MiB")


def _threads() -> Finding:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    single = "batches and studies run on one thread" if usable == 1 else ""
    return Finding("threads", f"{usable} of {os.cpu_count()} cores", single)


def _vectors() -> Finding:
    try:
        flags = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return Finding("vectors", platform.machine())
    best = next((name for flag, name in _VECTORS.items() if flag in flags), "none known")
    return Finding("vectors", f"{platform.machine()}, {best}; march_native=True uses them")


def _browser() -> Finding:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        missing = "eomc view --out page.html writes the page for another machine"
        return Finding("browser", "none", missing)
    return Finding("browser", getattr(browser, "name", type(browser).__name__))


CHECKS: tuple[Callable[[], Finding], ...] = (
    *(_eomc, _python, _compiler, _binding, _headers),
    *(_extras, _cache, _threads, _vectors, _browser),
)
"""Each makes one line."""
