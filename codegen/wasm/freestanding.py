"""Stand-in for a C library: the mathematics that C files call, with all that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_OWN = ("math.h", "libm.h", "features.h", "memory.c")
_HEADERS = ("exp_data.h", "log_data.h", "pow_data.h")
_PREFIX = "musl_"
_CALLED = re.compile(r"\b([a-z_]\w*)(?: ?\(|\.h\")")


def freestanding_files(texts: Iterable[str]) -> dict[str, str]:
    """Files beside C `texts` that make them whole, by name; of the mathematics what they call."""
    found = {name: _read(name) for name in _OWN}
    library, waiting = _library(), list(texts)
    taken: set[str] = set()
    while waiting:
        words = set(_CALLED.findall(waiting.pop())) & library.keys()
        for word in sorted(words - taken):
            taken.add(word)
            waiting.append(library[word])
    if taken:
        found |= {name: _read(f"musl/{name}") for name in _HEADERS}
        found["LICENSE_musl.txt"] = _read("musl/LICENSE.txt")
    return found | {f"{_PREFIX}{word}.c": library[word] for word in sorted(taken)}


@cache
def _library() -> dict[str, str]:
    """Texts of the files of mathematics by the name that they define."""
    folder = files(__package__) / "musl"
    texts = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    return {name.removesuffix(".c"): text for name, text in texts.items() if name.endswith(".c")}


def _read(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")
