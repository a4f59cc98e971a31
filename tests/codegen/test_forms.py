"""Which form a function is written in: for speed, for size, and what is told of it."""

import json
from dataclasses import replace
from typing import Any

import pytest

import eomc
from eomc.building.sources import SourceOptions, sources
from eomc.codegen import EmissionError, emit
from eomc.codegen.plan.cost import CostEstimate, Work, call_time, estimate, estimate_loops, slabbed
from eomc.derive.equations import Equations
from eomc.derive.graph.tuning import FILE_LIMIT, LARGE_LINE_BYTES, PIECE_SIZE, Core
from eomc.systems.chain import general_chain

LONG, SHORT = eomc.equations(general_chain(12)), eomc.equations(general_chain(2))


def told(equations: Equations, functions: tuple[str, ...], **choice: Any) -> dict[str, Any]:
    """The manifest's entries of functions."""
    choice = {"small": False} | choice
    options = SourceOptions(
        None, None, "double", None, lanes=1, piece_size=PIECE_SIZE, file_limit=FILE_LIMIT, **choice
    )
    made = sources(equations, functions, options)
    manifest = json.loads(made[f"{made.name}.json"])
    assert manifest["optimize"] == choice.get("optimize", "speed")
    found: dict[str, Any] = manifest["functions"]
    return found


def test_size_takes_the_fewest_bytes() -> None:
    functions = ("inverse_dynamics", "mass_matrix", "power")
    quick, long = told(LONG, functions), told(LONG, functions, optimize="size")
    assert [facts["form"]["name"] for facts in quick.values()] == ["plain", "rows", "plain"]
    assert [facts["form"]["name"] for facts in long.values()] == ["loops", "loops", "plain"]
    for name in functions:
        assert long[name]["form"]["cost"]["bytes"] <= quick[name]["form"]["cost"]["bytes"]
        assert ("loops" in long[name]) == (long[name]["form"]["name"] == "loops")
    assert " kB with tables instead of " in long["mass_matrix"]["form"]["why"]
    short = told(SHORT, functions, optimize="size")
    assert {facts["form"]["name"] for facts in short.values()} == {"plain"}
    assert short["mass_matrix"]["form"]["why"].endswith(" kB in loops")


def test_size_of_what_has_no_loops() -> None:
    model = eomc.Model("crane", gravity=(0, 0, -9.81))
    model.body("trolley", mass=2)
    model.joint("rail", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    model.body("load", mass=1, com=(0, 0, -1))
    model.joint("rope", "revolute", parent="trolley", child="load", axis=(0, 1, 0))
    model.prescribed("rail")
    (facts,) = told(eomc.equations(model), ("inverse_dynamics",), optimize="size").values()
    assert facts["form"]["name"] == "plain"


def test_long_lines_are_told() -> None:
    """Beyond 150 kB; loops over bodies would take longer by the numbers of the core."""
    equations = eomc.equations(general_chain(90))
    (quick,) = told(equations, ("forward_dynamics",)).values()
    (small,) = told(equations, ("forward_dynamics",), small=True).values()
    line, loops = (facts["form"]["cost"] for facts in (quick, small))
    assert line["bytes"] > LARGE_LINE_BYTES and small["form"]["name"] == "loops"
    assert quick["form"]["why"].endswith(f"; not small: {line['bytes'] / 1000:.0f} kB in a line")
    assert loops["time"] > 1.5 * line["time"] and loops["bytes"] < line["bytes"] / 5
    assert "not small" not in small["form"]["why"]


def test_what_cannot_be_chosen() -> None:
    program = SHORT.program(functions=("mass_matrix",))
    with pytest.raises(EmissionError, match="optimize is 'tiny'; valid are speed, size"):
        emit(program, optimize="tiny")  # type: ignore[arg-type]
    with pytest.raises(EmissionError, match="'rust' writes functions in one form; leave out opt"):
        emit(program, target="rust", optimize="size")


def test_time_on_a_core() -> None:
    """By instructions, faster by depth; beyond what is kept decoded by bytes; by the longest wait,
    sines before it."""
    core = Core(decoded=1000, instructions=10, bytes=50, step=1, call=5, turn=2)
    short, long = (estimate(n, 0, 0, 10, core, 1.0, 6.0) for n in (900, 1000))
    assert call_time(short, core) == 5 + 90 and call_time(long, core) == 5 + 6000 / 50
    assert call_time(slabbed(short), core) == pytest.approx(5 + 90 / 1.2)
    assert slabbed(long).by_depth and call_time(slabbed(long), core) == call_time(long, core)
    assert call_time(estimate(900, 0, 0, 300, core, 1.0), core) == 5 + 300
    turned = estimate(900, 0, 7, 300, core, 1.0)
    assert call_time(turned, core) == 5 + 14 + 300 - 20
    assert short.time == 95
    looped = replace(core, looped=20)
    loops = estimate_loops(Work(500, 300, started=10, climbs=2), 40, 25, 8, looped)
    assert loops.instructions == 500 + 300 + 4 * 10 + 60 * 2 and loops.bytes == 40 * 20 + 500 + 200
    assert loops.time == 5 + 960 / 20
    assert call_time(loops, replace(core, looped=10)) == 5 + 960 / 10


def test_the_manifest_tells_what_time_follows_from() -> None:
    (facts,) = told(LONG, ("inverse_dynamics",)).values()
    cost = CostEstimate(**facts["form"]["cost"])
    assert round(call_time(cost)) == cost.time and cost.angles == 12 and cost.path > 20
