"""What is emitted of a model for a verification, and whether it computes the same."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# The C of a wrapper stands between the same marks, after its own words.
_DOCUMENTATION = re.compile(r'(from \*:\s*)?""".*?"""', re.DOTALL)

_POSE = re.compile("frame_.*_pose")

MANIFEST = re.compile(r"^manifest = _json\.loads\(.*\)$", re.MULTILINE)
"""The line of a wrapper that holds the manifest."""

Files = Mapping[str, str]


def emitted(system: Any) -> dict[str, Callable[[], Files]]:
    """What makes the files of each build that `eomc.verify` makes, the usual one first."""
    from eomc.codegen import emit
    from eomc.codegen.emit import emit_loop
    from eomc.derive.functions import KINDS
    from eomc.verify import procedure
    from eomc.verify.requested.choice import asked
    from eomc.verify.requested.sampled import NEEDS

    def small() -> Files:
        try:
            program = procedure._program(system, small=True)
        except Exception as refusal:  # some elements have no small code
            return {"refused.h": type(refusal).__name__}
        return emit(program)

    def requested() -> Files:
        program = usual()
        frames = (function.name for function in program.functions)
        words = [n[len("frame_") : -len("_pose")] for n in frames if _POSE.fullmatch(n)]
        return emit(procedure._program(system, False, tuple(asked(program, tuple(words)))))

    def sampled() -> Files:
        program = usual()
        if not set(NEEDS) <= {function.name for function in program.functions}:
            return {"refused.h": "no steps"}
        return emit_loop(*_loop(program))

    laws = tuple(name for name, kind in KINDS.items() if kind.feeds)
    usual = cache(lambda: procedure._program(system, small=False))
    builds: dict[str, Callable[[], Files]] = {
        "plain": lambda: emit(usual()),
        "single": lambda: emit(usual(), real="float"),
        "lanes": lambda: emit(procedure._program(system, False, laws), lanes=4),
        "size": lambda: emit(usual(), optimize="size"),
        "request": requested,
        "sampled": sampled,
    }
    return builds | ({"small": small} if getattr(system, "model", None) is not None else {})


def _loop(program: Any) -> tuple[Any, Any]:
    """A mechanism and the controller that `eomc.verify` runs it with."""
    from eomc.building.controller_program import controller_program
    from eomc.verify.requested.sampled import Given, plant, sampled

    names = program.index_names
    model = SimpleNamespace(coordinates=names.get("q", ()), speeds=names.get("u", ()))
    controller = sampled(model, 0.01, [0.1] * len(model.coordinates), seed=7)
    return plant(program), controller_program(controller, Given(program), "controller")


def first_change(
    system: Any, sound: Mapping[str, str], passing: Collection[str]
) -> tuple[str, Files] | None:
    """The first build, of those `passing` the fault, whose code is not that of digests `sound`."""
    builds = ((build, make()) for build, make in emitted(system).items() if build in passing)
    return next(((build, files) for build, files in builds if digest(files) != sound[build]), None)


def digest(files: Files) -> str:
    """Of the code: of comments and of the manifest nothing is computed."""
    parts = []
    for name, text in sorted(files.items()):
        if name.endswith((".c", ".h")):
            parts.append(" ".join(_COMMENT.sub("", text).split()))
        elif name.endswith(".pyx"):
            parts.append(_computing(text))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _computing(wrapper: str) -> str:
    code = _DOCUMENTATION.sub(lambda match: match[0] if match[1] else "", wrapper)
    return MANIFEST.sub("", _COMMENT.sub("", code))


def keep(files: Files, folder: Path) -> None:
    """The sound files, for `same_machine_code`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def same_machine_code(files: Files, sound: Path) -> bool:
    """Whether the compiler makes the same of all C files, and Python sees the same of them."""
    with tempfile.TemporaryDirectory() as place:
        keep(files, Path(place))
        for name, text in files.items():
            if not (sound / name).exists():
                return False
            if name.endswith(".pyx"):
                before = (sound / name).read_text(encoding="utf-8")
                if _computing(text) != _computing(before):
                    return False
            if name.endswith(".c") and _object(Path(place), name) != _object(sound, name):
                return False
    return True


def _object(folder: Path, file: str) -> bytes:
    made = folder / "object.o"
    command = ["cc", "-std=c99", "-O2", "-ffp-contract=off", "-c", file, "-o", made.name]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return made.read_bytes()
