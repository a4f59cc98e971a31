"""MISRA C:2012 on emitted C: `python -m benchmarks.misra --out docs/misra.json` counts by rule.

Cppcheck's addon reads the C as a checker of a board's project would: without vectors and without
``restrict``, which are compiled only where compilers have them, and with the header.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import eomc

MODELS = Path(__file__).parents[1] / "examples" / "models"


@dataclass(frozen=True)
class Deviation:
    """An advisory rule that emitted C does not keep.

    rule : number in MISRA C:2012; asks : what it says, in few words
    found : whether cppcheck sees it, or only who reads
    """

    rule: str
    asks: str
    reason: str
    found: bool = True


DEVIATIONS = (
    Deviation(
        "12.1",
        "parentheses say which operator is first",
        "products before sums, as on paper: formulas are checked against books by reading",
    ),
    Deviation(
        "15.5",
        "one return at the end",
        "a failure returns its code at once; there is nothing to release on the way",
    ),
    Deviation(
        "8.7",
        "what one file uses is no global name",
        "the functions are a library: a program calls which it needs",
    ),
    Deviation(
        "8.9",
        "what one function uses is defined in it",
        "tables of small code stand beside each other with a comment on each",
    ),
    Deviation(
        "2.4",
        "tags are used",
        "cppcheck counts enumerations without any tag, whose constants are used",
    ),
    Deviation(
        "2.5",
        "macros are used",
        "those of the vectors, where these are left out",
    ),
    Deviation(
        "18.4",
        "no sums of pointers",
        "small code alone: gcc makes longer code of `&array[place]` (a seventh of a function)",
    ),
    Deviation(
        "1.2",
        "no extensions of the language",
        "`__attribute__` and empty `__asm__`, in macros that are empty for other compilers",
        found=False,
    ),
    Deviation(
        "Dir 4.6",
        "sizes in the names of types",
        "numbers have the model's type, `real`; `int` counts and indexes, at most some thousands",
        found=False,
    ),
    Deviation(
        "Dir 4.9",
        "functions instead of macros",
        "one that pins a number against reordering: it stands for an instruction of none",
        found=False,
    ),
)


@dataclass(frozen=True)
class Subject:
    """A model with what is asked of its C."""

    name: str
    model: str
    told: str
    options: tuple[tuple[str, Any], ...] = ()


MOTION = ("forward_dynamics", "inverse_dynamics", "coordinate_rates", "normalize")
ON_LANES = (("tunable", "all"), ("lanes", 2), ("functions", MOTION))
LAWS = (("functions", (*MOTION, "computed_torque", "pd")),)
SMALL = (("small", True), ("functions", (*MOTION, "mass_matrix")))
SUBJECTS = (
    Subject("arm", "arm", "lanes, rollouts, parameters", ON_LANES),
    Subject("four_bar", "four_bar", "a loop: solvers, linearization, integrators"),
    Subject("closed_loop", "arm", "laws and steps of closed loops", LAWS),
    Subject("quadcopter_small", "quadcopter", "small code, quaternions", SMALL),
    Subject("panda", "panda", "straight-line code, all functions"),
    Subject("flexible_arm", "flexible_arm", "a deformable body, all functions"),
)


def broken(subject: Subject, folder: Path) -> Counter[str]:
    """How often each rule is broken in the emitted files, which are left in `folder`."""
    made = eomc.emit(MODELS / f"{subject.model}.toml", folder, **dict(subject.options))
    return broken_in(made, subject.model.upper())


def broken_in(made: Path, macro: str) -> Counter[str]:
    """The same of a folder of C files, with the beginning of its macros."""
    files = sorted(path.name for path in made.glob("*.c"))
    command = ["cppcheck", "--addon=misra", "--std=c99", "-q", "--enable=style"]
    command += [f"-D{macro}_NO_VECTORS", f"-D{macro}_NO_RESTRICT", *files]
    said = subprocess.run(command, cwd=made, capture_output=True, text=True, check=True).stderr
    lines = set(re.findall(r"^(\S+?:\d+:\d+): .*\[misra-c2012-([\d.]+)\]$", said, re.M))
    return Counter(rule for _, rule in lines)


def record(subjects: Iterable[Subject] = SUBJECTS) -> dict[str, Any]:
    """Counts of all subjects."""
    tool = subprocess.run(["cppcheck", "--version"], capture_output=True, text=True, check=True)
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for subject in subjects:
            counts[subject.name] = dict(
                sorted(broken(subject, Path(folder) / subject.name).items())
            )
            print(subject.name, counts[subject.name], flush=True)
    return {"eomc": eomc.__version__, "tool": tool.stdout.strip(), "counts": counts}


def main() -> None:
    """Write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    choice = parser.parse_args()
    if shutil.which("cppcheck") is None:
        parser.error("cppcheck is not here")
    choice.out.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
