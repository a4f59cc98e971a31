"""Record of the files that pages were made of: with the same files they are not made again."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("eomc", "derive", "codegen", "runtime", "building", "verifier", "systems")
ENDINGS = {".py", ".c", ".h", ".js", ".css", ".html", ".toml", ".pyx"}


@cache
def code_digest() -> str:
    """Of all code of the package, the makers of these pages, and the shared model files."""
    files = [path for room in (*ROOMS, "published", "docs") for path in (ROOT / room).rglob("*")]
    files += (ROOT / "examples" / "models").glob("*")
    made = sha256()
    for path in sorted(files):
        hidden = {"_build", "_made", "_tables", "gallery"} & set(path.relative_to(ROOT).parts)
        if path.suffix in ENDINGS and not hidden:
            made.update(str(path.relative_to(ROOT)).encode())
            made.update(path.read_bytes())
    return made.hexdigest()


class Record:
    """A file of digests, by name of what was made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, str] = {}
        if path.is_file():
            self.known = json.loads(path.read_text(encoding="utf-8"))

    def is_current(self, name: str, source: Path, *made: Path) -> bool:
        """True if nothing has changed since `made` was made of `source`."""
        return self.known.get(name) == _digest(source) and all(path.exists() for path in made)

    def keep(self, name: str, source: Path) -> None:
        """Remember that it is current now."""
        self.known[name] = _digest(source)
        self.path.write_text(json.dumps(self.known, indent=1), encoding="utf-8")


def _digest(source: Path) -> str:
    return sha256(code_digest().encode() + source.read_bytes()).hexdigest()
