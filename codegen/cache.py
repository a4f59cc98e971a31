"""The build cache: one folder a build, named by the hash of everything that went into it.

A folder appears under its final name by one rename, complete. Builders work in private temporary
folders; when two build the same thing, the later one finds the name taken and discards its copy. No
locks: nothing to go stale when a process is killed, only a temporary folder to sweep up later.

The cache lies in ``$EOMC_CACHE_DIR``, else in the platform's folder for such things.
"""

import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_STAGING_PREFIX = ".building-"
# No build takes that long: what is older was left by a killed process.
_STAGING_LIFETIME = 24 * 3600.0
RECORD = "build.json"


@dataclass(frozen=True)
class CacheEntry:
    """One build: the model's name, its key, its folder, bytes on disk and time of building."""

    name: str
    key: str
    folder: Path
    size: int
    built: float


def cache_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """The cache's folder: ``folder`` if given, ``$EOMC_CACHE_DIR``, or the user's cache folder."""
    if folder is not None:
        return Path(folder)
    if chosen := os.environ.get("EOMC_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "eomc"


def entries(folder: str | os.PathLike[str] | None = None) -> list[CacheEntry]:
    """All complete builds, by name and key."""
    found = []
    root = cache_folder(folder)
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        if path.name.startswith(".") or not (path / RECORD).is_file():
            continue
        with contextlib.suppress(OSError, ValueError, KeyError):  # removed meanwhile, or foreign
            record = json.loads((path / RECORD).read_text(encoding="utf-8"))
            built = (path / RECORD).stat().st_mtime
            entry = CacheEntry(record["name"], record["key"], path, _bytes_in(path), built)
            found.append(entry)
    return found


def size(folder: str | os.PathLike[str] | None = None) -> int:
    """Bytes of all complete builds together."""
    return sum(entry.size for entry in entries(folder))


def clear(folder: str | os.PathLike[str] | None = None) -> int:
    """Remove all builds and what killed builds left; returns how many builds were removed.

    Only folders that this module made are touched.
    """
    builds = entries(folder)
    for entry in builds:
        shutil.rmtree(entry.folder, ignore_errors=True)
    _sweep(cache_folder(folder), lifetime=0.0)
    return len(builds)


@contextlib.contextmanager
def staging(root: Path) -> Iterator[Path]:
    """A private folder inside the cache, gone at the end unless it was published."""
    root.mkdir(parents=True, exist_ok=True)
    _sweep(root, _STAGING_LIFETIME)
    path = Path(tempfile.mkdtemp(prefix=_STAGING_PREFIX, dir=root))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def publish(staged: Path, final: Path, essential: str) -> None:
    """Give a complete build its name; if another process was faster, its build stands.

    A folder of that name without its file ``essential`` is damaged and makes way.
    """
    for _ in range(3):
        try:
            staged.rename(final)
            return
        except OSError:
            if (final / essential).is_file():
                return
            if not final.exists():
                raise
            # Move it aside in one step, so that no reader sees it half removed.
            aside = Path(tempfile.mkdtemp(prefix=_STAGING_PREFIX, dir=final.parent))
            with contextlib.suppress(OSError):
                final.rename(aside / "damaged")
            shutil.rmtree(aside, ignore_errors=True)
    raise OSError(f"{final} cannot be replaced")


def _sweep(root: Path, lifetime: float) -> None:
    """Remove temporary folders older than ``lifetime`` seconds."""
    for path in root.glob(f"{_STAGING_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime >= lifetime:
                shutil.rmtree(path, ignore_errors=True)


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
