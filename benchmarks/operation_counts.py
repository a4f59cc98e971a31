"""Operation counts of derived functions beside those of the literature.

    python -m benchmarks.operation_counts

Counts are additions, subtractions, multiplications and divisions for a serial chain of n revolute
joints with general offsets and inertias: with axes alternating between z and y, and with axes in
arbitrary directions, which is what the algorithms of the literature are counted for. A change of
sign and sines and cosines count nothing on either side.
"""

from __future__ import annotations

import numpy as np

from eomc.derive.equations import derive
from eomc.derive.model import Model, Placement

LITERATURE = {
    "inverse_dynamics": ("Balafoutis and Patel", lambda n: 93 * n - 69 + 81 * n - 65),
    "mass_matrix": ("Featherstone", lambda n: 10 * n**2 + 22 * n - 32 + 6 * n**2 + 37 * n - 43),
    "forward_dynamics": ("Brandl et al. (ABA)", lambda n: 250 * n - 222 + 220 * n - 198),
}
"""As listed by Featherstone and Orin, *Robot dynamics: equations and algorithms*, ICRA 2000."""


def general_chain(n: int, seed: int = 0, *, alternating: bool = True) -> Model:
    """n revolute joints; every offset and inertia component is nonzero."""
    rng = np.random.default_rng(seed)
    model = Model(f"chain{n}", gravity=tuple(float(x) for x in rng.normal(size=3)))
    parent = "world"
    for k in range(n):
        spread = rng.normal(size=(3, 3))
        second = spread @ spread.T
        tensor = np.trace(second) * np.eye(3) - second
        model.body(
            f"link{k}",
            mass=float(rng.uniform(1, 2)),
            com=tuple(float(x) for x in rng.normal(size=3)),
            inertia=tuple(tuple(float(x) for x in row) for row in (tensor + tensor.T) / 2),
        )
        axis = (0, 0, 1) if k % 2 == 0 else (0, 1, 0)
        if not alternating:
            axis = tuple(float(x) for x in rng.normal(size=3))
        model.joint(
            f"joint{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=axis,
            placement=Placement(xyz=tuple(float(x) for x in rng.normal(size=3))),
        )
        parent = f"link{k}"
    return model


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
