"""Mutants are made the same way each time, and a sample of them is killed."""

from __future__ import annotations

import ast
import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from verification.mutants.emitted import digest, emitted
from verification.mutants.every import every_mutant, mutants_of, shuffled
from verification.mutants.faulty_source import live_functions, put
from verification.mutants.mutant import Mutant
from verification.mutants.sample import CHOSEN, RECORDED

TESTS = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.in_thirds
@pytest.mark.parametrize("third", [0, 1, 2])
def test_a_sample_is_killed_again(third: int) -> None:
    """In a process that forks before anything is computed. Code may have changed since the run, so
    that a mutant of today computes the same."""
    made = subprocess.run(
        [sys.executable, "-m", "verification.mutants.sample", str(third)],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(made.stdout)
    left = [entry for entry in found if entry["outcome"] != "killed"]
    assert len(found) == len(CHOSEN) // 3 + RECORDED and len(left) <= 1, left


@pytest.mark.slow
def test_a_fault_is_put_where_functions_are_and_where_modules_are_imported() -> None:
    """A function whose code is exchanged, a table that is read anew, a template."""
    faults = [
        ("derive/geometry/inertia.py", "-j.xy", "(j.xy)"),
        ("codegen/plan/real.py", "53", "54"),
        ("codegen/templates/runge_kutta.c", "+=", "-="),
    ]
    made = subprocess.run(  # of its own: what counts lines here has changed the functions
        [sys.executable, "-c", _EACH, json.dumps(faults)],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(made.stdout) == [{"sound": True, "faulty": False}] * len(faults)


_EACH = """
import json, sys
from functools import partial
from verification.mutants.every import mutants_of
from verification.mutants.process import in_a_process
from verification.test_mutants import changed
found = []
for file, old, new in json.loads(sys.argv[1]):
    mutant = next(m for m in mutants_of(file) if (m.old, m.new) == (old, new))
    found.append(in_a_process(partial(changed, mutant), 60.0))
print(json.dumps(found))
"""


def changed(mutant: Mutant) -> dict[str, bool]:
    """True for a pendulum that is emitted as it was, before and after the fault is there."""

    def emitted_now() -> str:
        models = importlib.import_module("verification.mutants.models")
        return digest(emitted(models.make("pendulum"))["plain"]())

    sound = emitted_now()
    again = emitted_now()
    live_functions()
    put(mutant, set())
    return {"sound": sound == again, "faulty": sound == emitted_now()}


@pytest.mark.slow
@pytest.mark.in_thirds
def test_tests_judge_what_no_verification_reads() -> None:
    """A function of the runtime, and a script of the page if there is Node."""
    faults = [("runtime/equilibria/arc.py", "/", "*"), ("runtime/page/app/machine.js", "+=", "-=")]
    made = subprocess.run(
        [sys.executable, "-c", _BY_TESTS, json.dumps(faults[: 2 if shutil.which("node") else 1])],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    )
    for found in json.loads(made.stdout):
        assert found["outcome"] == "killed" and found["test"], found


_BY_TESTS = """
import json, sys, tempfile
from pathlib import Path
from verification.mutants.every import mutants_of
from verification.mutants.judged_by_tests import JudgedByTests
with tempfile.TemporaryDirectory() as work:
    judge = JudgedByTests(Path(work), False)
    print(json.dumps([
        judge(next(m for m in mutants_of(file) if (m.old, m.new) == (old, new)))
        for file, old, new in json.loads(sys.argv[1])
    ]))
"""


@pytest.mark.slow
def test_every_mutant_is_python_or_differs() -> None:
    for mutant in shuffled(every_mutant(), 0)[:400]:
        text = mutant.text()
        assert mutant.old != mutant.new
        if mutant.file.endswith(".py"):
            ast.parse(text)


@pytest.mark.slow
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
    script = {(m.old, m.new) for m in mutants_of("runtime/page/app/machine.js")}
    assert {("===", "!=="), ("+=", "-="), ("Math.max", "Math.min"), ("k", "0")} <= script
    assert not any(new == "" and old.lstrip().startswith("const ") for old, new in script)
    tableau = {(m.old, m.new) for m in mutants_of("codegen/integrators/dopri.py")}
    assert {("44", "45"), ("-56", "(56)")} <= tableau
