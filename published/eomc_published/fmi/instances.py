"""Instances: none sees another, none is misused without a word, none leaks."""

from __future__ import annotations

import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import numpy as np

from eomc.codegen.compiler import find_compiler
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.fmi.unit import STANDARD, VERSIONS, WITHOUT, Instance, instance, refuses, unit


def case_6() -> Iterator[CaseCheck]:
    for version in VERSIONS:
        file = unit("quadcopter", version)
        with instance(file, stepping=True) as one, instance(file, stepping=True) as two:
            every = [name for name in one.reference if name != "time"]
            before = two.get(every)
            for k in range(20):
                one.step(0.01 * k, 0.01)
            moved = float(np.abs(one.get(every) - before).max())
            label = f"FMI {version}.0: "
            yield holds(
                label + "the instance that is stepped moves", "yes", f"{moved:.3g}", moved > 0.01
            )
            same = np.array_equal(two.get(every), before)
            yield holds(label + "the other instance", "untouched", str(same), same)
            content, there = one.saved(), one.get(every)
            two.resume(content)
            equal = np.array_equal(two.get(every), there)
            yield holds(
                label + "a state saved by one, resumed by the other", "same bits", str(equal), equal
            )
            one.step(0.2, 0.1)
            one.resume(content)
            back = np.array_equal(one.get(every), there)
            yield holds(label + "resumed by itself", "same bits", str(back), back)
            for what, wrong in (
                ("truncated", content[:-1]),
                ("of another unit", content[:12] + b"x" + content[13:]),
                ("empty", b""),
            ):
                held = refuses(two.resume, wrong) and np.array_equal(two.get(every), there)
                yield holds(label + f"bytes that are {what}", "an error", str(held), held)


def case_7() -> Iterator[CaseCheck]:
    for version in VERSIONS:
        with instance(unit("pendulum", version)) as one:
            every = list(one.reference)
            before = one.get(every)
            for name in ("der(q.hinge)", "kinetic_energy", "time"):
                both = ["q.hinge", name]
                refused = refuses(one.set, both, [0.123, 1.0])
                kept = np.array_equal(one.get(every), before)
                label = f"FMI {version}.0: set {name}"
                yield holds(
                    label, "an error, nothing changed", f"{refused}, {kept}", refused and kept
                )
            for what, call in (("set", one.put), ("read", _read)):
                given = ([10_000], [1.0]) if what == "set" else (one, [10_000])
                refused = refuses(call, *given)
                yield holds(
                    f"FMI {version}.0: {what} an unknown reference",
                    "an error",
                    str(refused),
                    refused,
                )
            refused = refuses(one.set, ["q.hinge"], [float("nan")])
            yield holds(
                f"FMI {version}.0: set what is no number", "an error", str(refused), refused
            )


def _read(one: Instance, places: list[int]) -> object:
    return one.unit.getFloat64(places) if one.is_3 else one.unit.getReal(places)


def case_8() -> Iterator[CaseCheck]:
    for version in VERSIONS:
        file = unit("pendulum", version)
        try:
            Instance(file, token="{00000000-0000-0000-0000-000000000000}")
            made = True
        except Exception:
            made = False
        yield holds(f"FMI {version}.0: another token", "no instance", str(made), not made)
        wanted = {line.split()[1] for line in _declared(version)}
        got = set(exported(file, version))
        label = f"FMI {version}.0: exported names beside the standard's {len(wanted)}"
        yield holds(label, "none more, none less", str(sorted(got ^ wanted)), got == wanted)


def _declared(version: str) -> list[str]:
    """``#define name ...FullName(name)`` of the standard's header."""
    text = (files("eomc.codegen.fmi.headers") / f"fmi{version}Functions.h").read_text()
    return [
        line
        for line in text.splitlines()
        if line.startswith("#define") and f"fmi{version}FullName(fmi" in line
    ]


def exported(file: Path, version: str) -> list[str]:
    """Names that the binary defines for others."""
    fmpy = import_module("fmpy")
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(file) as archive:
        folder = fmpy.platform if version == "2" else fmpy.platform_tuple
        (binary,) = [n for n in archive.namelist() if n.startswith(f"binaries/{folder}/")]
        library = archive.extract(binary, place)
        said = subprocess.run(
            ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
        )
    return [line.split()[-1] for line in said.stdout.splitlines()]


_DRIVER = (Path(__file__).parent / "thousand_cycles.c").read_text(encoding="utf-8")


def case_12() -> Iterator[CaseCheck]:
    for name in ("quadcopter", "four_bar"):
        with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(unit(name, "3")) as archive:
            folder = Path(place)
            archive.extractall(folder)
            sources = folder / "sources"
            about = import_module("fmpy").read_model_description(str(unit(name, "3")))
            (sources / "cycles.c").write_text(_DRIVER, encoding="utf-8")
            flags = [
                "-std=c99",
                "-g",
                "-O1",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ]
            words = [*find_compiler(), *flags, *sorted(str(p) for p in sources.glob("*.c")), "-lm"]
            made = subprocess.run(
                [*words, "-o", str(folder / "cycles")], capture_output=True, text=True, check=False
            )
            yield at_most(f"{name}: exit code of the compiler", made.returncode, 0)
            run = subprocess.run(
                [folder / "cycles", about.guid, str(about.numberOfContinuousStates)],
                capture_output=True,
                text=True,
                check=False,
            )
            yield holds(
                f"{name}: 1000 cycles",
                "no report, no leak",
                run.stderr[-300:] or "none",
                run.returncode == 0 and not run.stderr,
            )


CASES = (
    Case(
        6,
        "two instances share nothing",
        STANDARD,
        "states saved, resumed, serialized",
        case_6,
        unavailable=WITHOUT,
        slow=True,
    ),
    Case(
        7,
        "what cannot be set",
        STANDARD,
        "an error, and nothing changed",
        case_7,
        unavailable=WITHOUT,
    ),
    Case(
        8,
        "the token, and the exported names",
        STANDARD,
        "against the standard's own header",
        case_8,
        unavailable=WITHOUT,
    ),
    Case(
        12,
        "a thousand cycles under sanitizers",
        "AddressSanitizer, UBSan",
        "instantiate, step, differentiate, save, free, in C",
        case_12,
        unavailable=WITHOUT,
        slow=True,
    ),
)
