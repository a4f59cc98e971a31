"""The result of a verification: what was checked, how it came out, how to repeat it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eomc.runtime.output.files import whole_file
from eomc.verifier.report.verdict import sentence
from eomc.verifier.subject.check import CheckOutcome, Comparison

SUFFIXES = (".html", ".md")


@dataclass(frozen=True)
class Report:
    """Outcomes of all checks of one model.

    Attributes
    ----------
    model : str
    model_hash : str
        SHA-256 of the declaration (of the emitted sources, for equations of one's own).
    sources_hash : str
        SHA-256 of the emitted sources.
    nq, nu : int
    seed : int
        Of the random states; with `states` and the versions it repeats the run exactly.
    states : tuple of str
        Labels of the states checked.
    undefined : tuple of str
        States left out because the equations have no value there, and ``state: function`` where a
        derivative has none.
    versions : mapping
    outcomes : tuple of Outcome
    seconds : float
    values : tuple of mapping
        The arguments of the functions in every state, by name, and its label.
    limits : tuple of str
        How far the theory of what was derived holds, which no comparison with itself can tell; and
        what of large models was compared less thoroughly.
    """

    model: str
    model_hash: str
    sources_hash: str
    nq: int
    nu: int
    seed: int
    states: tuple[str, ...]
    undefined: tuple[str, ...]
    versions: Mapping[str, str]
    outcomes: tuple[CheckOutcome, ...]
    seconds: float = 0.0
    values: tuple[Mapping[str, Any], ...] = ()
    limits: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True if no check found a breach and at least one compared something."""
        verdicts = [outcome.verdict for outcome in self.outcomes]
        return "breach" not in verdicts and "pass" in verdicts

    @property
    def breaches(self) -> tuple[str, ...]:
        """Names of the checks that found a breach."""
        return tuple(o.check.name for o in self.outcomes if o.verdict == "breach")

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        from eomc.verifier.report.text import table_text

        return table_text(self)

    def __repr__(self) -> str:
        passed = sum(outcome.verdict == "pass" for outcome in self.outcomes)
        found = f"breached: {', '.join(self.breaches)}" if self.breaches else "no breach"
        return f"<Report of {self.model!r}: {passed} checks passed, {found}>"

    # -- as data ---------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything but the figures, JSON-able; what is not finite becomes None."""
        return {
            "model": self.model,
            "model_hash": self.model_hash,
            "sources_hash": self.sources_hash,
            "nq": self.nq,
            "nu": self.nu,
            "ok": self.ok,
            "verdict": sentence(self),
            "seed": self.seed,
            "states": list(self.states),
            "state_values": [dict(values) for values in self.values],
            "undefined_states": list(self.undefined),
            "limits": list(self.limits),
            "versions": dict(self.versions),
            "seconds": round(self.seconds, 3),
            "checks": [_outcome(outcome) for outcome in self.outcomes],
        }

    # -- as a page -------------------------------------------------------------------------------

    def to_markdown(self, figures: Mapping[str, str] | None = None) -> str:
        """The report as Markdown; `figures` maps captions to files or data URIs."""
        from eomc.verifier.report.markdown import markdown

        return markdown(self, figures or {})

    def to_html(self) -> str:
        """The report as one HTML page that holds its pictures."""
        from eomc.verifier.report.html import html

        return html(self)

    def _repr_html_(self) -> str:
        """For notebooks and pages around it."""
        from eomc.verifier.report.html import body

        return body(self)

    def write(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write the report to a .html or .md file; returns the files written.

        Pictures are inside an HTML page, and beside a Markdown file as ``<name>-<k>.png``. Without
        matplotlib there are none. Raises ValueError for another suffix, or OSError; the report is
        written last and appears whole or not at all.
        """
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix not in SUFFIXES:
            raise ValueError(f"report {target.name!r}: give a file name that ends in .html or .md")
        written: list[Path] = []
        if suffix == ".html":
            text = self.to_html()
        else:
            from eomc.verifier.report.figures import figures

            links: dict[str, str] = {}
            for number, (caption, picture) in enumerate(figures(self).items(), start=1):
                file = target.with_name(f"{target.stem}-{number}.png")
                with whole_file(file) as private:
                    private.write_bytes(picture)
                written.append(file)
                links[caption] = file.name
            text = self.to_markdown(links)
        with whole_file(target) as private:
            private.write_text(text, encoding="utf-8", newline="\n")
        return [target, *written]


def _outcome(outcome: CheckOutcome) -> dict[str, Any]:
    check = outcome.check
    return {
        "name": check.name,
        "verdict": outcome.verdict,
        "reason": outcome.reason,
        "absent": outcome.is_absent,
        "comparisons": len(outcome.comparisons),
        "breaches": [_comparison(comparison) for comparison in outcome.breaches[:20]],
        "worst": None if outcome.worst is None else _comparison(outcome.worst),
        "compares": check.compares,
        "reference": check.reference,
        "tolerance": check.tolerance,
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    def finite(value: float) -> float | None:
        return value if abs(value) < float("inf") else None

    return {
        "what": comparison.what,
        "state": comparison.state,
        "error": finite(float(comparison.error)),
        "allowed": finite(float(comparison.allowed)),
    }
