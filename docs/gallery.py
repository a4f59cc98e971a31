"""The gallery of the documentation: each example is run, and its words, pictures and source shown.

An example belongs to it if its docstring says that it takes a folder for what it draws.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from freshness import Record

EXAMPLES = Path(__file__).parent.parent / "examples"
TAKES_FOLDER = "[folder]"

PAGE = """# {title}

{words}

{pictures}

Output:

```text
{output}
```

```{{literalinclude}} ../../examples/{name}.py
:language: python
```
"""


def examples() -> list[Path]:
    """The examples that draw into a folder, in order of their names."""
    return [path for path in sorted(EXAMPLES.glob("*.py")) if TAKES_FOLDER in _docstring(path)]


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text())) or ""


def write_gallery(folder: Path) -> None:
    """Run every example, write its page and pictures into `folder`; a failing example stops."""
    folder.mkdir(parents=True, exist_ok=True)
    record = Record(folder / "examples.json")
    stale = [
        path
        for path in examples()
        if not record.is_current(path.stem, path, folder / path.stem, folder / f"{path.stem}.md")
    ]
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        outputs = list(pool.map(lambda path: _printed(path, folder / path.stem), stale))
    for path, output in zip(stale, outputs, strict=True):
        (folder / f"{path.stem}.md").write_text(_page(path, folder / path.stem, output))
        record.keep(path.stem, path)


def _printed(path: Path, drawn: Path) -> str:
    """Run an example and return the text that it prints; its pictures go into `drawn`."""
    run = subprocess.run([sys.executable, path, drawn], capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{path.name} failed:\n{run.stdout}\n{run.stderr}")
    return run.stdout


def _page(path: Path, drawn: Path, output: str) -> str:
    title, _, rest = _docstring(path).partition("\n")
    # The line that tells how to run it stands beside the source already.
    words = "\n".join(line for line in rest.splitlines() if not line.startswith("    "))
    pictures = [p for p in sorted(drawn.iterdir()) if p.suffix in (".png", ".gif")]
    shown = "\n\n".join(f"![{p.stem}]({drawn.name}/{p.name})" for p in pictures)
    printed = "\n".join(line for line in output.splitlines() if str(drawn.resolve()) not in line)
    return PAGE.format(
        title=title.rstrip("."),
        words=words.strip(),
        pictures=shown,
        output=printed.strip(),
        name=path.stem,
    )
