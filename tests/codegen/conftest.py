"""Emitted programs, compiled."""

import itertools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from small_programs.c_library import WARNINGS, Library, compile_c, load
from small_programs.pendulum import pendulum
from small_programs.quick_toolchain import QuickToolchain

from eomc.codegen import build, emit, write
from eomc.derive.graph import Program


@pytest.fixture
def c_library(tmp_path: Path) -> Callable[..., Library]:
    """Emit and compile a program, warnings being errors; each call makes a new library."""
    numbers = itertools.count()

    def make(program: Program, real: str = "double", compiler: str = "gcc", **options) -> Library:
        sources = emit(program, real, **options)
        folder = write(sources, tmp_path / f"library{next(numbers)}")
        flags = (*WARNINGS, "-O1", "-fPIC", "-shared")
        path = compile_c(folder, sources.c_files, "library.so", compiler, *flags)
        return Library(path, sources, real)

    return make


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One build cache for the session, so that a model compiles once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def module(cache: Path) -> ModuleType:
    """The compiled pendulum with tunable parameters."""
    return load(build(emit(pendulum()), flags=("-O1",), cache_dir=cache))


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> QuickToolchain:
    """Builds in milliseconds."""
    return QuickToolchain(tmp_path_factory.mktemp("quick"))
