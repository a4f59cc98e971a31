"""Sources and the library that is compiled from them, as one entry of the cache."""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from eomc.codegen.cache import entry_folder, hold, open_cache, unusable
from eomc.codegen.sources import Sources, write


@contextlib.contextmanager
def cached(
    sources: Sources,
    library: str,
    depends_on: dict[str, Any],
    compile_in: Callable[[Path, Path], None],
    cache_dir: str | os.PathLike[str] | None = None,
) -> Iterator[Path]:
    """The path of `library`, while no clearing of the cache takes it away.

    depends_on : what the library depends on beside the sources; its key is the SHA-256 of all
    compile_in : takes the folder of the sources and the path to compile them to

    Raises BuildError if others could have written what is in the cache.
    """
    parts = {**depends_on, "sources": dict(sources)}
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    root = open_cache(cache_dir)
    final = entry_folder(root, sources.name, key)

    def fill(folder: Path) -> dict[str, Any]:
        work = write(sources, folder / "work")
        compile_in(work, folder / library)
        for file in sources:
            (work / file).rename(folder / file)
        shutil.rmtree(work)
        return {"name": sources.name, "key": key, "library": library}

    try:
        held = hold(final, fill)
    except OSError as error:
        raise unusable(root, error) from error
    with contextlib.closing(held):
        yield final / library
