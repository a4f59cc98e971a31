"""Builds happen once, also in parallel."""

import json
import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import load
from small_programs.pendulum import pendulum

from eomc.codegen import BuildError, Sources, build, emit
from eomc.codegen import cache as build_cache

FLAGS = ("-O0",)


def compiler_that(folder: Path, behaviour: str) -> Path:
    """A compiler that counts its runs in ``runs`` and then behaves as told in shell."""
    path = folder / "counting-cc"
    path.write_text(
        "#!/bin/sh\n"
        'case "$1" in --version) echo counting 1.0; exit 0;; esac\n'
        f'echo run >> "{folder}/runs"\n{behaviour}\n'
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def runs(folder: Path) -> int:
    path = folder / "runs"
    return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture(scope="module")
def sources() -> Sources:
    return emit(pendulum())


def test_second_build_compiles_nothing(tmp_path: Path, sources: Sources):
    # The switch is no part of the compiler's identity: the second build must not notice it.
    behaviour = f'test -e "{tmp_path}/broken" && exit 1\nexec gcc "$@"'
    compiler = compiler_that(tmp_path, behaviour)
    options = {"compiler": compiler, "flags": FLAGS, "cache_dir": tmp_path / "cache"}
    first = build(sources, **options)
    compiled = runs(tmp_path)
    assert compiled == len(sources.library_files) + 1  # linking
    (tmp_path / "broken").touch()
    assert build(emit(pendulum()), **options) == first
    assert runs(tmp_path) == compiled
    with pytest.raises(BuildError):  # while anything else would be compiled, and fail
        build(emit(pendulum(), "float"), **options)


def test_key_depends_on_what_matters(tmp_path: Path, cache: Path, sources: Sources):
    paths = {
        build(sources, flags=FLAGS, cache_dir=cache),
        build(sources, flags=("-O1",), cache_dir=cache),
        build(sources, flags=FLAGS, march_native=True, cache_dir=cache),
        build(emit(pendulum("other")), flags=FLAGS, cache_dir=cache),
    }
    assert len(paths) == 4
    assert build(sources, flags=FLAGS, cache_dir=cache) in paths


def test_failure_shows_the_compilers_words(tmp_path: Path, sources: Sources):
    compiler = compiler_that(tmp_path, 'echo "ld: out of unicorns" >&2; exit 7')
    with pytest.raises(BuildError, match=r"exit code 7[\s\S]*out of unicorns"):
        build(sources, compiler=compiler, cache_dir=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_no_compiler(tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(BuildError, match="no-such-cc") as caught:
        build(sources, compiler="no-such-cc", cache_dir=tmp_path)
    for system in ("Debian", "Fedora", "macOS", "Windows"):
        assert system in str(caught.value)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", "")
    monkeypatch.setattr("eomc.codegen.zig.PACKAGE", "no_such_zig")
    with pytest.raises(BuildError, match="no C compiler found") as caught:
        build(sources, cache_dir=tmp_path)
    for way in ("gcc", "package ziglang", "apt install gcc", r"pip install 'eomc[compiler]'"):
        assert way in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_environment_chooses_compiler_and_folder(
    tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CC", str(compiler_that(tmp_path, 'exec gcc "$@"')))
    monkeypatch.setenv("EOMC_CACHE_DIR", str(tmp_path / "elsewhere"))
    path = build(sources, flags=FLAGS)
    assert runs(tmp_path) > 0 and path.is_relative_to(tmp_path / "elsewhere")


def test_unusable_cache_folder(tmp_path: Path, sources: Sources):
    (tmp_path / "file").touch()
    with pytest.raises(BuildError, match="cannot be used"):
        build(sources, cache_dir=tmp_path / "file")


def test_build_leaves_nothing_beside_the_cache(
    tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    path = build(sources, flags=FLAGS, cache_dir="../cache")
    assert path.is_absolute() and path.is_file()
    assert list((tmp_path / "cwd").iterdir()) == []
    assert [entry.name for entry in (tmp_path / "cache").iterdir()] == [path.parent.name]


def test_list_size_and_clear(tmp_path: Path, sources: Sources):
    path = build(sources, flags=FLAGS, cache_dir=tmp_path)
    (tmp_path / ".building-old").mkdir()
    (tmp_path / "mine.txt").write_text("not a build")
    (entry,) = build_cache.entries(tmp_path)
    assert (entry.name, entry.folder) == ("pendulum", path.parent)
    assert build_cache.size(tmp_path) == entry.size > path.stat().st_size
    assert json.loads((entry.folder / "pendulum.json").read_text())["name"] == "pendulum"
    assert build_cache.clear(tmp_path) == 1
    assert [left.name for left in tmp_path.iterdir()] == ["mine.txt"]
    assert build_cache.entries(tmp_path) == [] and build_cache.entries(tmp_path / "none") == []


SCRIPT = textwrap.dedent(
    """
    import sys
    from eomc.codegen import build, emit
    from small_programs.pendulum import pendulum
    print(build(emit(pendulum()), flags=("-O0",), cache_dir=sys.argv[1]), flush=True)
    """
)


def start(cache: Path) -> subprocess.Popen[str]:
    tests = str(Path(__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(cache)],
        env=os.environ | {"PYTHONPATH": tests},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
def test_parallel_builds(tmp_path: Path):
    builders = [start(tmp_path) for _ in range(4)]
    paths = {builder.communicate(timeout=300)[0].strip() for builder in builders}
    assert all(builder.returncode == 0 for builder in builders)
    (path,) = paths
    assert [entry.name for entry in tmp_path.iterdir()] == [Path(path).parent.name]
    np.testing.assert_array_equal(load(Path(path)).neutral(), [0.0])


def test_libraries_of_other_flags_in_the_environment_are_others(
    tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for level in ("-O0", "-O0 -g0"):
        monkeypatch.setenv("EOMC_FLAGS", level)
        found.append(build(sources, cache_dir=tmp_path))
    assert found[0] != found[1]
