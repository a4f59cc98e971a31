"""A manifest in a report: tree, bodies, coordinates, parameters, functions of the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from eomc.runtime.report.fragments import Markup, number, paragraph, table

Manifest = Mapping[str, Any]

_WORLD = "world"
_DEEPEST = 12


def facts(manifest: Manifest) -> str:
    """One sentence: how large it is."""
    metadata = manifest.get("metadata", {})
    counted = {
        "body": metadata.get("bodies", ()),
        "coordinate": metadata.get("coordinates", ()),
        "speed": metadata.get("speeds", ()),
        "loop": metadata.get("closures", ()),
        "input": metadata.get("inputs", ()),
        "tunable parameter": manifest.get("parameters", ()),
    }
    plural = {"body": "bodies"}
    parts = [
        f"{len(found)} {what if len(found) == 1 else plural.get(what, f'{what}s')}"
        for what, found in counted.items()
        if found
    ]
    return ", ".join(parts)


def tree(manifest: Manifest) -> str:
    """Bodies below the bodies that carry them, with the joints between; empty without bodies."""
    metadata = manifest.get("metadata", {})
    joints = metadata.get("joints", ())
    masses = {body["name"]: body["mass"] for body in metadata.get("bodies", ())}
    if not masses and not joints:
        return ""
    rows = [
        (_indented(depth, name), _between(joint), _coordinates(joint), masses.get(name, ""))
        for depth, name, joint in _branches(joints, masses)
    ]
    text = table(["body", "joint to what carries it", "coordinates", "mass [kg]"], rows)
    cuts = [
        (cut["name"], cut["kind"], cut["parent"], cut["child"]) for cut in joints if cut.get("cut")
    ]
    if cuts:
        text += paragraph("Joints that close loops:")
        text += table(["joint", "kind", "from", "to"], cuts)
    return f'<div class="tree">{text}</div>'


def _branches(
    joints: Sequence[Mapping[str, Any]], masses: Mapping[str, float]
) -> Iterator[tuple[int, str, Mapping[str, Any] | None]]:
    """Depth, body and the joint that carries it, depth first from the world."""
    carried: dict[str, list[Mapping[str, Any]]] = {}
    for held in joints:
        if not held.get("cut"):
            carried.setdefault(held["parent"], []).append(held)
    seen = {_WORLD}
    stack: list[tuple[int, str, Mapping[str, Any] | None]] = [(0, _WORLD, None)]
    while stack:
        depth, name, joint = stack.pop()
        yield depth, name, joint
        for below in reversed(carried.get(name, ())):
            if below["child"] not in seen:
                seen.add(below["child"])
                stack.append((depth + 1, below["child"], below))
    yield from ((1, name, None) for name in masses if name not in seen)


def _indented(depth: int, name: str) -> Markup:
    left = 1.1 * min(depth, _DEEPEST)
    return Markup(f'<span style="padding-left:{left:g}em">{escape(name)}</span>')


def _between(joint: Mapping[str, Any] | None) -> str:
    return "" if joint is None else f"{joint['name']}, {joint['kind']}"


def _coordinates(joint: Mapping[str, Any] | None) -> str:
    if joint is None:
        return ""
    named = list(zip(joint["coordinates"], joint["units"], strict=False))
    if [name for name, _ in named] == [joint["name"]]:
        return f"{joint['name']} [{named[0][1]}]"
    return ", ".join(f"{name} [{unit}]" if unit != "1" else name for name, unit in named)


def limits(manifest: Manifest) -> str:
    """Joints whose coordinates, speeds or forces are limited."""
    rows = []
    for joint in manifest.get("metadata", {}).get("joints", ()):
        for k, name in enumerate(joint["coordinates"]):
            low, high, speed, effort = (
                (joint.get(key) or ())[k : k + 1]
                for key in ("lower", "upper", "velocity_limit", "effort_limit")
            )
            if any((low, high, speed, effort)):
                told = [number(float(part[0])) if part else "" for part in (low, high)]
                more = [number(float(part[0])) if part else "" for part in (speed, effort)]
                rows.append((name, joint["units"][k], *told, *more))
    return table(["coordinate", "unit", "from", "to", "speed up to", "effort up to"], rows)


def parameters(manifest: Manifest, values: Mapping[str, float], declared: Any = None) -> str:
    """Parameters with their values; of those that are no longer tunable what was declared."""
    known = manifest.get("parameters", ())
    told = [(p["name"], p["default"], p["units"], p["description"], "tunable") for p in known]
    rows = {name: (name, values.get(name, value), *more) for name, value, *more in told}
    for name, p in (declared or {}).items():
        rows.setdefault(name, (name, p.default, p.units, p.description, ""))
    return table(["parameter", "value", "unit", "meaning", "when it runs"], list(rows.values()))


def functions(manifests: Sequence[Manifest]) -> str:
    """Table of the operations of a call of each compiled function."""
    rows = {}
    for manifest in manifests:
        for name, entry in manifest["functions"].items():
            count = entry["operations"]
            plain = sum(count.get(kind, 0) for kind in ("add", "sub", "mul", "div"))
            rows[name] = (name, plain, sum(count.values()) - plain, entry["description"])
    heads = ["function", "sums and products", "others, such as sines", "what it gives"]
    return table(heads, list(rows.values()))
