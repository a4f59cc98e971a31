"""Reports of models and runs, and what notebooks show of what the library returns."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import eomc
from eomc.runtime import CompiledModel
from eomc.runtime.output import progress
from eomc.runtime.report.fragments import table

MODELS = Path(__file__).parents[2] / "examples" / "models"
VOID = {"meta", "img", "br", "input", "link"}


class Checked(HTMLParser):
    """Every element is closed by its own end, and nothing is asked for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            assert name not in ("src", "href") or str(value).startswith(("data:", "#"))
            assert not name.startswith("on")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@cache
def four_bar() -> CompiledModel:
    return eomc.build(MODELS / "four_bar.toml")


@pytest.mark.slow
def test_a_report_holds_what_it_is_given(tmp_path: Path) -> None:
    model = four_bar()
    start = eomc.assemble(model, {"drive": 0.3})
    run = eomc.simulate(model, start.q, t_span=0.2, step=0.01)
    rest = eomc.equilibrium(model, eomc.assemble(model, {"drive": -1.6}).q)  # it hangs
    modes = eomc.linearize(model, state=rest).modes()
    equations = eomc.equations(eomc.load(MODELS / "four_bar.toml"))
    checked = eomc.verify(MODELS / "four_bar.toml", quick=True, checks=["mass matrix"])
    made = model.report(
        tmp_path / "four_bar.html",
        live=False,
        equations=equations,
        equilibrium=rest,
        modes=modes,
        run=run,
        verification=checked,
    )
    titles = [section.title for section in made.sections]
    assert titles == [
        *("Picture", "Bodies and joints", "Parameters", "Run", "Equilibrium", "Modes"),
        *("Equations", "Verification", "Cost"),
    ]
    text = (tmp_path / "four_bar.html").read_text(encoding="utf-8")
    assert text == made.html and "<script" not in text
    seen = Checked(text).text
    for fact in (
        "3 bodies, 3 coordinates, 3 speeds, 1 loop",
        "at the equilibrium",
        "rocker_pin",
        "stiffness of the spring at the rocker",
        "N m/rad",
        "no breach",
    ):
        assert fact in seen
    # The one freedom's frequency, and an operation count as the equations have it.
    assert f"{modes.natural_frequency[0]:.6g}" in seen
    assert f"{rest['drive']:.6g}" in seen
    counted = re.search(r"forward_dynamics(\d+)6Accelerations", seen)
    assert counted and int(counted[1]) == equations.operations["forward_dynamics"]
    # A picture, a film of the mode, three of the run's curves, one of the verification.
    assert text.count('src="data:image/png;base64,') == 6
    assert [path.name for path in tmp_path.iterdir()] == ["four_bar.html"]


def test_reasons_stand_where_results_would() -> None:
    made = four_bar().report(live=False, equilibrium="No equilibrium: <none>", modes="No modes")
    seen = Checked(made.html).text
    assert "No equilibrium: <none>" in seen and "No modes" in seen


def test_a_module_that_was_loaded_says_why_nothing_moves() -> None:
    loaded = eomc.runtime.load(four_bar().library)
    seen = Checked(loaded.report().html).text
    assert "was loaded, not built" in seen


def test_a_run_reports_itself() -> None:
    run = eomc.simulate(four_bar(), t_span=0.1, step=0.01, assemble=True)
    titles = [section.title for section in run.report(live=False).sections]
    assert titles[-2:] == ["Run", "Cost"] and "Modes" not in titles
    with pytest.raises(ValueError, match="knows no model"):
        replace(run, model=None).report()


def test_names_are_text_and_never_markup() -> None:
    text = table(["<b>"], [["<script>alert(1)</script>"]])
    assert "<script" not in text and "<b>" not in text


@pytest.mark.parametrize("bad", [{"q": [1.0]}, {"q": {"drivee": 1.0}}, {"parameters": {"kk": 1.0}}])
def test_bad_states_are_refused(bad: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"q has shape|drivee|kk"):
        four_bar().report(tmp_path / "r.html", live=False, **bad)
    assert not list(tmp_path.iterdir())


# -- notebooks -----------------------------------------------------------------------------------


def test_case_26_of_models() -> None:
    """HTML, a picture and text; small enough that many fit into a notebook."""
    bundle = four_bar()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert len(bundle["text/html"]) <= 100_000
    assert "rocker_pin" in Checked(bundle["text/html"]).text


def test_declared_models_show_their_tree() -> None:
    seen = Checked(eomc.load(MODELS / "four_bar.toml")._repr_html_()).text
    assert "crank_pin, revolute" in seen and "closes a loop" in seen and "parameter: k" in seen


def test_equations_show_themselves() -> None:
    equations = eomc.equations(eomc.load(MODELS / "double_pendulum.toml"))
    assert equations.mass_matrix._repr_latex_().startswith("$\\displaystyle M = ")
    html = equations._repr_html_()
    assert "<math" in html and "Mass matrix M(q)" in html
    large = eomc.equations(eomc.load(MODELS / "panda.toml"))._repr_html_()
    assert "Too long to be read here" in large and len(large) < 100_000


def test_entries_of_vectors_are_equations_of_their_own() -> None:
    equations = eomc.equations(eomc.load(MODELS / "double_pendulum.toml"))
    text = equations.gravity.to_mathml()
    assert text.count("<mo>=</mo>") == 2
    closed = equations.bias.to_mathml(closed=False)
    assert closed.count("<mo>=</mo>") > 2


def test_linear_models_modes_and_equilibria_show_themselves() -> None:
    model = four_bar()
    rest = eomc.equilibrium(model)
    linear = eomc.linearize(model, state=rest)
    seen = Checked(linear._repr_html_()).text
    for head in ("A", "B", "C", "D", "natural frequency [Hz]"):
        assert head in seen
    assert "damping ratio" in Checked(linear.modes()._repr_html_()).text
    assert "Forces balance at rest" in Checked(rest._repr_html_()).text


def test_runs_show_curves_where_there_is_no_page() -> None:
    model = eomc.runtime.load(four_bar().library)
    run = eomc.simulate(four_bar(), t_span=0.1, step=0.01, assemble=True)
    bundle = replace(run, model=model)._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert "<iframe" not in bundle["text/html"] and "data:image/png" in bundle["text/html"]


def test_progress_in_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert not progress.wanted(None) and progress.wanted(True)
    shell = type("ZMQInteractiveShell", (), {})()
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: shell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(progress, "find_spec", lambda name: SimpleNamespace())
    assert progress.wanted(None)
    monkeypatch.setattr(progress, "find_spec", lambda name: None)
    assert not progress.wanted(None)
