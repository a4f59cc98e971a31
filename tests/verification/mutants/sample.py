"""``python -m verification.mutants.sample``: a few mutants that stand for all, in a minute."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from verification.mutants.__main__ import tried
from verification.mutants.every import mutants_of
from verification.mutants.reach import Reach

MODELS = ("pendulum", "loop")
SECONDS = 240.0


@dataclass(frozen=True)
class Sampled:
    """The first mutant of `file` that makes `new` of `old` in the line that holds `within`."""

    file: str
    within: str
    old: str
    new: str
    outcome: str = "killed"


SAMPLE = (
    Sampled("derive/dynamics/kinematics.py", "parent.u @ self.origin", "+", "-"),
    Sampled("derive/geometry/inertia.py", "-j.xy", "-j.xy", "(j.xy)"),
    Sampled("derive/forces/joint_losses.py", "damping", "-", "+"),
    Sampled("codegen/plan/tableau.py", "44", "44", "45"),
    Sampled("codegen/templates/runge_kutta.c", "sum += b[i]", "+=", "-="),
    Sampled("codegen/templates/rollouts.c", "sum[k] += b[i]", "+=", "-="),
    Sampled("codegen/templates/constraints.c", "z[i] += basis", "+=", "-="),
    Sampled("derive/constraints/rolling.py", "upright = ", "-", "+", "unreached"),
)


def main() -> None:
    """Print what becomes of each."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        reach = Reach(work, MODELS)
        for sampled in SAMPLE:
            mutant = next(
                m
                for m in mutants_of(sampled.file)
                if (m.old, m.new) == (sampled.old, sampled.new) and sampled.within in m.whole_line
            )
            found.append(tried(mutant, reach, work, SECONDS))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
