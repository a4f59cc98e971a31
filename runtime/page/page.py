"""A page that shows a model move: one file, with the model's own code in it."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.output.files import whole_file
from eomc.runtime.page.live_model import LiveModel

MOST_BYTES = 25_000_000
"""A page that is larger is not written: no browser would like it."""

_APP = (
    *(
        "lines",
        "shapes",
        "flat",
        "stage",
        "step",
        "machine",
        "latches",
        "pull",
        "forces",
        "loops",
        "channels",
        "plot",
    ),
    *("replay", "modes", "panel", "keys", "pace", "live"),
)
_ROWS = ("t", "q", "u", "z", "s", "tau", "r", "s_rate", "s_acceleration")


@dataclass(frozen=True)
class Page:
    """A page in memory; Jupyter shows it in a frame.

    Attributes
    ----------
    html : str
        The whole file. Nothing is loaded from anywhere when it is opened.
    """

    name: str
    html: str

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the file, whole or not at all; returns its path. Raises OSError."""
        with whole_file(path) as file:
            file.write_text(self.html, encoding="utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        """The page in a frame that may run scripts and nothing else."""
        text = self.html.replace("&", "&amp;").replace('"', "&quot;")
        style = "width:100%;height:520px;border:0;border-radius:8px"
        return f'<iframe srcdoc="{text}" sandbox="allow-scripts" style="{style}"></iframe>'

    def __repr__(self) -> str:
        return f"<Page of {self.name!r}: {len(self.html) / 1e3:.0f} kB>"


def page(
    model: LiveModel,
    scene: Mapping[str, Any],
    start: Mapping[str, Any],
    *,
    run: Mapping[str, NDArray[np.float64]] | None = None,
    modes: list[dict[str, Any]] | None = None,
    step: float | None = None,
    method: str | None = None,
    still: str = "",
    stretches: Sequence[Any] = (),
) -> Page:
    """The page of a model from a state.

    scene : what pictures show of it, see `CompiledModel.picture`
    start : q, u and, where there are such, z, tau, r, s and p, each a list of numbers
    run : recorded rows t, q, u and others of `Trajectory`, to be replayed
    modes : of a linearization: name, frequency, damping, and the shape as re and im (nu,)
    step : of the integration [s]; None for 1 ms, or less where the fastest motion asks for it
    method : integrator of the model; None for rk4
    still : an element of HTML, shown where the model cannot move
    stretches : of a run with latches: start, closed latches and what they hold

    Raises ValueError for a page of more than `MOST_BYTES`.
    """
    name = str(model.manifest["metadata"].get("model", model.manifest["name"]))
    data = {
        "manifest": model.told(),
        "scene": scene,
        "start": start,
        "step": step,
        **({"method": method} if method else {}),
        "modes": modes or [],
        "run": None if run is None else _rows(run),
        **({"stretches": stretches} if stretches else {}),
        **({"configurations": told} if (told := [*_configurations(model)]) else {}),
    }
    text = filled(name, data, model.wasm, model.glue, still)
    if len(text) > MOST_BYTES:
        raise ValueError(
            f"the page of {name!r} would take {len(text) / 1e6:.0f} MB, more than "
            f"{MOST_BYTES / 1e6:.0f}: {_way_out(data, model.wasm)}"
        )
    return Page(name, text)


def _configurations(model: LiveModel) -> Iterator[dict[str, Any]]:
    for closed, other in model.configurations.items():
        yield {"closed": list(closed), "manifest": other.told(), "wasm": _packed(other.wasm)}


def _way_out(data: Mapping[str, Any], wasm: bytes) -> str:
    """Advice for a smaller page, by the part that takes most of it."""
    ways = {
        "record the run with a larger step, or a shorter one": len(json.dumps(data["run"])),
        "give it meshes of fewer faces": len(json.dumps(data["scene"].get("meshes", {}))),
        "its equations take most of it; show a model of fewer bodies, or a film of its run by "
        "`Trajectory.animate`": len(_packed(wasm)),
    }
    return max(ways, key=lambda way: ways[way])


def filled(name: str, data: Mapping[str, Any], wasm: bytes, glue: str, still: str = "") -> str:
    """The template with everything in its place."""
    said = json.dumps(data, allow_nan=False, separators=(",", ":"))
    marks = {
        "TITLE": html.escape(name),
        "LICENSES": _licenses(),
        "STILL": still,
        "STYLE": _read("style.css"),
        "DATA": said.replace("<", "\\u003c"),
        "WASM": _packed(wasm),
        "THREE": _three(),
        "APP": app(glue),
    }
    parts = _read("page.html").split("%%")
    return "".join(marks[part] if k % 2 else part for k, part in enumerate(parts))


@cache
def app(glue: str) -> str:
    """The scripts of the page, one after the other; none can close the element that holds it."""
    application = "\n".join(_read(f"app/{name}.js") for name in _APP)
    inside = f"function application() {{\n{application}\nreturn run;\n}}"
    texts = [glue, _read("app/start.js"), inside, _read("app/begin.js")]
    lines = "\n".join(texts).splitlines()
    kept = [line.removeprefix("export ") for line in lines if not line.startswith("import ")]
    return "\n".join(kept).replace("</script", "<\\/script")


def _rows(run: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
    """Arrays as base64 of little-endian doubles, with the length of a row."""
    found = {}
    for name in _ROWS:
        if name in run and run[name].size:
            rows = np.ascontiguousarray(run[name], dtype="<f8")
            width = 1 if rows.ndim == 1 else rows.shape[1]
            found[name] = {"width": width, "data": _packed(rows.tobytes())}
    return found


@cache
def _three() -> str:
    return _packed((files(__package__) / "three" / "three.bundle.js").read_bytes())


def _packed(content: bytes) -> str:
    """Base64 of gzip; the same bytes at any time."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


@cache
def _licenses() -> str:
    text = _read("three/LICENSE.txt").replace("--", "- -")
    return f"three.js:\n{text}"


@cache
def _read(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")
