"""``python -m verification.mutants``: how many faults `eomc.verify` finds."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from verification.mutants.every import every_mutant, every_mutant_for_tests, shuffled
from verification.mutants.judged_by_tests import JudgedByTests
from verification.mutants.mutant import ROOT, Mutant
from verification.mutants.process import in_a_process
from verification.mutants.reach import Reach
from verification.mutants.statements import Statement, statement_of
from verification.mutants.tests_of import computed
from verification.mutants.trial import SECONDS, trial


def main() -> None:
    """Run the next mutants of a run that can be interrupted and taken up again."""
    options = _options()
    options.run.mkdir(parents=True, exist_ok=True)
    file = options.run / ("by_tests.jsonl" if options.by_tests else "results.jsonl")
    since = options.since or _since(options.save)
    every = every_mutant_for_tests(since) if options.by_tests else every_mutant()
    done = results(file, options.save)
    chosen = [m for m in shuffled(every, options.seed) if m.file.startswith((*options.room,))]
    part, parts = options.part
    left = _left(chosen[: options.mutants], done, options.again)
    if options.statements and not options.again:
        left = _of_new_statements(left, [mutant for mutant in every if mutant.name in done])
    left = left[part - 1 :: parts]
    left = left if options.minutes > 0 else []
    judge = _judge(options) if left else None
    end = time.monotonic() + 60 * options.minutes
    for count, mutant in enumerate(left, start=1):
        if judge is None or time.monotonic() > end:
            break
        entry = judge(mutant)
        done[mutant.name] = entry
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
        if not options.json:
            print(f"{count}/{len(left)} {_line(entry)}", flush=True)
    found = [{**done[m.name], "line": m.line} for m in every if m.name in done]
    if options.save:
        save(options.save, found, every, options.seed, since)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print(Counter(entry["outcome"] for entry in found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m verification.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the order of mutants")
    parser.add_argument("--mutants", type=int, metavar="N", help="run until so many are done")
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="stop after so many; 0 counts anew"
    )
    parser.add_argument(
        "--statements", action="store_true", help="one of each statement of which none is done"
    )
    parser.add_argument(
        "--by-tests", action="store_true", help="of all files, by the tests that pass a statement"
    )
    parser.add_argument("--since", metavar="COMMIT", help="by tests: lines that have changed since")
    parser.add_argument(
        "--room", nargs="+", default=[""], metavar="PATH", help="only files whose path begins so"
    )
    parser.add_argument("--again", metavar="OUTCOME", help="run those of this outcome once more")
    parser.add_argument(
        "--deep", action="store_true", help="ask more models or tests before a fault is not found"
    )
    parser.add_argument(
        "--part",
        type=_part,
        default=(1, 1),
        metavar="K/N",
        help="every N-th only, from the K-th: N runs in one folder, side by side",
    )
    parser.add_argument("--run", type=Path, default=ROOT / "build" / "mutants", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="print all results as JSON")
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="go on with the results of this file, and keep all",
    )
    return parser.parse_args()


def _judge(options: argparse.Namespace) -> Callable[[Mutant], dict[str, Any]]:
    if not options.by_tests:
        return partial(tried, reach=Reach(options.run), is_deep=options.deep)
    by_tests = JudgedByTests(options.run, options.deep)
    return lambda mutant: _entry(mutant, lambda: by_tests(mutant))


def _since(saved: Path | None) -> str | None:
    if saved is None or not saved.exists():
        return None
    since: str | None = json.loads(saved.read_text(encoding="utf-8")).get("since")
    return since


def _part(text: str) -> tuple[int, int]:
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError(text)
    return part, parts


def _left(chosen: list[Mutant], done: dict[str, dict[str, Any]], again: str | None) -> list[Mutant]:
    if again:
        return [m for m in chosen if done.get(m.name, {}).get("outcome") == again]
    return [mutant for mutant in chosen if mutant.name not in done]


def _of_new_statements(left: list[Mutant], done: list[Mutant]) -> list[Mutant]:
    """The first of each; swapped names, which hardly ever go on to compute, where no other is."""
    seen = {statement_of(mutant) for mutant in done}
    found: dict[Statement, Mutant] = {}
    for mutant in left:
        statement = statement_of(mutant)
        if statement in seen:
            continue
        known = found.setdefault(statement, mutant)
        if known.operator == "swapped" != mutant.operator:
            found[statement] = mutant
    return [*found.values()]


def tried(
    mutant: Mutant, reach: Reach, only: Sequence[str] = (), is_deep: bool = False
) -> dict[str, Any]:
    """The result of a mutant, on `only` these models, with what it is."""
    return _entry(mutant, lambda: _verified(mutant, reach, only, is_deep))


def _verified(mutant: Mutant, reach: Reach, only: Sequence[str], is_deep: bool) -> dict[str, Any]:
    models = [model for model in reach.models(mutant) if not only or model[0] in only]
    found: dict[str, Any] = {"outcome": "unreached"}
    if models:
        known = reach.sound, reach.given, reach.at_import, reach.work
        ask = partial(trial, mutant, models, *known, is_deep)
        found = in_a_process(ask, SECONDS)
    if found["outcome"] == "killed":
        found["model"] = found["models"][-1]
    if found["outcome"] == "survived":
        found["deep"] = is_deep
    return found


def _entry(mutant: Mutant, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    before = computed()
    found = ask()
    is_what = {"name": mutant.name, "file": mutant.file, "line": mutant.line}
    is_what |= {"operator": mutant.operator, "old": mutant.old, "new": mutant.new}
    return {**is_what, **found, "seconds": round(computed() - before, 2)}


def _line(entry: dict[str, Any]) -> str:
    found = ", ".join(entry.get("breaches", ())) or entry.get("test") or entry.get("said", "")
    fault = f"{entry['name']}:{entry['line']} {entry['operator']} {entry['old']!r}"
    text = f"{fault} -> {entry['new']!r}: {entry['outcome']} {found} ({entry['seconds']} s)"
    return " ".join(text.split())


def save(
    file: Path, found: list[dict[str, Any]], every: list[Mutant], seed: int, since: str | None
) -> None:
    """The results, a line each; what was judged of survivors stays as it is."""
    judged = json.loads(file.read_text(encoding="utf-8"))["judged"] if file.exists() else {}
    names = {entry["name"] for entry in found}
    keys = ("name", "file", "line", "operator", "old", "new", "outcome", "breaches", "first")
    keys += ("model", "deep", "test")
    reached = {statement_of(mutant) for mutant in every if mutant.name in names}
    counts: dict[str, Any] = {
        "seed": seed,
        **({"since": since} if since else {}),
        "possible": len(every),
        "statements": len({*map(statement_of, every)}),
        "reached": len(reached),
    }
    lines = [json.dumps({key: e[key] for key in keys if key in e}) for e in found]
    head = json.dumps(counts)[:-1] + f', "judged": {json.dumps(judged, indent=1)},'
    text = head + ' "mutants": [\n' + ",\n".join(lines) + "\n]}\n"
    file.write_text(text, encoding="utf-8")


def results(file: Path, saved: Path | None) -> dict[str, dict[str, Any]]:
    """Results by name of mutant, the last of each; those of this run after those saved."""
    entries = []
    if saved is not None and saved.exists():
        entries += json.loads(saved.read_text(encoding="utf-8"))["mutants"]
    if file.exists():
        entries += [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {entry["name"]: entry for entry in entries}


if __name__ == "__main__":
    main()
