"""The example of the page on verification: what `eomc verify` prints now."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from freshness import Record

MODEL = Path(__file__).parent.parent / "examples" / "models" / "double_pendulum.toml"


def write_verification(folder: Path) -> None:
    """Write verify_example.txt into `folder`. Raises RuntimeError if a check is breached."""
    folder.mkdir(exist_ok=True)
    record, made = Record(folder / "verify_example.json"), folder / "verify_example.txt"
    if record.is_current(MODEL.stem, MODEL, made):
        return
    told = {**os.environ, "COLUMNS": "116", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", "from eomc.cli import main; raise SystemExit(main())"]
    run = subprocess.run(
        [*command, "verify", str(MODEL)],
        env=told,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"eomc verify {MODEL.name}: {run.stdout}{run.stderr}")
    made.write_text(run.stdout, encoding="utf-8")
    record.keep(MODEL.stem, MODEL)
