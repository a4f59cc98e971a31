"""A model in WebAssembly for a page, with values for what is drawn when the page is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

_METADATA = (
    *("model", "coordinates", "speeds", "displacements", "inputs", "prescribed", "neutral"),
    *("frames", "frame_bodies", "bodies", "joints", "closures", "initial_guess", "element_states"),
    *("channel_units", "latches"),
)
_PORT = ("name", "shape", "units", "rows")


@dataclass(frozen=True)
class LiveModel:
    """A model compiled to WebAssembly.

    manifest : of its functions, as the target "wasm" writes it
    wasm : the module
    glue : JavaScript that calls it
    evaluate : value of a function by its name and the values of its arguments by theirs
        Straight from the equations, for what is drawn when the page is made.
    configurations : modules of other sets of closed latches
    """

    manifest: Mapping[str, Any]
    wasm: bytes
    glue: str
    evaluate: Callable[[str, Mapping[str, Any]], Any] | None = None
    configurations: Mapping[tuple[str, ...], LiveModel] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        """The manifest without what no page asks for."""
        kept = {
            key: self.manifest[key]
            for key in ("name", "eomc", "integrators", "solvers", "parameters", "return_codes")
            if key in self.manifest
        }
        metadata = self.manifest["metadata"]
        kept["metadata"] = {key: metadata[key] for key in _METADATA if key in metadata}
        kept["functions"] = {
            name: {
                "symbol": entry["symbol"],
                **{
                    side: [{key: port[key] for key in _PORT} for port in entry[side]]
                    for side in ("inputs", "outputs")
                },
            }
            for name, entry in self.manifest["functions"].items()
        }
        return kept
