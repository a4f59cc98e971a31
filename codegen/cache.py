"""The build cache: one folder a build, named by the hash of everything that went into it.

A builder works in a folder of its own. When the build is complete it is brought to the disk and
appears under its final name by one rename; who comes later discards his copy. ``build.json`` of an
entry holds the SHA-256 of every file. It is compared each time the entry is asked for, before
anything is loaded (700 microseconds for half a megabyte): what differs is built anew.

``build.json`` is the lock as well, from the first moment of a folder: builders hold it while they
build and until the module is loaded. The system releases it when a process dies, however it dies.
So what nobody holds is a dead builder's and is swept up by the next one, and what somebody holds is
left alone by all who clear. Where there are no such locks (Windows, some network drives), folders
of builders count as dead after a day.

The cache lies in ``$EOMC_CACHE_DIR``, else in the platform's folder for such things. What others
could have written is refused (`eomc.binding.ownership`).
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from eomc.binding.ownership import written_by_others
from eomc.codegen.plan.errors import BuildError

if sys.platform != "win32":
    import fcntl

RECORD = "build.json"
_STAGING_PREFIX = ".building-"
_KEY_DIGITS = 24
_ENTRY = re.compile(rf"(?P<name>.+)-(?P<key>[0-9a-f]{{{_KEY_DIGITS}}})")
# No build takes that long: where there are no locks, what is older was left by a killed process.
_STAGING_LIFETIME = 24 * 3600.0
# Of giving a build its name while others put theirs there, or take it away.
_ATTEMPTS, _PAUSE = 200, 0.01


@dataclass(frozen=True)
class CacheEntry:
    """One build: the model's name, its key, its folder, bytes on disk and time of building."""

    name: str
    key: str
    folder: Path
    size: int
    built: float


def cache_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """The cache's folder: ``folder`` if given, ``$EOMC_CACHE_DIR``, or the user's cache folder.

    Raises BuildError if it is none of the first two and the user has no home.
    """
    if folder is not None:
        return Path(folder)
    if chosen := os.environ.get("EOMC_CACHE_DIR"):
        return Path(chosen)
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        raise BuildError(
            "this user has no home folder to keep the build cache in; name one by cache_dir=... or "
            "the environment variable EOMC_CACHE_DIR"
        ) from None
    return base / "eomc"


def entry_folder(root: Path, name: str, key: str) -> Path:
    """Folder of the build of that name and key."""
    return root / f"{name}-{key[:_KEY_DIGITS]}"


def entries(folder: str | os.PathLike[str] | None = None) -> list[CacheEntry]:
    """All builds, damaged ones too, by name and key."""
    found = []
    root = cache_folder(folder)
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        if match := _ENTRY.fullmatch(path.name):
            with contextlib.suppress(FileNotFoundError):  # removed meanwhile
                record = _record(path)
                name, key = (str(record.get(part, match[part])) for part in ("name", "key"))
                found.append(CacheEntry(name, key, path, _bytes_in(path), path.lstat().st_mtime))
    return found


def size(folder: str | os.PathLike[str] | None = None) -> int:
    """Bytes of all builds together."""
    return sum(entry.size for entry in entries(folder))


def clear(folder: str | os.PathLike[str] | None = None) -> int:
    """Remove all builds and what killed builds left; returns how many builds were removed.

    Only what this module made is touched, of links the link alone, and nothing that another process
    builds or loads at the moment.
    """
    _sweep(cache_folder(folder))
    removed = 0
    for entry in entries(folder):
        with contextlib.suppress(OSError):  # removed meanwhile, or another user's
            removed += _remove(entry.folder)
    return removed


def open_cache(folder: str | os.PathLike[str] | None = None) -> Path:
    """The cache's folder, made if missing.

    Raises BuildError if it cannot be made or others could have written it.
    """
    root = cache_folder(folder)
    try:
        root = root.absolute()
        root.mkdir(mode=0o755, parents=True, exist_ok=True)
        require_ours(root, root.stat())
    except (OSError, ValueError) as error:  # ValueError: no path can be spelled so
        raise unusable(root, error) from error
    return root


def unusable(root: Path, error: Exception) -> BuildError:
    """The BuildError for what went wrong with files."""
    reason = str(error)
    try:
        os.getcwd()
    except FileNotFoundError:
        reason = "the working folder was deleted; change into one that exists"
    return BuildError(f"the build cache {root} cannot be used: {reason}")


def hold(final: Path, build: Callable[[Path], dict[str, Any]]) -> IO[bytes]:
    """Until what is returned is closed, ``final`` is a whole entry that no clearing takes away.

    If it is not there or damaged, ``build`` fills a private folder and returns its record.
    Raises BuildError if others could have written it, or OSError.
    """
    return _found(final) or _made(final, build)


def _found(final: Path) -> IO[bytes] | None:
    """The lock of a whole entry."""
    try:
        status = final.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(status.st_mode):  # a link, maybe: not of our making
        return None
    require_ours(final, status)
    try:
        lock = _lock(final)
    except OSError:
        return None
    if lock is None or _is_whole(final):
        return lock
    lock.close()
    return None


