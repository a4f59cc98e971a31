"""What a mutant changes, and whether `eomc.verify` notices; in a process of its own."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from small_programs.compiled_quickly import compile_quickly
from verification.mutants.emitted import Files, digest, first_change
from verification.mutants.faulty_source import Place, put
from verification.mutants.mutant import Mutant
from verification.mutants.process import allow
from verification.mutants.same_code import same_machine_code

STATES = {False: 4, True: 24}
"""By whether the search is deep: as many as verifications have by themselves."""
MOST_EMITTED, MOST_FAILED = 12, 4
"""Models that are derived in search of a change, and tried although all before failed."""
MOST_VERIFIED, MOST_THOROUGH = {False: 4, True: 10}, {False: 1, True: 3}
"""Models that are verified in search of a breach, and with the checks that quick verifications
leave out, by whether the search is deep: nearly all that are found are found on the first."""
SECONDS, PER_SIZE = 4.0, 2e-5
"""Of each verification of a model: what any may take, and what a character of its code adds (five
times the usual)."""
_ALL = 10
"""Of so many mutants one is verified by all quick checks, others by those first that find most."""
_FIRST = ("consistency", "Newton-Euler", "passivity", "linearization", "frames")

_OF_BUILD = {
    "single": ["single precision"],
    "lanes": ["lanes", "laws", "vectors"],
    "small": ["small code"],
    "size": ["small code"],
    "request": ["functions on request", "near-rigid control"],
    "sampled": ["sampled control"],
}
"""Checks that compile what differs; of the usual build those that quick verifications make."""

Model = tuple[str, tuple[str, ...], int]
"""Name, builds that pass the fault, and size of the sound code in characters."""


def verified(system: Any, work: Path, build: str, is_deep: bool = False) -> list[str]:
    """What breaches; on an empty `build` of the checks that quick verifications leave out."""
    from eomc.verifier.procedure import all_checks

    thorough = [check.name for check in all_checks() if check.thorough]
    return _breaching(system, work, _OF_BUILD.get(build) if build else thorough, is_deep)


def _breaching(system: Any, work: Path, checks: Sequence[str] | None, is_deep: bool) -> list[str]:
    import eomc

    compile_quickly()
    report = eomc.verify(system, quick=True, states=STATES[is_deep], checks=checks, flags=["-O0"])
    return list(report.breaches)


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
    given: Mapping[str, Mapping[str, str]],
    at_import: set[Place],
    work: Path,
    is_deep: bool,
) -> dict[str, Any]:
    """What becomes of the mutant on `models`, of which digests are known without it: of the files,
    and of what they are emitted of, which a fault of the writers leaves alone.

    One model after the other is derived; what changes is verified at once, until a check breaches.
    """
    put(mutant, at_import)
    from verification.mutants.models import make

    is_derived = mutant.file.startswith("derive/")
    tried: list[str] = []
    failed: list[dict[str, Any]] = []
    noticed: list[dict[str, Any]] = []
    same: list[bool] = []
    for emitted_models, (name, builds, size) in enumerate(models):
        if (emitted_models == MOST_EMITTED and not tried) or len(tried) == MOST_VERIFIED[is_deep]:
            break
        if emitted_models == MOST_FAILED == len(failed):
            break
        longest = (SECONDS + PER_SIZE * size) * (3 if is_deep else 1)
        allow(longest)
        try:
            system = make(name)
            change = first_change(system, sound[name], builds, given[name] if is_derived else None)
            if change is None:
                continue
            tried.append(name)
            build, files = change
            is_same = cache(partial(same_machine_code, files, work / "sound" / name / build))
            breaches = _breaches(mutant, system, name, build, files, work, is_same, is_deep)
            if not breaches:
                same.append(is_same())
            is_thorough = build == "plain" and len(same) <= MOST_THOROUGH[is_deep]
            if not breaches and not same[-1] and is_thorough:
                allow(longest)
                breaches = _breaches(mutant, system, name, "", files, work, is_same, is_deep)
        except Exception as error:
            is_emitted = bool(tried) and tried[-1] == name
            failed.append(_failure(error, is_emitted))
            if is_emitted:
                noticed.append(failed[-1])
            continue
        if breaches:
            first = {"first": True} if _is_quick(mutant) and {*breaches} <= {*_FIRST} else {}
            return {"outcome": "killed", "models": tried, "breaches": breaches, **first}
    if noticed or not same:  # an error of a verification is no silence, even if others passed
        told = noticed or failed or [{"outcome": "unchanged"}]
        return {**told[0], "models": tried}
    return {"outcome": "same code" if all(same) else "survived", "models": tried}


def _failure(error: Exception, is_emitted: bool) -> dict[str, Any]:
    from eomc.codegen.plan.errors import BuildError

    is_refused = is_emitted and not isinstance(error, BuildError)
    return {"outcome": "refused" if is_refused else "stillborn", "said": repr(error)[-200:]}


def _breaches(
    mutant: Mutant,
    system: Any,
    name: str,
    build: str,
    files: Files,
    work: Path,
    is_same: Callable[[], bool],
    is_deep: bool,
) -> list[str]:
    """What breaches; on an empty `build` of thorough checks. Known, if another fault of the same
    file emitted the same."""
    key = "\0".join([mutant.file, name, build, digest(files), _stamp(), str(STATES[is_deep])])
    kept = work / "verdicts" / hashlib.sha256(key.encode()).hexdigest()
    if kept.exists():
        known: list[str] = json.loads(kept.read_text())
        return known
    is_quick = build == "plain" and _is_quick(mutant)
    breaches = _breaching(system, work, _FIRST, is_deep) if is_quick else []
    if not breaches and not (is_quick and is_same()):
        breaches = verified(system, work, build, is_deep)
    kept.parent.mkdir(exist_ok=True)
    private = kept.with_suffix(".part")
    private.write_text(json.dumps(breaches))
    private.replace(kept)
    return breaches


def _is_quick(mutant: Mutant) -> bool:
    return int(mutant.name[-8:], 16) % _ALL > 0


def _stamp() -> str:
    """Of the verification itself."""
    import eomc.verifier

    texts: Iterable[Path] = sorted(Path(eomc.verifier.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in texts)).hexdigest()
