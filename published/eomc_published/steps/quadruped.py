"""Case 26: a quadruped that falls on its feet and stands.

18 speeds, 13.2 kg; springs and dampers of its joints hold it, implicit in the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.steps.contact_balls import PLANE, G

LEGS = {"fl": (0.2, 0.1), "fr": (0.2, -0.1), "rl": (-0.2, 0.1), "rr": (-0.2, -0.1)}
WEIGHT, HEIGHT = 129.492, 0.4 * cos(0.8) + 0.12


def quadruped(**feet: Any) -> Model:
    """Trunk, hips about x, thighs and calves about y, feet that are spheres."""
    model = Model("quadruped", gravity=(0, 0, -G))
    model.body("trunk", mass=6, inertia=(0.03, 0.09, 0.1))
    model.joint("free", "floating", parent="world", child="trunk")
    for leg, (x, y) in LEGS.items():
        side = 1 if y > 0 else -1
        links = (
            ("hip", "trunk", (x, y, 0), (1, 0, 0), 0.0),
            ("thigh", f"hip_{leg}", (0, side * 0.08, 0), (0, 1, 0), 0.8),
            ("calf", f"thigh_{leg}", (0, 0, -0.2), (0, 1, 0), -1.6),
        )
        mass = {"hip": 0.6, "thigh": 1.0, "calf": 0.2}
        com = {"hip": (0, side * 0.02, 0), "thigh": (0, 0, -0.08), "calf": (0, 0, -0.1)}
        inertia = {
            "hip": (6e-4, 8e-4, 6e-4), "thigh": (6e-3, 6e-3, 1e-3), "calf": (8e-4, 8e-4, 4e-5)
        }  # fmt: skip
        for word, parent, at, axis, rest in links:
            name = f"{word}_{leg}"
            model.body(name, mass=mass[word], com=com[word], inertia=inertia[word])
            model.joint(
                name, "revolute", parent=parent, child=name, placement=at, axis=axis, damping=1
            )
            model.joint_spring(f"{name}_pd", name, stiffness=100, damping=2, free_angle=rest)
        model.contact(
            f"foot_{leg}",
            shape={
                "kind": "sphere",
                "at": {"body": f"calf_{leg}", "xyz": (0, 0, -0.2)},
                "radius": 0.02,
            },
            surface=PLANE,
            **{
                "normal": {"kind": "rigid", "restitution": 0.0},
                "friction": {"kind": "dry", "kinetic": 0.8},
                **feet,
            },
        )
    return model


@cache
def built() -> Any:
    """The same, compiled."""
    return build(quadruped())


def start(made: Any, height: float = HEIGHT) -> np.ndarray:
    """Legs as the springs hold them, the trunk at a height."""
    q = np.asarray(made.neutral()).copy()
    q[made.coordinates.index("free_z")] = height
    for leg in LEGS:
        q[made.coordinates.index(f"thigh_{leg}")] = 0.8
        q[made.coordinates.index(f"calf_{leg}")] = -1.6
    return q


OTHERS = {
    "Drake lagged": (0.283566, 0.289283, 0.291917, 0.291420, 0.291263),
    "MuJoCo stiff": (0.283492, 0.289317, 0.291928, 0.291466, 0.291293),
}


def _fall() -> Iterator[CaseCheck]:
    made, times = built(), (0.2, 0.3, 0.5, 1, 2)
    z = made.coordinates.index("free_z")
    for h in (2e-3, 1e-3):
        run = simulate(made, start(made), t_span=2, method="stewart_trinkle", step=h)
        heights = run.q[np.round(np.array(times) / h).astype(int), z]
        for name, wanted in OTHERS.items():
            yield agrees(f"h = {h:g}: heights beside {name}", wanted, heights, 4e-4)
        impulse = sum(run.contacts.impulses[f"foot_{leg}"][:, 0].sum() for leg in LEGS)
        yield agrees(f"h = {h:g}: vertical impulse by weight", 1, impulse / (2 * WEIGHT), 2e-5)
        grown = np.diff(run.energy)
        yield at_most(f"h = {h:g}: energy gained in a step", grown.max(), 1e-9)
    run = simulate(made, start(made), t_span=15, method="stewart_trinkle", step=5e-3)
    forces = np.array([run.contacts.forces[f"foot_{leg}"][-1] for leg in LEGS])
    yield agrees("sum of forces at rest", WEIGHT, forces[:, 0].sum(), 1e-9)
    outputs = dict(
        zip(
            made.output_names("element_outputs"),
            np.asarray(made.element_outputs(run.q[-1], run.u[-1])),
            strict=True,
        )
    )
    front, rear = (outputs[f"foot_{leg}.point_x"] for leg in ("fl", "rl"))
    centre = float(np.asarray(made.center_of_mass(run.q[-1]))[0])
    share = (centre - rear) / (front - rear)
    levers = WEIGHT / 2 * np.array([share, 1 - share])
    yield agrees("front and rear by the lever", levers, forces[[0, 2], 0], 1e-8)
    yield at_most("speed at rest", np.abs(run.u[-1]).max(), 1e-12)
    yield at_most("residual", float(run.statistics["residual"]), 1e-10)
    sweeps = {"sweeps": 10, "solver": "gauss_seidel"}
    run = simulate(
        made, start(made), t_span=2, method="stewart_trinkle", step=2e-3, contacts=sweeps
    )
    yield at_most("residual of ten sweeps", float(run.statistics["residual"]), 1e-10)
    left, right = forces[[0, 2]], forces[[1, 3]]
    yield at_most("left and right", np.abs(left[:, 0] - right[:, 0]).max(), 1e-10)


CASES = (
    Case(
        26,
        "A quadruped falls on its feet and stands",
        "weight and lever of the centre of mass; Drake 1.51 (lagged, 2 ms) and MuJoCo 4.0 (0.1 ms)",
        "heights, impulses, energy; forces at rest",
        _fall,
        slow=True,
    ),
)
