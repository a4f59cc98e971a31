"""The picture and the map of rooms in the page on the house, made from the code itself.

``python docs/house_map.py`` renews the map, `house_map.txt`.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.house import ROOMS, folder_arrows, measures  # noqa: E402

Arrows = dict[str, set[str]]
WIDTH, HEIGHT, GAP = 1.9, 0.6, 0.7
COLOURS = {"derive": "#cfe2f3", "codegen": "#d9ead3", "runtime": "#fce5cd", "verifier": "#ead1dc"}


def grouped(arrows: Arrows) -> Arrows:
    """Arrows between the folders of derive and between the other rooms as wholes."""

    def place(folder: str) -> str:
        parts = folder.split(".")[1:]
        if not parts:
            return "eomc"
        if parts[0] == "derive":
            return "/".join(parts[:2])
        return parts[0] if parts[0] in ROOMS else "eomc"

    found: Arrows = {}
    for folder, needed in arrows.items():
        start = place(folder)
        found.setdefault(start, set()).update(place(other) for other in needed)
    return {
        start: {"derive/equations" if end == "derive" else end for end in ends} - {start}
        for start, ends in found.items()
    }


def reduced(arrows: Arrows) -> Arrows:
    """Arrows without those that follow from others."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        pending = [start]
        while pending:
            new = arrows.get(pending.pop(), set()) - found
            found |= new
            pending += sorted(new)
        return found

    return {
        start: {end for end in ends if not any(end in reached(other) for other in ends - {end})}
        for start, ends in arrows.items()
    }


def levels(arrows: Arrows) -> dict[str, int]:
    """Each room one level above the highest that it needs."""
    known: dict[str, int] = {}

    def level(room: str) -> int:
        if room not in known:
            known[room] = 1 + max((level(end) for end in arrows.get(room, ())), default=-1)
        return known[room]

    for room in sorted(arrows):
        level(room)
    return known


def places(arrows: Arrows) -> dict[str, tuple[float, float]]:
    """Centres of the rooms: rows by level, each room near to its neighbours below."""
    height = levels(arrows)
    found: dict[str, tuple[float, float]] = {}
    for row in range(max(height.values()) + 1):
        rooms = sorted(room for room in arrows if height[room] == row)

        def wish(room: str) -> float:
            below = [found[end][0] for end in arrows[room] if end in found]
            return sum(below) / len(below) if below else 0.0

        rooms.sort(key=lambda room: (wish(room), room))
        left = -(len(rooms) - 1) / 2
        for k, room in enumerate(rooms):
            found[room] = ((left + k) * (WIDTH + GAP), row * (HEIGHT + 0.45))
    return found


def draw(path: Path) -> None:
    """Write the picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyBboxPatch

    arrows = reduced(grouped(folder_arrows()))
    at = places(arrows)
    across = max(abs(x) for x, _ in at.values()) + WIDTH
    top = max(y for _, y in at.values()) + HEIGHT
    figure, axes = plt.subplots(figsize=(1.3 * across, 0.72 * top))
    for start, ends in arrows.items():
        for end in sorted(ends):
            (x, y), (x1, y1) = at[start], at[end]
            axes.annotate(
                "",
                xy=(x1, y1 + HEIGHT / 2),
                xytext=(x, y - HEIGHT / 2),
                arrowprops={"arrowstyle": "-|>", "color": "#8a8f98", "lw": 0.9},
                zorder=1,
            )
    for room, (x, y) in at.items():
        colour = COLOURS.get(room.partition("/")[0], "#eeeeee")
        box = FancyBboxPatch(
            (x - WIDTH / 2, y - HEIGHT / 2),
            WIDTH,
            HEIGHT,
            boxstyle="round,pad=0.02",
            fc=colour,
            ec="#555555",
            lw=0.9,
            zorder=2,
        )
        axes.add_patch(box)
        axes.text(x, y, room.rpartition("/")[2], ha="center", va="center", fontsize=10, zorder=3)
    for name, colour in COLOURS.items():
        axes.scatter([], [], marker="s", s=160, color=colour, edgecolor="#555555", label=name)
    axes.legend(loc="upper left", frameon=False, title="rooms", fontsize=10)
    axes.set_xlim(-across, across)
    axes.set_ylim(-HEIGHT, top)
    axes.axis("off")
    figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def rooms_map() -> str:
    """Each folder with the first sentence of its own docstring, a line each."""
    rows = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("__init__.py")):
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            folder = path.parent.relative_to(ROOT)
            if text and len(folder.parts) <= 2:
                rows.append(f"{folder}/".ljust(26) + " ".join(text.partition("\n\n")[0].split()))
    return "\n".join(rows) + "\n"


def size_table() -> str:
    """Table of the measures of `python -m benchmarks.house`, taken now."""
    found = measures()
    walk = found.pop("walk")
    assert isinstance(walk, dict)
    cycles = found.pop("folder cycles")
    assert isinstance(cycles, list)
    figures = {**found, "folder cycles": len(cycles), **{f"walk: {k}": v for k, v in walk.items()}}
    rows = [f"| {name} | {value} |" for name, value in figures.items()]
    return "\n".join(["| measure | |", "| --- | ---: |", *rows]) + "\n"


def write_house(folder: Path) -> None:
    """Picture and sizes for the page on the house."""
    folder.mkdir(exist_ok=True)
    draw(folder / "house.png")
    (folder / "house_size.md").write_text(size_table(), encoding="utf-8")


if __name__ == "__main__":
    (ROOT / "docs" / "house_map.txt").write_text(rooms_map(), encoding="utf-8")
