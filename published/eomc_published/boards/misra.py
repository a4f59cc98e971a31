"""MISRA C:2012 on emitted C: `python -m eomc_published.boards.misra --out FILE` counts.

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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eomc.building import build, emit, emit_sampled_loop
from eomc.runtime.control import PID, Sampled
from eomc.runtime.control.signal import LowPass, Noise, OnOff, Quantizer, RateLimit, Saturation
from eomc.systems.tensegrity import single_strut
from eomc_published.case import Case, CaseCheck, holds
from eomc_published.work import model_file


@dataclass(frozen=True)
class AdvisoryRule:
    """An advisory rule that emitted C does not keep.

    rule : number in MISRA C:2012; asks : what it says, in few words
    found : whether cppcheck sees it, or only who reads
    """

    rule: str
    asks: str
    reason: str
    found: bool = True


DEVIATIONS = (
    AdvisoryRule(
        "12.1",
        "parentheses say which operator is first",
        "products before sums, as on paper: formulas are checked against books by reading",
    ),
    AdvisoryRule(
        "15.5",
        "one return at the end",
        "a failure returns its code at once; there is nothing to release on the way",
    ),
    AdvisoryRule(
        "8.7",
        "what one file uses is no global name",
        "the functions are a library: a program calls which it needs",
    ),
    AdvisoryRule(
        "8.9",
        "what one function uses is defined in it",
        "tables of small code stand beside each other with a comment on each",
    ),
    AdvisoryRule(
        "2.4",
        "tags are used",
        "cppcheck counts enumerations without any tag, whose constants are used",
    ),
    AdvisoryRule("2.5", "macros are used", "those of the vectors, where these are left out"),
    AdvisoryRule(
        "18.4",
        "no sums of pointers",
        "small code alone: gcc makes longer code of `&array[place]` (a seventh of a function)",
    ),
    AdvisoryRule(
        "1.2",
        "no extensions of the language",
        "`__attribute__` and empty `__asm__`, in macros that are empty for other compilers",
        found=False,
    ),
    AdvisoryRule(
        "Dir 4.6",
        "sizes in the names of types",
        "numbers have the model's type, `real`; `int` counts and indexes, at most some thousands",
        found=False,
    ),
    AdvisoryRule(
        "Dir 4.9",
        "functions instead of macros",
        "one that pins a number against reordering: it stands for an instruction of none",
        found=False,
    ),
)


@dataclass(frozen=True)
class ReadFile:
    """C that is read.

    name, told : as the record and the page call it
    make : writes the C into a folder
    prefixes : of the macros that leave vectors and ``restrict`` out
    """

    name: str
    label: str
    make: Callable[[Path], Path]
    prefixes: tuple[str, ...]


def example(name: str, prefix: str, label: str, **options: Any) -> ReadFile:
    """The C of an example model."""
    return ReadFile(
        name, label, lambda folder: emit(model_file(prefix), folder, **options), (prefix,)
    )


def _strut(folder: Path) -> Path:
    return emit(single_strut(), folder, functions=NEAR_RIGID)


def _pendulum_loop(folder: Path) -> Path:
    """With one of everything that stands between a law and a mechanism; the call from Python is
    none of a board's files."""
    law = PID(
        build(model_file("pendulum")),
        [1.0],
        {"hinge": 60},
        {"hinge": 8},
        {"hinge": 50},
        filter=0.02,
        limit={"hinge": 40.0},
        tracking=0.5,
    )
    controller = Sampled(
        law,
        0.01,
        sensors={"q": [Quantizer(1e-3)], "u": [Noise(0.01), LowPass(0.005)]},
        actuators=[RateLimit(2e4), Saturation({"hinge": 90.0}), OnOff({"hinge": 3.0}, 0.8, 0.3)],
        seed=5,
        delay=0.004,
        lag={"hinge": 0.003},
    )
    made = emit_sampled_loop(model_file("pendulum"), controller, folder)
    (made / "pendulum_controller_call.c").unlink()
    return made


