"""Which room may import what; and what is loaded by whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from house.statements import statements

HOUSE = Path(__file__).parents[2]
MODEL = HOUSE / "examples" / "models" / "pendulum.toml"


def imports(path: Path) -> Iterator[str]:
    """Full names of all modules that a file imports, also inside functions."""
    for node in statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by the full name"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def offenders(folder: str, forbidden: tuple[str, ...], allowed: tuple[str, ...] = ()) -> list[str]:
    """Imports of a folder that begin with a forbidden name and with no allowed one."""

    def within(name: str, names: tuple[str, ...]) -> bool:
        return any(f"{name}.".startswith(f"{other}.") for other in names)

    return [
        f"{path.relative_to(HOUSE)}: {name}"
        for path in sorted((HOUSE / folder).rglob("*.py"))
        for name in imports(path)
        if within(name, forbidden) and not within(name, allowed)
    ]


PUBLISHED = "published/eomc_published"

# What each room may import beside itself. Of the rooms none imports `verify` but `eomc`, the front
# door, and none the published works, a package of its own.
ARROWS = {
    "derive/graph": (),
    "derive": ("eomc.binding.arrays", "eomc.meshes"),
    "binding": (),
    "meshes": ("eomc.binding.arrays",),
    "codegen": ("eomc.derive.graph", "eomc.binding"),
    "runtime": ("eomc.binding", "eomc.meshes"),
    "building": ("eomc.binding.arrays", "eomc.derive", "eomc.codegen", "eomc.runtime"),
    "verifier": ("eomc.binding.arrays", "eomc.derive", "eomc.runtime", "eomc.building"),
    "verifier/arithmetic": ("eomc.derive.graph", "eomc.binding.arrays"),
    "verifier/subject": (
        *("eomc.verifier.arithmetic", "eomc.verifier.witness"),
        *("eomc.runtime", "eomc.derive", "eomc.binding.arrays"),
    ),
    "verifier/checks/compiled": (
        "eomc.verifier.subject",
        "eomc.verifier.witness",
        "eomc.runtime",
        "eomc.binding.arrays",
    ),
    "systems": (
        "eomc.binding.arrays",
        "eomc.derive",
        "eomc.codegen",
        "eomc.runtime",
        "eomc.building",
    ),
    PUBLISHED: (
        *("eomc.binding.arrays", "eomc.derive", "eomc.codegen", "eomc.runtime"),
        *("eomc.building", "eomc.systems", "eomc.cli", "eomc.meshes"),
    ),
}
ROOMS = sorted({folder.partition("/")[0] for folder in ARROWS if folder != PUBLISHED} | {"eomc"})
WITHOUT_SYMPY = ("codegen", "runtime", "verifier/subject", "verifier/checks/compiled")


@pytest.mark.parametrize("folder", ARROWS)
def test_arrows(folder: str) -> None:
    allowed = (f"eomc.{folder.replace('/', '.')}", *ARROWS[folder])
    found = offenders(folder, ("eomc",), allowed)
    if folder == PUBLISHED:  # uses the product as its users do
        found = [offence for offence in found if not offence.endswith(": eomc")]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_the_package_does_without_the_published_works(room: str) -> None:
    assert offenders(room, ("eomc_published",)) == []


@pytest.mark.parametrize("folder", WITHOUT_SYMPY)
def test_rooms_without_sympy(folder: str) -> None:
    assert offenders(folder, ("sympy",)) == []


def folder_imports() -> dict[str, set[str]]:
    """For each folder, the other ones that its files import, for type checkers too."""
    paths = (path for room in (*ROOMS, PUBLISHED) for path in sorted((HOUSE / room).rglob("*.py")))
    files = {_module(path): path for path in paths}
    folders = {
        name: name if path.stem == "__init__" else name.rpartition(".")[0]
        for name, path in files.items()
    }
    needs: dict[str, set[str]] = {folder: set() for folder in folders.values()}
    for name, path in files.items():
        needs[folders[name]] |= {folders[other] for other in imports(path) if other in folders}
    return {folder: needed - {folder} for folder, needed in needs.items()}


def _module(path: Path) -> str:
    parts = path.relative_to(HOUSE).with_suffix("").parts
    outside = parts[0] == "published"
    inside = parts[1:] if outside else parts if parts[0] == "eomc" else ("eomc", *parts)
    return ".".join(inside[:-1] if inside[-1] == "__init__" else inside)


def test_no_cycles_between_folders() -> None:
    """Each folder of the house can be read after those that it imports."""
    needed = folder_imports()
    order = list(TopologicalSorter(needed).static_order())  # CycleError names a cycle
    assert set(order) == set(needed)


def test_the_check_sees_cycles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the package's own names, inside functions and for type checkers."""
    monkeypatch.setattr(sys.modules[__name__], "HOUSE", tmp_path)
    files = {
        "runtime/__init__.py": "from eomc.runtime.c.d import e",
        "runtime/a/one.py": "def f():\n    from eomc.runtime.b import two",
        "runtime/b/__init__.py": "",
        "runtime/b/two.py": "if TYPE_CHECKING:\n    from eomc.runtime.c.three import X",
        "runtime/c/three.py": "import eomc.runtime.a.one",
        "runtime/c/d/__init__.py": "import eomc.runtime.a.one",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(CycleError) as caught:
        TopologicalSorter(folder_imports()).prepare()
    assert set(caught.value.args[1]) == {f"eomc.runtime.{name}" for name in "abc"}


def test_the_check_sees_offenders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "HOUSE", tmp_path)
    (tmp_path / "runtime").mkdir()
    text = "def f():\n    from eomc.derive.graph import Graph\n    import sympy.core\n"
    (tmp_path / "runtime" / "late.py").write_text(text)
    found = offenders("runtime", ("eomc.derive", "sympy"))
    assert [line.split(": ")[1] for line in found] == [
        "eomc.derive.graph",
        "eomc.derive.graph.Graph",
        "sympy.core",
    ]


