"""Case of the constraints that are functions of time: 43.

Each system is an oscillator on something that a constraint of table 2.5 moves, and has closed forms
of its motion, its balance and its small motions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.formats.toml import parse_toml
from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.runtime.linearization import linearize, unreduced_eigenvalues
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees

# Mass, stiffness, free length, rates of what is prescribed: SI.
M, K, FREE, A, RATE, I1, I2, L0 = 2.0, 50.0, 0.4, 3.0, 3.0, 0.3, 0.2, 1.5
AT = 0.2
TIMES = np.linspace(0.0, 0.8, 41)

_CART = """
[[body]]
name = "cart"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "cart"
kind = "{joint}"
parent = "world"
child = "cart"
{axis}
[[body]]
name = "bob"
mass = 2
[[joint]]
name = "bob"
kind = "prismatic"
parent = "cart"
child = "bob"
axis = [1, 0, 0]
[[joint_spring]]
name = "spring"
joint = "bob"
stiffness = 50
free_angle = {free}
[[constraint]]
name = "led"
{constraint}
"""

_ROTORS = """
[[body]]
name = "rotor"
inertia = [0.3, 0.3, 0.3]
[[body]]
name = "wheel"
inertia = [0.2, 0.2, 0.2]
[[joint]]
name = "rotor"
kind = "revolute"
parent = "world"
child = "rotor"
axis = [0, 0, 1]
[[joint]]
name = "wheel"
kind = "spherical"
parent = "rotor"
child = "wheel"
[[joint_spring]]
name = "spring"
joint = "rotor"
stiffness = 50
[[constraint]]
name = "led"
kind = "orientation"
a = "wheel"
b = "rotor"
rotation = { rpy = [0, 0, "3*t**2/2"] }
"""

_ROPE = """
[[body]]
name = "slide"
mass = 0
[[body]]
name = "bob"
mass = 2
[[joint]]
name = "x"
kind = "prismatic"
parent = "world"
child = "slide"
axis = [1, 0, 0]
[[joint]]
name = "y"
kind = "prismatic"
parent = "slide"
child = "bob"
axis = [0, 1, 0]
[[constraint]]
name = "led"
kind = "distance"
a = "bob"
b = "world"
length = "1.5 - 3*t**2/2"
"""


def _cart(joint: str, constraint: str, *, axis: str = "", free: float = 0.0) -> str:
    return _CART.format(joint=joint, axis=axis, constraint=constraint, free=free)


@dataclass(frozen=True)
class PrescribedSystem:
    """A system with a constraint of table 2.5.

    `start` are speeds of its run; `of_motion` the motion of the coordinate `follows` in closed
    form; `rates` and `accelerations` of the balance at the time `AT` are prescribed, `balanced` is
    `follows` there; `root` the square of its eigenvalues, in the coordinate `free`.
    """

    name: str
    text: str
    follows: str
    of_motion: Callable[[Array], Array]
    balanced: float
    root: float
    free: str
    rates: Mapping[str, float]
    accelerations: Mapping[str, float]
    start: Mapping[str, float]


_W = np.sqrt(K / M)
_SOFTENED = K / M - RATE**2
_AT_REST = K * FREE / (K - M * RATE**2)
_TORSION = np.sqrt(K / (I1 + I2))


def _lagging(t: Array) -> Array:
    """m x'' + k x = -m A from rest."""
    return np.asarray(-M * A / K * (1 - np.cos(_W * t)))


SYSTEMS = (
    PrescribedSystem(
        "joint driver",
        _cart(
            "prismatic",
            'kind = "driver"\nfirst = "cart"\nexpression = "3*t**2/2"',
            axis="axis = [1, 0, 0]",
        ),
        *("bob", _lagging, -M * A / K, -K / M, "bob"),
        *({"cart": A * AT}, {"cart": A}, {}),
    ),
    PrescribedSystem(
        "point location",
        _cart(
            "translational",
            'kind = "point_location"\na = "cart"\nposition = ["3*t**2/2", "0.1*t", "sin(t)"]',
        ),
        *("bob", _lagging, -M * A / K, -K / M, "bob"),
        {"cart_x": A * AT, "cart_y": 0.1, "cart_z": np.cos(AT)},
        {"cart_x": A, "cart_z": -np.sin(AT)},
        {"cart_y": 0.1, "cart_z": 1.0},
    ),
    PrescribedSystem(
        "orientation",
        _cart(
            "spherical",
            'kind = "orientation"\na = "cart"\nrotation = { rpy = [0, 0, "3*t"] }',
            free=FREE,
        ),
        "bob",
        lambda t: np.asarray(_AT_REST * (1 - np.cos(np.sqrt(_SOFTENED) * t))),
        *(_AT_REST, -_SOFTENED, "bob"),
        *({"cart_wz": RATE}, {}, {"cart_wz": RATE}),
    ),
    PrescribedSystem(
        "relative orientation",
        _ROTORS,
        "rotor",
        lambda t: np.asarray(-I2 * A / K * (1 - np.cos(_TORSION * t))),
        *(-I2 * A / K, -(_TORSION**2), "rotor"),
        *({"wheel_wz": A * AT}, {"wheel_wz": A}, {}),
    ),
    PrescribedSystem(
        "distance",
        _ROPE,
        "y",
        lambda t: np.zeros_like(t),
        # Hauled in with the acceleration A, the bob swings about the rope as under gravity.
        *(0.0, -A / (L0 - A * AT**2 / 2), "y"),
        *({"x": -A * AT}, {"x": -A}, {}),
    ),
)


@cache
def model_of(system: str) -> CompiledModel:
    """The system by name."""
    (text,) = (entry.text for entry in SYSTEMS if entry.name == system)
    return build(parse_toml(f'name = "{system.replace(" ", "_")}"\ngravity = [0, 0, 0]\n{text}'))


def guess(moved: PrescribedSystem) -> dict[str, float]:
    """Of a configuration; the bob on the rope is beside the pole."""
    return {"x": L0} if moved.name == "distance" else {}


def simulated(moved: PrescribedSystem) -> Trajectory:
    """From rest in what is free."""
    model = model_of(moved.name)
    start = assemble(model, guess(moved), moved.start)
    return simulate(model, start.q, start.u, TIMES, rtol=1e-10, atol=1e-12, progress=False)


def balance(moved: PrescribedSystem) -> Equilibrium:
    """Steady as what is prescribed has its rates and accelerations at the time `AT`."""
    model = model_of(moved.name)
    near = assemble(model, guess(moved), t=AT)
    return equilibrium(model, near.q, moved.rates, acceleration=moved.accelerations, t=AT)


def _moved() -> Iterator[CaseCheck]:
    for moved in SYSTEMS:
        model, name = model_of(moved.name), moved.name
        run = simulated(moved)
        yield agrees(f"{name}: run", moved.of_motion(run.t), run[moved.follows], 1e-8)
        rows = zip(run.q, run.t, strict=True)
        gaps = np.array([np.asarray(model.constraint_residual(q, t=t)) for q, t in rows])
        yield agrees(f"{name}: constraint along it", np.zeros(gaps.shape), gaps, 1e-12)
        found = balance(moved)
        yield agrees(f"{name}: balance", moved.balanced, found[moved.follows], 1e-9)
        linear = linearize(model, found, independent=[moved.free])
        by_hand = np.array([[0.0, 1.0], [moved.root, 0.0]])
        yield agrees(f"{name}: A", by_hand, linear.A, 1e-8)
        differenced = linearize(model, found, independent=[moved.free], method="central")
        yield agrees(f"{name}: A by differences", linear.A, differenced.A, 1e-6)
        roots = unreduced_eigenvalues(model, found, independent=[moved.free])
        yield agrees(f"{name}: roots of the pencil", [moved.root] * 2, (roots**2).real, 1e-6)
    yield from _whirled()


def _whirled() -> Iterator[CaseCheck]:
    """A bob on a rope that is hauled in keeps its angular momentum; the rope pulls as it must."""
    model = model_of("distance")
    start = assemble(model, {"x": L0}, {"y": 0.8})
    run = simulate(model, start.q, start.u, TIMES[:31], rtol=1e-10, atol=1e-12, progress=False)
    momentum = M * (run["x"] * run["speed(y)"] - run["y"] * run["speed(x)"])
    yield agrees("distance: angular momentum", np.full(31, M * L0 * 0.8), momentum, 1e-7)
    found = balance(SYSTEMS[-1])
    yield agrees("distance: tension of the rope [N]", M * A, -found.multipliers[0], 1e-9)


CASES = (
    Case(
        43,
        "Constraints as functions of time",
        "table 2.5",
        "joint driver, point location, orientation, relative orientation and distance: runs, "
        "balance and small motions against closed forms",
        _moved,
        "reconstructed",
        note="Both orientations are three rows and not the four of table 2.5, which depend on one "
        "another for unit quaternions. The thesis lists these constraints and linearizes none: "
        "(4.10) leaves out constraints that depend on time.",
        slow=True,
    ),
)
