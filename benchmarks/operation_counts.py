"""Operation counts of derived functions beside those of the literature.

    python -m benchmarks.operation_counts

Counts are additions, subtractions, multiplications and divisions for a serial chain of n revolute
joints with general offsets and inertias: with axes alternating between z and y, and with axes in
arbitrary directions, which is what the algorithms of the literature are counted for. A change of
sign and sines and cosines count nothing on either side.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import eomc
from benchmarks.section import Section, Target, exponent, table
from eomc.derive.equations import Equations
from eomc.derive.graph import flops
from eomc.systems.chain import general_chain

LITERATURE: dict[str, tuple[str, Callable[[int], int]]] = {
    "inverse_dynamics": ("Balafoutis and Patel", lambda n: 93 * n - 69 + 81 * n - 65),
    "mass_matrix": ("Featherstone", lambda n: 10 * n**2 + 22 * n - 32 + 6 * n**2 + 37 * n - 43),
    "forward_dynamics": ("Brandl et al. (ABA)", lambda n: 250 * n - 222 + 220 * n - 198),
}
"""As listed by Featherstone and Orin, *Robot dynamics: equations and algorithms*, ICRA 2000."""

JOINTS = (6, 7, 12, 30, 50, 100, 200)
DERIVATIVES = ("forward_dynamics_derivatives", "inverse_dynamics_derivatives")
DERIVATIVE_JOINTS = (10, 20, 40)
# Where growth is fitted: beyond the joints near both ends, which cost less.
_LARGE = (50, 100, 200)


@functools.cache
def _chain(joints: int, alternating: bool) -> Equations:
    return eomc.equations(general_chain(joints, alternating=alternating))


def count(function: str, joints: int, *, alternating: bool = True) -> int:
    """Operations of one function of the general chain."""
    program = _chain(joints, alternating).program(functions=[function])
    return flops(program.graph, program.functions[0].nodes)


def counted(function: str) -> tuple[int, ...]:
    """Numbers of joints; matrices of the longest chain take seconds and tell nothing new."""
    return JOINTS[:-1] if function == "mass_matrix" else JOINTS


def section() -> Section:
    """The three functions of the literature."""
    figures = [
        {
            "joints": n,
            "function": function,
            "alternating": count(function, n),
            "arbitrary": count(function, n, alternating=False),
            "literature": known(n),
            "algorithm": source,
        }
        for n in JOINTS
        for function, (source, known) in LITERATURE.items()
        if n in counted(function)
    ]
    notes, targets = [], []
    for function in LITERATURE:
        large = [n for n in _LARGE if n in counted(function)]
        rows = [row for row in figures if row["function"] == function and row["joints"] in large]
        powers = [
            exponent(large, [float(str(row[kind])) for row in rows])
            for kind in ("alternating", "arbitrary")
        ]
        both = " and ".join(f"{power:.3f}" for power in powers)
        notes.append(f"{function} from {large[0]} to {large[-1]} joints grows with power {both}")
        if function != "mass_matrix":
            targets.append(Target(f"{function}: power of growth", max(powers), 1.05, at_most=True))
    return Section(
        "Operations",
        "`python -m benchmarks.operation_counts`: serial chains of n revolute joints, general "
        "offsets and inertias, axes that alternate at right angles or point anywhere, beside "
        "algorithms of the literature.",
        ("n", "function", "alternating axes", "arbitrary axes", "literature", "algorithm"),
        [tuple(map(str, row.values())) for row in figures],
        figures,
        notes,
        targets,
    )


def derivatives() -> Section:
    """Exact derivatives, and the power with which they grow."""
    figures = []
    targets = []
    for function in DERIVATIVES:
        counts = {n: count(function, n) for n in DERIVATIVE_JOINTS}
        power = exponent(tuple(counts), tuple(counts.values()))
        last = exponent(DERIVATIVE_JOINTS[-2:], tuple(counts.values())[-2:])
        row = {"function": function, **{str(n): k for n, k in counts.items()}}
        figures.append({**row, "power": round(power, 3), "last_power": round(last, 3)})
        for words, value in (("fitted", power), ("of the last doubling", last)):
            targets.append(Target(f"{function}: power of growth, {words}", value, 2.1, True))
    return Section(
        "Operations of derivatives",
        "Chains with alternating axes; all matrices together (3 n² entries). The powers of growth "
        "are fitted to all and of the last doubling.",
        ("function", *(f"n = {n}" for n in DERIVATIVE_JOINTS), "fitted", "last"),
        [tuple(map(str, row.values())) for row in figures],
        figures,
        (),
        targets,
    )


def main() -> None:
    """Print both tables."""
    for part in (section(), derivatives()):
        print(table(part.head, part.rows), end="\n\n")


if __name__ == "__main__":
    main()
