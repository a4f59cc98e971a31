"""What the README shows is what the code makes."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_readme", ROOT / "docs" / "make_readme.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BLOCKS = {
    "README.md": ["model", "equations", "c", "operations", "speed"],
    "embed.md": ["pieces"],
    "batch.md": ["studies"],
    "emitted-speed.md": ["blocks", "forms"],
    "optimization.md": ["products", "collocation", "jax"],
    "view.md": ["pace"],
    "benchmarks.md": [
        *("targets", "speed", "python", "scale", "waiting", "loops"),
        *("chains", "derivatives", "tunable", "masts"),
    ],
    "free_flyer.md": ["derivations"],
    "trom.md": ["linearizations"],
    "flexible_manipulator.md": ["units"],
    "models.md": ["declarations", "joints", "expression_functions"],
}


@pytest.mark.parametrize("page", BLOCKS)
def test_every_page_has_its_blocks(maker: ModuleType, page: str) -> None:
    (path,) = (path for path in maker.PAGES if path.name == page)
    assert list(maker.PAGES[path]) == BLOCKS[page]
    text = path.read_text(encoding="utf-8")
    for name in BLOCKS[page]:
        assert text.count(f"<!-- begin {name} -->") == 1, name


def test_every_block_is_current() -> None:
    # In a process of its own: tests declare words of their own, which the tables must not name.
    command = [sys.executable, str(ROOT / "docs" / "make_readme.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_model_has_ten_lines(maker: ModuleType) -> None:
    lines = [line for line in maker.EXAMPLE.read_text(encoding="utf-8").splitlines() if line]
    assert len(lines) <= 10


def test_equations_are_those_of_the_textbook(maker: ModuleType) -> None:
    import sympy as sp

    import eomc

    equations = eomc.equations(maker.example())
    mc, mb, length, g, theta, rate = sp.symbols("m_c m_b l g theta u_theta")
    # Spong, Robot Modeling and Control: the cart-pole, theta measured from hanging.
    mass = sp.Matrix(
        [[mc + mb, mb * length * sp.cos(theta)], [mb * length * sp.cos(theta), mb * length**2]]
    )
    bias = sp.Matrix([-mb * length * rate**2 * sp.sin(theta), mb * g * length * sp.sin(theta)])
    assert sp.simplify(equations.mass_matrix.to_sympy() - mass) == sp.zeros(2, 2)
    assert sp.simplify(equations.bias.to_sympy() - bias) == sp.zeros(2, 1)


def test_readme_names_existing_make_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {word for word in README.split("`") if word.startswith("make ")}
    assert targets >= {"make demo", "make docs"}
    for target in targets:
        assert f"\n{target.removeprefix('make ')}:" in makefile, target
