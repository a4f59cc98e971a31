"""The binding and the libraries it opens: which are refused, and modules that do without it."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import compile_c
from small_programs.pendulum import pendulum
from small_programs.quick_toolchain import QuickToolchain

from eomc.binding import loaded
from eomc.codegen import BuildError, build, emit, write
from eomc.codegen.build import build_binding
from eomc.runtime.model.errors import LoadError
from eomc.runtime.model.load import load_module

Q, U, TAU = [0.3], [-0.4], [0.5]


def library(folder: Path, change: Callable[[str], str]) -> Path:
    """The pendulum's library, its interface or table changed, with no record of a build beside."""
    sources = emit(pendulum()).with_table
    write({name: change(text) for name, text in sources.items()}, folder)
    return compile_c(folder, sources.library_files, "pendulum.so", "gcc", "-shared", "-fPIC", "-w")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("#define EOMC_VERSION 1", "#define EOMC_VERSION 7", "has version 7 of the interface"),
        ("(int)sizeof(pendulum_real)", "(int)sizeof(long double)", "has scalars of 16 bytes"),
        ('#define EOMC_MAGIC "eomc model"', '#define EOMC_MAGIC "other"', "no compiled model"),
        ("eomc_table eomc_model =", "eomc_table another =", "exports no eomc_model"),
        ("_real), 1, eomc_manifest", "_real), 99, eomc_manifest", "has 99 lanes"),
    ],
    ids=["version", "scalar", "magic", "symbol", "lanes"],
)
def test_other_libraries_are_refused_by_name(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    path = library(tmp_path, lambda text: text.replace(old, new))
    with pytest.raises(LoadError, match=f"pendulum.so.*{words}"):
        load_module(path)


def test_a_library_cut_short_or_of_another_machine(tmp_path: Path) -> None:
    path = library(tmp_path, lambda text: text)
    whole = path.read_bytes()
    assert load_module(path).neutral() == [0.0]
    broken = tmp_path / "broken" / "pendulum.so"
    broken.parent.mkdir()
    for share in (0.02, 0.5, 0.99):
        broken.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(LoadError, match=r"broken/pendulum.so is cut short"):
            load_module(broken)
    # The number of the machine stands in bytes 18 and 19 of ELF.
    other = 183 if whole[18] != 183 else 62
    broken.write_bytes(whole[:18] + bytes([other, 0]) + whole[20:])
    with pytest.raises(LoadError, match=r"is made for (aarch64|x86_64); this machine is"):
        load_module(broken)
    broken.write_bytes(b"MZ" + whole[2:])
    with pytest.raises(LoadError, match="made for another system: it has the format pe"):
        load_module(broken)


ALONE = """
import sys
sys.path[:0] = [{folder!r}, {packages!r}]
import {name} as module
assert not [name for name in sys.modules if name.startswith(("eomc", "sympy", "scipy"))]
print([float(x) for x in module.forward_dynamics([0.3], [-0.4], [0.5])])
print(float(module.rk4([0.3], [-0.4], [0.5], 0.01, 20)[0][-1, 0]))
print(module.forward_dynamics([0.3], [-0.4], [0.5], parameters={{"mass": 3.0}}).dtype)
"""


@pytest.mark.slow
@pytest.mark.parametrize("real", ["double", "float"])
def test_a_module_that_stands_alone(tmp_path: Path, cache: Path, real: str) -> None:
    """It gives what the binding gives of the same model, in a Python that knows no eomc."""
    sources = emit(pendulum(f"alone_{real}"), real, python=True)  # type: ignore[arg-type]
    path = build(sources, flags=("-O0",), cache_dir=cache, standalone=True)
    usual = load_module(build(sources, flags=("-O0",), cache_dir=cache))
    assert usual.manifest == load_module(path).manifest
    packages = str(Path(np.__file__).parents[1])
    text = ALONE.format(folder=str(path.parent), packages=packages, name=sources.module)
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", text], capture_output=True, text=True, check=True
    )
    acceleration, angle, kind = run.stdout.split("\n")[:3]
    assert eval(acceleration) == [float(x) for x in usual.forward_dynamics(Q, U, TAU)]
    assert float(angle) == float(usual.rk4(Q, U, TAU, 0.01, 20)[0][-1, 0])
    assert kind == {"double": "float64", "float": "float32"}[real]


def test_c_alone_unless_a_module_is_asked_for() -> None:
    usual, whole = emit(pendulum()), emit(pendulum(), python=True)
    assert {*usual} == {"pendulum.h", "pendulum.c", "pendulum.json", "CMakeLists.txt"}
    further = {"pendulum_module.pyx", "pendulum_table.c", "setup.py"}
    assert {*whole} - {*usual} == further | {"eomc_model.h", "eomc_call.h", "eomc_threads.h"}
    assert "include " not in re.sub("#include", "", whole["pendulum_module.pyx"])
    with pytest.raises(Exception, match="target 'rust' has no Python module; leave out python"):
        emit(pendulum(), target="rust", python=True)


USUAL = """
import sys
from eomc.codegen import build, emit
from eomc.runtime.model.load import load_module
from small_programs.pendulum import pendulum
assert load_module(build(emit(pendulum()), cache_dir=sys.argv[1])).neutral() == [0.0]
heavy = ("Cython", "setuptools", "distutils", "pyximport")
print([name for name in sys.modules if name.partition(".")[0] in heavy])
"""


def test_nothing_of_cython_or_setuptools_on_the_way_of_a_build(
    tmp_path: Path, quick: QuickToolchain
) -> None:
    """Nor Python's headers or NumPy's on the compiler's command line."""
    said = tmp_path / "commands"
    compiler = quick.compiler_with(f'echo "$@" >> "{said}"')
    tests = str(Path(__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-c", USUAL, str(tmp_path / "cache")],
        env=os.environ | {"PYTHONPATH": tests, "CC": str(compiler)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "[]"
    commands = said.read_text()
    assert "-c pendulum_table.c" in commands and "numpy" not in commands
    assert "-I" not in commands


def test_a_source_tree_that_has_changed_compiles_the_binding_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is installed is compared with the source; without a compiler, a sentence says so."""
    installed = loaded.binding()
    monkeypatch.setattr(loaded, "digest", lambda: "another")
    loaded.binding.cache_clear()
    try:
        with monkeypatch.context() as patch:
            patch.setenv("CC", "no-such-cc")
            patch.setenv("EOMC_CACHE_DIR", str(tmp_path))
            with pytest.raises(BuildError, match=r"no C compiler found \(looked for no-such-cc\)"):
                loaded.binding()
    finally:
        loaded.binding.cache_clear()
    monkeypatch.undo()
    assert loaded.binding().SOURCE == installed.SOURCE


@pytest.mark.slow
def test_the_binding_in_the_cache_bears_its_source(tmp_path: Path) -> None:
    path = build_binding(tmp_path)
    assert build_binding(tmp_path) == path
    assert loaded.digest() == loaded._imported(path).SOURCE
