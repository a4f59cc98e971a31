"""Runge-Kutta steps with their exact derivatives, written around the emitted rates of a state."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.codegen.external.frame import fill
from eomc.derive.graph import Argument, Function

Pair = tuple[Function, Function]
"""Rates of one part of the state, and their Jacobian."""


def sensitivities_source(
    prefix: str, state: Sequence[Argument], held: Sequence[Argument], np: int, pairs: Sequence[Pair]
) -> str:
    """The C file: `pairs` belong to the arrays of the `state`, `held` are other inputs in order."""
    sizes = {a.name: len(a.entries) for a in (*state, *held)} | {"p": np}
    nx, nv = (sum(len(a.entries) for a in arrays) for arrays in (state, held))
    places: dict[str, str] = {"t": "t", "p": "p"}
    columns = {"p": nx + nv}
    for array, begin, arrays in (("x", 0, state), ("v", nx, held)):
        offset = 0
        for a in arrays:
            places[a.name], columns[a.name] = f"{array} + {offset}", begin + offset
            offset += sizes[a.name]
    width, row, rates, slopes, work = nx + nv + np, 0, "", "", 1
    for part, (value, jacobian) in zip(state, pairs, strict=True):
        given = ", ".join(places[a.name] for a in value.inputs)
        rates += _call(f"{prefix}_{value.name}({given}, f + {row})")
        offset, blocks, puts = 0, list[str](), ""
        for a, block in zip(jacobian.inputs, jacobian.outputs, strict=True):
            blocks.append(f"w + {offset}")
            if a.name != "t":
                size = f"{sizes[part.name]}, {sizes[a.name]}"
                to = f"all + {row * width + columns[a.name]}"
                puts += f"    put({to}, {width}, w + {offset}, {size});\n"
            offset += len(block.entries)
        slopes += _call(f"{prefix}_{jacobian.name}({given}, {', '.join(blocks)})") + puts
        row, work = row + sizes[part.name], max(work, offset)
    zero = f"    for (int i = 0; i < {nx * width}; i++) {{\n        all[i] = 0.0;\n    }}\n"
    return fill(
        "sensitivities.c",
        prefix=prefix,
        state=", ".join(a.name for a in state),
        nx=nx,
        nv=nv,
        np=np,
        work=work,
        rates=rates,
        slopes=zero + slopes,
    )


def _call(text: str) -> str:
    return f"    if ((code = {text}) != 0) {{\n        return code;\n    }}\n"
