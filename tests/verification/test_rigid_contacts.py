"""Rates of rigid contacts where features that touch change: bodies with one centre, aligned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import eomc
from eomc.derive.graph import Expression
from eomc.derive.graph.function import Program

BOX = {"kind": "box", "half_sizes": (0.1, 0.2, 0.3)}
CUBE = {"kind": "box", "half_sizes": (0.1, 0.1, 0.1)}
CAPSULE = {"kind": "capsule", "radius": 0.05, "half_length": 0.2}
BALL = {"kind": "sphere", "radius": 0.1}
STAVE = {"kind": "cylinder", "radius": 0.1, "half_length": 0.12}
FUNCTIONS = ["neutral", "integrate", "difference", "mass_matrix", "bias", "rigid_contacts"]

PAIRS = {
    "box on box": (BOX, CUBE),
    "capsule on box": (CAPSULE, BOX),
    "capsules that cross": (CAPSULE, {**CAPSULE, "axis": (1, 0, 0)}),
}

Fault = Callable[[str, Any, int], Any]


def two(shape: dict[str, Any], surface: dict[str, Any]) -> eomc.Model:
    """Two free bodies, which start with one centre and one orientation."""
    model = eomc.Model("two")
    for name in ("upper", "lower"):
        model.body(name, mass=1, inertia=(0.1, 0.12, 0.15))
        model.joint(name, "floating", parent="world", child=name)
    sides = {"shape": {**shape, "at": "upper"}, "surface": {**surface, "at": "lower"}}
    model.contact("touch", **sides, normal={"kind": "rigid", "restitution": 0.3})
    return model


def judged(given: eomc.Model | Program) -> Any:
    (outcome,) = eomc.verify(given, checks=["rigid contacts"], states=2).outcomes
    return outcome


@cache
def program(pair: str) -> Program:
    return eomc.equations(two(*PAIRS[pair])).program(functions=FUNCTIONS)


def passes(given: eomc.Model | Program) -> set[str]:
    """Quantities that are compared where both bodies have one centre and one orientation."""
    outcome = judged(given)
    assert outcome.verdict == "pass", outcome.breaches
    at = [c.what for c in outcome.comparisons if c.state == "neutral, moving"]
    return {what.split(" of ")[0] for what in at}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "surface"),
    [
        (BOX, {**BOX, "half_sizes": (0.15, 0.25, 0.2)}),
        (CUBE, CUBE),
        (CAPSULE, BOX),
        (CAPSULE, CAPSULE),
        (BALL, BOX),
    ],
)
def test_two_free_bodies_at_one_place(shape: dict[str, Any], surface: dict[str, Any]) -> None:
    assert "slip" in passes(two(shape, surface))


@pytest.mark.parametrize("pair", PAIRS)
def test_features_that_change_are_judged_on_one_side(pair: str) -> None:
    assert "slip" in passes(program(pair))


@pytest.mark.slow
@pytest.mark.parametrize("surface", [BALL, STAVE])
def test_where_there_is_no_normal(surface: dict[str, Any]) -> None:
    """Of balls with one centre, and on the axis of a cylinder, gaps and laws alone are judged."""
    assert passes(two(BALL, surface)) == {"gap", "laws"}


def _edited(program: Program, fault: Fault) -> Program:
    """With a fault in results of the function of rigid contacts: of an output, an entry, a row."""

    def port(given: Any) -> Any:
        entries = [
            fault(given.name, Expression(program.graph, node), k).node
            for k, node in enumerate(given.entries)
        ]
        return replace(given, entries=tuple(entries))

    functions = [
        replace(f, outputs=tuple(map(port, f.outputs))) if f.name == "rigid_contacts" else f
        for f in program.functions
    ]
    return replace(program, functions=tuple(functions))


FAULTS: dict[str, tuple[Fault, str]] = {
    "the sign of normals": (lambda name, x, k: -x if name == "normals" else x, "slip"),
    "a factor on rates of gaps": (
        lambda name, x, k: x * 1.001 if name == "rate" and k % 4 == 0 else x,
        "gap rate",
    ),
}


@pytest.mark.parametrize("pair", ["box on box", "capsule on box"])
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(pair: str, fault: str) -> None:
    """In random states and where features change alike."""
    edited, what = FAULTS[fault]
    outcome = judged(_edited(program(pair), edited))
    found = {c.state for c in outcome.breaches if c.what.startswith(what)}
    assert {"random 0", "near a half turn"} <= found, outcome.breaches
