"""The gallery of models that move: each file of `examples/gallery/` is run, and gets a page.

A file says in its docstring what it is and what to look at, and declares `model` and `start`, the
state from which the page begins (arguments of `CompiledModel.view`). Its folder is its family.
"""

from __future__ import annotations

import ast
import html
import inspect
import os
import runpy
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from freshness import Record
from thumbnails import drawn

import eomc
from eomc.building.live import page_functions
from eomc.derive.graph import flops
from eomc.runtime.model.start_values import start_values
from eomc.runtime.report.standing import Standing, closed

ROOT = Path(__file__).parent.parent
MODELS = ROOT / "examples" / "gallery"
EXAMPLES = Path("examples")
FAMILIES = {
    "linkages": "Linkages",
    "robots": "Robots",
    "vehicles": "Vehicles",
    "space": "Space",
    "flexible": "Flexible and deployable structures",
    "cables": "Cables and tensegrity",
    "pendulums": "Pendulums",
    "tops": "Tops, wheels and things that roll",
}
PAGE = """# {title}

<p class="facts">{subtitle}{facts}</p>

{frame}

{words}

## The model

```python
{source}
```

{further}

## Operation counts

Additions, subtractions, multiplications and divisions in the emitted code of one call:

| function | operations |
| --- | ---: |
{counts}
"""

FRAME = """<div class="live-frame">
<iframe data-src="{place}" title="{title}, live" loading="lazy"></iframe>
</div>
<p class="live-note">Drag a body, or rotate the view. The <a href="{place}">page alone</a> is one
file with the emitted C of the model as WebAssembly. It needs no network.</p>
"""

INDEX = """# Gallery

Every model on these pages is live: the page integrates its emitted C. The models are short Python
files in `examples/gallery/`.

{families}

## Examples

Programs in the folder `examples/`, with their pictures and output.

```{{toctree}}
:maxdepth: 1
{examples}
```
"""

FAMILY = """## {title}

::::{{grid}} 2 3 3 3
:gutter: 3

{cards}
::::

```{{toctree}}
:hidden:
:maxdepth: 1
{names}
```
"""

CARD = """:::{{grid-item-card}} {title}
:img-top: models/{name}.webp
:img-alt: {title}
:link: models/{name}
:link-type: doc
:class-card: gallery-card

{first}
:::
"""

RECORD = "models.json"
COUNTED = ("forward_dynamics", "inverse_dynamics", "mass_matrix")


@dataclass(frozen=True)
class Entry:
    """A file of the gallery: its family, title and words."""

    path: Path
    title: str
    words: str
    source: str

    @property
    def name(self) -> str:
        """Of page, picture and film."""
        return self.path.stem

    @property
    def family(self) -> str:
        """The folder that it stands in."""
        return self.path.parent.name


@dataclass(frozen=True)
class Shown:
    """Page, counts of operations, facts and scene of a model, made by building it."""

    page: str
    counts: dict[str, int]
    facts: str
    further: str
    scene: dict[str, Any]


def collection() -> list[Entry]:
    """All files, family by family; raises ValueError for a file without title and words."""
    found = [_entry(path) for family in FAMILIES for path in sorted((MODELS / family).glob("*.py"))]
    strangers = {path.parent.name for path in MODELS.glob("*/*.py")} - set(FAMILIES)
    if strangers:
        raise ValueError(f"examples/gallery: families without a title: {sorted(strangers)}")
    names = [entry.name for entry in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"examples/gallery: files of the same name: {twice}")
    return found


def _entry(path: Path) -> Entry:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    document = ast.get_docstring(tree) or ""
    title, _, words = document.partition("\n")
    if not title or not words.strip():
        raise ValueError(f"{path}: its docstring says no title and what to look at")
    code = text.splitlines()[tree.body[0].end_lineno :]
    return Entry(path, title.rstrip("."), words.strip(), "\n".join(code).strip())


def declared(entry: Entry) -> dict[str, Any]:
    """Names that the file declares, `model` and `start` among them. Raises ValueError otherwise."""
    names = runpy.run_path(str(entry.path))
    for name, kind in (("model", eomc.Model), ("start", dict)):
        if not isinstance(names.get(name), kind):
            raise ValueError(f"{entry.path}: declares no `{name}` of type {kind.__name__}")
    return names


def shown(entry: Entry) -> Shown:
    """Build a model, make its page and count its operations."""
    names = declared(entry)
    model: eomc.Model = names["model"]
    equations = eomc.equations(model)
    available = equations.program(functions=["neutral"]).metadata["functions"]
    wanted = page_functions(available)
    compiled = eomc.build(equations, functions=wanted, flags="-O0")
    page = compiled.view(assemble=compiled.is_constrained, **names["start"])
    program = equations.program(functions=[name for name in COUNTED if name in available])
    counts = {f.name: flops(program.graph, f.nodes) for f in program.functions}
    return Shown(
        page.html,
        counts,
        _facts(model, compiled),
        _further(names, model),
        _scene(compiled, names["start"]),
    )


