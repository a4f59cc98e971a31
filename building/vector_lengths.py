"""Builds for vectors of each length that code is written for: none, and more than every processor
of a kind has."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from eomc.codegen.compiler import model_flags, native_vector_bytes, words_of
from eomc.codegen.plan.angles import FEWEST
from eomc.codegen.plan.interface import own_prefix

_FLAGS = {32: "-mavx2", 64: "-mavx512f"}
"""By bytes of the vectors: flags of GCC and Clang for x86, where alone there are such."""
NONE, LONGER = 0, tuple(_FLAGS)


def written_for_vectors(functions: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Names of those functions of a manifest whose code differs with the length of vectors: columns
    side by side, or angles enough to be turned together."""
    return [
        name
        for name, told in functions.items()
        if told["form"]["name"] == "rows" or told["operations"].get("sin", 0) >= FEWEST
    ]


def flags_for_vectors(
    length: int,
    program: str,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: str | Sequence[str] | None = None,
) -> list[str] | None:
    """`flags`, or those by default, with that for vectors of `length` bytes, or with what leaves
    vectors out of the code of a `program`; None where this machine or the compiler has no such."""
    asked = model_flags() if flags is None else words_of(flags, "flags")
    if length == NONE:
        return [*asked, f"-D{own_prefix(program).upper()}_NO_VECTORS"]
    if native_vector_bytes(compiler) < length:
        return None
    return [*asked, _FLAGS[length]]
