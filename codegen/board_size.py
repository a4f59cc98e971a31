"""Size of emitted C on the processor of a board, as its compiler says: code and stack.

A cross compiler of GCC's family compiles the C files and tells who calls whom with how much stack
(`-fcallgraph-info=su`, GCC 10 and newer). The stack of a function is that of the deepest path of
calls through the emitted code; what stands elsewhere, as the sine of `<math.h>` or arithmetic in
software, is named and not counted.
"""

import json
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eomc.codegen.code_size import machine_code
from eomc.codegen.plan.errors import BuildError

FLAGS = ("-std=c99", "-ffp-contract=off", "-fno-math-errno")
"""Those of the emitted CMakeLists.txt; `-O2` too where the command gives no `-O`."""

_NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "[^"]*?(?:(\d+) bytes \((\w+)\))?"', re.M)
_EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', re.M)
_STATED = re.compile(r"Stack: at most (\d+) bytes(?:(?!Stack:|\*/).)*?\*/\s*int (\w+)\(", re.DOTALL)


@dataclass(frozen=True)
class BoardFunction:
    """One function of the header.

    Attributes
    ----------
    name : in C
    code : bytes of its machine code and of what was cut out of it
    stack : bytes on the deepest path of calls
    bound : bytes of stack that the header states, None if nothing
    outside : functions on its paths that are not emitted, whose stack is not counted
    """

    name: str
    code: int
    stack: int
    bound: int | None
    outside: tuple[str, ...]


@dataclass(frozen=True)
class BoardSize:
    """All functions of a model for one processor.

    Attributes
    ----------
    command : compiler and flags
    functions : in the order of the header
    code, constants : bytes of all together, without what the C library adds
    """

    command: str
    functions: tuple[BoardFunction, ...]
    code: int
    constants: int


def board_command(command: str) -> list[str]:
    """Compiler and flags, `-O2` if none says how to optimize; BuildError if it is not found."""
    compiler, *flags = shlex.split(command) or [""]
    if shutil.which(compiler) is None:
        raise BuildError(
            f"no compiler {compiler!r}; give a command of GCC's family with the flags of the "
            "processor, such as 'arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb'"
        )
    if not any(flag.startswith("-O") for flag in flags):
        flags.append("-O2")
    return [compiler, *flags]


def board_size(folder: Path, command: str) -> BoardSize:
    """The emitted C of `folder`, compiled by a cross compiler with flags for its processor.

    Nothing is left in the folder, and nothing runs.

    Parameters
    ----------
    folder : as `eomc.emit` wrote it
    command : compiler of GCC's family, version 10 or newer, with flags
        Such as ``"arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb"``; ``-O2`` if it has no ``-O``.

    Raises BuildError if the command is not found, fails, or tells no stack.
    """
    compiler, *flags = board_command(command)
    (manifest,) = sorted(folder.glob("*.json"))
    prefix = json.loads(manifest.read_text(encoding="utf-8"))["prefix"]
    with tempfile.TemporaryDirectory() as made:
        objects = _compiled(folder, prefix, (compiler, *FLAGS, *flags), Path(made))
        codes: dict[str, int] = {}
        text = data = 0
        for binary in objects:
            found = machine_code(binary, prefix, _tool(compiler, "nm"))
            codes = {n: codes.get(n, 0) + found.get(n, 0) for n in (*codes, *found)}
            text += sum(found.values())
            data += _flash(compiler, binary) - sum(found.values())
        graph = _CallGraph([path.read_text(encoding="utf-8") for path in Path(made).glob("*.ci")])
    header = (folder / f"{prefix}.h").read_text(encoding="utf-8")
    bounds = {name: int(bytes_) for bytes_, name in _STATED.findall(header)}
    declared = re.findall(r"^(?:int|[\w ]+[ *])(\w+)\(", header, re.M)
    functions = []
    for name in dict.fromkeys(declared):
        if name in codes:
            stack, outside = graph.deepest(name)
            row = BoardFunction(name, codes[name], stack, bounds.get(name), tuple(sorted(outside)))
            functions.append(row)
    return BoardSize(shlex.join((compiler, *flags)), tuple(functions), text, data)


def _compiled(folder: Path, prefix: str, command: Sequence[str], made: Path) -> list[Path]:
    """An object for each C file, and beside it who calls whom."""
    objects = []
    for source in sorted(folder.glob(f"{prefix}*.c")):
        binary = made / f"{source.stem}.o"
        line = [*command, "-fcallgraph-info=su", f"-I{folder.resolve()}"]
        line += ["-c", str(source.resolve()), "-o", str(binary)]
        done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=made)
        if done.returncode != 0:
            if "-fcallgraph-info" in done.stderr:
                raise BuildError(
                    f"{command[0]} does not tell the stack of functions; take GCC 10 or newer"
                )
            raise BuildError(f"{shlex.join(command)} failed on {source.name}:\n{done.stderr}")
        objects.append(binary)
    return objects


def _tool(compiler: str, name: str) -> str:
    """A program that belongs to a compiler."""
    line = [compiler, f"-print-prog-name={name}"]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()


def _flash(compiler: str, binary: Path) -> int:
    """Bytes of code and constants."""
    line = [_tool(compiler, "size"), str(binary)]
    said = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    return int(said.splitlines()[1].split()[0])


class _CallGraph:
    """Call graph with the stack of each function; functions of other files by their names."""

    def __init__(self, graphs: Sequence[str]) -> None:
        self.own: dict[str, int] = {}
        self.called: dict[str, set[str]] = {}
        self._known: dict[str, tuple[int, frozenset[str]]] = {}
        for text in graphs:
            self.own |= {name: int(size) for name, size, _ in _NODE.findall(text) if size}
            for caller, callee in _EDGE.findall(text):
                self.called.setdefault(caller, set()).add(callee)

    def deepest(self, name: str) -> tuple[int, frozenset[str]]:
        """Bytes of the deepest path from here, and what is called outside; nothing is recursive."""
        if name not in self.own:
            return 0, frozenset((name,))
        if name not in self._known:
            below = [self.deepest(callee) for callee in sorted(self.called.get(name, ()))]
            most = max((size for size, _ in below), default=0)
            outside = frozenset().union(*(names for _, names in below))
            self._known[name] = self.own[name] + most, outside
        return self._known[name]
