"""The table of kernels' resources, and ``python docs/kernel_tables.py``, which makes its record."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from reference_tables import table

HERE = Path(__file__).parent
RECORD = HERE / "kernels.json"
_LEAST = 64
"""Kernels of fewer registers are left out of the table."""


def write_kernels(folder: Path) -> None:
    """Registers, stack, spills and occupancy on sm_90."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    head = ("model", "scalar", "kernel", "registers", "stack [B]", "spills [B]", "occupancy")
    rows = [
        [
            entry["model"],
            entry["real"],
            f"`{kernel}`",
            *(str(found[key]) for key in ("registers", "stack", "spills")),
            f"{found['occupancy']:.0%}",
        ]
        for entry in record
        if entry["architecture"] == "sm_90"
        for kernel, found in entry["kernels"].items()
        if found["registers"] >= _LEAST
    ]
    (folder / "kernels.md").write_text(table(head, rows), "utf-8")


def measured() -> list[dict[str, object]]:
    """All cases, compiled for all their architectures."""
    from dataclasses import asdict

    from benchmarks.gpu import CASES

    found: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            for architecture in case.architectures:
                print(f"{case.name}, {case.real}, {architecture} ...", file=sys.stderr, flush=True)
                made = case.compiled(architecture, folder)
                kernels = {name: asdict(each) for name, each in sorted(made.items())}
                own = {"model": case.name, "real": case.real, "architecture": architecture}
                found.append({**own, "kernels": kernels})
    return found


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    RECORD.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
