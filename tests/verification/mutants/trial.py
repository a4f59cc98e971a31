"""What a mutant changes, and whether `eomc.verify` notices; in a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from verification.mutants.compiled_once import keep_objects
from verification.mutants.emitted import Files, digest, first_change, same_machine_code
from verification.mutants.faulty_source import Place, put
from verification.mutants.mutant import Mutant
from verification.mutants.process import allow

STATES = 4
MOST_EMITTED, MOST_VERIFIED = 12, 10
"""Models that are derived in search of a change, and verified in search of a breach."""
SECONDS, PER_SIZE = 4.0, 4e-5
"""Of one model: what any may take, and what a character of its code adds (ten times the usual)."""

_OF_BUILD = {
    "single": ["single precision"],
    "lanes": ["lanes", "laws"],
    "small": ["small code"],
    "size": ["small code"],
    "request": ["functions on request", "near-rigid control"],
    "sampled": ["sampled control"],
}
"""Checks that compile what differs; of the usual build those that quick verifications make."""

Model = tuple[str, tuple[str, ...], int]
"""Name, builds that pass the fault, and size of the sound code in characters."""


def verified(system: Any, work: Path, build: str) -> list[str]:
    """What breaches; on an empty `build` of the checks that quick verifications leave out."""
    import eomc
    from eomc.verify.procedure import all_checks

    os.environ["EOMC_WRAPPER_FLAGS"] = "-O0"
    keep_objects(work / "objects")
    thorough = [check.name for check in all_checks() if check.thorough]
    checks = _OF_BUILD.get(build) if build else thorough
    with tempfile.TemporaryDirectory() as cache:
        return list(
            eomc.verify(
                system, quick=True, states=STATES, checks=checks, flags=["-O0"], cache_dir=cache
            ).breaches
        )


def sound_breaches(name: str, work: Path) -> dict[str, Any]:
    """What breaches without a fault: nothing, as it should."""
    from verification.mutants.models import make

    start, system = time.process_time(), make(name)
    usual = verified(system, work, "plain")
    seconds = time.process_time() - start
    return {"breaches": usual + verified(system, work, ""), "seconds": round(seconds, 2)}


def trial(
    mutant: Mutant,
    models: Sequence[Model],
    sound: Mapping[str, Mapping[str, str]],
    at_import: set[Place],
    work: Path,
) -> dict[str, Any]:
    """What becomes of the mutant on `models`, whose digests of sound files are known.

    One model after the other is derived; what changes is verified at once, until a check breaches.
    """
    put(mutant, at_import)
    from verification.mutants.models import make

    tried: list[str] = []
    failed: dict[str, Any] | None = None
    changes: list[tuple[str, str, Files]] = []
    for emitted_models, (name, builds, size) in enumerate(models):
        if (emitted_models == MOST_EMITTED and not changes) or len(changes) == MOST_VERIFIED:
            break
        allow(SECONDS + PER_SIZE * size)
        try:
            system = make(name)
            change = first_change(system, sound[name], builds)
            if change is None:
                continue
            tried.append(name)
            breaches = _breaches(mutant, system, name, *change, work)
        except Exception as error:
            failed = failed or _failure(error, bool(tried) and tried[-1] == name)
            continue
        if breaches:
            return {"outcome": "killed", "models": tried, "breaches": breaches}
        changes.append((name, *change))
    if not changes:
        return {**(failed or {"outcome": "unchanged"}), "models": tried}
    same = [same_machine_code(files, work / "sound" / n / build) for n, build, files in changes]
    return {"outcome": "same code" if all(same) else "survived", "models": tried}


def _failure(error: Exception, is_emitted: bool) -> dict[str, Any]:
    from eomc.codegen.plan.errors import BuildError

    is_refused = is_emitted and not isinstance(error, BuildError)
    return {"outcome": "refused" if is_refused else "stillborn", "said": repr(error)[-200:]}


def _breaches(
    mutant: Mutant, system: Any, name: str, build: str, files: Files, work: Path
) -> list[str]:
    """What breaches; known, if another fault of the same file emitted the same."""
    key = "\0".join([mutant.file, name, build, digest(files), _stamp()])
    kept = work / "verdicts" / hashlib.sha256(key.encode()).hexdigest()
    if kept.exists():
        known: list[str] = json.loads(kept.read_text())
        return known
    breaches = verified(system, work, build)
    if not breaches and build == "plain":
        breaches = verified(system, work, "")
    kept.parent.mkdir(exist_ok=True)
    private = kept.with_suffix(".part")
    private.write_text(json.dumps(breaches))
    private.replace(kept)
    return breaches


def _stamp() -> str:
    """Of the verification itself."""
    import eomc.verify

    texts: Iterable[Path] = sorted(Path(eomc.verify.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in texts)).hexdigest()
