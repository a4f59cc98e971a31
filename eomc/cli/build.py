"""``eomc build``: a model file becomes a compiled module, or C files."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.source_choice import SourceChoice

if TYPE_CHECKING:
    from eomc.derive.model import Model

Out = Annotated[
    Path | None,
    typer.Option(help="Also write the C files, manifest and CMakeLists.txt into this folder."),
]
SourcesOnly = Annotated[
    bool,
    typer.Option(
        "--sources-only", help="Write the files without compiling. [default --out: generated/NAME]"
    ),
]
Flags = Annotated[
    str | None, typer.Option(metavar="FLAGS", help='Optimization flags. [default: "-O2"]')
]
MarchNative = Annotated[
    bool, typer.Option("--march-native", help="Use all instructions of this machine.")
]
CacheDir = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Cache of compiled modules.")]
Report = Annotated[
    bool, typer.Option("--report", help="Show the size of each function in C and compiled.")
]


@with_groups
def build(
    options: ModelOptions,
    choice: SourceChoice,
    out: Out = None,
    sources_only: SourcesOnly = False,
    compiler: Annotated[str | None, typer.Option(help="Command of the C compiler.")] = None,
    flags: Flags = None,
    march_native: MarchNative = False,
    cache_dir: CacheDir = None,
    report: Report = False,
    json: Json = False,
) -> None:
    """Derive, emit and compile a model. An unchanged model is loaded from the cache.

    \b
    Example:
        eomc build panda.urdf --locked panda_finger_joint1 --frame panda_hand --out panda_c
    """
    asked = choice.options()
    if report and sources_only:
        raise CommandError("--report measures compiled functions; leave --sources-only out")
    if choice.target != "c" and not sources_only:
        raise CommandError(
            f"--target {choice.target}: modules are compiled of C; add --sources-only"
        )
    model = options.load()
    how: dict[str, Any] = {
        "compiler": compiler,
        "flags": flags,
        "march_native": march_native,
        "cache_dir": cache_dir,
    }
    said: dict[str, Any] = {"name": model.name}
    if not sources_only:
        said = _compiled(model, {**asked, "lanes": choice.lanes, **how}, report)
    if out is not None or sources_only:
        said["sources"] = str(choice.emit(model, out))
    if json:
        print_json(said)
    else:
        _print(said)


def _compiled(model: Model, options: dict[str, Any], report: bool) -> dict[str, Any]:
    """Build, and say what came of it."""
    import eomc.building as building
    from eomc.codegen.code_size import code_size

    start = time.time()
    compiled = building.build(model, **options, at_once=True)
    try:
        new = compiled.library.stat().st_mtime >= start
    except FileNotFoundError:  # another process cleared the cache since; the module is loaded
        new = False
    said: dict[str, Any] = {
        "name": compiled.name,
        "library": str(compiled.library),
        "compiled": new,
        "seconds": round(time.time() - start, 3),
        "nq": compiled.nq,
        "nu": compiled.nu,
        "functions": {
            entry: function["operations"]
            for entry, function in compiled.manifest["functions"].items()
        },
    }
    if options["small"] or options["optimize"] == "size":
        said["unrolled"] = [
            name for name, facts in compiled.manifest["functions"].items() if "loops" not in facts
        ]
    if report:
        said["size"] = [asdict(row) for row in code_size(compiled.library)]
    return said


def _print(report: dict[str, Any]) -> None:
    if "library" in report:
        how = f"compiled in {report['seconds']:.1f} s" if report["compiled"] else "in the cache"
        typer.echo(f"{report['name']}: nq = {report['nq']}, nu = {report['nu']}, {how}")
        if "size" in report:
            _print_size(report["size"])
        else:
            rows = [(name, sum(counts.values())) for name, counts in report["functions"].items()]
            print_table(rows, ("function", "operations"))
        if report.get("unrolled"):
            typer.echo(f"not in loops: {', '.join(report['unrolled'])}")
        typer.echo(f"module   {report['library']}")
    if "sources" in report:
        typer.echo(f"sources  {report['sources']}")


def _print_size(rows: list[dict[str, Any]]) -> None:
    """Print the size of each function; code for lanes apart, where there is such."""
    head = {
        "name": "function",
        "operations": "operations",
        "statements": "statements",
        "text": "C [B]",
        "code": "code [B]",
        "lanes_code": "for lanes [B]",
        "stack": "stack [B]",
        "form": "form",
        "estimate": "about [ns]",
    }
    known = [key for key in head if any(row[key] is not None for row in rows)]
    total = {key: sum(row[key] or 0 for row in rows) for key in known if key in _ADDED}
    lines = [*rows, {"name": "total", **total}]
    cells = [["" if line.get(key) is None else line[key] for key in known] for line in lines]
    print_table(cells, tuple(head[key] for key in known))


_ADDED = ("statements", "text", "code", "lanes_code")
