"""Functions on request, controllers in loops, systems in SymPy: what is wrong is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from string import Template
from typing import Any

import pytest
from constraints.mechanisms import four_bar
from lagrange.example_systems import knife_edge
from lagrange.same_physics import cart_of_kane
from verification.faults import Derivation, mutated
from verification.mutants.models import mechanisms
from verification.mutants.models.given import MODELS, branches

import eomc
from eomc.codegen.templates import template
from eomc.derive.graph import Expression, Program
from eomc.verifier import procedure
from eomc.verifier.requested import bodies


def _offset(program: Program, names: set[str]) -> Program:
    """The first entry of the last output of each of these functions wrong by a thousandth."""
    functions = []
    for function in program.functions:
        if function.name in names and function.outputs[-1].entries:
            *others, last = function.outputs
            entry = Expression(program.graph, last.entries[0]) * 1.001 + 1e-3
            last = replace(last, entries=(entry.node, *last.entries[1:]))
            function = replace(function, outputs=(*others, last))
        functions.append(function)
    return replace(program, functions=tuple(functions))


@pytest.mark.slow
@pytest.mark.parametrize("make", [branches, lambda: four_bar("c")], ids=["tree", "loop"])
def test_each_function_on_request(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, so that none is judged by one that is wrong."""
    sound, asked = procedure._program, set[str]()

    def faulty(equations: Any, small: bool, more: Any = (), derivatives: bool = True) -> Program:
        asked.update(more)
        wrong = set(more) - {"linearization", "inverse_dynamics_vjp", "forward_dynamics_vjp"}
        return _offset(sound(equations, small, more, derivatives), wrong)

    monkeypatch.setattr(procedure, "_program", faulty)
    report = eomc.verify(make(), states=2, checks=["functions on request"])
    (outcome,) = report.outcomes
    judged = {c.what.partition(":")[0] for c in outcome.comparisons if ":" in c.what}
    found = {c.what.partition(":")[0] for c in outcome.breaches}
    # Of which some rows alone are known, and what others are judged by.
    partly = {"acting_forces", "closure_velocity", "linearization"}
    partly |= {name for name in asked if name.endswith("_vjp") and "dynamics" in name}
    assert found >= (judged & asked) - partly
    assert len(judged) >= 14


FAULTS = [
    (branches, "chance.c", "0.5", "0.6", "sampled control"),
    (
        branches,
        "sampled_loop.c",
        "int k = 1; k < ${coming}",
        "int k = 2; k < ${coming}",
        "sampled control",
    ),
    (
        branches,
        "sampled_loop_call.c",
        "samples = counts[2]",
        "samples = counts[3]",
        "sampled control",
    ),
    (
        MODELS["laden"],
        "near_rigid.c",
        "lack > slack && !",
        "lack < slack && !",
        "near-rigid control",
    ),
    (MODELS["harnessed"], "near_rigid.c", "share[a] /= gram[a][a];", "", "near-rigid control"),
    (
        lambda: four_bar("c"),
        "constrained_linearization.c",
        "factor*g[rank][k]",
        "g[rank][k]",
        "functions on request",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("make", "file", "old", "new", "check"), FAULTS, ids=lambda v: str(v)[:14])
def test_faults_of_templates(
    make: Any,
    file: str,
    old: str,
    new: str,
    check: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    plain = template._template

    def faulty(name: str) -> Template:
        text = plain(name).template
        assert name != file or old in text
        return Template(text.replace(old, new) if name == file else text)

    report = eomc.verify(make(), states=3, checks=[check], cache_dir=tmp_path)
    assert report.ok and report.outcomes[0].verdict == "pass"
    monkeypatch.setattr(template, "_template", faulty)
    report = eomc.verify(make(), states=3, checks=[check], cache_dir=tmp_path)
    assert report.breaches == (check,)


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["by its rows", "by its power"])
def test_moment_of_a_cut_joint_about_another_point(
    known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not known:
        monkeypatch.setattr(bodies, "cut_reaction", lambda *_: None)
        sound = eomc.verify(four_bar("c"), states=2, checks=["functions on request"])
        assert sound.ok, sound
    fault = Derivation(
        "moment of a cut joint about the origin of the child",
        "eomc.derive.system.transmitted:on_cut_child",
        "held.angular - offset.cross(held.linear)",
        "held.angular",
    )
    with mutated(fault):
        report = eomc.verify(
            four_bar("c"), states=2, checks=["functions on request"], cache_dir=tmp_path
        )
    assert report.breaches == ("functions on request",)


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["by its rows", "by its power"])
@pytest.mark.parametrize("name", ["worn_hinge", "worn_slide"])
def test_friction_of_a_cut_joint_missing_in_part_from_its_reaction(
    name: str, known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not known:
        monkeypatch.setattr(bodies, "cut_reaction", lambda *_: None)
    fault = Derivation(
        "half the friction of a bearing in the reaction of its cut joint",
        "eomc.derive.system.reacting:in_all_joints",
        "x + y for x, y",
        "x + y / 2 for x, y",
    )
    checks = ["functions on request"]
    sound = eomc.verify(mechanisms.MODELS[name](), states=2, checks=checks)
    assert sound.ok, sound
    with mutated(fault):
        report = eomc.verify(mechanisms.MODELS[name](), states=2, checks=checks, cache_dir=tmp_path)
    assert {c.what for c in report.outcomes[0].breaches} >= {
        "joint_reactions: reactions",
        "joint_forces: forces",
    }


@pytest.mark.parametrize("make", [knife_edge, cart_of_kane])
@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix"])
def test_systems_given_in_sympy(name: str, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = procedure._program
    report = eomc.verify(make(), states=2, checks=["given equations"])
    assert report.ok and report.outcomes[0].verdict == "pass"

    def faulty(*arguments: Any) -> Program:
        return _offset(sound(*arguments), {name})

    monkeypatch.setattr(procedure, "_program", faulty)
    report = eomc.verify(make(), states=2, checks=["given equations"])
    assert report.breaches == ("given equations",)
