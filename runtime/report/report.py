"""`CompiledModel.report`: one page of all that is known of a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from eomc.runtime.report import of_model, of_results
from eomc.runtime.report.document import ReportDocument, ReportSection
from eomc.runtime.report.fragments import paragraph, picture
from eomc.runtime.report.standing import drawing

Manifest = Mapping[str, Any]


def report(
    model: Any,
    manifests: Sequence[Manifest],
    values: Mapping[str, Any],
    path: str | os.PathLike[str] | None = None,
    *,
    caption: str = "",
    live: str = "",
    equations: Any = None,
    equilibrium: Any = None,
    modes: Any = None,
    run: Any = None,
    verification: Any = None,
) -> ReportDocument:
    """The page of a model about a state.

    manifests : of all that is compiled
    values : arguments of its functions in the state, by name
    caption : of the picture
    live : HTML of a frame in which the model moves, or of a sentence why there is none

    For what else there is see `CompiledModel.report`. Raises OSError.
    """
    manifest = manifests[0]
    metadata = manifest.get("metadata", {})
    tuned = dict(zip(model.parameters, values["p"], strict=True))
    declared = getattr(equations, "declared", None)
    parts: list[tuple[str, str]] = [
        ("Picture", "".join(_pictures(model, values, caption)) + live),
        ("Bodies and joints", of_model.tree(manifest)),
        ("Limits", of_model.limits(manifest)),
        ("Parameters", of_model.parameters(manifest, tuned, declared)),
        ("Run", _result(run, of_results.run)),
        ("Equilibrium", _result(equilibrium, of_results.equilibrium)),
        ("Modes", _result(modes, lambda found: of_results.modes(found, model))),
        ("Equations", "" if equations is None else told_by(equations)),
        ("Verification", "" if verification is None else told_by(verification)),
        ("Cost", of_model.functions(manifests)),
    ]
    lead = f"<p>{escape(metadata['description'])}</p>" if metadata.get("description") else ""
    lead += paragraph(of_model.facts(manifest)) + paragraph(_origin(manifest), "note")
    title = str(metadata.get("model") or manifest["name"])
    made = ReportDocument(title, lead, tuple(ReportSection(*part) for part in parts if part[1]))
    if path is not None:
        made.write(path)
    return made


def _pictures(model: Any, values: Mapping[str, Any], caption: str) -> Iterator[str]:
    try:
        yield picture(drawing(model, values), caption, "30rem")
    except (ValueError, ImportError, AttributeError) as error:  # the last: not compiled
        yield paragraph(f"No picture: {error}.", "note")


def _result(found: Any, told: Callable[[Any], str]) -> str:
    """HTML of a result by `told`; text, a reason why there is none, becomes a paragraph."""
    if found is None or isinstance(found, str):
        return paragraph(found) if found else ""
    return told(found)


def told_by(part: Any) -> str:
    """HTML that an object gives; text, a reason why there is none, becomes a paragraph."""
    return paragraph(part) if isinstance(part, str) else str(part._repr_html_())


def _origin(manifest: Manifest) -> str:
    return f"eomc {manifest['eomc']}, code {manifest['hash'][:12]}, {manifest['real']} precision."
