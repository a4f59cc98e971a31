"""``python -m verification.mutants``: how many faults `eomc.verify` finds."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from verification.mutants.every import every_mutant, shuffled
from verification.mutants.mutant import ROOT, Mutant
from verification.mutants.reach import Reach
from verification.mutants.trial import in_a_process, trial


def main() -> None:
    """Run the next mutants of a run that can be interrupted and taken up again."""
    parser = argparse.ArgumentParser(prog="python -m verification.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the order of mutants")
    parser.add_argument("--mutants", type=int, metavar="N", help="run until so many are done")
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so many")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of one mutant")
    parser.add_argument("--room", help="only files whose path begins so")
    parser.add_argument("--again", metavar="OUTCOME", help="run those of this outcome once more")
    parser.add_argument("--run", type=Path, default=ROOT / "build" / "mutants", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="print all results as JSON")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep all results in this file")
    options = parser.parse_args()
    options.run.mkdir(parents=True, exist_ok=True)
    file = options.run / "results.jsonl"
    done = results(file)
    every = every_mutant()
    chosen = shuffled(every, options.seed)
    if options.room:
        chosen = [mutant for mutant in chosen if mutant.file.startswith(options.room)]
    chosen = chosen[: options.mutants]
    if options.again:
        left = [m for m in chosen if done.get(m.name, {}).get("outcome") == options.again]
    else:
        left = [mutant for mutant in chosen if mutant.name not in done]
    reach = Reach(options.run)
    end = time.monotonic() + 60 * options.minutes
    for count, mutant in enumerate(left, start=1):
        if time.monotonic() > end:
            break
        entry = tried(mutant, reach, options.run, options.limit)
        done[mutant.name] = entry
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
        if not options.json:
            found = ", ".join(entry.get("breaches", ())) or entry.get("said", "")
            print(f"{count}/{len(left)} {mutant.name} {mutant.operator} {mutant.old!r} -> "
                  f"{mutant.new!r}: {entry['outcome']} {found} ({entry['seconds']} s)"
                  .replace("\n", " "), flush=True)  # fmt: skip
    found = [done[mutant.name] for mutant in every if mutant.name in done]
    if options.save:
        save(options.save, found, len(every), options.seed)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print(Counter(entry["outcome"] for entry in found))


def tried(mutant: Mutant, reach: Reach, work: Path, limit: float) -> dict[str, Any]:
    """The result of a mutant, with what it is."""
    start = time.monotonic()
    models = reach.models(mutant)
    found: dict[str, Any] = {"outcome": "unreached"}
    if models:
        found = in_a_process(partial(trial, mutant, models, reach.sound, work), limit)
    is_what = {"name": mutant.name, "file": mutant.file, "line": mutant.line}
    is_what |= {"operator": mutant.operator, "old": mutant.old, "new": mutant.new}
    return {**is_what, **found, "seconds": round(time.monotonic() - start, 1)}


def save(file: Path, found: list[dict[str, Any]], possible: int, seed: int) -> None:
    """The results, a line each; what was judged of survivors stays as it is."""
    judged = json.loads(file.read_text(encoding="utf-8"))["judged"] if file.exists() else {}
    keys = ("name", "file", "line", "operator", "old", "new", "outcome", "breaches")
    lines = [json.dumps({key: e[key] for key in keys if key in e}) for e in found]
    head = f'{{"seed": {seed}, "possible": {possible}, "judged": {json.dumps(judged, indent=1)},'
    text = head + ' "mutants": [\n' + ",\n".join(lines) + "\n]}\n"
    file.write_text(text, encoding="utf-8")


def results(file: Path) -> dict[str, dict[str, Any]]:
    """Results by name of mutant, the last of each."""
    if not file.exists():
        return {}
    entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {entry["name"]: entry for entry in entries}


if __name__ == "__main__":
    main()
