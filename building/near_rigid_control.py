"""Near-rigid control that is emitted in C alone, as a Python function."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.codegen import Sources, emit
from eomc.codegen.library import compiled_library
from eomc.codegen.plan.interface import NEAR_RIGID_CODES, NEAR_RIGID_NEEDS
from eomc.derive.graph import Argument, Program

_CONSTRAINED = ("constraint_jacobian", "constraint_bias")
_OWN = ("q", "u", "a", "r", "q0", "q1")
_WANTED = ("q_d", "u_d", "a_d", "kp", "kd")
_BOUNDS = ("lower", "upper", "strain_lower", "strain_upper")

_CALL = """\
#include "{m}.h"
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int eomc_control(double *const *x, const int *controlled, double *r, double *change);
int eomc_control(double *const *x, const int *controlled, double *r, double *change)
{{
    {parameters}return {m}_near_rigid_control({arguments}, r, change);
}}
"""


class OutOfReachError(ValueError):
    """No inputs within the bounds make what is wanted, or infinitely many; the message is the
    code."""


@dataclass(frozen=True)
class NearRigidControl:
    """The function in C, its parameters at their defaults; made by `near_rigid_control`."""

    library: Any
    arrays: tuple[str, ...]
    inputs: int
    strains: int
    codes: Mapping[int, str]

    def __call__(self, values: Mapping[str, Any], controlled: Array) -> tuple[Array, Array]:
        """(r, change) for arrays by name: q, u, what functions take, `q_d`, ..., `strain_upper`.

        Raises OutOfReachError; FloatingPointError where a function fails.
        """
        arrays = [np.ascontiguousarray(np.atleast_1d(values[n]), float) for n in self.arrays]
        chosen = np.ascontiguousarray(controlled, np.intc)
        r, change = np.zeros(self.inputs), np.zeros(self.strains)
        table = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        status = self.library.eomc_control(
            table, *(ctypes.c_void_p(x.ctypes.data) for x in (chosen, r, change))
        )
        if status:
            code = self.codes.get(status, f"code {status}")
            raise (OutOfReachError if code in NEAR_RIGID_CODES else FloatingPointError)(code)
        return r, change


def near_rigid_control(
    program: Program,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> NearRigidControl | None:
    """The control of a program, compiled as by `eomc.build`; None if it has none.

    Raises EmissionError, BuildError.
    """
    known = {function.name: function for function in program.functions}
    needs = [*NEAR_RIGID_NEEDS, *(name for name in _CONSTRAINED if _CONSTRAINED[0] in known)]
    if not set(needs) <= set(known):
        return None
    held: dict[str, Argument] = {}
    for name in needs:
        held |= {a.name: a for a in known[name].inputs if a.name not in (*_OWN, *held)}
    sources = emit(program)
    arrays = ("q", "u", *held, *_WANTED, *_BOUNDS)
    places = [
        f"x[{k}][0]" if name in held and not held[name].shape else f"x[{k}]"
        for k, name in enumerate(arrays)
    ]
    first = 2 + len(held)
    made = f"const {sources.name}_parameters p = {sources.name}_default_parameters();\n    "
    if program.parameters:
        places.insert(first, "&p")
    places.insert(len(places) - len(_BOUNDS), "controlled")
    text = _CALL.format(
        m=sources.name, parameters=made if program.parameters else "", arguments=", ".join(places)
    )
    call = f"{sources.name}_call.c"
    whole = Sources(sources.name, {**sources, call: text})
    options: dict[str, Any] = {"compiler": compiler, "flags": flags, "cache_dir": cache_dir}
    with compiled_library(whole, call, **options) as library:
        loaded = ctypes.CDLL(str(library))
    rows = {name: known[name].outputs[0] for name in ("input_matrix", "element_strains")}
    sizes = rows["input_matrix"].shape[1], rows["element_strains"].shape[0]
    return NearRigidControl(loaded, arrays, *sizes, _codes(sources))


def _codes(sources: Sources) -> dict[int, str]:
    """Codes of failures by number, as the manifest tells."""
    told = json.loads(sources[f"{sources.name}.json"])["return_codes"]
    return {value: code for code, value in told.items()}
