"""Serial chains of general rigid bodies: the field's yardstick for operation counts."""

from __future__ import annotations

import numpy as np

from eomc.derive.model import Model, Placement


def general_chain(n: int, seed: int = 0, *, alternating: bool = True) -> Model:
    """A serial chain of `n` turns, every component of every offset and inertia nonzero.

    Parameters
    ----------
    n : int
        Number of joints ``joint0`` ... and links ``link0`` ...
    seed : int
        Of the random numbers: masses of 1 to 2 kg, offsets and centres of mass of about 1 m.
    alternating : bool
        Axes alternate between z and y; otherwise they point anywhere.

    >>> len(general_chain(3).coordinates)
    3
    """
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
        axis: tuple[float, ...] = (0, 0, 1) if k % 2 == 0 else (0, 1, 0)
        if not alternating:
            axis = tuple(float(x) for x in rng.normal(size=3))
        x, y, z = rng.normal(size=3).tolist()
        model.joint(
            f"joint{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=axis,
            placement=Placement(xyz=(x, y, z)),
        )
        parent = f"link{k}"
    return model
