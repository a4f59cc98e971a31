"""Tables of the page on MISRA C, made from the record of a check."""

from __future__ import annotations

import json
from pathlib import Path

from reference_tables import table

from eomc_published.boards.misra import DEVIATIONS, SUBJECTS

HERE = Path(__file__).parent


def write_misra(folder: Path) -> None:
    """Deviations with their reasons, and their counts in each of the models."""
    record = json.loads((HERE / "misra.json").read_text(encoding="utf-8"))
    counts = record["counts"]
    rows = [[d.rule, d.asks, d.reason] for d in DEVIATIONS]
    (folder / "misra.md").write_text(table(("rule", "asks for", "why not"), rows), "utf-8")
    seen = [d for d in DEVIATIONS if d.found]
    rows = [
        [f"`{s.name}`: {s.label}", *(str(counts[s.name].get(d.rule, "none")) for d in seen)]
        for s in SUBJECTS
    ]
    told = f"eomc {record['eomc']}, {record['tool']}\n"
    made = table(("C of", *(d.rule for d in seen)), rows)
    (folder / "misra_counts.md").write_text(f"{made}\n{told}", "utf-8")
