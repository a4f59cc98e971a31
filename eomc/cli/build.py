"""``eomc build``: a model file becomes a compiled module, or C files."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table

if TYPE_CHECKING:
    from eomc.derive.model import Model

Names = list[str] | None
Out = Annotated[
    Path | None,
    typer.Option(help="Also write the C files, manifest and CMakeLists.txt into this folder."),
]
SourcesOnly = Annotated[
    bool,
    typer.Option(
        "--sources-only", help="Write files but compile nothing; --out generated/NAME if absent."
    ),
]
Functions = Annotated[
    Names, typer.Option(metavar="NAME", help="A function to emit; repeatable. [default: core]")
]
Frames = Annotated[
    Names,
    typer.Option(
        metavar="NAME", help="A frame or body to emit; repeatable. [default: declared frames]"
    ),
]
Tunable = Annotated[
    Names, typer.Option(metavar="NAME", help="A parameter to keep adjustable, or all; repeatable.")
]
Real = Annotated[str, typer.Option(metavar="double|float", help="Scalar type.")]
Lanes = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="States that batches evaluate at once on vectors: 1, 2, 4, 8 or 16. "
        "[default: 1; with --march-native as many as fit]",
    ),
]
Small = Annotated[
    bool,
    typer.Option("--small", help="Loops over the bodies: little code that hardly grows, slower."),
]
PieceSize = Annotated[
    int, typer.Option(metavar="N", help="Statements of a piece, into which long functions are cut.")
]
FileLimit = Annotated[
    int, typer.Option(metavar="N", help="Statements of a C file; bounds the compiler's memory.")
]
TargetName = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE.py",
        help="Language of the files, or a Python file that registers one; others than c are "
        "written, not compiled.",
    ),
]
Flags = Annotated[
    str | None, typer.Option(metavar="FLAGS", help='Optimization flags. [default: "-O2"]')
]
MarchNative = Annotated[
    bool, typer.Option("--march-native", help="Use every instruction of this machine.")
]
CacheDir = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Cache of compiled modules.")]
Report = Annotated[
    bool, typer.Option("--report", help="Show how large each function is, as C and compiled.")
]


@with_groups
def build(
    options: ModelOptions,
    out: Out = None,
    sources_only: SourcesOnly = False,
    function: Functions = None,
    frame: Frames = None,
    tunable: Tunable = None,
    real: Real = "double",
    name: Annotated[str | None, typer.Option(help="Prefix of the C names.")] = None,
    small: Small = False,
    lanes: Lanes = None,
    piece_size: PieceSize = 500,
    file_limit: FileLimit = 20_000,
    target: TargetName = "c",
    compiler: Annotated[str | None, typer.Option(help="Command of the C compiler.")] = None,
    flags: Flags = None,
    march_native: MarchNative = False,
    cache_dir: CacheDir = None,
    report: Report = False,
    json: Json = False,
) -> None:
    """Derive, emit and compile a model; a second time, nothing is compiled.

    \b
    Example:
        eomc build panda.urdf --locked panda_finger_joint1 --frame panda_hand --out panda_c
    """
    if real not in ("double", "float"):
        raise CommandError(f"--real {real}: valid are double, float")
    if report and sources_only:
        raise CommandError("--report measures compiled functions; leave --sources-only out")
    if target != "c" and not sources_only:
        raise CommandError(f"--target {target}: modules are compiled of C; add --sources-only")
    model = options.load()
    choice: dict[str, Any] = {
        "functions": function,
        "frames": frame,
        "tunable": "all" if tunable == ["all"] else tunable,
        "real": cast(Literal["double", "float"], real),
        "name": name,
        "small": small,
        "piece_size": piece_size,
        "file_limit": file_limit,
    }
    how: dict[str, Any] = {
        "compiler": compiler,
        "flags": flags,
        "march_native": march_native,
        "cache_dir": cache_dir,
    }
    said: dict[str, Any] = {"name": model.name}
    if not sources_only:
        said = _compiled(model, {**choice, "lanes": lanes, **how}, report)
    if out is not None or sources_only:
        import eomc.building as building

        said["sources"] = str(
            building.emit(model, out, **choice, lanes=lanes or 1, target=target_name(target))
        )
    if json:
        print_json(said)
    else:
        _print(said)


def target_name(name: str) -> str:
    """The name of a target; a Python file is run, and gives the one that it registers."""
    if not name.endswith(".py"):
        return name
    from runpy import run_path

    from eomc.codegen.language.target import Target

    if not Path(name).is_file():
        raise CommandError(f"--target {name}: no such file")
    found = [value.name for value in run_path(name).values() if isinstance(value, Target)]
    if not found:
        raise CommandError(
            f"--target {name}: the file keeps no target; write TARGET = register(...)"
        )
    return found[-1]


def _compiled(model: Model, options: dict[str, Any], report: bool) -> dict[str, Any]:
    """Build, and say what came of it."""
    import eomc.building as building
    from eomc.codegen.code_size import code_size

    start = time.time()
    compiled = building.build(model, **options)
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
    if options["small"]:
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
    """What each function takes; code for lanes apart, where there is such."""
    head = {
        "name": "function",
        "operations": "operations",
        "statements": "statements",
        "text": "C [B]",
        "code": "code [B]",
        "lanes_code": "for lanes [B]",
        "stack": "stack [B]",
    }
    known = [key for key in head if any(row[key] is not None for row in rows)]
    total = {key: sum(row[key] or 0 for row in rows) for key in known if key in _ADDED}
    lines = [*rows, {"name": "total", **total}]
    cells = [["" if line.get(key) is None else line[key] for key in known] for line in lines]
    print_table(cells, tuple(head[key] for key in known))


_ADDED = ("statements", "text", "code", "lanes_code")
