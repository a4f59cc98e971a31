"""Faults put into the derivation or into the emitted C, and what `eomc.verify` says of them.

A fault is data: where it is put, what stands there, and what is put in its place. One in the
derivation replaces source text of a function, one in emission a piece of the C text.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from types import FunctionType
from typing import Any

import pytest
from verification.c_module import c_module
from verification.witnesses import arm, crane, orbiter, spinner

import eomc
from eomc.codegen import Sources, emit
from eomc.runtime import CompiledModel
from eomc.verifier import procedure
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.mechanism import WitnessMechanism

MODELS = {"arm": arm, "spinner": spinner, "orbiter": orbiter, "crane": crane}
# Thorough checks build modules of their own, which need the wrapper.
CHECKS = [check.name for check in procedure.all_checks() if not check.thorough]


@dataclass(frozen=True)
class Derivation:
    """`old` in the source of the function ``module:name`` becomes `new`."""

    name: str
    where: str
    old: str
    new: str
    model: str = "arm"


@dataclass(frozen=True)
class Emission:
    """The first match of `pattern` after the head of C function `function` becomes `new`."""

    name: str
    function: str
    pattern: str
    new: str
    model: str = "arm"


@lru_cache
def declared(model: str) -> WitnessMechanism:
    """A witness in numbers: its declaration, which no fault touches."""
    made = MODELS[model]()
    return mechanism(made, list(made.frames))


def verified(
    model: str,
    folder: Path,
    edit: Callable[[Sources], Sources] | None = None,
    checks: list[str] | None = None,
) -> Any:
    """`eomc.verify` on a witness, its C compiled without the wrapper."""

    def build(program: Any, **options: Any) -> CompiledModel:
        sources = emit(program)
        # A library of the same name in the same place would be the one loaded before.
        place = Path(mkdtemp(dir=folder))
        return CompiledModel(c_module(sources if edit is None else edit(sources), place))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(procedure, "build", build)
        patch.setattr(procedure, "mechanism", lambda *_: declared(model))
        return eomc.verify(MODELS[model](), quick=True, states=4, checks=checks)


@contextmanager
def mutated(fault: Derivation) -> Iterator[None]:
    """The function with `old` replaced in its source, for everyone who holds it."""
    module_name, _, path = fault.where.partition(":")
    module = importlib.import_module(module_name)
    function: Any = module
    for word in path.split("."):
        function = inspect.getattr_static(function, word)
    for held in ("fget", "func", "__func__"):  # by a property, cached or not, or a static method
        function = getattr(function, held, None) or function
    function = inspect.unwrap(function)
    assert isinstance(function, FunctionType)
    source = textwrap.dedent(inspect.getsource(function))
    old, new = (textwrap.dedent(text) for text in (fault.old, fault.new))
    shift = " " * 4 if "." in path else ""
    old, new = old.replace("\n" + shift, "\n"), new.replace("\n" + shift, "\n")
    assert source.count(old) == 1, (fault.name, source)
    source = source[source.index("def ") :].replace(old, new)
    made: dict[str, Any] = {}
    exec(
        compile("from __future__ import annotations\n" + source, "<fault>", "exec"),
        module.__dict__,
        made,
    )
    sound = function.__code__
    function.__code__ = made[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = sound


def edited(fault: Emission, sources: Sources) -> Sources:
    """The sources with the fault in the C text of its function."""
    files = dict(sources)
    for name in sources.c_files:
        text = files[name]
        start = text.find(f"int {sources.name}_{fault.function}(")
        if start < 0:
            continue
        end = text.index("\n}\n", start)
        body, count = re.subn(fault.pattern, fault.new, text[start:end], count=1)
        assert count == 1, (fault.name, text[start:end])
        files[name] = text[:start] + body + text[end:]
        return Sources(sources.name, files)
    raise AssertionError(fault.function)
