"""``eomc study``: many runs of a model, in a folder that it goes on from."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions, number
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.state_options import StartOptions

if TYPE_CHECKING:
    from eomc.runtime.study import Runs

_STEPS_NEED = ("forward_dynamics", "coordinate_rates", "normalize", "neutral")
_DRAWN = re.compile(r"(?P<kind>\w+)\((?P<arguments>[^()]*)\)")


@with_groups
def study(
    options: ModelOptions,
    state: StartOptions,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=WHAT",
            help="Vary q.NAME, u.NAME, tau.NAME or p.NAME. With --runs: uniform(A,B), "
            "loguniform(A,B), normal(MEAN,DEVIATION), choice(A,B,...). Without it, all "
            "combinations of A:B:N or A,B,...; repeatable.",
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="Folder of the results; an interrupted study is resumed.")
    ],
    runs: Annotated[int | None, typer.Option(help="Number of random runs.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random runs.")] = 0,
    duration: Annotated[float, typer.Option("--t-span", metavar="S", help="Duration [s].")] = 1.0,
    step: Annotated[float, typer.Option(metavar="S", help="Step of rk4 [s].")] = 1e-3,
    every: Annotated[
        int | None,
        typer.Option(help="Steps between records. [default: record the final state only]"),
    ] = None,
    format: Annotated[str, typer.Option(metavar="NAME", help="npz, zarr or parquet.")] = "npz",
    threads: Annotated[int | None, typer.Option(help="[default: all cores]")] = None,
    json: Json = False,
) -> None:
    """Simulate many variations of a model. An interrupted study is resumed.

    \b
    Example:
        eomc study pendulum.toml --vary "q.hinge=uniform(-1,1)" --runs 10000 --out falls
        eomc study pendulum.toml --vary p.l=0.2:1:9 --vary q.hinge=0.1,0.5 --out sweep
    """
    from eomc.building import build
    from eomc.runtime.study import StudyError, run

    made = _runs(vary, runs, seed)
    equations = options.equations()
    values = state.values(equations)
    if values.pop("moving") or values.pop("z"):
        raise CommandError("--prescribed, --z: studies are of models without them")
    if values.pop("inputs") or equations.formulation(()).input_names:
        raise CommandError(
            "--input: studies of models with inputs are run from Python (arguments=)"
        )
    if state.fixed:
        raise CommandError("--fixed: studies keep what they vary and name, as far as they can")
    varied = [name[2:] for name in made.names if name.startswith("p.")]
    for name in varied:
        if name not in equations.declared:
            raise CommandError(f"--vary p.{name}: the model has no parameter {name!r}")
    tunable = dict.fromkeys([*equations.tunable(None), *(values["parameters"] or ()), *varied])
    start = time.perf_counter()
    functions = None if "constraints" in equations.traits else _STEPS_NEED
    model = build(equations, tunable=list(tunable), march_native=True, functions=functions)
    with told_of(kinds=(ValueError, AttributeError, StudyError)):
        found = run(
            model,
            made,
            t_span=duration,
            step=step,
            every=every,
            folder=out,
            format=format,
            threads=threads,
            assemble=state.assemble,
            **values,
        )
        failed = len(found.failed)
    report = {
        "name": model.name,
        "runs": found.size,
        "failed": failed,
        "results": list(found.names),
        "seconds": round(time.perf_counter() - start, 3),
        "folder": str(out),
    }
    if json:
        print_json(report)
    else:
        typer.echo(f"{model.name}: {found.size} runs of {duration:g} s, {failed} failed")
        print_table([(name, str(found[name].shape[1:])) for name in found.names])
        typer.echo(str(out))


def _runs(texts: list[str], size: int | None, seed: int) -> Runs:
    """Grid or Random from what is varied."""
    from eomc.runtime.names.near_names import near_names
    from eomc.runtime.study import Grid, Random
    from eomc.runtime.study.distributions import KINDS

    varied: dict[str, Any] = {}
    for text in texts:
        name, equals, what = text.partition("=")
        drawn = _DRAWN.fullmatch(what.strip())
        if not equals or not name.strip():
            raise CommandError(f"--vary {text}: give NAME=WHAT, such as q.hinge=uniform(-1,1)")
        if (drawn is None) != (size is None):
            how = "--runs asks for uniform(A,B) or the like" if size else "give --runs with it"
            raise CommandError(f"--vary {text}: {how}")
        if drawn is None:
            varied[name.strip()] = _axis(text, what)
            continue
        kind, numbers = drawn["kind"].lower(), _numbers(text, drawn["arguments"].split(","))
        if kind not in KINDS:
            raise CommandError(f"--vary {text}: no {kind!r}; {near_names(kind, KINDS)}")
        with told_of(f"--vary {text}: "):
            given: tuple[Any, ...] = (numbers,) if kind == "choice" else (*numbers,)
            try:
                varied[name.strip()] = KINDS[kind](*given)
            except TypeError:
                raise CommandError(f"--vary {text}: {kind} takes two numbers") from None
    with told_of("--vary: "):
        return Grid(varied) if size is None else Random(size, varied, seed=seed)


def _axis(text: str, what: str) -> list[float]:
    """A:B:N or A,B,..."""
    if ":" not in what:
        return _numbers(text, what.split(","))
    parts = what.split(":")
    if len(parts) != 3 or not parts[2].strip().isdigit() or int(parts[2]) < 2:
        raise CommandError(f"--vary {text}: give FIRST:LAST:NUMBER, at least 2")
    (first, last), count = _numbers(text, parts[:2]), int(parts[2])
    if count > 1_000_000 or not math.isfinite(last - first):
        raise CommandError(f"--vary {text}: give at most a million finite values")
    return [first + (last - first) * k / (count - 1) for k in range(count)]


def _numbers(text: str, parts: list[str]) -> list[float]:
    return [number(part, f"--vary {text}") for part in parts]
