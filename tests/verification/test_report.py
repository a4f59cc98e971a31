"""`eomc.verify`, its report, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from cli.command import Command
from dynamics.loaded_trees import loaded_tree

import eomc
from eomc.verifier import Comparison, Report, procedure, run
from eomc.verifier.checks.derived import emitted
from eomc.verifier.report.text import table_text
from eomc.verifier.subject import Subject, test_states

MODELS = Path(__file__).parents[2] / "examples" / "models"


@pytest.fixture(scope="module")
def report() -> Report:
    return eomc.verify(MODELS / "double_pendulum.toml", quick=True)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_every_check_has_its_say(report: Report) -> None:
    assert report.ok and bool(report)
    names = [outcome.check.name for outcome in report.outcomes]
    assert names == [*procedure._ORDER, "completeness"]
    others = {outcome.check.name for outcome in report.outcomes if outcome.verdict != "pass"}
    # Neither floating base nor loops, nor elements with states.
    absent = {"momentum", "loops", "rows", "constraints", "multipliers", "solvers"}
    absent |= {"structures", "deformation"}  # nor a body that deforms
    absent |= {"given equations", "composites"}  # nor SymPy, nor a chain by a table
    other_builds = {"lanes", "laws", "small code", "single precision", "functions on request"}
    other_builds |= {"sampled control", "near-rigid control", "limits", "vectors"}
    of_elements = {"states of elements", "element outputs", "contacts", "rigid contacts"}
    of_elements |= {"contact steps"}
    of_elements |= {"switches", "rod reach"}
    assert others == {*absent, *of_elements, *other_builds}
    for outcome in report.outcomes:
        check = outcome.check
        assert all((check.compares, check.reference, check.tolerance)), check.name
        assert all(comparison.ratio <= 1 for comparison in outcome.comparisons)


def test_what_large_models_are_spared_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procedure, "LARGE", 10)
    monkeypatch.setattr(emitted, "_MOST", 3000)
    found = eomc.verify(MODELS / "double_pendulum.toml", quick=True, checks=["emitted C", "lanes"])
    forms, digits = found.limits
    assert found.ok and "operations" in digits and "operations" in forms
    assert "without derivatives" in forms
    compared = {c.state for c in found.outcomes[0].comparisons}
    assert digits.startswith(f"50-digit arithmetic in {len(compared)} of ")
    assert 1 < len(compared) < len(found.states)
    judged = {c.of for c in found.outcomes[0].comparisons}
    assert "function forward_dynamics" in judged


def test_the_same_seed_gives_the_same_report(report: Report) -> None:
    again = eomc.verify(MODELS / "double_pendulum.toml", quick=True)
    other = eomc.verify(MODELS / "double_pendulum.toml", quick=True, seed=1)

    def data(of: Report) -> str:
        return json.dumps(of.to_dict() | {"seconds": 0}, allow_nan=False)

    assert data(report) == data(again) != data(other)


@pytest.mark.slow
def test_pages_hold_what_a_reviewer_needs(report: Report, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (page,) = report.write(tmp_path / "report.html")
    text = page.read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == 3
    assert "<script" not in text and "http" not in text
    markdown, *pictures = report.write(tmp_path / "report.md")
    assert len(pictures) == 3
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    for content in (text, markdown.read_text(encoding="utf-8")):
        for fact in (report.model_hash, report.sources_hash, "numpy", "emitted C", "Lagrange"):
            assert fact in content
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("report-1.png", "report-2.png", "report-3.png", "report.html", "report.md")
    ]


def test_a_breach_shows_everywhere(report: Report) -> None:
    first, *others = report.outcomes
    bad = type(first)(first.check, (Comparison("M", "random 0", float("nan"), 1.0),))
    breached = Report(**{**report.__dict__, "outcomes": (bad, *others)})
    assert not breached.ok
    assert breached.breaches == ("emitted C",)
    assert "breach" in str(breached)
    assert "breached: emitted C; do not rely on this code" in breached.to_markdown()
    assert breached.to_dict()["checks"][0]["verdict"] == "breach"
    json.dumps(breached.to_dict(), allow_nan=False)


@pytest.mark.parametrize(("error", "allowed"), [(float("nan"), 1.0), (1e-20, float("nan"))])
def test_what_is_no_number_is_a_breach(error: float, allowed: float) -> None:
    assert Comparison("M", "random 0", error, allowed).ratio == float("inf")


def test_states_without_value_may_come_twice() -> None:
    model = eomc.Model("root")
    model.body("bob", mass=1, com=(0, 0, -0.5), inertia=(1, 1, 1))
    model.joint("hinge", "universal", parent="world", child="bob")
    name = model.coordinates[0]
    model.generalized_force("law", name, f"sqrt({name})")
    compiled = eomc.build(model)
    state = test_states(compiled, 1, 0)[0]
    good, bad = (state.with_values(q=np.array([x, 0.1])) for x in (0.5, -0.5))
    subject = Subject(compiled, [bad, good, bad])
    assert (len(subject.states), len(subject.undefined)) == (1, 2)


def _narrow(radius: float) -> eomc.Model:
    """Two hinges, with a law that has a value in a circle about the neutral configuration alone."""
    model = eomc.Model("narrow")
    for name, parent in (("a", "world"), ("b", "a")):
        model.body(name, mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
        model.joint(name, "revolute", parent=parent, child=name, axis=(0, 1, 0))
    model.generalized_force("law", "a", f"sqrt({radius}**2 - a**2 - b**2)")
    return model


def test_states_are_drawn_nearer_where_random_ones_have_no_value() -> None:
    report = eomc.verify(_narrow(0.1), quick=True, states=2, checks=["mass matrix"], flags="-O0")
    assert report.ok and any(label.startswith("random") for label in report.states)
    assert any("random states at 3 % of the way" in limit for limit in report.limits)


def test_limits_are_asked_for_by_name_where_no_state_has_a_value() -> None:
    with pytest.raises(eomc.ModelError, match=r"give limits \(lower, upper\) to a, b, within"):
        eomc.verify(_narrow(1e-9), quick=True, states=2, checks=["mass matrix"], flags="-O0")


def test_what_a_model_lacks_takes_one_line(report: Report) -> None:
    """No row for it; one sentence on top says whether to rely on the code and what is unjudged."""
    for width in (80, 120):
        lines = table_text(report, width).splitlines()
        assert len(lines) <= 40
        assert lines[0].startswith("double_pendulum: no breach; rely on this code: ")
        assert not any("skipped" in line for line in lines)
        named = {line.split("  ")[0] for line in lines}
        assert {o.check.name for o in report.outcomes if o.comparisons} <= named
    text = " ".join(table_text(report, 80).split())
    assert "not judged: deformation, lanes" in text and "(left out by quick)" in text
    assert "not in this model: equations given in SymPy, bodies that deform" in text


def test_breaches_come_first_and_in_full(report: Report) -> None:
    *others, last = report.outcomes
    long = "f" * 150
    bad = type(last)(last.check, (Comparison(long, "random 0", 1.0, 1e-9),))
    lines = table_text(Report(**{**report.__dict__, "outcomes": (*others, bad)}), 60).splitlines()
    assert "do not rely on this code" in " ".join(lines[:2])
    assert next(line for line in lines if "breach " in line).startswith("completeness")
    assert long in "".join(line.strip() for line in lines)


def test_a_wide_bound_is_explained(report: Report) -> None:
    """In the pages, where rounding is allowed much; a bound of some units needs no word."""
    first, *others = report.outcomes
    wide = Comparison("forward_dynamics", "random 0", 3.0, 4e6)
    told = Report(**{**report.__dict__, "outcomes": (type(first)(first.check, (wide,)), *others)})
    for page in (told.to_markdown(), told.to_html()):
        assert "the widest bound is 4e+06 ulp, of forward_dynamics in state random 0" in page
    assert "widest bound" not in report.to_markdown()


def test_a_compiled_module_alone(report: Report) -> None:
    """Without the declaration, what needs none is checked all the same."""
    compiled = eomc.build(MODELS / "double_pendulum.toml")
    outcomes = {outcome.check.name: outcome for outcome in run(compiled, states=4)}
    assert outcomes["Newton-Euler"].verdict == "skipped"
    assert outcomes["energy of a run"].verdict == "pass"
    assert "breach" not in {outcome.verdict for outcome in outcomes.values()}


def test_edge_states(report: Report) -> None:
    compiled = eomc.build(MODELS / "quadcopter.toml")
    labels = {state.label for state in test_states(compiled, 2, 0)}
    assert {
        *("neutral, at rest", "random, high speeds", "tiny angles", "near a quarter turn"),
        *("near a half turn", "half turns", "quaternions negated", "random 1"),
    } <= labels


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"states": 0}, "states is 0"),
        ({"states": True}, "states is True"),
        ({"seed": -1}, "seed is -1"),
        ({"checks": ["Newton"]}, "no check 'Newton'; there are emitted C, Newton-Euler"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        eomc.verify(MODELS / "pendulum.toml", **options)


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(eomc.ModelError, match="cannot verify 'int'"):
        eomc.verify(3)
    with pytest.raises(eomc.ModelError, match="nothing moves freely"):
        eomc.verify(eomc.Model("rock"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_mechanisms_with_every_kind_of_force(seed: int) -> None:
    report = eomc.verify(loaded_tree(seed), quick=True)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.toml")))
def test_example_models(name: str) -> None:
    """Those of a kind each by everything, the others without being built otherwise."""
    whole = name in ("pendulum", "four_bar", "quadcopter", "flexible_arm")
    report = eomc.verify(MODELS / f"{name}.toml", quick=not whole)
    assert report.ok, str(report)


# -- the command ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_command(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    answer = command("verify", MODELS / "pendulum.toml", "--quick", "--report", out)
    assert answer.code == 0, answer.err
    assert "emitted C" in answer.out and "pendulum: no breach" in answer.out
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_command_json(command: Command) -> None:
    answer = command("verify", MODELS / "pendulum.toml", "--quick", "--json", "--states", 2)
    assert answer.code == 0, answer.err
    data = json.loads(answer.out)
    assert data["ok"] is True
    names = [check["name"] for check in data["checks"]]
    assert names == [*procedure._ORDER, "completeness"]


def test_a_breach_exits_with_three(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eomc.verifier.checks.derived.emitted._SAFETY", 1e-9)
    monkeypatch.setattr("eomc.verifier.checks.derived.emitted.DIGITS", 5)
    answer = command("verify", MODELS / "pendulum.toml", "--quick", "--check", "emitted C")
    assert answer.code == 3
    assert "pendulum: breached: emitted C" in answer.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--states", "0"), "states is 0"),
        (("--states", "many"), "valid integer"),
        (("--seed", "-3"), "seed is -3"),
        (("--check", "Newton"), "no check 'Newton'"),
        (("--report", "report.pdf"), "ends in .html or .md"),
        (("--report", "nowhere/report.md"), "no folder that exists"),
    ],
)
def test_bad_input_exits_with_two(
    command: Command,
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in command("verify", MODELS / "pendulum.toml", *arguments).complaint
    assert list(tmp_path.iterdir()) == []


def test_missing_model_exits_with_two(command: Command) -> None:
    assert "does not exist" in command("verify", "nothing.toml").complaint
