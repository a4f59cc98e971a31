"""Faults planted in the models of each thesis: the case that is named for it must fail.

A mutant changes what a system's builder declares: half a force, no damper, a term left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from eomc.derive.model import Model
from eomc.systems.flexible_manipulator import model as manipulator
from eomc.systems.reference import reference

Change = Callable[[Any], Any]
SLOW = pytest.mark.slow


@dataclass(frozen=True)
class Mutant:
    """What is changed: arguments of a call that declares something, of `name` only if given."""

    name: str
    case: int
    call: str
    changes: dict[str, Change]
    of: str = ""
    owner: Any = field(default=Model)
    marks: tuple[pytest.MarkDecorator, ...] = ()


def half(value: Any) -> Any:
    """Of a number, an expression, or every entry."""
    if isinstance(value, list | tuple):
        return type(value)(half(entry) for entry in value)
    return f"({value}) / 2" if isinstance(value, str) else value / 2


def gone(value: Any) -> Any:
    """Zero of the same shape."""
    return type(value)(0 for _ in value) if isinstance(value, list | tuple) else 0


def bare(_: Any) -> str:
    """The shapes of a beam that carries nothing."""
    return "clamped-free"


def planted(original: Callable[..., Any], mutant: Mutant) -> Callable[..., Any]:
    """The call with changed arguments."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not mutant.of or mutant.of in args:
            for key, change in mutant.changes.items():
                if key in kwargs:
                    kwargs[key] = change(kwargs[key])
        return original(*args, **kwargs)

    return call


CARON = [
    Mutant("joint spring", 17, "flexible_joint", {"stiffness": half}),
    Mutant("bending stiffness of the platform", 16, "Beam", {"EI": half}, owner=manipulator),
    Mutant("bending stiffness of units", 19, "TelescopicBeam", {"EI": half}, owner=manipulator),
    Mutant("payload", 17, "TelescopicBeam", {"payload": gone}, owner=manipulator),
    Mutant("shapes without tip mass", 19, "TelescopicBeam",
           {"shapes": bare, "tip_mass_ratio": gone}, owner=manipulator),
    Mutant("damping of units", 22, "TelescopicBeam", {"damping": half}, owner=manipulator,
           marks=(SLOW,)),
    Mutant("rotor inertia", 43, "flexible_joint", {"rotor_inertia": half}, marks=(SLOW,)),
    Mutant("extra inertia", 43, "body", {"inertia": half}, "unit2", marks=(SLOW,)),
    Mutant("mass of the actuator", 7, "flexible_joint", {"rotor_mass": gone}, marks=(SLOW,)),
    Mutant("attraction by the Earth", 7, "central_gravity", {"mu": half}, marks=(SLOW,)),
    Mutant("offset of the base", 7, "joint", {"placement": gone}, "d2", marks=(SLOW,)),
]  # fmt: skip
TROM = [
    Mutant("damper of the slider", 5, "joint_spring", {"damping": half}),
    Mutant("spring of the slider", 1, "joint_spring", {"stiffness": half}),
    Mutant("centre of mass of the pendulum", 1, "body", {"com": half}, "pendulum"),
    Mutant("weight", 1, "__init__", {"gravity": half}),
    Mutant("damper of the four-bar", 12, "joint", {"damping": half}),
    Mutant("mass of the coupler", 9, "body", {"mass": half}, "coupler"),
    Mutant("inertia of the right crank", 8, "body", {"inertia": half}, "right"),
    Mutant("centre of mass of the left crank", 9, "body", {"com": half}, "left"),
    Mutant("springs between points", 28, "spring", {"stiffness": half}, marks=(SLOW,)),
    Mutant("dampers between points", 28, "spring", {"damping": gone}, marks=(SLOW,)),
    Mutant("damper of a joint of the chain", 28, "joint_spring", {"damping": half}, marks=(SLOW,)),
]  # fmt: skip
MOOSAVIAN = [
    Mutant("inertia of the base", 7, "body", {"inertia": half}, "base"),
    Mutant("mass of the base", 6, "body", {"mass": half}, "base"),
    Mutant("mass of links", 6, "body", {"mass": half}),
    Mutant("inertia of links", 7, "body", {"inertia": gone}),
    Mutant("centres of mass", 7, "body", {"com": gone}),
    Mutant("place of a joint", 6, "joint", {"placement": lambda _: (0, 0, 0)}),
    Mutant("places of the ends", 2, "frame", {"placement": lambda _: (0, 0, 0)}),
    Mutant("thrust", 10, "force", {"magnitude": half}),
    Mutant("torque of the thrusters", 10, "torque", {"magnitude": half}),
    Mutant("thrust in inertial axes", 10, "force", {"frame": lambda _: "world"}),
]


def parameters() -> Iterator[Any]:
    """Each mutant with the name of its thesis."""
    for work, mutants in (("caron", CARON), ("trom", TROM), ("moosavian", MOOSAVIAN)):
        for mutant in mutants:
            yield pytest.param(work, mutant, id=f"{work}-{mutant.name}", marks=mutant.marks)


def forget() -> None:
    """Models and runs that the cases keep."""
    for name, module in list(sys.modules.items()):
        if name.startswith("eomc.systems."):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


@pytest.fixture(autouse=True)
def _kept_apart() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.parametrize(("work", "mutant"), list(parameters()))
def test_a_case_fails(work: str, mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        mutant.owner, mutant.call, planted(getattr(mutant.owner, mutant.call), mutant)
    )
    (case,) = reference(work).select([mutant.case])
    outcome = case.run()
    assert outcome.checks and outcome.failed, f"case {case.number} does not see it"


def test_ten_of_each_thesis() -> None:
    assert min(map(len, (CARON, TROM, MOOSAVIAN))) >= 10
