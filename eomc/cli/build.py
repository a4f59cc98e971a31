"""``eomc build``: a model file becomes a compiled module, or C files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions, takes_model
from eomc.cli.output import Json, print_json, print_table

Names = list[str] | None


@takes_model
def build(
    options: ModelOptions,
    out: Annotated[
        Path | None,
        typer.Option(help="Also write the C files, manifest and CMakeLists.txt into this folder."),
    ] = None,
    sources_only: Annotated[
        bool,
        typer.Option(
            "--sources-only",
            help="Write files but compile nothing; --out generated/NAME if absent.",
        ),
    ] = False,
    function: Annotated[
        Names, typer.Option(metavar="NAME", help="A function to emit; repeatable. [default: core]")
    ] = None,
    frame: Annotated[
        Names,
        typer.Option(
            metavar="NAME", help="A frame or body to emit; repeatable. [default: declared frames]"
        ),
    ] = None,
    tunable: Annotated[
        Names,
        typer.Option(metavar="NAME", help="A parameter to keep adjustable, or all; repeatable."),
    ] = None,
    real: Annotated[str, typer.Option(metavar="double|float", help="Scalar type.")] = "double",
    name: Annotated[str | None, typer.Option(help="Prefix of the C names.")] = None,
    compiler: Annotated[str | None, typer.Option(help="Command of the C compiler.")] = None,
    march_native: Annotated[
        bool, typer.Option("--march-native", help="Use every instruction of this machine.")
    ] = False,
    json: Json = False,
) -> None:
    """Derive, emit and compile a model; a second time, nothing is compiled.

    \b
    Example:
        eomc build panda.urdf --locked panda_finger_joint1 --frame panda_hand --out panda_c
    """
    import eomc.building as building

    if real not in ("double", "float"):
        raise CommandError(f"--real {real}: valid are double, float")
    model = options.load()
    choice: dict[str, Any] = {
        "functions": function,
        "frames": frame,
        "tunable": "all" if tunable == ["all"] else tunable,
        "real": cast(Literal["double", "float"], real),
        "name": name,
    }
    start = time.time()
    report: dict[str, Any] = {"name": model.name}
    if not sources_only:
        compiled = building.build(model, **choice, compiler=compiler, march_native=march_native)
        new = compiled.library.stat().st_mtime >= start
        report |= {
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
    if out is not None or sources_only:
        report["sources"] = str(building.emit(model, out, **choice))
    if json:
        print_json(report)
    else:
        _print(report)


def _print(report: dict[str, Any]) -> None:
    if "library" in report:
        how = f"compiled in {report['seconds']:.1f} s" if report["compiled"] else "in the cache"
        typer.echo(f"{report['name']}: nq = {report['nq']}, nu = {report['nu']}, {how}")
        rows = [(name, sum(counts.values())) for name, counts in report["functions"].items()]
        print_table(rows, ("function", "operations"))
        typer.echo(f"module   {report['library']}")
    if "sources" in report:
        typer.echo(f"sources  {report['sources']}")
