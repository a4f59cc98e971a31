"""Size of the functions of a compiled model: statements, C text, machine code, stack.

Machine code is what the symbols of the library say (`nm`); where there is no such tool, or it knows
no sizes, that column stays empty. Tables of constants, which small code has, are not machine code.
"""

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_LANES = "_lanes"
_DEFINITION = re.compile(r"^[^\s#/}][^;{}]*?(\w+)\([^;{}]*\)\n\{\n.*?^\}\n", re.M | re.S)
# What compilers append to the names of the parts that they cut out of a function.
_PART = re.compile(r"(?:_piece_\d+)?(?:\..*)?$")


@dataclass(frozen=True)
class FunctionSize:
    """One function with its pieces.

    operations : of one call, all kinds
    statements : computed values
    text, code : bytes of C and of machine code, those of its form for lanes apart
    stack : bytes, at most
    form : how it is written, see `eomc.codegen.plan.cost`; estimate : nanoseconds of a call
    """

    name: str
    operations: int | None
    statements: int | None
    text: int
    code: int | None
    lanes_code: int | None
    stack: int | None
    form: str | None = None
    estimate: int | None = None


REST = "everything else"
"""Name of the row of integrators, solvers, rollouts and what the functions share."""


def code_size(library: Path) -> list[FunctionSize]:
    """All functions of a module that `eomc.build` left beside its sources, then the rest.

    Raises OSError if the sources are no longer there.
    """
    name = library.name.split(".")[0].removesuffix("_module")
    manifest = json.loads((library.parent / f"{name}.json").read_text(encoding="utf-8"))
    texts = _texts([path.read_text(encoding="utf-8") for path in _c_files(library.parent, name)])
    codes = machine_code(library, name)
    rows = []
    for function, facts in manifest["functions"].items():
        symbol, form = facts["symbol"], facts.get("form", {})
        rows.append(
            FunctionSize(
                function,
                sum(facts["operations"].values()),
                facts["statements"],
                texts.pop(symbol, 0) + texts.pop(symbol + _LANES, 0),
                codes.pop(symbol, None),
                codes.pop(symbol + _LANES, None),
                facts["stack_bytes"],
                form.get("name"),
                (form.get("cost") or {}).get("time"),
            )
        )
    left = sum(codes.values()) if codes else None
    rows.append(FunctionSize(REST, None, None, sum(texts.values()), left, None, None))
    return rows


def _c_files(folder: Path, name: str) -> list[Path]:
    return sorted(folder.glob(f"{name}*.c"))


def _texts(files: list[str]) -> dict[str, int]:
    """Bytes by the function that they belong to; "" for what stands between functions."""
    sizes: dict[str, int] = {"": 0}
    for text in files:
        end = 0
        for match in _DEFINITION.finditer(text):
            owner = _PART.sub("", match[1])
            sizes[owner] = sizes.get(owner, 0) + len(match[0])
            sizes[""] += match.start() - end
            end = match.end()
        sizes[""] += len(text) - end
    return sizes


def machine_code(library: Path, prefix: str, tool: str | None = None) -> dict[str, int]:
    """Bytes of machine code by the function that they belong to, nothing without `nm`, the `tool`
    that lists symbols."""
    tool = tool or shutil.which("nm")
    if tool is None:
        return {}
    # One line a symbol: name, kind, value, size, the last two in hexadecimal digits.
    listing = subprocess.run([tool, "-P", library], capture_output=True, text=True, check=False)
    sizes: dict[str, int] = {}
    for line in listing.stdout.splitlines():
        name, kind, *numbers = line.split()
        name = name.removeprefix("_")
        if kind in "tT" and len(numbers) == 2 and name.startswith(f"{prefix}_"):
            owner = _PART.sub("", name)
            sizes[owner] = sizes.get(owner, 0) + int(numbers[1], 16)
    return sizes
