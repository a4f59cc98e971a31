"""Tables of the page on mutants, made from the results of a run."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from reference_tables import table

from eomc.verifier.procedure import all_checks

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests"))

from verification.own_faults import FAULTS  # noqa: E402

APART = ("stillborn", "refused", "timeout", "crash")
"""Outcomes of mutants that cannot be judged: nothing was verified to its end."""

Run = dict[str, Any]


def score(run: Run) -> str:
    """Rooms with mutants tried, those that change code, and how many of these are killed."""
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in run["mutants"]:
        rooms[str(Path(entry["file"]).parent)][_outcome(entry, run)] += 1
    every = sum(rooms.values(), Counter())
    rows = [_row(room, counts) for room, counts in sorted(rooms.items())]
    head = ("room", "tried", "no change", "apart", "equivalent", "killed", "survived", "score")
    return table(head, [*rows, _row("**all**", every)])


def _outcome(entry: dict[str, Any], run: Run) -> str:
    is_equivalent = entry["outcome"] == "survived" and entry["name"] in run["judged"]
    return "equivalent" if is_equivalent else str(entry["outcome"])


def _row(room: str, counts: Counter[str]) -> list[str]:
    killed, survived = counts["killed"], counts["survived"]
    same = counts["equivalent"] + counts["same code"]
    idle = counts["unchanged"] + counts["unreached"]
    apart = sum(counts[name] for name in APART) + counts["error"]
    share = f"{100 * killed / (killed + survived):.0f} %" if killed + survived else ""
    numbers = (counts.total(), idle, apart, same, killed, survived)
    return [room, *map(str, numbers), share]


def found_by(run: Run) -> tuple[Counter[str], Counter[str]]:
    """Numbers of mutants that each check kills, and that it alone kills.

    Those count that all quick checks were asked about.
    """
    kills: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for entry in run["mutants"]:
        found = () if entry.get("first") else entry.get("breaches", ())
        kills.update(found)
        if len(found) == 1:
            alone.update(found)
    return kills, alone


def checks(run: Run) -> str:
    """Table of what each check finds, and what it alone finds: mutants, or a model of its own."""
    kills, alone = found_by(run)
    names = [*(check.name for check in all_checks()), "completeness"]
    rows = [
        [name, str(kills[name]), str(alone[name] or "a model of its own" * (name in FAULTS))]
        for name in names
    ]
    return table(("check", "kills", "alone"), rows)


def own(_: Run) -> str:
    """Table of the models that checks have which no mutant needs, and what is wrong with these."""
    rows = [[name, *FAULTS[name]] for name in (c.name for c in all_checks()) if name in FAULTS]
    return table(("check", "model", "wrong"), rows)


def survivors(run: Run) -> str:
    """Those that changed code and were not found, and what is judged of some."""
    rows = []
    for entry in run["mutants"]:
        if entry["outcome"] == "survived":
            old, new = (_short(entry[key]) for key in ("old", "new"))
            is_open = entry.get("deep") is False
            plainly = "not found on four models, more are to be asked" if is_open else "not found"
            judged = run["judged"].get(entry["name"], plainly)
            rows.append([f"`{entry['file']}:{entry['line']}`", f"{old} → {new}", judged])
    return table(("place", "fault", "judged"), sorted(rows))


UNSEEN = re.compile(
    "^declares |default of the declaration|within the tolerance|standard deviations|no witness has"
)
"""Judgements of survivors that do change a number: one that the reference is given as well, or that
is less than what is allowed."""


def summary(run: Run) -> str:
    """Numbers of mutants possible, tried and killed, with those that no reference can know."""
    counts = Counter(_outcome(entry, run) for entry in run["mutants"])
    killed, survived = counts["killed"], counts["survived"]
    share = 100 * killed / max(killed + survived, 1)
    left = sum(
        entry.get("deep") is False and _outcome(entry, run) == "survived"
        for entry in run["mutants"]
    )
    few = f"; of the others {left} were tried on four models only" if left else ""
    unseen = sum(
        bool(UNSEEN.search(run["judged"][entry["name"]]))
        for entry in run["mutants"]
        if _outcome(entry, run) == "equivalent"
    )
    strict = 100 * killed / max(killed + survived + unseen, 1)
    return (
        f"{len(run['mutants'])} of {run['possible']} possible mutants were tried (seed "
        f"{run['seed']}), in {run['reached']} of the {run['statements']} statements that compute; "
        f"{killed + survived} of them change what is computed, and {killed} of "
        f"these, {share:.1f} %, are killed{few}. {unseen} of those that are judged change a number "
        "that the reference is given as well, a default for the most part, or by less than is "
        f"allowed: counted as missed, {strict:.1f} % are killed.\n"
    )


def sampled(run: Run) -> str:
    """Share of the changed statements that tests were asked about, and of the faults they found."""
    counts = Counter(_outcome(entry, run) for entry in run["mutants"])
    killed, survived = counts["killed"], counts["survived"]
    share = 100 * killed / max(killed + survived, 1)
    part = 100 * run["reached"] / max(run["statements"], 1)
    return (
        f"Of the {run['statements']} statements that have changed since commit `{run['since']}`, "
        f"or stand in templates and scripts, {run['reached']}, {part:.1f} %, were sampled (seed "
        f"{run['seed']}): {len(run['mutants'])} mutants. Tests were asked about "
        f"{killed + survived + counts['equivalent']} of them; {counts['equivalent']} compute the "
        f"same, and of the others {killed}, {share:.1f} %, are killed.\n"
    )


def _short(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    text = text if len(text) < 40 else text[:37] + "..."
    return f"`{text}`" if text else "nothing"


def write_mutants(folder: Path) -> None:
    """Write all tables into `folder`."""
    folder.mkdir(exist_ok=True)
    run = json.loads((HERE / "mutants.json").read_text(encoding="utf-8"))
    makers = {"summary": summary, "score": score, "checks": checks, "own": own}
    makers["survivors"] = survivors
    for name, make in makers.items():
        (folder / f"mutants_{name}.md").write_text(make(run), encoding="utf-8")
    by_tests = json.loads((HERE / "mutants_by_tests.json").read_text(encoding="utf-8"))
    for name, make in {"sampled": sampled, "score": score, "survivors": survivors}.items():
        text = make(by_tests)
        (folder / f"mutants_by_tests_{name}.md").write_text(text, encoding="utf-8")
