"""A toolchain that remembers what it made: a build takes milliseconds, all of them the cache's."""

import os
import shutil
import signal
import stat
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from small_programs.pendulum import pendulum

from eomc.codegen import Sources, emit

# Its last argument is what it makes.
COMPILER = """#!/bin/sh
case "$1" in --version) echo remembering 1.0; exit 0;; esac
for made; do :; done
saved="{store}/$(basename "$made")"
{delay}
test -e "$saved" && exec cp "$saved" "$made"
gcc "$@" && cp "$made" "$saved.part" && mv "$saved.part" "$saved"
"""


class QuickToolchain:
    """Builds the pendulum into any cache; from the second time on the result is copied."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.sources: Sources = emit(pendulum())
        self.module = import_module("eomc.codegen.build")
        self._translate = self.module.translate
        self.compiler = self.compiler_with("")
        self.content = self.build(store / "first").read_bytes()

    def compiler_with(self, delay: str) -> Path:
        """The compiler, with some shell before each of its runs."""
        path = self.store / f"cc-{len(list(self.store.glob('cc-*')))}"
        path.write_text(COMPILER.format(store=self.store, delay=delay))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def translate(self, source: Path) -> str:
        saved, made = self.store / "wrapper.c", source.with_suffix(".c")
        if not saved.exists():
            self._translate(source)
            shutil.copy(made, saved)
        shutil.copy(saved, made)
        return made.name

    def build(self, cache: Path, compiler: Path | str | None = None) -> Path:
        """The module's path; what lies there is what was compiled."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.module, "translate", self.translate)
            path: Path = self.module.build(
                self.sources, compiler=compiler or self.compiler, flags=("-O0",), cache_dir=cache
            )
        return path


def start(work: Callable[[], object]) -> int:
    """A process, with all that is imported here, that does some work; its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.setsid()
        work()
        code = 0
    finally:
        os._exit(code)


def kill(child: int) -> None:
    """With all processes that it has started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:  # it has not come to be a group
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
