"""A model in WebAssembly called from Python, as the page calls it: by the names of its manifest."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

from eomc.binding.arrays import Array
from eomc.runtime.page import LiveModel

wasmtime = pytest.importorskip("wasmtime", reason="pip install 'eomc[wasm]' for wasmtime")

_MOST = 10**15


class WasmModule:
    """Functions of a live model; one array an input, as the page has."""

    def __init__(self, live: LiveModel, *, is_counting: bool = False) -> None:
        self.manifest = live.manifest
        config = wasmtime.Config()
        config.consume_fuel = is_counting
        self.store = wasmtime.Store(wasmtime.Engine(config))
        if is_counting:
            self.store.set_fuel(_MOST)
        self.module = wasmtime.Module(self.store.engine, live.wasm)
        self.exports = wasmtime.Instance(self.store, self.module, []).exports(self.store)
        self.memory = self.exports["memory"]
        self.top = int(self.exports["__heap_base"].value(self.store))
        self.p = self.write([entry["default"] for entry in self.manifest["parameters"]])

    @property
    def executed(self) -> int:
        """Instructions so far, if they are counted."""
        return _MOST - int(self.store.get_fuel())

    def reserve(self, count: int) -> int:
        """The place of so many doubles; never given back."""
        place = (self.top + 15) & ~15
        self.top = place + 8 * max(count, 1)
        missing = self.top - self.memory.data_len(self.store)
        if missing > 0:
            self.memory.grow(self.store, -(-missing // 65536))
        return place

    def write(self, values: Any) -> int:
        """A new array; its place."""
        array = np.asarray(values, dtype="<f8").ravel()
        place = self.reserve(array.size)
        self.memory.write(self.store, array.tobytes(), place)
        return place

    def read(self, place: int, shape: tuple[int, ...]) -> Array:
        """A copy of what is at a place."""
        data = self.memory.read(self.store, place, place + 8 * prod(shape))
        return np.frombuffer(bytes(data), dtype="<f8").reshape(shape)

    def set_parameters(self, values: Any) -> None:
        self.p = self.write(values)

    def call(self, name: str, given: dict[str, Array]) -> list[Array]:
        """Outputs of a function."""
        top, entry = self.top, self.manifest["functions"][name]
        inputs = [port["name"] for port in entry["inputs"]]
        arguments = [float(given[n]) if n == "t" else self.write(given[n]) for n in inputs]
        shapes = [tuple(port["shape"]) for port in entry["outputs"]]
        places = [self.reserve(prod(shape)) for shape in shapes]
        held = [self.p] if self.manifest["parameters"] else []
        assert self.exports[entry["symbol"]](self.store, *arguments, *held, *places) == 0
        found = [self.read(*pair) for pair in zip(places, shapes, strict=True)]
        self.top = top
        return found

    def rk4(self, given: dict[str, Array], h: float, steps: int) -> tuple[Array, Array]:
        """q and u after so many steps."""
        return self.integrated("rk4", given, h, steps)

    def integrated(
        self, method: str, given: dict[str, Array], h: float, steps: int
    ) -> tuple[Array, Array]:
        """The same by another method of steps of equal length."""
        (entry,) = [e for e in self.manifest["integrators"] if e["name"] == method]
        top = self.top
        places = {name: self.write(given[name]) for name in entry["inputs"] if name != "t"}
        held = [self.p] if self.manifest["parameters"] else []
        timed = [0.0] if "t" in entry["inputs"] else []
        run = self.exports[entry["symbol"]]
        assert run(self.store, *places.values(), *held, *timed, h, steps) == 0
        shapes = {name: np.shape(given[name]) for name in ("q", "u")}
        q, u = (self.read(places[name], shapes[name]) for name in ("q", "u"))
        self.top = top
        return q, u
