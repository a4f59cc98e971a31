"""Which room may import what; and what is loaded by whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
MODEL = HOUSE / "examples" / "models" / "pendulum.toml"


def imports(path: Path) -> Iterator[str]:
    """Full names of all modules that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


@pytest.mark.parametrize(
    ("folder", "forbidden", "allowed"),
    [
        (
            "derive/graph",
            ("eomc.derive", "eomc.codegen", "eomc.runtime", "eomc.systems"),
            ("eomc.derive.graph",),
        ),
        ("derive", ("eomc.codegen", "eomc.runtime", "eomc.systems"), ()),
        (
            "codegen",
            ("eomc.derive", "eomc.runtime", "eomc.systems", "sympy"),
            ("eomc.derive.graph",),
        ),
        ("runtime", ("eomc.derive", "eomc.codegen", "eomc.systems", "sympy"), ()),
    ],
    ids=["graph", "derive", "codegen", "runtime"],
)
def test_arrows(folder: str, forbidden: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    assert offenders(folder, forbidden, allowed) == []


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
        "run = eomc.runtime.simulate(pendulum, {'hinge': 0.1}, t=0.5)\n"
        "assert run.t[-1] == 0.5\n"
        "assert not any(n.startswith(('eomc.derive', 'eomc.codegen')) for n in sys.modules)"
    )
    assert "scipy" in _loaded(code, str(library))
