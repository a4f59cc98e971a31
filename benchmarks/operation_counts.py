"""Operation counts of derived functions beside those of the literature.

    python -m benchmarks.operation_counts

Counts are additions, subtractions, multiplications and divisions for a serial chain of n revolute
joints with general offsets and inertias: with axes alternating between z and y, and with axes in
arbitrary directions, which is what the algorithms of the literature are counted for. A change of
sign and sines and cosines count nothing on either side.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.section import Section, Target, exponent
from eomc.derive.equations import derive
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
DERIVATIVE_JOINTS = (10, 20, 40, 80)
# Where growth is fitted: beyond the joints near both ends, which cost less.
_LARGE = (50, 100, 200)


def count(function: str, joints: int, *, alternating: bool = True) -> int:
    """Operations of one function of the general chain."""
    chain = general_chain(joints, alternating=alternating)
    program = derive(chain).program(functions=[function])
    return flops(program.graph, program.functions[0].nodes)


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
    ]
    notes, targets = [], []
    for function in LITERATURE:
        powers = [
            exponent(_LARGE, [float(row[kind]) for row in figures  # type: ignore[arg-type]
                              if row["function"] == function and row["joints"] in _LARGE])
            for kind in ("alternating", "arbitrary")
        ]  # fmt: skip
        both = " and ".join(f"{power:.3f}" for power in powers)
        notes.append(f"{function} from {_LARGE[0]} to {_LARGE[-1]} joints grows with power {both}")
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
        "are fitted to all four and of the last doubling.",
        ("function", *(f"n = {n}" for n in DERIVATIVE_JOINTS), "fitted", "last"),
        [tuple(map(str, row.values())) for row in figures],
        figures,
        (),
        targets,
    )


def main() -> None:
    """Print both."""
    for part in (section(), derivatives()):
        print(part.markdown(), end="\n\n")
        for target in part.targets:
            print("- " + ", ".join(target.row()))
        print()


if __name__ == "__main__":
    main()
