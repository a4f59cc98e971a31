"""A compiled model on its way to another machine: its files by content, the platform they are for.

A worker of the same platform needs neither a compiler nor the model file; one of another says so.
"""

from __future__ import annotations

import hashlib
import sysconfig
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from eomc.runtime.model.compiled import CompiledModel, _from_files
from eomc.runtime.model.errors import LoadError

_UNPACKED: dict[str, CompiledModel] = {}
_LOCK = threading.Lock()


def _platform() -> str:
    return sysconfig.get_platform()


def _key(files: tuple[tuple[str, bytes], ...]) -> str:
    content = hashlib.sha256()
    for name, data in files:
        content.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return content.hexdigest()


@dataclass(frozen=True)
class ShippedModel:
    """Names and bytes of the files of a model; `key` is their hash."""

    files: tuple[tuple[str, bytes], ...]
    platform: str
    key: str

    @classmethod
    def of(cls, model: CompiledModel) -> ShippedModel:
        """The files that a model is made of, in order."""
        files = tuple((path.name, path.read_bytes()) for path in model.files())
        return cls(files, _platform(), _key(files))

    def model(self) -> CompiledModel:
        """The model, unpacked once a process. Raises `LoadError` on another platform."""
        with _LOCK:
            if self.key not in _UNPACKED:
                _UNPACKED[self.key] = self._unpack()
            return _UNPACKED[self.key]

    def _unpack(self) -> CompiledModel:
        if self.platform != _platform():
            raise LoadError(
                f"the model is compiled for {self.platform}; this worker is {_platform()}: take "
                "workers of one platform, or build the model on theirs"
            )
        if _key(self.files) != self.key:
            raise LoadError("the model came damaged: it is not what was sent")
        folder = Path(tempfile.mkdtemp(prefix="eomc-shipped-"))
        paths = []
        for place, (name, data) in enumerate(self.files):
            path = folder / str(place) / name
            path.parent.mkdir()
            path.write_bytes(data)
            paths.append(str(path))
        try:
            return _from_files(paths)
        finally:
            # What is loaded stays mapped; where files in use cannot be removed, they are left.
            import shutil

            shutil.rmtree(folder, ignore_errors=True)