def _is_whole(folder: Path) -> bool:
    record = _record(folder)
    files = record.get("files")
    if not isinstance(files, dict) or record.get("library") not in files:
        return False
    for name in (RECORD, *files):
        with contextlib.suppress(FileNotFoundError):
            require_ours(folder / name, (folder / name).lstat())
    return all(digest(folder / name) == files[name] for name in files)


def require_ours(path: Path, status: os.stat_result) -> None:
    """Raise BuildError, saying what to do, if others could have written `path`."""
    why, remedy = written_by_others(path, status)
    if why:
        raise BuildError(
            f"{path} can be written by others ({why}), and what is in the build cache is "
            f"executed: {remedy}, or choose another folder by cache_dir=... or the environment "
            "variable EOMC_CACHE_DIR"
        )


def digest(file: Path) -> str | None:
    """SHA-256 of a file; None if it cannot be read."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return None


def _record(folder: Path) -> dict[str, Any]:
    """Content of ``build.json``; nothing if it is damaged."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        record = json.loads((folder / RECORD).read_bytes())
        if isinstance(record, dict):
            return record
    return {}


def _made(final: Path, build: Callable[[Path], dict[str, Any]]) -> IO[bytes]:
    """Build an entry, or find that another process was faster; the lock of the entry."""
    _sweep(final.parent)
    staged, lock = _staged(final.parent)
    try:
        record = build(staged)
        record["files"] = {
            path.name: digest(path) for path in sorted(staged.iterdir()) if path.name != RECORD
        }
        (staged / RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")
        _bring_to_disk(staged)
        if sys.platform == "win32":  # no folder of an open file can be renamed
            lock.close()
        for _ in range(_ATTEMPTS):
            with contextlib.suppress(OSError):  # there is something else
                staged.rename(final)
                _sync(final.parent)
                return lock
            if (other := _found(final)) is not None:
                lock.close()
                return other
            with contextlib.suppress(FileNotFoundError):  # damaged
                _remove(final)
            time.sleep(_PAUSE)
        raise OSError(f"{final} cannot be replaced")
    finally:
        if staged.exists():
            lock.close()
            shutil.rmtree(staged, ignore_errors=True)


def _staged(root: Path) -> tuple[Path, IO[bytes]]:
    """A new private folder and its lock."""
    while True:
        path = root / f"{_STAGING_PREFIX}{secrets.token_hex(8)}"
        path.mkdir(mode=0o755)
        # Another process that sweeps may have taken it for a dead one's, before it was locked.
        if (lock := _lock(path, create=True)) is not None:
            return path, lock


def _bring_to_disk(folder: Path) -> None:
    """All is written when this returns, and writable by this user alone."""
    for path in (*folder.iterdir(), folder):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o022)
        _sync(path)


def _sync(path: Path) -> None:
    if sys.platform == "win32":  # knows it for files open for writing only
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _sweep(root: Path) -> None:
    """Remove the folders of builders that live no more."""
    for path in root.glob(f"{_STAGING_PREFIX}*"):
        with contextlib.suppress(OSError):
            _remove(path)


def _remove(path: Path) -> bool:
    """Take a folder, or the link to one, out of the cache unless a living process holds it."""
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        path.unlink()
        return True
    is_staged = path.name.startswith(_STAGING_PREFIX)
    is_own = sys.platform != "win32" and status.st_uid == os.geteuid()
    lock: contextlib.AbstractContextManager[Any] | None
    try:
        lock = _lock(path, exclusive=True, create=is_staged and is_own)
    except OSError:  # without a record, or there are no locks here
        if is_staged and time.time() - status.st_mtime < _STAGING_LIFETIME:
            return False
        lock = contextlib.nullcontext()
    if lock is None:
        return False
    with lock:
        if not is_staged:  # in one step, so that no reader sees it half removed
            path = path.rename(path.parent / f"{_STAGING_PREFIX}{secrets.token_hex(8)}")
        shutil.rmtree(path, ignore_errors=True)
    return True


def _lock(folder: Path, *, exclusive: bool = False, create: bool = False) -> IO[bytes] | None:
    """The record of a folder, locked until it is closed; None if another process is in the way.

    Raises OSError if there is no record or, of an exclusive lock, if there are no locks here.
    """
    flags = os.O_RDWR | os.O_CREAT if create else os.O_RDONLY
    if sys.platform == "win32":
        if exclusive:
            raise OSError("no locks")
        return os.fdopen(os.open(folder / RECORD, flags), "rb")
    try:
        record = os.fdopen(os.open(folder / RECORD, flags | os.O_NOFOLLOW, 0o644), "rb")
    except FileNotFoundError:
        if create:  # the folder itself is gone
            return None
        raise
    try:
        fcntl.flock(record, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        # What was removed between opening and locking protects nothing.
        if os.path.samestat(os.fstat(record.fileno()), os.stat(folder / RECORD)):
            return record
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        if not exclusive:
            return record
        record.close()
        raise
    record.close()
    return None


def _bytes_in(folder: Path) -> int:
    if folder.is_symlink():
        return 0
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
