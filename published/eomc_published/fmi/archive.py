"""Archives: valid by FMPy and by the standard's schemas, whole or not there."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from eomc.building import fmu
from eomc.codegen.fmi.platforms import host
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.systems.chain import general_chain
from eomc_published.case import Case, CaseCheck, holds
from eomc_published.fmi.unit import STANDARD, VERSIONS, WITHOUT, unit
from eomc_published.work import model_file

_EXAMPLES = ("pendulum", "quadcopter", "panda", "spring_mass")
_SCHEMAS = {
    "sources/buildDescription.xml": "fmi3BuildDescription.xsd",
    "terminalsAndIcons/terminalsAndIcons.xml": "fmi3TerminalsAndIcons.xsd",
}


def case_1() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as place:
        for name in _EXAMPLES:
            for version in VERSIONS:
                file = fmu(
                    model_file(name),
                    Path(place) / f"{name}.fmu",
                    version=version,
                    platforms=(),
                    tunable="all",
                )
                yield from _valid(f"{name}, FMI {version}.0", file)
    for version in VERSIONS:
        yield from _valid(f"four_bar, FMI {version}.0", unit("four_bar", version))


def case_36() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as place:
        file = fmu(general_chain(100), Path(place) / "chain.fmu", platforms=())
        yield from _valid("100 joints, FMI 3.0", file)


def _valid(label: str, file: Path) -> Iterator[CaseCheck]:
    problems = import_module("fmpy.validation").validate_fmu(str(file))
    yield holds(label, "no message", "; ".join(map(str, problems)) or "none", not problems)
    etree = import_module("lxml.etree")
    schemas = Path(str(import_module("fmpy").__file__)).parent / "schema" / "fmi3"
    with zipfile.ZipFile(file) as archive:
        for name in set(_SCHEMAS) & set(archive.namelist()):
            schema = etree.XMLSchema(etree.parse(str(schemas / _SCHEMAS[name])))
            schema.validate(etree.fromstring(archive.read(name)))
            said = str(schema.error_log)
            yield holds(f"{label}: {name}", "as its schema says", said or "it is", not said)


def case_9() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "four_bar.fmu"
        try:
            fmu(model_file("four_bar"), file, q=[0.3, 0.0, 0.0], platforms=())
            said = "no error"
        except ConstraintError as error:
            said = str(error)
        yield holds("four_bar with its loop open", "the loop is named", said, "rocker_pin" in said)
        left = list(Path(place).iterdir())
        yield holds("files", "none", str(left), not left)


def case_11() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as place:
        file = fmu(
            model_file("four_bar"), Path(place) / "few.fmu", outputs=(), frames=(), platforms="host"
        )
        with zipfile.ZipFile(file) as archive:
            (binary,) = [n for n in archive.namelist() if n.startswith("binaries/")]
            library = archive.extract(binary, place)
        ctypes.CDLL(library, mode=getattr(ctypes, "RTLD_NOW", 2))
        yield holds("all symbols of a loop with no outputs", "resolved", "resolved", True)


_WRITE = """
import resource, sys, eomc
{limit}
eomc.fmu({model!r}, {file!r}, platforms={platforms!r}, compiler={compiler!r})
"""


def case_13() -> Iterator[CaseCheck]:
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (16000, 16000))"
    fmu(model_file("pendulum"), unit("pendulum", "3").with_name("warm.fmu"), platforms=())
    with tempfile.TemporaryDirectory() as place:
        for label, limit, platforms, compiler in (
            ("a disk that is full", full, (), None),
            ("a compiler that fails", "", "host", "false"),
        ):
            file = Path(place) / "pendulum.fmu"
            text = _WRITE.format(
                limit=limit,
                model=str(model_file("pendulum")),
                file=str(file),
                platforms=platforms,
                compiler=compiler,
            )
            run = subprocess.run(
                [sys.executable, "-c", text], capture_output=True, text=True, check=False
            )
            left = [p.name for p in Path(place).iterdir()]
            yield holds(f"{label}: exit code", "not 0", str(run.returncode), run.returncode != 0)
            yield holds(f"{label}: files", "none", str(left), not left)
    for version in VERSIONS:
        with zipfile.ZipFile(unit("pendulum", version)) as archive:
            names = [entry.orig_filename for entry in archive.infolist()]
        own = host()
        binary = f"{own.folder(version)}/pendulum{own.suffix}"
        yield holds(
            f"FMI {version}.0: the binary's place", binary, str(binary in names), binary in names
        )
        yield holds(
            f"FMI {version}.0: slashes", "forward", "as wanted", not any("\\" in n for n in names)
        )


CASES = (
    Case(
        1,
        "valid units",
        STANDARD,
        "FMPy's validation and the standard's schemas",
        case_1,
        unavailable=WITHOUT,
        slow=True,
    ),
    Case(
        9,
        "a start off the constraints",
        STANDARD,
        "refused by name, before a file is written",
        case_9,
    ),
    Case(
        11,
        "no symbol is missing",
        "-Wl,--no-undefined",
        "a loop asked for with few functions",
        case_11,
    ),
    Case(
        13,
        "whole or not at all",
        STANDARD,
        "a full disk, a compiler that fails",
        case_13,
        unavailable=WITHOUT,
        slow=True,
    ),
    Case(
        36,
        "a unit of a hundred joints",
        STANDARD,
        "FMPy's validation",
        case_36,
        slow=True,
        unavailable=WITHOUT,
    ),
)