def _facts(model: eomc.Model, compiled: eomc.CompiledModel) -> str:
    freedoms = len(compiled.speeds)
    bodies = len(compiled.manifest["metadata"].get("bodies", ()))
    cuts = len(model.cuts())
    said = [f"{freedoms} {'speed' if freedoms == 1 else 'speeds'}"]
    if bodies:
        said.append(f"{bodies} rigid {'body' if bodies == 1 else 'bodies'}")
    if cuts:
        said.append(f"{cuts} {'loop' if cuts == 1 else 'loops'}")
    return " · ".join(said)


def _further(names: dict[str, Any], model: eomc.Model) -> str:
    """The model file that was loaded, or the source of what made the model, as a block."""
    source = model.source
    if source is not None and source.file and str(source.file).endswith(".toml"):
        path = Path(source.file)
        return _folded(path.name, "toml", path.read_text(encoding="utf-8"))
    makers = [
        value
        for value in names.values()
        if isinstance(value, FunctionType)
        and (value.__module__.startswith("eomc.systems.") or _file(value).parent == EXAMPLES)
    ]
    return "\n\n".join(
        _folded(f"{maker.__name__} in {_file(maker)}", "python", inspect.getsource(maker))
        for maker in makers
    )


def _file(function: FunctionType) -> Path:
    """From the top of the source tree, where it is in it."""
    path = Path(function.__code__.co_filename).resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else Path(path.name)


def _folded(title: str, language: str, text: str) -> str:
    return f"::::{{dropdown}} {title}\n```{language}\n{text.strip()}\n```\n::::"


def _scene(compiled: eomc.CompiledModel, start: dict[str, Any]) -> dict[str, Any]:
    """The picture, poses and points of lines in the state from which the page begins."""
    still = {name: value for name, value in start.items() if name != "step"}
    state = Standing(compiled, closed(compiled, start_values(compiled, **still)))
    description = compiled.picture()
    wanted = {line["points"]["function"] for line in description["lines"] if "points" in line}
    names = [description["poses"]["function"], *sorted(wanted)]
    rows = {name: np.ravel(state.evaluate(name)).tolist() for name in names}
    return {"scene": description, "rows": rows}


def write_live(folder: Path, extra: Path, examples: Sequence[str]) -> None:
    """Write the gallery: an index and pages into `folder`, live pages into `extra`/live.

    `examples` are pages of `folder` that the index names too. A model that fails stops it, named.
    """
    found = collection()
    models, live = folder / "models", extra / "live"
    for path in (models, live):
        path.mkdir(parents=True, exist_ok=True)
    record = Record(models / RECORD)
    stale = [
        entry
        for entry in found
        if not record.is_current(
            entry.name,
            entry.path,
            models / f"{entry.name}.md",
            models / f"{entry.name}.webp",
            live / f"{entry.name}.html",
        )
    ]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        made = list(pool.map(_shown, stale))
    pictures = drawn({e.name: w.scene for e, w in zip(stale, made, strict=True)}) if stale else {}
    for entry, what in zip(stale, made, strict=True):
        _write(models / f"{entry.name}.md", _page(entry, what))
        _write(live / f"{entry.name}.html", what.page)
        (models / f"{entry.name}.webp").write_bytes(pictures[entry.name])
        record.keep(entry.name, entry.path)
    names = {entry.name for entry in found}
    for path in [*models.glob("*"), *live.glob("*")]:
        if path.stem not in names and path.name != RECORD:
            path.unlink()  # of a model that was here once
    _write(folder / "index.md", _index(found, examples))


def _shown(entry: Entry) -> Shown:
    try:
        return shown(entry)
    except Exception as error:
        raise RuntimeError(f"{entry.path}: {type(error).__name__}: {error}") from error


def _page(entry: Entry, what: Shown) -> str:
    counts = [f"| `{name}` | {count} |" for name, count in what.counts.items() if count]
    place = f"../../live/{entry.name}.html"
    return PAGE.format(
        title=_short(entry),
        subtitle=_subtitle(entry),
        facts=what.facts,
        words=entry.words,
        source=entry.source,
        further=what.further,
        counts="\n".join(counts),
        frame=FRAME.format(place=place, title=html.escape(_short(entry))),
    )


def _index(found: Sequence[Entry], examples: Sequence[str]) -> str:
    parts = []
    for family, title in FAMILIES.items():
        members = [entry for entry in found if entry.family == family]
        cards = [
            CARD.format(title=_short(entry), name=entry.name, first=_after(entry))
            for entry in members
        ]
        names = "\n".join(f"models/{entry.name}" for entry in members)
        parts.append(FAMILY.format(title=title, cards="\n".join(cards), names=names))
    return INDEX.format(families="\n".join(parts), examples="\n".join(examples))


def _short(entry: Entry) -> str:
    """The name of the thing; what comes behind a colon or comma says more about it."""
    return entry.title.split(":")[0].split(",")[0]


def _rest(entry: Entry) -> str:
    return entry.title[len(_short(entry)) :].lstrip(":, ")


def _subtitle(entry: Entry) -> str:
    rest = html.escape(_rest(entry))
    return f"{rest[:1].upper()}{rest[1:]}.<br>" if rest else ""


def _after(entry: Entry) -> str:
    said = _rest(entry) or entry.words.split(". ")[0].split(": ")[0].replace("\n", " ")
    return said[:1].upper() + said[1:].rstrip(".") + "."


def _write(path: Path, text: str) -> None:
    """Files that are current are left alone, so that a site is not made anew for nothing."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
