"""``eomc fit``: parameters of a model from recorded runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions, assignments, number
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table

_VALUES = "NAME=VALUE,..."


@with_groups
def fit(
    options: ModelOptions,
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA...",
            help="Records with times t and channels by name: CSV, Parquet, MAT, ROS bag.",
        ),
    ],
    free: Annotated[
        list[str],
        typer.Option(
            metavar="NAME[=START|=LOW:HIGH]",
            help="Estimate a parameter, q.NAME or u.NAME of the start, bias(CHANNEL), "
            "gain(CHANNEL) or delay; repeatable.",
        ),
    ],
    q: Annotated[
        list[str] | None,
        typer.Option("--q", metavar=_VALUES, help="Known coordinates at the start of all runs."),
    ] = None,
    u: Annotated[
        list[str] | None,
        typer.Option("--u", metavar=_VALUES, help="Known speeds at the start of all runs."),
    ] = None,
    sigma: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANNEL=VALUE",
            help="Standard deviation of a channel; repeatable. [default: estimated]",
        ),
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(metavar="CHANNEL", help="Channel to compare; repeatable. [default: all]"),
    ] = None,
    nodes: Annotated[int | None, typer.Option(help="Shots of each run: multiple shooting.")] = None,
    substeps: Annotated[int, typer.Option(help="Integration steps between two samples.")] = 4,
    interpolation: Annotated[
        str, typer.Option(help="Inputs between samples: zero_order_hold, linear or cubic.")
    ] = "linear",
    held_out: Annotated[
        list[Path] | None,
        typer.Option("--held-out", metavar="FILE", help="Validate on a record; repeatable."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Picture of measured and simulated curves.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Page of estimates, curves, residuals, convergence."),
    ] = None,
    json: Json = False,
) -> None:
    """Estimate parameters of a model from recorded runs.

    \b
    Example:
        eomc fit pendulum.toml swing.csv --free l --free "m=1:2" --held-out other.csv
    """
    from eomc.building import build
    from eomc.runtime.fit import FitError, Run
    from eomc.runtime.fit import fit as fitted

    model = build(options.equations())
    known = (assignments(q, "--q", model.coordinates), assignments(u, "--u", model.speeds))
    is_known = q is not None or u is not None

    def runs(paths: list[Path]) -> list[Run]:
        return [Run(path, *(known if is_known else ())) for path in paths]

    deviations = dict(_pair(text) for text in sigma or ())
    with told_of(kinds=(FitError, ValueError, KeyError)):
        found = fitted(
            model,
            runs(data),
            dict(_free(text) for text in free),
            outputs=output or (),
            sigma=deviations or None,
            nodes=nodes,
            substeps=substeps,
            interpolation=interpolation,  # type: ignore[arg-type]
        )
        other = found.validate(runs(held_out)) if held_out else None
    if plot is not None:
        found.plot().savefig(plot)
    if report is not None:
        found.report(report, title=f"Fit of {model.name}", held_out=other)
    if json:
        print_json(found.as_dict() | ({"held_out": other.as_dict()} if other else {}))
        return
    print_table([(n, v, f"+- {found.deviations[n]:.2g}") for n, v in found.estimates.items()])
    print_table([(n, v, f"+- {sd:.2g}") for n, (v, sd) in found.combinations.items()])
    for sentence in found.unidentified:
        typer.echo(sentence)
    white = "white" if found.is_white else "correlated"
    typer.echo(f"chi2 {found.chi2:.6g}, residuals {white}")
    if other:
        print_table([(f"held out, rms of {n}", v) for n, v in other.rms.items()])


def _free(text: str) -> tuple[str, Any]:
    """A name with a start, bounds or nothing."""
    name, equals, value = text.partition("=")
    if not equals:
        return name.strip(), None
    low, colon, high = value.partition(":")
    told = f"--free {text}"
    return name.strip(), (number(low, told), number(high, told)) if colon else number(low, told)


def _pair(text: str) -> tuple[str, float]:
    name, equals, value = text.rpartition("=")
    if not equals:
        raise CommandError(f"--sigma {text}: give CHANNEL=VALUE")
    return name.strip(), number(value, f"--sigma {text}")
