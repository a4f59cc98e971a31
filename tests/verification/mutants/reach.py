"""Which models pass through a line of the sound code, found by one run of each."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from verification.mutants.emitted import builds, digest
from verification.mutants.every import files
from verification.mutants.faulty_source import Place, function_around, live_functions
from verification.mutants.mutant import ROOT, Mutant, source_file
from verification.mutants.process import in_a_process
from verification.mutants.same_code import keep
from verification.mutants.statements import statement_lines
from verification.mutants.trial import Model

_SECONDS = 600.0
_ALL, _EVERY = 300, 10
"""Calls of a function that are all watched, and how many of the others are: it takes long."""
_SMALL, _LARGE = 3, 700_000
"""Models that come first, and characters of code beyond which others come last."""
_DIFFERING, _USUAL = 4, 200_000
"""For faults of templates, models that come first and characters of their code at most."""
Entry = tuple[str, tuple[str, ...]]
_WATCHED = ("derive/", "codegen/")


class Reach:
    """Lines that pass, and sound files, of every model or of `names`; kept in `work` while the
    source is the same.

    Raises RuntimeError if a model has no value without a fault.
    """

    def __init__(self, work: Path, names: Sequence[str] = ()) -> None:
        texts = [(ROOT / file).read_bytes() for file in files()]
        texts += [
            (Path(__file__).parent / file).read_bytes() for file in ("emitted.py", "reach.py")
        ]
        self.stamp = hashlib.sha256(b"\0".join(texts)).hexdigest()
        self.work = work
        everywhere = _answered("the list of models", _known)
        imported = self._kept("import", "", partial(_at_import, everywhere["modules"]))
        self.at_import = {(file, line) for file, line in imported["functions"]}
        found = {}
        for name, text in everywhere["models"].items():
            if not names or name in names:
                found[name] = self._kept(name, text, partial(_passing, name, work))
        self.found = dict(sorted(found.items(), key=lambda item: item[1]["size"]))
        self.sound = {name: model["emitted"] for name, model in self.found.items()}
        self.given = {name: model["given"] for name, model in self.found.items()}
        for name in everywhere["modules"]:
            importlib.import_module(name)
        live_functions()

    def _kept(self, name: str, text: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        stamp = hashlib.sha256((self.stamp + text).encode()).hexdigest()
        file = self.work / "reach" / f"{name}.json"
        known: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
        if known.get("stamp") != stamp:
            known = {"stamp": stamp, **_answered(name, make)}
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(known))
        return known

    def models(self, mutant: Mutant) -> list[Model]:
        """Those that pass the statement, three small ones first, then such of all sizes; all if it
        passes at import. Of templates, whose lines are not watched, those first that differ in what
        their functions need: time, states of elements, tunable numbers."""
        is_python = mutant.file.endswith(".py")
        statement = statement_lines(mutant.file, mutant.line) if is_python else None
        passing = []
        for name, found in self.found.items():
            builds = [
                build
                for build, lines in found["lines"].items()
                if mutant.file in lines
                and (statement is None or not statement.isdisjoint(lines[mutant.file]))
            ]
            if is_python and statement is None:
                is_far = all(mutant.file not in lines for lines in found["lines"].values())
                passing.append((is_far, name, tuple(found["lines"])))
            elif builds:
                passing.append((False, name, tuple(builds)))
        if is_python and not passing and (mutant.file, function_around(mutant)) in self.at_import:
            passing = [(False, name, tuple(found["lines"])) for name, found in self.found.items()]
        near = [(name, builds) for is_far, name, builds in passing if not is_far]
        first = [] if is_python else self._differing(near)
        far = [(name, builds) for is_far, name, builds in passing if is_far]
        near = [entry for entry in near if entry not in first]
        ordered = first + _spread(near, self._is_large) + _spread(far, self._is_large)
        return [(name, builds, self.found[name]["size"]) for name, builds in ordered]

    def _differing(self, models: list[Entry]) -> list[Entry]:
        """Small ones: that whose functions need most, then what needs most of what is left."""
        needed = {
            entry: {name for build in entry[1] for name in self.found[entry[0]]["inputs"][build]}
            for entry in models
            if self.found[entry[0]]["size"] <= _USUAL
        }
        found: list[Entry] = []
        seen: set[str] = set()
        while needed and len(found) < _DIFFERING:
            best = max(needed, key=lambda entry: len(needed[entry] - seen))
            if needed[best] <= seen:
                break
            seen |= needed.pop(best)
            found.append(best)
        return found

    def _is_large(self, entry: tuple[str, tuple[str, ...]]) -> bool:
        return bool(self.found[entry[0]]["size"] > _LARGE)


def _spread(models: list[Entry], is_large: Callable[[Entry], bool]) -> list[Entry]:
    """Of models by size the first three, others so that any beginning has all sizes, large ones.

    What one joint alone does not show, mechanisms of several do: the largest of the usual is next.
    """
    small, rest = models[:_SMALL], models[_SMALL:]
    usual = [entry for entry in reversed(rest) if not is_large(entry)]
    digits = max(len(usual) - 1, 1).bit_length()
    order = sorted(range(len(usual)), key=lambda k: f"{k:0{digits}b}"[::-1])
    return [*small, *(usual[k] for k in order), *filter(is_large, rest)]


def _answered(what: str, question: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    found = in_a_process(question, _SECONDS)
    if "outcome" in found:
        raise RuntimeError(f"{what} without a fault: {found}")
    return found


def _known() -> dict[str, Any]:
    """Modules that a verification imports, and the models with the text that declares each."""
    from verification.mutants.models import MODELS, declared_in

    import eomc.verifier.procedure  # noqa: F401

    return {
        "modules": sorted(name for name in sys.modules if name.split(".")[0] == "eomc"),
        "models": {name: declared_in(make) for name, make in MODELS.items()},
    }


def _at_import(modules: Sequence[str]) -> dict[str, Any]:
    """Functions of the rooms that are called while modules are imported."""
    found: set[Place] = set()

    def called(frame: FrameType, event: str, _: Any) -> None:
        file = source_file(frame.f_code.co_filename)
        if file.startswith(_WATCHED) and event == "call":
            found.add((file, frame.f_code.co_firstlineno))

    sys.setprofile(called)
    for name in modules:
        importlib.import_module(name)
    importlib.import_module("verification.mutants.models")
    sys.setprofile(None)
    return {"functions": sorted(found)}


def _passing(name: str, work: Path) -> dict[str, Any]:
    """Of the sound code: lines that pass for each build of a model, and what is emitted."""
    from verification.mutants.models import make

    import eomc.verifier.procedure  # noqa: F401  (what passes at import passes for all models)

    lines, made, given, inputs = {}, {}, {}, {}
    with _watched() as passed:
        system = make(name)
    of_all = passed
    for build, asked in builds(system).items():
        with _watched() as passed:
            given[build] = asked.given()
            made[build] = asked.files()
        lines[build] = {
            file: sorted(of_all.get(file, set()) | passed.get(file, set()))
            for file in sorted({*of_all, *passed})
        }
        inputs[build] = asked.inputs()
        keep(made[build], work / "sound" / name / build)
    return {
        "size": sum(map(len, made["plain"].values())),
        "emitted": {build: digest(texts) for build, texts in made.items()},
        "given": given,
        "inputs": inputs,
        "lines": lines,
    }


@contextmanager
def _watched() -> Iterator[dict[str, set[int]]]:
    """Lines of our rooms that pass, and templates, which have none."""
    from eomc.codegen.templates import template

    lines: dict[str, set[int]] = {}
    calls = Counter[CodeType]()

    def passed(frame: FrameType, event: str, _: Any) -> Any:
        lines[source_file(frame.f_code.co_filename)].add(frame.f_lineno)
        return passed

    def called(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        file = source_file(code.co_filename)
        if not file.startswith(_WATCHED):
            return None
        calls[code] += 1
        if calls[code] > _ALL and calls[code] % _EVERY:
            return None
        lines.setdefault(file, set()).add(frame.f_lineno)
        return passed

    plain = template._template

    def watched(name: str) -> Any:
        # That names are read from a template writes none of it.
        if sys._getframe(1).f_code is template.fill.__code__:
            lines.setdefault(f"codegen/templates/{name}", set())
        return plain(name)

    template._template = watched  # type: ignore[assignment]
    sys.settrace(called)
    try:
        yield lines
    finally:
        sys.settrace(None)
        template._template = plain