NEAR_RIGID = (
    *("mass_matrix", "bias", "difference", "input_matrix", "element_strains"),
    *("constraint_jacobian", "constraint_bias"),
)
MOTION = ("forward_dynamics", "inverse_dynamics", "coordinate_rates", "normalize")
SUBJECTS = (
    example("arm", "arm", "lanes, rollouts, parameters", tunable="all", lanes=2, functions=MOTION),
    example("four_bar", "four_bar", "a loop: solvers, linearization, integrators"),
    example(
        "closed_loop",
        "arm",
        "laws and steps of closed loops",
        functions=(*MOTION, "computed_torque", "pd"),
    ),
    example(
        "quadcopter_small",
        "quadcopter",
        "small code, quaternions",
        small=True,
        functions=(*MOTION, "mass_matrix"),
    ),
    example("panda", "panda", "straight-line code, all functions"),
    example("flexible_arm", "flexible_arm", "a deformable body, all functions"),
    ReadFile("single_strut", "near-rigid control", _strut, ("single_strut",)),
    ReadFile(
        "pendulum_controller",
        "a sampled controller with noise, and the loop around both",
        _pendulum_loop,
        ("pendulum", "controller"),
    ),
)


def broken(subject: ReadFile, folder: Path) -> Counter[str]:
    """Number of times each rule is broken in the emitted files, which are left in `folder`."""
    return broken_in(subject.make(folder), subject.prefixes)


def broken_in(made: Path, prefixes: Iterable[str]) -> Counter[str]:
    """The same of a folder of C files, with the prefixes of their macros."""
    files = sorted(path.name for path in made.glob("*.c"))
    command = ["cppcheck", "--addon=misra", "--std=c99", "-q", "--enable=style"]
    for macro in map(str.upper, prefixes):
        command += [f"-D{macro}_NO_VECTORS", f"-D{macro}_NO_RESTRICT"]
    said = subprocess.run(
        [*command, *files], cwd=made, capture_output=True, text=True, check=True
    ).stderr
    # Rule 9.1, which the addon leaves to cppcheck itself.
    said = re.sub(r"\[(legacyUninitvar|uninitvar)\]$", "[misra-c2012-9.1]", said, flags=re.M)
    found = set(re.findall(r"^(\S+?):(\d+):(\d+): .*\[misra-c2012-([\d.]+)\]$", said, re.M))
    return Counter(rule for file, line, _, rule in found if not _no_tag(made / file, line, rule))


def _no_tag(file: Path, line: str, rule: str) -> bool:
    """True if tags are found to clash (5.7) where an enumeration has none: the addon numbers those
    of each file by itself."""
    return (
        rule == "5.7" and file.read_text(encoding="utf-8").splitlines()[int(line) - 1] == "enum {"
    )


def record(subjects: Iterable[ReadFile] = SUBJECTS) -> dict[str, Any]:
    """Counts of all subjects."""
    tool = subprocess.run(["cppcheck", "--version"], capture_output=True, text=True, check=True)
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for subject in subjects:
            counts[subject.name] = dict(
                sorted(broken(subject, Path(folder) / subject.name).items())
            )
            print(subject.name, counts[subject.name], flush=True)
    return {"eomc": version("eomc"), "tool": tool.stdout.strip(), "counts": counts}


_QUICK = (
    "arm",
    "four_bar",
    "closed_loop",
    "quadcopter_small",
    "single_strut",
    "pendulum_controller",
)


def case_31() -> Iterator[CaseCheck]:
    documented = {deviation.rule for deviation in DEVIATIONS}
    for subject in (s for s in SUBJECTS if s.name in _QUICK):
        with tempfile.TemporaryDirectory() as place:
            found = set(broken(subject, Path(place) / "c"))
        said = ", ".join(sorted(found - documented)) or "none"
        # Without sums of products in need of parentheses the addon has not run.
        holds_here = "12.1" in found <= documented
        yield holds(f"{subject.name}: other rules that are broken", "none", said, holds_here)


MISSING = "" if shutil.which("cppcheck") else "cppcheck is not here"
CASES = (
    Case(
        31,
        "MISRA C:2012: documented advisory deviations alone",
        "MISRA C:2012",
        "rules that cppcheck's addon finds broken",
        case_31,
        unavailable=MISSING,
        slow=True,
    ),
)


def main() -> None:
    """Write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    choice = parser.parse_args()
    if MISSING:
        parser.error(MISSING)
    choice.out.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