def _loaded(code: str, *arguments: str) -> set[str]:
    """Top-level modules that are loaded after `code` has run in a process of its own."""
    code += "\nimport sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    command = [sys.executable, "-c", code, *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    assert not _loaded("import eomc") & {"sympy", "numpy", "scipy", "Cython", "rich", "typer"}


def test_a_compiled_model_runs_without_sympy_and_compiler() -> None:
    import eomc

    library = eomc.build(MODEL).library
    code = (
        "import sys; sys.modules['sympy'] = sys.modules['Cython'] = None\n"
        "import eomc.runtime\n"
        "pendulum = eomc.runtime.load(sys.argv[1])\n"
        "run = eomc.runtime.simulate(pendulum, {'hinge': 0.1}, t_span=0.5)\n"
        "assert run.t[-1] == 0.5\n"
        "import eomc.verifier\n"
        "verdicts = [outcome.verdict for outcome in eomc.verifier.run(pendulum, states=2)]\n"
        "assert 'pass' in verdicts and 'breach' not in verdicts\n"
        "assert not any(n.startswith(('eomc.derive', 'eomc.codegen')) for n in sys.modules)"
    )
    assert "scipy" in _loaded(code, str(library))


def test_compiled_methods_need_no_scipy() -> None:
    import eomc

    library = eomc.build(MODEL).library
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "import eomc.runtime, eomc.runtime.control\n"
        "pendulum = eomc.runtime.load(sys.argv[1])\n"
        "for method in ('rk4', 'dopri'):\n"
        "    law = eomc.runtime.control.PD(pendulum, {'hinge': 0.2}, kp=1.0, kd=1.0)\n"
        "    eomc.runtime.simulate(pendulum, {'hinge': 0.1}, t_span=0.5, method=method)\n"
        "    eomc.runtime.simulate(pendulum, t_span=0.5, controller=law, method=method)"
    )
    assert "sympy" not in _loaded(code, str(library))
