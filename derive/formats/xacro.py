"""URDF files with macros, expanded by `xacro` (optional dependency `eomc[xacro]`).

xacro evaluates the expressions of a file in Python, if a restricted one: unlike the other formats
this one is for files of people you trust. Time, memory and outcome of the expansion are bounded
all the same (`xacro_expansion.py`).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, Format, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.urdf import parse_urdf
from eomc.derive.formats.xml_file import xml_root
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names
from eomc.derive.model.model import Model

__all__ = ["read_xacro"]

#: Of the expansion: processor time [s], memory [bytes], and time until it is ended anyhow [s].
_SECONDS, _MEMORY, _PATIENCE = 20, 2 * 2**30, 300


def read_xacro(
    path: str | Path,
    *,
    snap: float = SNAP,
    arguments: Mapping[str, Any] | None = None,
    packages: Iterable[str | Path] = (),
    collisions: bool = False,
) -> Model:
    """The model in the expanded file; `arguments` of ``xacro:arg`` have their defaults otherwise.

    ``$(find package)`` looks in the folders `packages`, then where ROS has packages. Raises
    `ModelError` with the file, and xacro's own words, and the line of an expression that fails;
    lines of the expanded text would mislead and are not told.
    """
    if find_spec("xacro") is None:
        raise ModelError(
            "reading xacro needs the package xacro; install it with pip install 'eomc[xacro]'"
        )
    xml_root(read_bytes(path), str(path), "xacro")  # no entities, and the line of a fault
    given = {str(name): _word(value) for name, value in (arguments or {}).items()}
    answer = _expanded(str(path), given, [str(folder) for folder in packages])
    if "fault" in answer:
        raise ModelError(f"xacro cannot expand it: {answer['fault']}", _place(answer, str(path)))
    for name in given:
        if name not in answer["asked"]:
            known = near_names(name, answer["asked"])
            raise ModelError(
                f"arguments: the file has no argument {name!r}; {known}", Source(str(path))
            )
    text = answer["text"].encode()
    return parse_urdf(text, str(path), snap=snap, lines=False, collisions=collisions)


def _word(value: Any) -> str:
    """As xacro reads it: true and false in small letters."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _expanded(path: str, arguments: dict[str, str], packages: list[str]) -> dict[str, Any]:
    """Answer of the process, or a fault if it was ended."""
    with tempfile.NamedTemporaryFile(suffix=".json") as notes:
        request = {
            "path": path,
            "arguments": arguments,
            "packages": packages,
            "notes": notes.name,
            "seconds": _SECONDS,
            "memory": _MEMORY,
        }
        script = Path(__file__).with_name("xacro_expansion.py")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            done = subprocess.run(
                [sys.executable, "-P", str(script), json.dumps(request)],
                capture_output=True,
                timeout=_PATIENCE,
                env=environment,
                check=False,
            )
            answer: dict[str, Any] = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            told = notes.read()
            what = {"fault": f"it takes more than {_SECONDS} s, or too much memory"}
            return what | (json.loads(told) if told else {})
    return answer


def _place(answer: Mapping[str, str], path: str) -> Source:
    """File and line of the expression that was evaluated last."""
    file, expression = answer.get("file") or path, answer.get("expression")
    try:
        lines = read_bytes(file).decode(errors="replace").splitlines()
    except ModelError:
        lines = []
    macro = re.search(r"<xacro:[\w.-]+(?=>)", answer["fault"])
    told = macro[0] if macro else expression or "\n"
    numbers = (number for number, line in enumerate(lines, 1) if told in unescape(line))
    return Source(file, next(numbers, 0))


_OPTIONS = ("arguments", "packages", "collisions")
register_format(Format("xacro", (".xacro",), read_xacro, "fixed", "warn", _OPTIONS))
