"""Runs the code of one documentation page from top to bottom, as its reader would.

Of the fenced blocks of a page,

- ``python`` runs as it stands;
- ``pycon`` is checked as a doctest: what is printed must be what stands there;
- ``console`` runs the lines behind ``$ `` in a shell and checks what they print; ``...`` stands for
  anything; where nothing is said to be printed, every printed line must stand elsewhere on the page
  (a table, say);
- a ``{code-block}`` with a ``:caption:`` is written to a file of that name.

All Python blocks share their names, and all blocks a working folder.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

_FENCE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})(?P<info>[^\n]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.DOTALL | re.M
)
_CAPTION = re.compile(r"\A(?::[^\n]*\n)*?:caption: (?P<file>[^\n]+)\n(?::[^\n]*\n)*\n?")
_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@dataclass(frozen=True)
class Block:
    """A fenced block: language, text, first line, and the file that it is, if any."""

    language: str
    text: str
    line: int
    file: str | None = None


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page in order."""
    for match in _FENCE.finditer(page):
        info, body = match["info"].strip(), match["body"]
        line = page[: match.start("body")].count("\n") + 1
        if info.startswith("{code-block}"):
            caption = _CAPTION.match(body)
            file = caption["file"].strip() if caption else None
            text = body[caption.end() :] if caption else body
            yield Block(info.removeprefix("{code-block}").strip(), text, line, file)
        else:
            yield Block(info, body, line)


def run(path: Path) -> int:
    """Run a page in the present folder; returns the number of blocks that did something."""
    sys.path.insert(0, "")  # a page's own files can be imported, as in its reader's session
    page = sys.modules["page"] = ModuleType("page")  # dataclasses look their module up
    names = page.__dict__
    count = 0
    text = path.read_text(encoding="utf-8")
    for block in blocks(text):
        count += 1
        if block.file is not None:
            target = Path(block.file)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            source = "\n" * (block.line - 1) + block.text
            exec(compile(source, str(path), "exec"), names)
        elif block.language == "pycon":
            _check_session(path, block, names)
        elif block.language == "console":
            _check_commands(path, block, text.splitlines())
        else:
            count -= 1
    return count


def _check_session(path: Path, block: Block, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.text, names, path.name, str(path), block.line - 1
    )
    runner = doctest.DocTestRunner(verbose=False, optionflags=_FLAGS)
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    if runner.failures:
        raise SystemExit(f"{path.name}:{block.line}: a session prints something else")


def _check_commands(path: Path, block: Block, page: list[str]) -> None:
    checker = doctest.OutputChecker()
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        result = subprocess.run(
            command, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        printed = result.stdout + result.stderr
        if not expected.strip():
            current = all(line.strip() in page for line in printed.splitlines())
        else:
            current = checker.check_output(expected, printed, _FLAGS)
        if result.returncode or not current:
            raise SystemExit(
                f"{path.name}:{block.line}: $ {command}\nexpected:\n{expected}\n"
                f"printed (exit code {result.returncode}):\n{printed}"
            )


if __name__ == "__main__":
    sys.path.insert(0, "")  # modules that a page writes, as its reader finds them
    done = run(Path(sys.argv[1]))
    print(f"{done} blocks")
