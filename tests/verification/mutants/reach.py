"""Which models pass through a line of the sound code, found by one run of each."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from verification.mutants.every import files
from verification.mutants.mutant import ROOT, Mutant
from verification.mutants.trial import clean, in_a_process

_SECONDS = 600.0


class Reach:
    """Lines that pass, and sound files, of every model or of `names`; kept in `work` while the
    source is the same.

    Raises RuntimeError if a model does not verify without a fault.
    """

    def __init__(self, work: Path, names: Sequence[str] = ()) -> None:
        ours = sorted(Path(__file__).parent.glob("*.py"))
        texts = [(ROOT / file).read_bytes() for file in files()] + [f.read_bytes() for f in ours]
        stamp = hashlib.sha256(b"\0".join(texts)).hexdigest()
        kept = work / "clean.json"
        known: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
        if known.get("stamp") != stamp:
            known = {"stamp": stamp, "models": self._all_clean(work, names)}
            kept.write_text(json.dumps(known))
        self.found: dict[str, dict[str, Any]] = known["models"]
        self.sound = {name: found["emitted"] for name, found in self.found.items()}

    def _all_clean(self, work: Path, names: Sequence[str]) -> dict[str, Any]:
        names = names or in_a_process(_names, _SECONDS)["names"]
        return {name: self._clean(name, work) for name in names}

    @staticmethod
    def _clean(name: str, work: Path) -> dict[str, Any]:
        found = in_a_process(partial(clean, name, work), _SECONDS)
        if found.get("breaches", ["error"]):
            raise RuntimeError(f"{name} without a fault: {found}")
        return found

    def models(self, mutant: Mutant) -> list[str]:
        """Those that pass the statement, in their order; all if it passes at import."""
        is_python = mutant.file.endswith(".py")
        statement = _statement(mutant.file, mutant.line) if is_python else None
        passing = []
        for place, (name, found) in enumerate(self.found.items()):
            lines = found["lines"].get(mutant.file)
            if is_python and statement is None:
                passing.append((lines is None, place, name))
            elif lines is not None and (statement is None or not statement.isdisjoint(lines)):
                passing.append((False, place, name))
        return [name for _, _, name in sorted(passing)]


def _names() -> dict[str, Any]:
    from verification.mutants.models import MODELS

    return {"names": list(MODELS)}


@cache
def _statements(file: str) -> list[tuple[int, int]]:
    """First and last lines of the statements of functions, without those inside them."""
    found = []
    for function in ast.walk(ast.parse((ROOT / file).read_bytes())):
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and node is not function:
                body = getattr(node, "body", None)
                last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
                found.append((node.lineno, max(last, node.lineno)))
    return found


def _statement(file: str, line: int) -> set[int] | None:
    """Lines of the smallest statement that holds the line; None if that is in no function."""
    around = [(b - a, a, b) for a, b in _statements(file) if a <= line <= b]
    if not around:
        return None
    _, first, last = min(around)
    return set(range(first, last + 1))
