"""``python -m verification.mutants.sample THIRD``: some faults that must be found.

A few are chosen. The others are the first, in the order of the run that the docs hold, of those
that one of a few small models told, and that the source still has: a change of the line makes other
mutants.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verification.mutants.__main__ import tried
from verification.mutants.every import every_mutant, mutants_of, shuffled
from verification.mutants.mutant import ROOT, Mutant
from verification.mutants.reach import Reach

SAVED = ROOT / "docs" / "mutants.json"
MODELS = ("pendulum", "double", "loop", "driven")


@dataclass(frozen=True)
class Chosen:
    """The first mutant of `file` that makes `new` of `old` in the line that holds `within`."""

    file: str
    within: str
    old: str
    new: str

    def mutant(self) -> Mutant:
        """As the source stands."""
        return next(
            m
            for m in mutants_of(self.file)
            if (m.old, m.new) == (self.old, self.new) and self.within in m.whole_line
        )


CHOSEN = (
    Chosen("derive/geometry/pose.py", "parent.u @ self.origin", "+", "-"),
    Chosen("derive/geometry/inertia.py", "-j.xy", "-j.xy", "(j.xy)"),
    Chosen("derive/forces/joint_losses.py", "damping", "-", "+"),
    Chosen("codegen/templates/adaptive_runge_kutta.c", "sum += a[i][j]", "+=", "-="),
    Chosen("codegen/templates/runge_kutta.c", "sum += b[i]", "+=", "-="),
    Chosen("codegen/templates/rollouts_runge_kutta.c", "sum[k] += b[i]", "+=", "-="),
    Chosen("codegen/templates/constraints.c", "z[i] += basis", "+=", "-="),
    Chosen("codegen/templates/lanes_sine_cosine.c", "mask few =", "==", "!="),
    Chosen("codegen/templates/lanes_fail.c", "(*good)[k] == 0", "k", "0"),
)


RECORDED = 4
"""Mutants of a third, beside its part of those that are chosen."""


def sample(third: int) -> Iterator[tuple[Mutant, Sequence[str]]]:
    """Mutants of a third, each with the models to try."""
    run: dict[str, Any] = json.loads(SAVED.read_text(encoding="utf-8"))
    told = {entry["name"]: entry.get("model") for entry in run["mutants"]}
    ordered = shuffled(every_mutant(), run["seed"])
    recorded = [m for m in ordered if told.get(m.name) in MODELS][third : 3 * RECORDED : 3]
    yield from ((chosen.mutant(), MODELS) for chosen in CHOSEN[third::3])
    yield from ((mutant, [told[mutant.name]]) for mutant in recorded)


def main() -> None:
    """Print what becomes of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("third", type=int, choices=(0, 1, 2), help="which third of them")
    third = parser.parse_args().third
    with tempfile.TemporaryDirectory() as place:
        reach = Reach(Path(place), MODELS)
        print(json.dumps([tried(mutant, reach, models) for mutant, models in sample(third)]))


if __name__ == "__main__":
    main()
