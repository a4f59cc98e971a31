"""The size of the house, and one walk through it: `python -m benchmarks.house [--json]`.

Code lines are those of the package without blanks, comments, docstrings and imports. The walk is
one build of the four-bar example with an empty cache: calls of Python functions of the package,
files and folders that they pass. Folder cycles are the strongly connected sets of folders over
all imports, those for type checkers included.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
ROOMS = (
    "eomc",
    "binding",
    "meshes",
    "derive",
    "codegen",
    "runtime",
    "building",
    "verifier",
    "systems",
)
MODEL = ROOT / "examples" / "models" / "four_bar.toml"
OTHER = ROOT / "examples" / "models" / "pendulum.toml"


def sources() -> list[Path]:
    """Python files of the package."""
    return sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))


def code_lines(path: Path) -> int:
    """Lines that hold code: no blanks, comments, docstrings or imports."""
    text = path.read_text(encoding="utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            docstring and isinstance(node.value.value, str)
        ):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#")
        for number, line in enumerate(text.splitlines(), 1)
        if number not in left_out
    )


def module_name(path: Path) -> str:
    """The dotted name under which a file is imported."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] == "eomc" else ["eomc", *parts])


def imports(path: Path, known: set[str]) -> Iterator[str]:
    """Modules of the package that a file imports, wherever the statement stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in known or node.module in known:
                    yield name if name in known else node.module


def folder_arrows() -> dict[str, set[str]]:
    """For each folder, by its dotted name, the folders that its files import."""
    files = {module_name(path): path for path in sources()}
    packages = {name for name, path in files.items() if path.name == "__init__.py"}

    def folder(name: str) -> str:
        return name if name in packages else name.rpartition(".")[0]

    arrows: dict[str, set[str]] = {folder(name): set() for name in files}
    for name, path in files.items():
        arrows[folder(name)] |= {folder(other) for other in imports(path, set(files))}
    return arrows


def folder_cycles() -> list[list[str]]:
    """Sets of folders that import each other in a circle."""
    arrows = folder_arrows()
    reach = {start: _reachable(start, arrows) for start in arrows}
    circles = {tuple(sorted(b for b in reach[a] if a in reach[b])) for a in arrows if a in reach[a]}
    return [list(circle) for circle in sorted(circles) if len(circle) > 1]


def _reachable(start: str, arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = [start]
    while pending:
        for following in arrows.get(pending.pop(), ()):
            if following not in found:
                found.add(following)
                pending.append(following)
    return found


_WALK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import eomc
from benchmarks.house import counted_calls
eomc.build(sys.argv[3])  # everything is imported
calls = counted_calls(lambda: eomc.build(sys.argv[2]))
folders = {file.rpartition("/")[0] for file in calls}
print(json.dumps({"calls": sum(calls.values()), "files": len(calls), "folders": len(folders)}))
"""


def counted_calls(action: Callable[[], object]) -> Counter[str]:
    """Calls of Python functions of the package during `action`, by their files."""
    calls: Counter[str] = Counter()
    package, source = f"{ROOT}/eomc/", cache(os.path.realpath)  # subpackages are links

    def see(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(package):
            calls[source(frame.f_code.co_filename)] += 1

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls


def walk() -> dict[str, int]:
    """Calls, files and folders of one build of the four-bar example with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        result = subprocess.run(
            [sys.executable, "-c", _WALK, str(ROOT), str(MODEL), str(OTHER)],
            env={**os.environ, "EOMC_CACHE_DIR": cache},
            capture_output=True,
            text=True,
            check=True,
        )
    found: dict[str, int] = json.loads(result.stdout)
    return found


def measures() -> dict[str, object]:
    """All figures of this page."""
    files = sources()
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    return {
        "files": len(files),
        "code lines": sum(map(code_lines, files)),
        "median file": statistics.median(lengths),
        "longest file": max(lengths),
        "folder cycles": folder_cycles(),
        "walk": walk(),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="for machines")
    found = measures()
    if parser.parse_args().json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
