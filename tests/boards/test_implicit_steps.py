"""Implicit steps on a Cortex-M that QEMU plays: the numbers of this machine."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc_published.boards.qemu import M7, MISSING, build, run

STEPS, H = 20, 1e-3
CALLS = {
    "ros34pw2": ("", "q, u, tau, {h}, {steps}"),
    "midpoint": ("", "q, u, tau, {h}, {steps}"),
    "generalized_alpha": (", 0, 0, 0, 0", "q, u, tau, 0.8, {h}, {steps}"),
}
NEEDS = ("coordinate_rates", "forward_dynamics", "normalize", "integrate")
IMPLICIT = (*NEEDS, "displacement_rates", "step_matrix", "midpoint_step")


def sprung() -> eomc.Model:
    """A rod on a hinge, and a bob on a spring whose rate is far beyond the steps."""
    model = eomc.Model("sprung", gravity=(0, 0, -9.81))
    model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    model.body("bob", mass=1)
    model.joint("slide", "prismatic", parent="rod", child="bob", axis=(0, 0, -1))
    model.joint_spring("spring", joint="slide", stiffness=1e8)
    return model


def program() -> str:
    blocks = "".join(
        f"""    {{
        double q[2] = {{0.5, 0}}, u[] = {{0, 0{more}}};
        code += sprung_{method}({call.format(h=H, steps=STEPS)});
        tell(q);
        tell(u);
    }}
"""
        for method, (more, call) in CALLS.items()
    )
    return f"""
#include "board.h"
#include "sprung.h"

static void tell(const double *values)
{{
    for (int i = 0; i < 2; i++) {{
        union {{ double number; unsigned long long bits; }} each;
        each.number = values[i];
        say_number(each.bits, 16);
        say(" ");
    }}
}}

int main(void)
{{
    const double tau[2] = {{0}};
    int code = 0;
{blocks}    return code;
}}
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_steps_on_a_board_are_those_of_this_machine(tmp_path: Path) -> None:
    eomc.emit(sprung(), tmp_path, functions=IMPLICIT)
    (tmp_path / "main.c").write_text(program())
    code, said = run(M7, build(M7, tmp_path, ["sprung.c", "main.c"], "-O2"))
    assert code == 0
    found = [struct.unpack(">d", bytes.fromhex(word.zfill(16)))[0] for word in said.split()]
    compiled = eomc.build(sprung(), functions=IMPLICIT)
    expected = []
    for method in CALLS:
        kept, rho = ([np.zeros(4)], [0.8]) if method == "generalized_alpha" else ([], [])
        rows = getattr(compiled, method)([0.5, 0], [0, 0], *kept, [0, 0], *rho, H, STEPS)
        expected += [*rows[0][-1], *rows[1][-1]]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
