"""Models and functions that are measured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.contender import Unavailable
from benchmarks.robot_files import robot_file
from eomc.derive.formats import load
from eomc.derive.model import Model
from eomc.systems.chain import general_chain
from eomc.systems.pendulum import planar_pendulum, spatial_pendulum

DYNAMICS = ("forward_dynamics", "inverse_dynamics", "mass_matrix")
ALL = (*DYNAMICS, "forward_dynamics_derivatives")
STEPPED = (*ALL, "rk4_step")
_CHAIN = "chain of 30 links, general inertias"
SECOND = "inverse_dynamics_second_derivatives"


@dataclass(frozen=True)
class Case:
    """A model, the functions measured on it, and how many times faster than a peer they must be.

    `targets` are function, peer, times; `planar` is the number of links if SymPy's
    textbook derivation is to be tried.
    """

    name: str
    model: Callable[[], Model]
    functions: tuple[str, ...] = ALL
    targets: tuple[tuple[str, str, float], ...] = ()
    planar: int | None = None


G1 = "g1_description/urdf/g1_29dof_rev_1_0.urdf"


def _robot(file: str, *locked: str) -> Model:
    return load(robot_file(file), locked=locked, damping=False, friction=False, inertia="ignore")


def panda() -> Model:
    """The 7-DOF arm with locked fingers."""
    fingers = ("panda_finger_joint1", "panda_finger_joint2")
    return _robot("panda_description/urdf/panda.urdf", *fingers)


def g1() -> Model:
    """The 29-DOF humanoid on a fixed base."""
    return _robot(G1)


CASES = (
    Case(
        "Panda, 7 joints",
        panda,
        (*STEPPED, SECOND),
        targets=(
            ("forward_dynamics", "Pinocchio", 9.5),
            ("forward_dynamics", "CasADi", 1.1),
            ("inverse_dynamics", "Pinocchio", 9.5),
            ("inverse_dynamics", "CasADi", 1.0),
            ("mass_matrix", "Pinocchio", 6.5),
            ("mass_matrix", "CasADi", 1.0),
            ("forward_dynamics_derivatives", "Pinocchio", 6.0),
            (SECOND, "Pinocchio", 4.0),
        ),
    ),
    *(
        Case(f"planar pendulum, {n} links", lambda n=n: planar_pendulum(n), planar=n)  # type: ignore[misc]
        for n in (2, 5, 10, 20)
    ),
    Case("spatial pendulum, 7 links", lambda: spatial_pendulum(7), (*ALL, SECOND)),
    Case(
        "spatial pendulum, 30 links",
        lambda: spatial_pendulum(30),
        targets=(
            ("forward_dynamics", "Pinocchio", 4.0),
            ("forward_dynamics_derivatives", "Pinocchio", 1.4),
        ),
    ),
    Case(
        _CHAIN,
        lambda: general_chain(30),
        targets=(
            ("forward_dynamics", "Pinocchio", 6.5),
            ("inverse_dynamics", "Pinocchio", 11.0),
            ("mass_matrix", "Pinocchio", 4.0),
            ("forward_dynamics_derivatives", "Pinocchio", 4.5),
        ),
    ),
    Case(
        "G1, 29 joints",
        g1,
        STEPPED,
        targets=(
            ("forward_dynamics", "Pinocchio", 12.0),
            ("inverse_dynamics", "Pinocchio", 17.0),
            ("inverse_dynamics", "CasADi", 1.0),
            ("mass_matrix", "Pinocchio", 7.0),
            ("mass_matrix", "CasADi", 1.0),
            ("forward_dynamics_derivatives", "Pinocchio", 6.0),
        ),
    ),
)


def robots_and_chain() -> Iterator[tuple[str, Model, str]]:
    """The arm, the humanoid and a chain: name, model and a name of a folder; what has no file here
    is left out with a word."""
    for case in CASES:
        if case.model not in (panda, g1) and case.name != _CHAIN:
            continue
        try:
            model = case.model()
        except Unavailable as reason:
            print(f"{case.name} left out: {reason}", file=sys.stderr)
            continue
        yield case.name, model, "".join(c if c.isalnum() else "_" for c in case.name)
