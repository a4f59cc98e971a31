"""The solver in C as a library that calls the compiled functions of a model."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel

_STEPS = ("rk4_step", "rk4_step_derivatives", "rk4_step_hessian")
_BYTES = 8
_ROOM = 128
"""Bytes that hold the pointers to the functions of a model."""


class Recursion:
    """A library made for one structure of problems; `told` as of `specification.structure`."""

    def __init__(
        self, model: CompiledModel, spec: dict[str, Any], parameters: Mapping[str, float]
    ) -> None:
        names: tuple[str, ...] = _STEPS if spec["exact"] else _STEPS[:2]
        if spec["linear"]:
            names = ()
        model.prepare(*names)
        functions = model.manifest["functions"]
        spec["hosted"] = {
            name: {
                "inputs": [x["name"] for x in functions[name]["inputs"]],
                "outputs": {
                    y["name"]: int(np.prod(y["shape"])) for y in functions[name]["outputs"]
                },
            }
            for name in names
        }
        self.library, self.codes = model.linker.predictive(spec)
        self._host = ctypes.create_string_buffer(_ROOM)
        self._models = []
        for k, name in enumerate(names):
            module = next(x for x in model.modules if name in x.manifest["functions"])
            loaded = ctypes.CDLL(str(module.__file__))
            self._models.append(loaded)  # stays loaded
            table = ctypes.addressof(ctypes.c_char.in_dll(loaded, "eomc_model"))
            entry = module.manifest["functions"][name]["python"].encode()
            if self.library.eomc_find(ctypes.c_void_p(table), entry, k, self._host) != _BYTES:
                raise ValueError(
                    f"model {model.name!r} is compiled in single precision; optimal control in C "
                    "takes double: eomc.build(model)"
                )
        if names:
            values = np.array([*{**model.parameters, **parameters}.values()], dtype=np.float64)
            lanes = self.library.eomc_host(self._host, None, None)
            self._parameters = values, np.repeat(values, lanes)
            self.library.eomc_host(self._host, *map(_c, self._parameters))
        self.state = ctypes.create_string_buffer(self.library.eomc_size())

    def call(self, function: str, arguments: list[Any], results: list[Any]) -> str:
        """Name of the code that a function returns; arguments are arrays or numbers of C."""
        given: list[Any] = [self.state, *map(_c, arguments), self._host, *map(_c, results)]
        status = getattr(self.library, function)(*given)
        return self.codes.get(status, "a function of the model failed")

    def read(self, function: str, *results: Array) -> None:
        """Fill arrays from the state."""
        getattr(self.library, function)(self.state, *map(_c, results))


def _c(value: Any) -> Any:
    return ctypes.c_void_p(value.ctypes.data) if isinstance(value, np.ndarray) else value
