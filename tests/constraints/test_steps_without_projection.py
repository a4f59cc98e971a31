"""Modules whose steps drift off the constraints say so, with what they lack."""

from __future__ import annotations

import json
from pathlib import Path

from constraints.mechanisms import four_bar

import eomc


def test_header_and_manifest_tell_what_projection_lacks(tmp_path: Path) -> None:
    few = ["forward_dynamics", "coordinate_rates", "normalize"]
    told = {}
    for name, functions in (("few", few), ("all", None)):
        folder = eomc.emit(four_bar(), tmp_path / name, functions=functions)
        (manifest,), (header,) = folder.glob("*.json"), folder.glob("*.h")
        methods = json.loads(manifest.read_text())["integrators"]
        told[name] = [method.get("projection_lacks") for method in methods]
        sentence = "Steps drift off the constraints: to bring them back takes constraint_jacobian,"
        assert header.read_text().count(sentence) == (len(methods) if functions else 0)
    assert told["all"] == [None] * len(told["few"])
    for lacking in told["few"]:
        assert {"constraint_residual", "position_correction", "velocity_correction"} <= {*lacking}
        assert not {*few} & {*lacking}
    # with them, steps are projected
    every = eomc.emit(four_bar(), tmp_path / "with", functions=[*few, *told["few"][0]])
    (manifest,) = every.glob("*.json")
    methods = json.loads(manifest.read_text())["integrators"]
    assert methods and not any("projection_lacks" in method for method in methods)
