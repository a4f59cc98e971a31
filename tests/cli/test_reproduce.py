"""``eomc reproduce``: table, JSON, figures, exit codes."""

import json
from pathlib import Path

import pytest
from cli.command import Command

from eomc_published import Case, Figure, PublishedWork, at_most
from eomc_published import names as module_names
from eomc_published import reference as module_reference


def test_a_case_as_a_table(eomc: Command, tmp_path: Path) -> None:
    answer = eomc("reproduce", "moosavian", "--case", "1", "--out", tmp_path / "out")
    assert answer.code == 0, answer.err
    assert "tolerance" in answer.out and "verdict" in answer.out
    assert "1 of 1 cases pass" in answer.out
    assert (tmp_path / "out" / "systems.png").stat().st_size > 1000
    assert json.loads((tmp_path / "out" / "cases.json").read_text())["cases"][0]["case"] == 1


def test_cases_as_json(eomc: Command) -> None:
    answer = eomc("reproduce", "moosavian", "--case", "6", "--case", "10", "--no-figures", "--json")
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    assert [(entry["case"], entry["verdict"]) for entry in report["cases"]] == [
        (6, "pass"),
        (10, "pass"),
    ]
    assert report["cases"][0]["values"] == "reconstructed"
    assert report["cases"][1]["values"] == "stated"
    assert all(check["verdict"] == "pass" for check in report["cases"][0]["checks"])


def test_recomputed_values_are_marked(eomc: Command) -> None:
    answer = eomc("reproduce", "moosavian", "--case", "6", "--no-figures", "--checks")
    assert "6*" in answer.out
    assert "* expected values recomputed" in answer.out
    assert "2154116.03" in answer.out


def test_a_case_whose_data_are_lost_is_skipped_with_its_reason(
    eomc: Command, tmp_path: Path
) -> None:
    answer = eomc("reproduce", "trom", "--case", "5", "--case", "23", "--json", "--out", tmp_path)
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    assert [entry["verdict"] for entry in report["cases"]] == ["pass", "skipped"]
    assert "did not survive" in report["cases"][1]["reason"]
    assert (tmp_path / "root_locus.png").stat().st_size > 1000


@pytest.mark.slow
@pytest.mark.parametrize("figure", module_reference("trom").figures, ids=lambda figure: figure.name)
def test_figures_of_automated_linearization(figure: Figure, tmp_path: Path) -> None:
    figure.draw(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10000


def test_what_fails_and_what_breaks_down(eomc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks() -> list[object]:
        raise ArithmeticError("no value")

    cases = (
        Case(1, "good", "p. 1", "how", lambda: [at_most("x", 0.5, 1.0)]),
        Case(2, "bad", "p. 1", "how", lambda: [at_most("x", 2.0, 1.0)]),
        Case(3, "broken", "p. 1", "how", breaks),  # type: ignore[arg-type]
    )
    sample = PublishedWork("sample", "Sample", "A. Author", cases)
    monkeypatch.setattr("eomc_published.command.reference", lambda name: sample)
    answer = eomc("reproduce", "sample", "--no-figures", "--json")
    assert answer.code == 1
    entries = json.loads(answer.out)["cases"]
    assert [entry["verdict"] for entry in entries] == ["pass", "fail", "fail"]
    assert entries[2]["error"] == "ArithmeticError: no value"
    answer = eomc("reproduce", "sample", "--no-figures")
    assert answer.code == 1
    assert "1 of 3 cases pass, failed: 2, 3" in answer.out


def test_a_figure_that_cannot_be_drawn_does_not_cost_the_table(
    eomc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def breaks(path: Path) -> None:
        raise ArithmeticError("no value")

    case = Case(1, "good", "p. 1", "how", lambda: [at_most("x", 0.5, 1.0)])
    figure = Figure("picture", "Picture", (1,), breaks)
    sample = PublishedWork("sample", "Sample", "A. Author", (case,), (figure,))
    monkeypatch.setattr("eomc_published.command.reference", lambda name: sample)
    answer = eomc("reproduce", "sample", "--out", tmp_path)
    assert answer.code == 0
    assert "1 of 1 cases pass" in answer.out
    assert "eomc: no figure 'picture': ArithmeticError: no value" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["cases.json"]


def test_the_folder_is_checked_before_the_work(eomc: Command, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    answer = eomc("reproduce", "moosavian", "--case", "1", "--out", file)
    assert "is a file; give a folder" in answer.complaint


def test_without_the_published_works_one_sentence_tells_how_to_install_them(
    eomc: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eomc.cli.reproduce.entry_points", lambda **selected: ())
    for arguments in ([], ["moosavian"], ["nobody", "--json"]):
        complaint = eomc("reproduce", *arguments).complaint
        assert "pip install eomc-published, or pip install ./published in the" in complaint
    assert "moosavian" in eomc("reproduce", "--help").out


def test_names_are_listed(eomc: Command) -> None:
    answer = eomc("reproduce")
    assert answer.code == 0
    for name in module_names():
        assert f"{name}: {module_reference(name).title}" in answer.out


def test_unknown_names_and_numbers(eomc: Command) -> None:
    assert "no reference 'nobody'; there are: " in eomc("reproduce", "nobody").complaint
    complaint = eomc("reproduce", "moosavian", "--case", "99").complaint
    assert "moosavian has no case 99; there are 1-" in complaint
