"""Operation counts of derived functions beside those of the literature.

    python -m benchmarks.operation_counts

Counts are additions, subtractions, multiplications and divisions for a serial chain of n revolute
joints with general offsets and inertias: with axes alternating between z and y, and with axes in
arbitrary directions, which is what the algorithms of the literature are counted for. A change of
sign and sines and cosines count nothing on either side.
"""

from __future__ import annotations

from collections.abc import Callable

from eomc.derive.equations import derive
from eomc.systems.chain import general_chain

LITERATURE: dict[str, tuple[str, Callable[[int], int]]] = {
    "inverse_dynamics": ("Balafoutis and Patel", lambda n: 93 * n - 69 + 81 * n - 65),
    "mass_matrix": ("Featherstone", lambda n: 10 * n**2 + 22 * n - 32 + 6 * n**2 + 37 * n - 43),
    "forward_dynamics": ("Brandl et al. (ABA)", lambda n: 250 * n - 222 + 220 * n - 198),
}
"""As listed by Featherstone and Orin, *Robot dynamics: equations and algorithms*, ICRA 2000."""


def main() -> None:
    """Print the table."""
    print("| n | function | alternating axes | arbitrary axes | literature | algorithm |")
    print("|---|---|---|---|---|---|")
    for n in (6, 7, 12, 30):
        alternating = derive(general_chain(n)).operations
        arbitrary = derive(general_chain(n, alternating=False)).operations
        for function, (source, count) in LITERATURE.items():
            ours = f"{alternating[function]} | {arbitrary[function]}"
            print(f"| {n} | {function} | {ours} | {count(n)} | {source} |")


if __name__ == "__main__":
    main()
