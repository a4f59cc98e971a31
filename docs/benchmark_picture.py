"""The picture of the front page: times of a call, from what `python -m benchmarks` recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

RECORD = Path(__file__).parent.parent / "benchmarks" / "recorded" / "benchmarks.json"
SHOWN = (
    ("Panda, 7 joints", "forward_dynamics", "Panda arm\nforward dynamics"),
    ("Panda, 7 joints", "inverse_dynamics", "Panda arm\ninverse dynamics"),
    ("Panda, 7 joints", "forward_dynamics_derivatives", "Panda arm\nderivatives"),
    ("G1, 29 joints", "forward_dynamics", "G1 humanoid\nforward dynamics"),
    ("G1, 29 joints", "mass_matrix", "G1 humanoid\nmass matrix"),
    ("spatial pendulum, 30 links", "forward_dynamics", "30 links\nforward dynamics"),
)
COLOURS = {"eomc": "#1f6fc4", "CasADi": "#d9a441", "MuJoCo": "#8a97a6", "Pinocchio": "#c9574d"}
INK = {"light": "#1c2530", "dark": "#dfe5ec"}


def times(model: str, function: str, results: list[dict[str, Any]]) -> dict[str, float]:
    """Nanoseconds of a call by contender, the fastest variant of each. Raises ValueError if there
    is no such record."""
    for result in results:
        if (result["model"], result["function"]) == (model, function):
            found: dict[str, float] = {}
            for row in result["contenders"]:
                name = row["name"].split(",")[0]
                found[name] = min(row["ns"], found.get(name, row["ns"]))
            return found
    raise ValueError(f"{RECORD.name}: no record of {function} of {model!r}")


def draw(path: Path, ink: str) -> None:
    """Bars on a logarithmic axis, in one colour of text."""
    results = json.loads(RECORD.read_text(encoding="utf-8"))["results"]
    figure = Figure(figsize=(8.6, 3.9), layout="constrained", facecolor="none")
    axes = figure.subplots()
    axes.set_facecolor("none")
    width = 0.8 / len(COLOURS)
    for k, (model, function, _) in enumerate(SHOWN):
        taken = times(model, function, results)
        for n, (name, colour) in enumerate(COLOURS.items()):
            if name not in taken:
                continue
            x = k + (n - (len(COLOURS) - 1) / 2) * width
            label = name if k == 0 or name not in axes.get_legend_handles_labels()[1] else None
            axes.bar(x, taken[name], 0.92 * width, color=colour, label=label)
            if name != "eomc":
                ratio = taken[name] / taken["eomc"]
                axes.annotate(
                    f"{ratio:.1f}\u00d7",
                    (x, taken[name]),
                    ha="center",
                    va="bottom",
                    fontsize=7.5,
                    color=ink,
                    xytext=(0, 2),
                    textcoords="offset points",
                )
    axes.set_yscale("log")
    axes.set_ylabel("ns a call", color=ink)
    axes.set_xticks(range(len(SHOWN)), [label for _, _, label in SHOWN], fontsize=8.5)
    axes.tick_params(colors=ink, which="both")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(ink)
    axes.grid(axis="y", alpha=0.25, color=ink)
    axes.set_axisbelow(True)
    axes.legend(ncols=4, frameon=False, labelcolor=ink, loc="upper left", fontsize=9)
    axes.margins(x=0.02)
    axes.set_ylim(top=axes.get_ylim()[1] * 2.5)
    figure.savefig(path, metadata={"Date": None})


def write_picture(folder: Path) -> None:
    """Write benchmarks_light.svg and benchmarks_dark.svg, and what they were measured on."""
    folder.mkdir(exist_ok=True)
    for name, ink in INK.items():
        draw(folder / f"benchmarks_{name}.svg", ink)
    machine = json.loads(RECORD.read_text(encoding="utf-8"))["machine"]
    peers = ", ".join(
        f"{name} {machine[key]}"
        for name, key in (("Pinocchio", "pin"), ("MuJoCo", "mujoco"), ("CasADi", "casadi"))
    )
    (folder / "benchmarks_machine.md").write_text(
        f"{machine['processor']}, one core; {peers}.\n", encoding="utf-8"
    )
