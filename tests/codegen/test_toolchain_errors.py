"""A toolchain that is none, or a place that is gone: one error class, one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_programs.pendulum import pendulum
from small_programs.quick_toolchain import QuickToolchain, start

from eomc.codegen import BuildError, Sources, build, emit
from eomc.codegen.cache import cache_folder


@pytest.fixture(scope="module")
def sources() -> Sources:
    return emit(pendulum())


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("gcc 'x", 'environment variable CC is "gcc \'x", which has no words: No closing quot'),
        ("gcc \\", "environment variable CC is .*No escaped character"),
        ("true", "true ended well but made no library: it is no C compiler"),
        ("no-such-cc -m32", r"no C compiler found \(looked for no-such-cc\)"),
        ("''", "no C compiler found"),
        ("cat", "compiling failed"),
        (str(Path(__file__).parent), "no C compiler found"),
    ],
)
def test_odd_compilers_in_the_environment(
    tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch, command: str, sentence: str
) -> None:
    monkeypatch.setenv("CC", command)
    with pytest.raises(BuildError, match=sentence):
        build(sources, cache_dir=tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["", "  ", "\t\n"])
def test_a_blank_name_names_no_compiler(
    quick: QuickToolchain, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    from eomc.codegen.compiler import find_compiler

    monkeypatch.delenv("CC", raising=False)
    usual = find_compiler()
    monkeypatch.setenv("CC", command)
    assert find_compiler() == usual


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"compiler": ""}, "no C compiler found"),
        ({"compiler": "gcc\0"}, "holds a zero byte"),
        ({"compiler": Path(__file__)}, "no C compiler found"),
        ({"flags": "-O1 '"}, "flags is .* which has no words"),
        ({"flags": ("-O1\0",)}, "holds a zero byte"),
        ({"cache_dir": "a\0b"}, "build cache .* cannot be used"),
        ({"cache_dir": "/dev/null/cache"}, "build cache .* cannot be used: .*Not a directory"),
        ({"cache_dir": "c" * 300}, "build cache .* cannot be used: .*name too long"),
        ({"cache_dir": "\ud800"}, "build cache .* cannot be used"),
    ],
)
def test_odd_options(
    tmp_path: Path,
    sources: Sources,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, object],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BuildError, match=sentence):
        build(sources, **{"cache_dir": tmp_path / "cache", **options})
    assert os.listdir(tmp_path) in ([], ["cache"])


def test_odd_flags_in_the_environment(
    tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EOMC_FLAGS", '-O0 "')
    with pytest.raises(BuildError, match="environment variable EOMC_FLAGS is"):
        build(sources, cache_dir=tmp_path)


def test_flags_may_be_one_text(tmp_path: Path, quick: QuickToolchain) -> None:
    first = quick.build(tmp_path)
    assert build(quick.sources, compiler=quick.compiler, flags="-O0", cache_dir=tmp_path) == first


def test_a_compiler_beside_the_user(
    tmp_path: Path, quick: QuickToolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path is meant from here, not from the folder of the build."""
    monkeypatch.chdir(quick.store)
    assert quick.build(tmp_path, f"./{quick.compiler.name}").is_file()


def test_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EOMC_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(BuildError, match=r"no home folder .* EOMC_CACHE_DIR"):
        cache_folder()


GONE = """
import os, sys
from eomc.codegen import BuildError, build, emit
from small_programs.pendulum import pendulum
os.rmdir(os.getcwd())
for cache in (sys.argv[1], "relative"):
    try:
        print(build(emit(pendulum()), cache_dir=cache).name)
    except BuildError as error:
        print(error)
"""


def test_a_deleted_working_folder(tmp_path: Path) -> None:
    """Nothing of it is needed where the cache has a whole path."""
    (tmp_path / "gone").mkdir()
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", GONE, str(tmp_path / "cache")],
        cwd=tmp_path / "gone",
        env=os.environ | {"PYTHONPATH": tests},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert said[0] == "pendulum.so" and len(said) == 2
    assert "the working folder was deleted; change into one that exists" in said[1]


def test_a_module_that_is_there_needs_no_working_folder(
    tmp_path: Path, quick: QuickToolchain
) -> None:
    library = quick.build(tmp_path / "cache")

    def find() -> None:
        (tmp_path / "gone").mkdir()
        os.chdir(tmp_path / "gone")
        (tmp_path / "gone").rmdir()
        assert quick.build(tmp_path / "cache") == library

    assert os.waitpid(start(find), 0)[1] == 0
