"""What is packed holds everything that is needed, and runs away from the source tree."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import eomc

HOUSE = Path(__file__).parents[2]
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

_SPEC = spec_from_file_location("release", HOUSE / "release" / "release.py")
assert _SPEC is not None and _SPEC.loader is not None
release = module_from_spec(_SPEC)
_SPEC.loader.exec_module(release)

pytestmark = pytest.mark.skipif(
    not (HOUSE / "setup.py").is_file(), reason="runs in the source tree only"
)


def _run(*command: str | Path, cwd: Path) -> str:
    result = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def _shipped(tree: Path) -> set[str]:
    """Every file of the rooms in `tree` as it is called inside the package."""
    names = set()
    for room in ROOMS:
        inside = Path("eomc") if room == "eomc" else Path("eomc", room)
        for path in (tree / room).rglob("*"):
            hidden = any(
                part.startswith((".", "__pycache__")) for part in path.relative_to(tree).parts
            )
            if path.is_file() and not hidden:
                names.add((inside / path.relative_to(tree / room)).as_posix())
    return names


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """(sdist, wheel, source tree); the wheel is built from the unpacked sdist."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("distributions")
    tree = folder / "tree"
    ignore = shutil.ignore_patterns(
        ".*", "build", "dist", "*.egg-info", "__pycache__", "demo-output"
    )
    shutil.copytree(HOUSE, tree, ignore=ignore, symlinks=True)
    _run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", folder / "sdist", cwd=tree)
    (sdist,) = (folder / "sdist").glob("*.tar.gz")
    safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", **safe)
    (unpacked,) = (folder / "unpacked").iterdir()
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    _run(*pip, "--wheel-dir", folder / "wheel", ".", cwd=unpacked)
    (wheel,) = (folder / "wheel").glob("*.whl")
    return sdist, wheel, tree


@pytest.mark.slow
def test_wheel_of_the_sdist_holds_every_file_of_the_rooms(
    distributions: tuple[Path, Path, Path],
) -> None:
    with zipfile.ZipFile(distributions[1]) as archive:
        packed = set(archive.namelist())
    assert _shipped(distributions[2]) <= packed
    assert {"eomc/py.typed", "eomc/codegen/templates/model.h"} <= packed
    strangers = {name for name in packed if not name.startswith("eomc/")}
    assert not any("published" in name for name in packed)
    assert all(".dist-info/" in name for name in strangers), strangers


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the published works, built outside of the source tree."""
    folder = tmp_path_factory.mktemp("published")
    ignore = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(HOUSE / "published", folder / "tree", ignore=ignore)
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('..'))"
    _run(sys.executable, "-c", build, cwd=folder / "tree")
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_wheel_of_the_published_works_holds_all_of_their_files(published: Path) -> None:
    with zipfile.ZipFile(published) as archive:
        packed = set(archive.namelist())
        (entries,) = (name for name in packed if name.endswith("entry_points.txt"))
        assert "[eomc.published]\nreproduce = " in archive.read(entries).decode()
    folder = HOUSE / "published" / "eomc_published"
    files = {f"eomc_published/{path.relative_to(folder).as_posix()}" for path in _files(folder)}
    assert len(files) > 200
    assert files == {name for name in packed if ".dist-info/" not in name}


def _files(folder: Path) -> Iterator[Path]:
    """Files of a folder, through links to folders too."""
    for path in folder.iterdir():
        if path.is_dir() and path.name != "__pycache__":
            yield from _files(path)
        elif path.is_file():
            yield path


def test_one_version_stands_everywhere() -> None:
    """In the citation, the published works and, once it is released, the list of changes."""
    assert release.disagreeing() == []
    text = (HOUSE / "CITATION.cff").read_text(encoding="utf-8")
    found = release.disagreeing(citation=text.replace(eomc.__version__, "9.9.9"))
    assert found == [f"CITATION.cff: 9.9.9, not {eomc.__version__}"]


@pytest.mark.slow
def test_published_cases_run_from_the_wheel(published: Path, tmp_path: Path) -> None:
    """With model files that they find without the source tree."""
    with zipfile.ZipFile(published) as archive:
        archive.extractall(tmp_path)
    script = """
import sys
sys.path.insert(0, sys.argv[1])
from eomc.cli import main
import eomc_published
assert eomc_published.__file__.startswith(sys.argv[1]), eomc_published.__file__
sys.exit(main(["reproduce", "languages", "--no-figures"]) or main(["reproduce"]))
"""
    assert "moosavian: " in _run(sys.executable, "-c", script, tmp_path, cwd=tmp_path)


@pytest.mark.slow
def test_sdist_holds_what_a_reader_needs(distributions: tuple[Path, Path, Path]) -> None:
    with tarfile.open(distributions[0]) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        *("LICENSE", "README.md", "Makefile", "pyproject.toml", "setup.py"),
        *("examples/models/panda.toml", "tests/conftest.py", "eomc/derive/graph/node.py"),
        *("published/pyproject.toml", "published/README.md"),
        *(f"published/eomc_published/{name}" for name in ("boards/board/board.ld", "case.py")),
    } <= packed


@pytest.mark.slow
def test_wheel_runs_away_from_the_source_tree(
    distributions: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    bin_folder = "Scripts" if sys.platform == "win32" else "bin"
    python = tmp_path / "venv" / bin_folder / "python"
    (site,) = (tmp_path / "venv").glob("[lL]ib/**/site-packages")
    # The dependencies are those of this Python, eomc itself is the wheel alone.
    _run(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"),
        *("--target", site, distributions[1]),
        cwd=tmp_path,
    )
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    (site / "dependencies.pth").write_text("\n".join(dependencies) + "\n", encoding="utf-8")
    shutil.copy(HOUSE / "examples" / "models" / "pendulum.toml", tmp_path)
    script = """
import eomc, eomc.derive, sys
assert eomc.__file__.startswith(sys.argv[1]), eomc.__file__
assert eomc.derive.__file__.startswith(sys.argv[1]), eomc.derive.__file__
pendulum = eomc.build(eomc.load("pendulum.toml"))
print(float(pendulum.mass_matrix([0.0])[0, 0]))
"""
    printed = _run(python, "-c", script, tmp_path / "venv", cwd=tmp_path)
    assert float(printed) == pytest.approx(1.5 * 0.5**2 / 3, rel=1e-15)
