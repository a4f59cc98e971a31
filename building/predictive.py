"""Predictive control: its program, and its C as a library or as files."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eomc.codegen import Sources, emit
from eomc.codegen.c.predictive import predictive_call
from eomc.codegen.library import compiled_library
from eomc.codegen.plan.interface import PREDICTIVE, interface, own_prefix
from eomc.codegen.plan.real import REALS
from eomc.derive.graph import Graph, Program
from eomc.runtime.output.progress import spinner


def predictive_program(equations: Any, tunable: Any, spec: Mapping[str, Any], name: str) -> Program:
    """The functions of a step and the problem as `eomc.runtime.predictive.specification` says."""
    needs = ["rk4_step", "rk4_step_derivatives", *(["rk4_step_hessian"] if spec["exact"] else [])]
    is_alone = spec["linear"] or spec["hosted"]
    made = Program(name, Graph(), ()) if is_alone else equations.program(needs, tunable=tunable)
    rows = {"q": spec["coordinates"], "u": spec["speeds"], spec["output"]: spec["rows"]}
    rows |= {"q_d": rows["q"], "u_d": rows["u"]}
    return replace(
        made,
        name=name,
        limits={},
        index_names={name: tuple(entries) for name, entries in rows.items()},
        metadata={"functions": [f.name for f in made.functions], PREDICTIVE: _plain(spec)},
    )


def predictive_library(program: Program, **options: Any) -> tuple[Any, dict[int, str]]:
    """The solver or controller, compiled, with the names of its codes."""
    face = interface(program, own_prefix(program.name), REALS["double"])
    made = emit(program)
    sources = Sources(made.name, {**made, **predictive_call(face)})
    call = f"{made.name}_call.c"
    with spinner(f"compiling {made.name}"), compiled_library(sources, call, **options) as library:
        loaded = ctypes.CDLL(str(library))
    codes = {status.value: status.code for status in face.statuses}
    return loaded, {0: "OK"} | codes


def _plain(spec: Any) -> Any:
    """As JSON has it."""
    if isinstance(spec, Mapping):
        return {key: _plain(value) for key, value in spec.items()}
    if hasattr(spec, "tolist"):
        return spec.tolist()
    return [_plain(x) for x in spec] if isinstance(spec, list | tuple) else spec
