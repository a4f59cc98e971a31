"""The stack that the header states is a bound: painted on boards, what is free before a call."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from eomc.building import emit
from eomc_published.boards.qemu import COMBINATIONS, MISSING, build, run
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.work import model_file

FUNCTIONS = (
    *("forward_dynamics", "inverse_dynamics", "mass_matrix", "coordinate_rates", "normalize"),
    "inverse_dynamics_derivatives",
)
CALLS = {
    "forward_dynamics": "panda_forward_dynamics(q, u, tau, out)",
    "inverse_dynamics": "panda_inverse_dynamics(q, u, tau, out)",
    "mass_matrix": "panda_mass_matrix(q, out)",
    "inverse_dynamics_derivatives": "panda_inverse_dynamics_derivatives(q, u, tau, {slices})",
    "rk4": "panda_rk4(q, u, tau, (panda_real)0.001, 2)",
    "dopri": "panda_dopri(qs, us, tau, times, 2, (panda_real)1e-4, (panda_real)1e-4, 99, &done)",
}
_MAIN = """
#include "board.h"
#include "panda.h"

static panda_real q[7], u[7], tau[7], out[400], qs[14], us[14];
static const panda_real times[2] = {{0, (panda_real)0.002}};
static panda_adaptive_run done;
static int code;

{functions}
int main(void)
{{
    for (int i = 0; i < 7; i++) {{
        q[i] = qs[i] = (panda_real)0.3*(panda_real)i;
        u[i] = us[i] = (panda_real)0.1;
        tau[i] = (panda_real)-1.0;
    }}
{calls}    return code;
}}
"""


def case_29() -> Iterator[CaseCheck]:
    for board, real, small in COMBINATIONS:
        with tempfile.TemporaryDirectory() as place:
            folder = emit(
                model_file("panda"),
                Path(place) / "panda",
                functions=FUNCTIONS,
                real=real,
                small=small,
            )
            header = (folder / "panda.h").read_text(encoding="utf-8")
            (folder / "main.c").write_text(_program(header), encoding="utf-8")
            for optimization in ("-O2", "-Os"):
                form = "small" if small else "unrolled"
                label = f"{board.cpu}, {real}, {form}, {optimization}"
                program = build(board, folder, ("panda.c", "main.c"), optimization)
                code, said = run(board, program)
                used = dict(line.split() for line in said.splitlines())
                ran = code == 0 and list(used) == list(CALLS)
                yield holds(f"{label}: calls", ", ".join(CALLS), ", ".join(used), ran)
                for name, size in used.items():
                    yield from _bounded(f"{label}: {name}", name, int(size), header)


def _program(header: str) -> str:
    """Calls of all functions, the stack of each painted before."""
    declaration = re.search(r"panda_inverse_dynamics_derivatives\(([^;]*)\);", header)
    assert declaration is not None
    outputs = declaration[1].count("panda_real") - 3
    calls = {
        name: call.format(slices=", ".join(f"out + {49 * k}" for k in range(outputs)))
        for name, call in CALLS.items()
    }
    functions = "".join(
        f"static void call_{name}(void)\n{{\n    code |= {call};\n}}\n\n"
        for name, call in calls.items()
    )
    painted = "".join(
        f'    say("{name} ");\n    say_number(stack_of(call_{name}), 10);\n    say("\\n");\n'
        for name in calls
    )
    return _MAIN.format(functions=functions, calls=painted)


def _bounded(label: str, name: str, used: int, header: str) -> Iterator[CaseCheck]:
    stated = re.findall(
        rf"Stack: at most (\d+) bytes(?:(?!Stack:).)*?int panda_{name}\(", header, re.S
    )
    yield holds(f"{label}: bounds", "one", str(len(stated)), len(stated) == 1)
    bound = int(stated[0])
    yield at_most(f"{label}: bytes used", used, bound)
    # A bound, and no empty one: no more than four times what is used and a few registers.
    yield at_most(f"{label}: bytes stated", bound, 4 * used + 512)


CASES = (
    Case(
        29,
        "painted stack stays below the header",
        "the project's own",
        "bytes that calls overwrite on Cortex-M4 and M7",
        case_29,
        slow=True,
        unavailable=MISSING,
    ),
)
