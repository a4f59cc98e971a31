"""Mutants are made the same way each time, and a sample of them is killed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

from verification.mutants.every import every_mutant, mutants_of, shuffled
from verification.mutants.sample import SAMPLE

TESTS = Path(__file__).parents[1]


def test_the_sample_is_killed() -> None:
    """In a process that has not imported what is to be mutated."""
    made = subprocess.run(
        [sys.executable, "-m", "verification.mutants.sample"],
        cwd=TESTS, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(made.stdout)
    assert [entry["outcome"] for entry in found] == [sampled.outcome for sampled in SAMPLE], found


def test_every_mutant_is_python_or_differs() -> None:
    for mutant in shuffled(every_mutant(), 0)[:400]:
        text = mutant.text()
        assert mutant.old != mutant.new
        if mutant.file.endswith(".py"):
            ast.parse(text)


def test_the_order_is_that_of_the_seed() -> None:
    every = every_mutant()
    assert len({mutant.name for mutant in every}) == len(every) > 15_000
    first, again, other = (shuffled(every, seed)[:50] for seed in (0, 0, 1))
    assert first == again != other
    # Any beginning holds the large rooms.
    rooms = {mutant.room for mutant in shuffled(every, 0)[:50]}
    assert {"codegen/templates", "derive/dynamics", "derive/bodies"} <= rooms


def test_what_a_mutant_is() -> None:
    """Of one line of each kind."""
    losses = {(m.old, m.new) for m in mutants_of("derive/forces/joint_losses.py")}
    assert {("-", "+"), ("*", "/"), ("<", ">=")} <= losses
    template = {(m.old, m.new) for m in mutants_of("codegen/templates/runge_kutta.c")}
    assert {("+=", "-="), ("k", "0"), ("<", ">"), ("*", "/")} <= template
    tableau = {(m.old, m.new) for m in mutants_of("codegen/plan/tableau.py")}
    assert {("44", "45"), ("-56", "(56)")} <= tableau
