"""A declared model as HTML: its tree."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from eomc.derive.language.naming import WORLD

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.model.model import Model

_DEEPEST = 12
_IN_TREE = ("body", "deformable", "joint")


def model_html(model: Model) -> str:
    """Bodies below the bodies that carry them, and counts of what else is declared."""
    rows = "".join(
        f'<tr><td style="text-align:left;padding-left:{1.1 * min(depth, _DEEPEST):g}em">'
        f'{escape(name)}</td><td style="text-align:left">{escape(joint)}</td></tr>'
        for depth, name, joint in _rows(model)
    )
    known = {word: table for word, table in model.tables().items() if word not in _IN_TREE}
    more = "; ".join(f"{word}: {', '.join(table)}" for word, table in known.items() if table)
    head = '<tr><th style="text-align:left">body</th><th style="text-align:left">joint</th></tr>'
    return (
        f"<p><b>{escape(model.name)}</b> {escape(model.description)}</p>"
        f"<table>{head}{rows}</table>" + (f"<p>{escape(more)}</p>" if more else "")
    )


def _rows(model: Model) -> Iterator[tuple[int, str, str]]:
    """Depth, body and the joint to what carries it; joints that close loops come last."""
    carried: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        carried.setdefault(joint.parent, []).append(joint)
    seen, closing = {WORLD}, []
    stack = [(0, WORLD, "")]
    while stack:
        depth, name, told = stack.pop()
        yield depth, name, told
        for joint in reversed(carried.get(name, ())):
            if joint.cut or joint.child in seen:
                closing.append(joint)
                continue
            seen.add(joint.child)
            stack.append((depth + 1, joint.child, f"{joint.name}, {joint.kind}"))
    yield from ((0, name, "nothing carries it") for name in model.bodies if name not in seen)
    for joint in closing:
        yield 0, f"{joint.parent} to {joint.child}", f"{joint.name}, {joint.kind}, closes a loop"
