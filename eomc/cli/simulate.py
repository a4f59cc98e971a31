"""``eomc simulate``: run a model from a state; leave its record and a picture."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.further_channels import asked_groups, further_channels
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.report import near
from eomc.cli.result_folder import require_place, result_folder, staged
from eomc.cli.state_options import StartOptions

if TYPE_CHECKING:
    from eomc.runtime import Trajectory


@with_groups
def simulate(
    options: ModelOptions,
    state: StartOptions,
    duration: Annotated[float, typer.Option("--t-span", metavar="S", help="Duration [s].")] = 10.0,
    step: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Output interval [s], and step of rk4 and of compiled implicit methods. "
            "[default: a 1000th of the duration]",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Compiled: dopri, rk4, and implicit ros34pw2, rodas4p, linear_euler, midpoint; "
            "SciPy's: DOP853, RK45, RK23, LSODA, Radau, BDF; cvode. [default: dopri, rodas4p for "
            "stiff models, or DOP853 where Python is needed within a step]",
        ),
    ] = None,
    rtol: Annotated[float, typer.Option(help="Relative tolerance.")] = 1e-8,
    atol: Annotated[float, typer.Option(help="Absolute tolerance.")] = 1e-10,
    formulation: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Constraint formulation: multipliers, independent or stabilized."
        ),
    ] = "multipliers",
    at_singularity: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="At a singular configuration of constraints: continue or stop."
        ),
    ] = "continue",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for NAME.csv, and NAME.png if matplotlib is installed."),
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...",
            help="Also record energy, frames, outputs (of springs, ...), reactions, or all.",
        ),
    ] = None,
    animation: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Animation of the motion: .gif, .png (APNG), .html or .mp4."
        ),
    ] = None,
    animation_speed: Annotated[
        float, typer.Option(help="Simulated seconds per second of the animation.")
    ] = 1.0,
    forces: Annotated[
        bool, typer.Option("--forces", help="Draw acting forces and joint forces as arrows.")
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write a page with the model, this run, and equilibrium and modes near its start.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Simulate a model and print the final state. The default start is neutral and at rest.

    \b
    Example:
        eomc simulate pendulum.toml --q hinge=0.5 --t-span 5 --out swing --animation swing.gif
    """
    import eomc.runtime as runtime

    positive = {"t-span": duration, "step": step, "rtol": rtol, "atol": atol}
    for name, value in (positive | {"animation-speed": animation_speed}).items():
        if value is not None and not (math.isfinite(value) and value > 0):
            raise CommandError(f"--{name} {value:g}: give a positive number")
    more = asked_groups(output)
    if more and out is None:
        raise CommandError("--output: give --out FOLDER for the record")
    if animation is not None:
        _check_animation(animation, out, duration, animation_speed)
    if page is not None:
        require_place("--report", page, out)
    if forces and animation is None:
        raise CommandError("--forces: give --animation FILE, in which arrows are drawn")
    equations = options.equations()
    start = time.perf_counter()
    compiled, values = state.build(equations)

    def run(animation: Path | None, page: Path | None) -> Trajectory:
        with told_of():
            trajectory = runtime.simulate(
                compiled,
                t_span=duration,
                step=step,
                method=method,
                rtol=rtol,
                atol=atol,
                formulation=formulation,
                at_singularity=at_singularity,
                **values,
            )
            if animation is not None:
                trajectory.animate(animation, speed=animation_speed, forces=forces)
        if page is not None:
            found = near(compiled, lambda: runtime.equilibrium(compiled, **values))
            compiled.report(page, equations=equations, run=trajectory, **found)
        return trajectory

    files = [str(file) for file in (animation, page) if file is not None]
    if out is None:
        trajectory = run(animation, page)
    else:
        with result_folder(out) as folder:
            trajectory = run(staged(animation, out, folder), staged(page, out, folder))
            files = [*(str(out / file) for file in _write(trajectory, folder, more)), *files]
    report = _report(trajectory, start, files)
    if json:
        print_json(report)
    else:
        _print(report)


def _check_animation(animation: Path, out: Path | None, duration: float, speed: float) -> None:
    """Raise, before the run, the error that would keep the animation from being made."""
    from eomc.runtime.plot.animation import check_film

    require_place("--animation", animation, out)
    with told_of("--animation ", (ValueError, ImportError)):
        check_film(animation, duration, speed=speed)


def _write(trajectory: Trajectory, folder: Path, more: list[str]) -> list[str]:
    """Write the record and, with matplotlib, a picture; returns the names of the files."""
    files = [f"{trajectory.name}.csv"]
    trajectory.to_csv(folder / files[0], more=further_channels(trajectory, more))
    try:
        from matplotlib.figure import Figure
    except ImportError:
        typer.echo("no picture: pip install 'eomc[plot]'", err=True)
        return files
    files.append(f"{trajectory.name}.png")
    from eomc.runtime.plot.time_history import overview

    figure = Figure(layout="constrained")
    overview(trajectory, figure)[0].set_title(trajectory.name)
    figure.savefig(folder / files[1], dpi=120)
    return files


def _report(trajectory: Trajectory, start: float, files: list[str]) -> dict[str, Any]:
    energy, own = trajectory.energy, trajectory.element_states
    latches = [] if trajectory.latches is None else trajectory.latches.events
    return {
        "name": trajectory.name,
        "method": trajectory.method,
        "time": float(trajectory.t[-1]),
        "points": trajectory.count,
        "seconds": round(time.perf_counter() - start, 3),
        "statistics": dict(trajectory.statistics),
        "q": dict(zip(trajectory.coordinates, trajectory.final.q.tolist(), strict=True)),
        "u": dict(zip(trajectory.speeds, trajectory.final.u.tolist(), strict=True)),
        **({"z": dict(zip(own, trajectory.final.z.tolist(), strict=True))} if own else {}),
        "energy": {"start": float(energy[0]), "end": float(energy[-1])},
        **({"latches": [event.summary for event in latches]} if latches else {}),
        "files": files,
    }


def _print(report: dict[str, Any]) -> None:
    took = report["statistics"]
    why = f" ({took['why']})" if "why" in took else ""
    typer.echo(
        f"{report['name']}: {report['time']:g} s by {report['method']}{why}, "
        f"{report['points']} points, {took.get('steps', 0)} steps"
    )
    print_table([("q", *pair) for pair in report["q"].items()])
    print_table([("u", *pair) for pair in report["u"].items()])
    print_table([("z", *pair) for pair in report.get("z", {}).items()])
    for event in report.get("latches", ()):
        typer.echo(event)
    energy = report["energy"]
    typer.echo(f"energy {energy['start']:.9g} J at the start, {energy['end']:.9g} J at the end")
    for file in report["files"]:
        typer.echo(file)
