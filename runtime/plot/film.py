"""Kinds of film files, and matplotlib's writers for them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

Writer = Callable[[float], Any]
"""Pictures a second -> a `matplotlib.animation` writer."""

# A page holds its pictures; matplotlib leaves pictures out beyond this many megabytes.
_LARGEST_PAGE = 500


def film_writer(path: Path) -> Writer:
    """The writer of films for a file of that name, by its ending.

    Raises ValueError if the name is of no known kind, or if what the kind needs is not here;
    ImportError without matplotlib.
    """
    try:
        from matplotlib import animation
    except ImportError:
        raise ImportError("animations need matplotlib: pip install 'eomc[plot]'") from None
    page = partial(animation.HTMLWriter, embed_frames=True, embed_limit=_LARGEST_PAGE)
    writers: Mapping[str, Any] = {
        ".gif": animation.PillowWriter,
        ".png": animation.PillowWriter,
        ".apng": animation.PillowWriter,
        ".html": page,
    }
    kind = path.suffix.lower()
    if kind in writers:
        writer: Writer = writers[kind]
        return writer
    if kind != ".mp4":
        raise ValueError(
            f"{path.name}: give a file name that ends in .gif, .png (APNG), .html or .mp4"
        )
    program = _ffmpeg()
    if program is None:
        raise ValueError(
            f"{path.name}: .mp4 needs ffmpeg, which is not here: install it, or "
            "pip install 'eomc[film]'; .gif, .png and .html need nothing more"
        )
    return lambda fps: _Video(program, fps)


def _ffmpeg() -> str | None:
    """The program: the one that is installed, or that of the package imageio-ffmpeg."""
    import matplotlib

    installed = shutil.which(str(matplotlib.rcParams["animation.ffmpeg_path"]))
    if installed is not None:
        return installed
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # RuntimeError: a package that brings no program
        return None


class _Video:
    """matplotlib's writer of H.264 in MP4, with a program that need not be on the path."""

    def __init__(self, program: str, fps: float) -> None:
        from matplotlib.animation import FFMpegWriter

        self._program = program
        make: Any = FFMpegWriter
        self._writer = make(fps=fps, codec="h264")

    @contextmanager
    def saving(self, figure: Any, path: str, dpi: float) -> Iterator[None]:
        """Pictures that `grab_frame` takes inside the context reach the file at its end."""
        import matplotlib

        try:
            with (
                matplotlib.rc_context({"animation.ffmpeg_path": self._program}),
                self._writer.saving(figure, path, dpi),
            ):
                yield
        except subprocess.CalledProcessError as error:
            lines = str(error.stderr or "").split("\n")
            said = [line.strip() for line in lines if "error" in line.lower()]
            raise OSError(f"ffmpeg failed: {said[0] if said else error}") from error

    def grab_frame(self) -> None:
        """Add the figure as it is now."""
        self._writer.grab_frame()
